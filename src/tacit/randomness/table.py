"""Exact draws from a table of cells by inversion with lazily drawn bits (Knuth and Yao 1976; Lumbroso 2013).

Cell i has a weight that is known only between two whole numbers, at any precision that is asked for. A 64-bit word
falls into a cell, in one vectorised search, unless it lies within one unit of a border; that has probability below
(cells + 2) / 2**63, and then more bits are drawn for this word and the borders are computed more precisely until the
cell is certain. So each cell is drawn with exactly its share of the total weight, and almost always for 64 coins.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from tacit.arrays import IntArray
from tacit.randomness.enclosure import Enclosure
from tacit.randomness.stream import RandomBits, WordArray

_TOP = (1 << 64) - 1


@dataclass(frozen=True)
class Weights:
    """The cells' weights and a bound of what all later cells together weigh, all over the same power of two."""

    cells: tuple[Enclosure, ...]
    rest: int = 0


WeightsAt = Callable[[int], Weights]
"""Weights at a precision: the more precise, the more cells of an infinite table are listed."""


@dataclass(frozen=True)
class _EnclosedBorders:
    """Upper borders of the cells over 2**precision: none is below `low` or above `high`."""

    low: list[int]
    high: list[int]


class CellTable:
    """A distribution over cells 0, 1, 2, …, given by their weights at any precision."""

    def __init__(self, weights: WeightsAt) -> None:
        self._weights = weights
        borders = self._borders(64)
        inside = [(low, high) for low, high in zip(borders.low, borders.high, strict=True) if high <= _TOP]
        after = borders.low[len(inside) :][:1] or [0]
        lows = [low for low, _ in inside] + [min(after[0], _TOP)]
        self._high: WordArray = np.array([high for _, high in inside], dtype=np.uint64)
        self._low: WordArray = np.array(lows, dtype=np.uint64)

    def draw(self, size: int, bits: RandomBits) -> IntArray:
        """Independent cells."""
        words = bits.words(size)
        cells = np.searchsorted(self._high, words, side="right").astype(np.int64, copy=False)
        for place in np.flatnonzero(words >= self._low[cells]):
            cells[place] = self._decide(int(words[place]), bits)
        return cells

    def _decide(self, word: int, bits: RandomBits) -> int:
        precision = 64
        while True:
            borders = self._borders(precision)
            cell = bisect_right(borders.high, word)
            if cell < len(borders.low) and word < borders.low[cell]:
                return cell
            word = word << 64 | bits.word()
            precision += 64

    def _borders(self, precision: int) -> _EnclosedBorders:
        weights = self._weights(precision + 96)
        low = list(accumulate(cell.low for cell in weights.cells))
        high = list(accumulate(cell.high for cell in weights.cells))
        least, most = low[-1], high[-1] + weights.rest
        scale = 1 << precision
        below = [part * scale // most for part in low]
        above = [min(scale, -(-part * scale // least)) for part in high]
        if weights.rest == 0:
            below[-1] = above[-1] = scale
        return _EnclosedBorders(below, above)

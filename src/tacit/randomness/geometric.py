"""Geometric and discrete Laplace (two-sided geometric) noise, exactly, for any rational rate.

A geometric number, Pr[x] = (1 - q) q**x with q = exp(-rate), has independent digits in any base: the digit of weight w
is d with probability proportional to q**(d w). So a large scale costs a few small tables, one for each digit of base
1024, and one for what is left, where "at least K" is a cell of its own: what lies beyond is again geometric (no
memory), so K is added and the draw repeated. The difference of two geometric numbers is discrete Laplace: Pr[x]
proportional to exp(-rate |x|) (Ghosh, Roughgarden and Sundararajan 2009; Inusah and Kozubowski 2006).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from tacit.arrays import IntArray
from tacit.errors import BadParameter
from tacit.randomness.enclosure import Enclosure, exp_minus
from tacit.randomness.stream import RandomBits
from tacit.randomness.table import CellTable, Weights

LARGEST = 1 << 61
"""Noise saturates here. An answer that is clamped to this range as well is post-processed, not distorted by it."""

_BASE = 1024
_LEAST_RATE = Fraction(1, 1 << 48)


@dataclass(frozen=True)
class _Layout:
    """The tables of one rate: `head` for what is left above the digits, in units of `weight`; its last cell means
    more."""

    head: CellTable
    cells: int
    weight: int
    digits: tuple[tuple[int, CellTable], ...]


def geometric(rate: Fraction, size: int, bits: RandomBits) -> IntArray:
    """Independent whole numbers >= 0 with Pr[x] proportional to exp(-rate x)."""
    layout = _layout(rate)
    drawn = np.minimum(_leading(layout, size, bits), LARGEST // layout.weight) * layout.weight
    for weight, digit in layout.digits:
        drawn += digit.draw(size, bits) * weight
    least: IntArray = np.minimum(drawn, LARGEST)
    return least


def discrete_laplace(rate: Fraction, size: int, bits: RandomBits) -> IntArray:
    """Independent whole numbers with Pr[x] proportional to exp(-rate |x|); the scale is 1 / rate."""
    both = geometric(rate, 2 * size, bits)
    return both[:size] - both[size:]


def _leading(layout: _Layout, size: int, bits: RandomBits) -> IntArray:
    drawn = layout.head.draw(size, bits)
    beyond = np.flatnonzero(drawn == layout.cells)
    while beyond.size:
        more = layout.head.draw(beyond.size, bits)
        drawn[beyond] += more
        beyond = beyond[more == layout.cells]
    return drawn


def require_rate(rate: Fraction) -> None:
    """Refuses a rate that is too small to draw from; where the rate depends on data, ask it of the least public one."""
    if rate < _LEAST_RATE:
        raise BadParameter(
            f"epsilon is too small for so fine a grid: noise at a rate of {float(rate):.3g} in each step can't be "
            "drawn, only from 2**-48 on; take a larger epsilon or a coarser grid"
        )


@lru_cache(maxsize=256)
def _layout(rate: Fraction) -> _Layout:
    """Digits are split off until what is left has a rate of at least 1/64."""
    require_rate(rate)
    digits, weight = [], 1
    while rate * weight * 64 < 1:
        digits.append((weight, _digit(rate * weight)))
        weight *= _BASE
    return _Layout(_head(rate * weight), _cells(rate * weight), weight, tuple(digits))


def _cells(rate: Fraction) -> int:
    """So many that hardly a draw in ten million lies beyond them."""
    return -(-16 // min(rate, Fraction(16)))


def _head(rate: Fraction) -> CellTable:
    def weights(precision: int) -> Weights:
        powers = _powers(rate, _cells(rate) + 1, precision)
        steps = pairwise(powers)
        cells = [Enclosure(max(0, this.low - next_.high), this.high - next_.low, precision) for this, next_ in steps]
        return Weights((*cells, powers[-1]))

    return CellTable(weights)


def _digit(rate: Fraction) -> CellTable:
    return CellTable(lambda precision: Weights(tuple(_powers(rate, _BASE, precision))))


def _powers(rate: Fraction, number: int, precision: int) -> list[Enclosure]:
    """exp(-rate k) for k from 0 to number - 1."""
    ratio = exp_minus(rate, precision)
    powers = [Enclosure(1 << precision, 1 << precision, precision)]
    for _ in range(number - 1):
        powers.append(powers[-1].times(ratio))
    return powers

"""Rows as they lie among candidates: all that the choice of a quantile may know of them.

From an array, or from an engine's counts of the rows at and between the candidates; both give the same. Where
candidates are so close that floats make them one, only arrays tell; a database refuses them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tacit.arrays import IntArray
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.methods.statistics._candidates import CandidatePoints


@dataclass(frozen=True)
class Ranked:
    """How many rows lie below and up to each candidate, and the nearest candidate of each row, rising, where several
    quantiles need it; secret."""

    below: IntArray
    upto: IntArray
    places: IntArray

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.upto[-1])


def rank_values(values: ArrayLike, held: CandidatePoints, near: bool) -> Ranked:
    """The rows of an array."""
    rows, points = np.sort(held.clamped(values)), held.rising
    below, upto = np.searchsorted(rows, points, side="left"), np.searchsorted(rows, points, side="right")
    return Ranked(below, upto, held.places(rows) if near else np.empty(0, dtype=np.int64))


def ranks_wanted(column: str, held: CandidatePoints, near: bool) -> Cells:
    """What an engine must count."""
    return Cells((held.among(column), *([held.near(column)] if near else [])))


def rank_counts(found: CellCounts, held: CandidatePoints, near: bool) -> Ranked:
    """The rows that an engine counted; `near` holds a whole number for each of them."""
    nearest = held.size if near else 1
    kept = found.within((2 * held.resolution + 1) * nearest)
    ranks = np.zeros(2 * held.resolution + 2, dtype=np.int64)
    np.add.at(ranks, kept.places // nearest, kept.rows)
    upto = np.cumsum(ranks)[::2]
    places = np.sort(np.repeat(kept.places % nearest, kept.rows)) if near else np.empty(0, dtype=np.int64)
    return Ranked(upto - ranks[::2], upto, places)

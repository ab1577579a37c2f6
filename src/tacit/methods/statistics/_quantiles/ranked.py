"""Where rows lie among candidates: all that the choice of a quantile may know about them.

From an array, or from what an engine counted; both give the same. For the choice each row is rounded to its nearest
candidate, by its own value alone. For an interval the rows at and between the candidates are counted as they are. Each
counts once, however close the candidates are. Where these are so close that floats hardly tell them apart, a row may
count beside the one where it lies; a database refuses them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tacit.arrays import IntArray
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.methods.statistics._candidates import CandidatePoints


@dataclass(frozen=True)
class RankCounts:
    """How many rows are nearest to each candidate, and how many lie at (2 i) and between (2 i + 1) the candidates (all
    in one place where no interval is wanted); secret."""

    nearest: IntArray
    among: IntArray

    @property
    def upto(self) -> IntArray:
        """How many rounded rows lie up to each candidate."""
        return np.cumsum(self.nearest)

    @property
    def below(self) -> IntArray:
        """How many rounded rows lie below each candidate."""
        below: IntArray = self.upto - self.nearest
        return below

    @property
    def places(self) -> IntArray:
        """The nearest candidate of each row, rising."""
        return np.repeat(np.arange(self.nearest.size), self.nearest)


def rank_values(values: ArrayLike, held: CandidatePoints, interval: bool) -> RankCounts:
    """The rows of an array."""
    rows = held.clamped(values)
    places = held.nearest(rows)
    nearest = np.bincount(places, minlength=held.size)
    if not interval:
        return RankCounts(nearest, np.array([rows.size]))
    return RankCounts(nearest, np.bincount(held.ranks(rows, places), minlength=_codes(held, interval)))


def ranks_wanted(column: str, held: CandidatePoints, interval: bool) -> Cells:
    """What an engine must count."""
    return Cells((held.near(column), *([held.among(column)] if interval else [])))


def rank_counts(found: CellCounts, held: CandidatePoints, interval: bool) -> RankCounts:
    """The rows that an engine counted."""
    codes = _codes(held, interval)
    kept = found.within(held.size * codes)
    nearest, among = np.zeros(held.size, dtype=np.int64), np.zeros(codes, dtype=np.int64)
    np.add.at(nearest, kept.places // codes, kept.rows)
    np.add.at(among, kept.places % codes, kept.rows)
    return RankCounts(nearest, among)


def _codes(held: CandidatePoints, interval: bool) -> int:
    """How many places there are at and between the candidates; one for all rows where no interval is wanted."""
    return 2 * held.resolution + 1 if interval else 1

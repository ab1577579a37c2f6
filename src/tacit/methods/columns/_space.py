"""Rows as points among which microaggregation looks for neighbours.

Numbers alone: columns are standardised (mean 0, deviation 1) and rows are apart by the squared Euclidean distance, so
that the sum of squares within groups, SSE, is what grouping loses of the total, SST. Mixed data: Gower's (1971)
distance, the mean over the columns of |x - y| / range for numbers and of 0 or 1 for categories that agree or differ. A
missing number stands at the mean; a missing category is a category of its own.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.columns import Columns, Numbers


@dataclass(frozen=True, eq=False)
class Centre:
    """The middle of some rows: means of the numbers, commonest codes of the categories."""

    numbers: FloatArray
    codes: CodeArray


@dataclass(frozen=True, eq=False)
class Space:
    """`numbers[row, column]`, scaled; `codes[row, column]` of the categories, of which there may be none."""

    numbers: FloatArray
    codes: CodeArray

    @property
    def rows(self) -> int:
        """How many points there are."""
        return int(self.numbers.shape[0])

    @property
    def euclidean(self) -> bool:
        """Whether there are numbers only, so that distances are squared and centres are means."""
        return bool(self.codes.shape[1] == 0)

    def part(self, rows: IntArray) -> "Space":
        """The points of these rows."""
        return Space(self.numbers[rows], self.codes[rows])

    def point(self, row: int) -> Centre:
        """One row as a centre."""
        return Centre(self.numbers[row], self.codes[row])

    def centre(self, rows: IntArray) -> Centre:
        """The middle of these rows; of equally common codes the lowest."""
        common = [np.bincount(column).argmax() for column in self.codes[rows].T]
        return Centre(self.numbers[rows].mean(axis=0), np.array(common, dtype=np.int32))

    def distances(self, rows: IntArray, centre: Centre) -> FloatArray:
        """How far each of these rows is from the centre."""
        apart = self.numbers[rows] - centre.numbers
        if self.euclidean:
            return np.asarray(np.einsum("ij,ij->i", apart, apart))
        differ = (self.codes[rows] != centre.codes).sum(axis=1)
        return np.asarray((np.abs(apart).sum(axis=1) + differ) / (apart.shape[1] + self.codes.shape[1]))


def space_of(columns: Columns) -> Space:
    """The rows of these columns as points."""
    numbers = [column.values for column in columns.values() if isinstance(column, Numbers)]
    codes = [column.codes for column in columns.values() if not isinstance(column, Numbers)]
    scaled = [_scaled(values, by_range=bool(codes)) for values in numbers]
    return Space(
        np.array(scaled, dtype=np.float64).reshape(len(scaled), columns.rows).T.copy(),
        np.array(codes, dtype=np.int32).reshape(len(codes), columns.rows).T.copy(),
    )


def _scaled(values: FloatArray, by_range: bool) -> FloatArray:
    there = values[~np.isnan(values)]
    if not there.size:
        return np.zeros_like(values)
    width = float(np.ptp(there)) if by_range else float(there.std())
    centred = np.where(np.isnan(values), 0.0, values - there.mean())
    return centred / width if width > 0 else np.zeros_like(values)


def sse_share(space: Space, group: IntArray) -> float:
    """SSE / SST of a grouping of numbers: what grouping loses, 0 for nothing and 1 for all."""
    total = float(((space.numbers - space.numbers.mean(axis=0)) ** 2).sum())
    sizes = np.bincount(group)
    sums = np.array([np.bincount(group, weights=column) for column in space.numbers.T])
    inside = float(((space.numbers - (sums / sizes)[:, group].T) ** 2).sum())
    return inside / total if total else 0.0

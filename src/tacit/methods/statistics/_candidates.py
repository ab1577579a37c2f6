"""Candidates for an order statistic: equally spaced between declared bounds, each value rounded to the nearest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tacit.arrays import FloatArray, IntArray
from tacit.methods.statistics._values import as_column


@dataclass(frozen=True)
class Candidates:
    """`resolution` + 1 points from bound to bound."""

    lower: float
    upper: float
    resolution: int

    @property
    def size(self) -> int:
        """How many points there are."""
        return self.resolution + 1

    def places(self, values: ArrayLike) -> IntArray:
        """The nearest point of each value; NaN counts as 0, infinities as the bounds."""
        column = np.nan_to_num(as_column(values).astype(np.float64), nan=0.0)
        share = (np.clip(column, self.lower, self.upper) - self.lower) / (self.upper - self.lower)
        return np.floor(share * self.resolution + 0.5).astype(np.int64)

    def points(self, places: IntArray) -> FloatArray:
        """The values of these points."""
        points: FloatArray = self.lower + places / self.resolution * (self.upper - self.lower)
        return points

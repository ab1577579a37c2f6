"""Candidates for an order statistic: equally spaced between declared bounds, and values clamped to these."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tacit.arrays import FloatArray, IntArray
from tacit.data.aggregates.scale import Ranks, Reading, Shares
from tacit.methods.statistics._values import as_column


@dataclass(frozen=True)
class CandidatePoints:
    """`resolution` + 1 points from bound to bound."""

    lower: float
    upper: float
    resolution: int

    @property
    def size(self) -> int:
        """How many points there are."""
        return self.resolution + 1

    @property
    def rising(self) -> FloatArray:
        """All points; the first and the last are the bounds themselves, whatever floats make of the others."""
        points: FloatArray = np.minimum(self.points(np.arange(self.size)), self.upper)
        points[-1] = self.upper
        return points

    def clamped(self, values: ArrayLike) -> FloatArray:
        """The values within the bounds; NaN counts as 0 before that, infinities as the bounds."""
        column = np.nan_to_num(as_column(values).astype(np.float64), nan=0.0)
        held: FloatArray = np.clip(column, self.lower, self.upper)
        return held

    def places(self, values: ArrayLike) -> IntArray:
        """The nearest point of each clamped value."""
        share = (self.clamped(values) - self.lower) / (self.upper - self.lower)
        return np.floor(share * self.resolution + 0.5).astype(np.int64)

    def near(self, column: str) -> Reading:
        """The nearest points of a column in a database."""
        return Reading(column, Shares(self.lower, self.upper, self.resolution, "nearest"))

    def among(self, column: str) -> Reading:
        """The values of a column in a database as they lie at and between the points."""
        return Reading(column, Ranks(self.lower, self.upper, self.resolution))

    def points(self, places: IntArray) -> FloatArray:
        """The values of these points."""
        points: FloatArray = self.lower + places / self.resolution * (self.upper - self.lower)
        return points

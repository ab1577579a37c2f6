"""Candidates for an order statistic: equally spaced between declared bounds, and values clamped to these.

By default there are about a thousand steps. Where both bounds are whole numbers, at most 2,000 apart, a unit has 1, 2,
5, 10, 20, 50, … steps, whichever brings their number nearest to a thousand: so every whole number between the bounds is
a candidate, to the last bit, and the others are round decimals.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.data.aggregates.scale import Ranks, Reading, Shares
from tacit.noise.statistic_params import BoundedQuestion, Resolution
from tacit.noise.values import as_column

_USUAL = 1000
_TO_A_UNIT = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


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
        return self.nearest(self.clamped(values))

    def nearest(self, held: FloatArray) -> IntArray:
        """The same, where the values are clamped already."""
        share = (held - self.lower) / (self.upper - self.lower)
        return np.floor(share * self.resolution + 0.5).astype(np.int64)

    def ranks(self, held: FloatArray, nearest: IntArray) -> IntArray:
        """Where clamped values with these nearest points lie: 2 i at the point i, 2 i + 1 between it and the next."""
        points = self.rising[nearest]
        return 2 * nearest + (held > points) - (held < points)

    def near(self, column: str) -> Reading:
        """The nearest points of a column in a database."""
        return Reading(column, Shares(self.lower, self.upper, self.resolution, "nearest"))

    def among(self, column: str) -> Reading:
        """The values of a column in a database as they lie at and between the points."""
        return Reading(column, Ranks(self.lower, self.upper, self.resolution))

    def points(self, places: IntArray) -> FloatArray:
        """The values of these points."""
        points: FloatArray = self.lower + places * (self.upper - self.lower) / self.resolution
        return points


def usual_steps(lower: float, upper: float) -> int:
    """How many steps there are where nobody says it; from the bounds alone."""
    width = int(upper) - int(lower)
    if not lower.is_integer() or not upper.is_integer() or width > 2 * _USUAL:
        return _USUAL
    return min((each * width for each in _TO_A_UNIT), key=lambda steps: abs(steps - _USUAL))


class CandidatesQuestion(BoundedQuestion):
    """A question whose answers are candidates between declared bounds."""

    resolution: Annotated[
        Resolution | None,
        Field(
            description="how many equal steps of candidates lie between the bounds; by default about 1000, such that "
            "whole numbers between whole bounds are candidates"
        ),
    ] = None

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return usual_steps(self.lower, self.upper) if self.resolution is None else self.resolution

    @property
    def points(self) -> CandidatePoints:
        """The candidates."""
        return CandidatePoints(self.lower, self.upper, self.steps)

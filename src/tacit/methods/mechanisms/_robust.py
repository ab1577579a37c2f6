"""Order statistics on a grid with their local sensitivity at every distance.

Propose-test-release and smooth sensitivity use them.

Neighbours replace one of n values (n is public). The value of rank r is x_r, the data sorted and clamped to public
limits, with x_i the lower limit before the first and the upper after the last. Changing at most k values, the largest
local sensitivity that can be reached is A(k) = max over 0 <= t <= k + 1 of x_(r + t) - x_(r + t - k - 1) (Nissim,
Raskhodnikova and Smith 2007, for the median). From `reach` on the width of the limits is used, which is never less.
"""

from dataclasses import dataclass
from math import ceil
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.arrays import IntArray
from tacit.errors import BadData, BadParameter
from tacit.noise.fields import Delta, GridPower, LimitsQuestion
from tacit.noise.grid import Grid, as_vector


class OrderStatistic(LimitsQuestion):
    """A value of the sorted data, the median unless told."""

    delta: Delta
    quantile: Annotated[
        float, Field(ge=0, le=1, description="0.5 is the median, 0 the least, 1 the greatest value")
    ] = 0.5
    reach: Annotated[int, Field(ge=1, le=5000, description="the largest distance considered")] = 1000
    grid: GridPower = None


@dataclass(frozen=True)
class Robust:
    """A value in steps and A(0), A(1), …, A(reach) in steps, rising; the last holds for all distances beyond.

    All secret.
    """

    value: int
    local: IntArray


@dataclass(frozen=True)
class Limits:
    """Public limits of the data in steps of a grid."""

    grid: Grid
    low: int
    high: int

    @classmethod
    def of(cls, lower: float, upper: float, grid: Grid) -> "Limits":
        """The limits, rounded to the grid."""
        low, high = (int(steps) for steps in grid.steps(np.array([lower, upper])).counts)
        if low >= high:
            raise BadParameter(f"the limits {lower:g} and {upper:g} are the same point of the grid 2**{grid.power}")
        return cls(grid, low, high)


def order_statistic(data: ArrayLike, quantile: float, limits: Limits, reach: int) -> Robust:
    """The value of rank ceil(quantile n), and its local sensitivities up to distance `reach`."""
    if np.asarray(data).size == 0:
        raise BadData("there are no values; an order statistic needs at least one")
    steps = np.sort(np.clip(limits.grid.steps(as_vector(data)).counts, limits.low, limits.high))
    rank = min(steps.size, max(1, ceil(quantile * steps.size))) - 1
    reach = min(reach, steps.size)
    padded = np.concatenate([np.full(reach + 1, limits.low), steps, np.full(reach + 1, limits.high)])
    local = [_widest(padded, rank + reach + 1, distance) for distance in range(reach)]
    return Robust(int(steps[rank]), np.array([*local, limits.high - limits.low], dtype=np.int64))


def _widest(padded: IntArray, place: int, distance: int) -> int:
    """The widest gap of distance + 1 positions around `place`."""
    upper = padded[place : place + distance + 2]
    lower = padded[place - distance - 1 : place + 1]
    return int((upper - lower).max())

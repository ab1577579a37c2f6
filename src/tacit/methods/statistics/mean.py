"""The mean of values between declared bounds, by a two-cell soft histogram that splits each row between the bounds.

A value x adds (x - lower) / width to an upper weight A and the rest of 1 to a lower weight B. Together a row moves
(A, B) by exactly 1 in L1, so Laplace noise of scale 1 / epsilon on each is epsilon-private (`add-remove`), and
mean = lower + width A / (A + B). Its standard error, width / (epsilon n) for a mean in the middle, is lower by sqrt 2
than that of a noisy sum over a noisy count with half of epsilon each. Under `replace` the number of rows is public and
only A is noisy.

The interval is that of Fieller (1954), valid for any number of rows: at the true share t = A / (A + B), (1 - t) A -
t B is a sum of two Laplace noises of scales (1 - t) / epsilon and t / epsilon; all t at which what was seen is not too
far out are kept. (On either side of the estimate those that are refuted are one interval, since the quantile of the
noise is convex in t; where the estimate itself is refuted, all of the range is kept.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact, whole
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.sums import Sums, Totals
from tacit.errors import BadData
from tacit.methods.statistics._laplace_sum import sum_quantile, sum_tail
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.setting import Allowance, Moves, NoiseSetting, add_noise, as_steps, setting
from tacit.noise.statistic_params import BoundedQuestion, ValueGrid
from tacit.noise.values import Range, range_of
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_numbers

_HALVINGS = 28


class Mean(BoundedQuestion):
    """The mean of values between bounds."""

    grid: ValueGrid = None


@dataclass(frozen=True)
class MeanAnswer(Publishable):
    """Noisy weights at the two bounds (in rows), the scale of their noise, and the number of rows where it is
    public."""

    above: float
    below: float
    scale: float
    lower: float
    upper: float
    event: Event
    rows: int | None = None
    seeded: bool = False

    @property
    def value(self) -> float:
        """The published mean; the middle of the bounds where the noisy number of rows is not above 0."""
        return self.lower + (self.upper - self.lower) * self._share

    @property
    def _share(self) -> float:
        rows = self.above + self.below
        return min(max(self.above / rows, 0.0), 1.0) if rows > 0 else 0.5

    def told(self) -> Mapping[str, Any]:
        """The mean."""
        return {"values": [self.value]}

    def error(self, level: float = 0.95) -> float:
        """The longer arm of the interval."""
        ends = self.interval(level)
        return max(float(ends.upper[0]) - self.value, self.value - float(ends.lower[0]))

    def interval(self, level: float = 0.95) -> Interval:
        """Bounds that hold the true mean with probability `level`."""
        check_level(level)
        low, high = self._furthest(0.0, 1 - level), self._furthest(1.0, 1 - level)
        ends = self.lower + (self.upper - self.lower) * np.array([low, high])
        return Interval(ends[:1], ends[1:])

    def _furthest(self, end: float, miss: float) -> float:
        """The share furthest towards `end` that is not refuted."""
        good, bad = self._share, end
        if self._refuted(good, miss) or not self._refuted(bad, miss):
            return bad
        for _ in range(_HALVINGS):
            middle = (good + bad) / 2
            good, bad = (good, middle) if self._refuted(middle, miss) else (middle, bad)
        return bad

    def _refuted(self, share: float, miss: float) -> bool:
        gap = abs((1 - share) * self.above - share * self.below)
        scales = (self.scale,) if self.rows is not None else (self.scale * (1 - share), self.scale * share)
        return sum_tail(scales, gap) < miss


def used(params: Mean) -> NoiseSetting:
    """The noise of the weights, in steps of the range: a row moves both together by its width."""
    steps = _range(params).width * params.contributions
    return setting(Moves(steps, Fraction(steps), 2), Allowance(exact(params.epsilon)))


def mean(values: ArrayLike, params: Mean, bits: RandomBits) -> MeanAnswer:
    """The mean of the clamped values with noise."""
    return from_aggregates(_range(params).totals(values), params, bits)


def wanted(columns: Sequence[str], params: Mean) -> Sums:
    """What an engine must add up: the steps of the column above the lower bound."""
    return _range(params).wanted(columns)


@scoped
def from_aggregates(found: Totals, params: Mean, bits: RandomBits) -> MeanAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    held = _range(params)
    (above,) = found.of(held.wanted(["value"]), params.contributions)
    if params.neighbours == "replace":
        return _of_known(above, found.rows, params, bits)
    noisy = add_noise(as_steps(above, held.width * found.rows - above), used(params), held.grid, bits)
    return _answer(noisy.values[0] / held.span, noisy.values[1] / held.span, params, held)


def _of_known(above: int, rows: int, params: Mean, bits: RandomBits) -> MeanAnswer:
    if rows == 0:
        raise BadData("there are no rows, and their number is public; a mean needs at least one")
    held = _range(params)
    share = add_noise(as_steps(above), used(params), held.grid, bits).values[0] / held.span
    return _answer(share, rows - share, params, held, rows)


def _answer(above: float, below: float, params: Mean, held: Range, rows: int | None = None) -> MeanAnswer:
    scale = params.contributions / params.epsilon
    low, high = held.grid.values(np.array([held.low, held.high]))
    return MeanAnswer(float(above), float(below), scale, float(low), float(high), used(params).event, rows)


def spends(params: Mean) -> Event:
    """What a mean costs."""
    return in_scope(used(params).event, params.scope)


def standard_error(params: Mean, rows: int, share: float = 0.5) -> float:
    """The noise of the mean of so many rows that lies at this share of the way from bound to bound, to first order."""
    spread = 1.0 if params.neighbours == "replace" else (share**2 + (1 - share) ** 2) ** 0.5
    return (params.upper - params.lower) * spread * 2**0.5 * params.contributions / (params.epsilon * rows)


def error(params: Mean, rows: int, level: float = 0.95, share: float = 0.5) -> float:
    """What the mean of so many rows that lies at this share of the way is off by, at most, with probability `level`, to
    first order."""
    scale = (params.upper - params.lower) * params.contributions / (params.epsilon * whole("rows", rows))
    parts = (1.0,) if params.neighbours == "replace" else (share, 1 - share)
    return sum_quantile([part * scale for part in parts], level)


def _range(params: Mean) -> Range:
    return range_of(params.lower, params.upper, params.grid)


METHOD = Statistic(
    title="Mean",
    params=Mean,
    run=mean,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=error,
    neighbours=of_numbers,
    needs="a number for each row and declared bounds",
    gives="the mean of the clamped values, with an interval that holds for any number of rows",
    paper="https://doi.org/10.1007/11681878_14",
    example=Mean(epsilon=0.5, lower=0.0, upper=100.0),
)

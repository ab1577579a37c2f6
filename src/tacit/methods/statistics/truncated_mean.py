"""The mean of at least a public number of rows, clamped to a declared output range (W19, W20).

Where every dataset is known to have at least S rows (a public fact: smaller ones are filled up with the lower bound),
one row moves the mean by at most (upper - lower) / S, and a mean that is clamped to [least, greatest] by at most
greatest - least; the smaller of the two calibrates the Laplace noise. The noisy answer is clamped again, which is free.

Filling up: with n < S rows the sum is divided by S after adding S - n lower bounds, so the sensitivity holds for all
datasets, also for those that break the promise of S.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.sums import Sums, Totals
from tacit.noise.answer import NoisyAnswer
from tacit.noise.grid import Grid
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import scoped
from tacit.noise.setting import Allowance, Moves, NoiseSetting, add_noise, as_steps, setting
from tacit.noise.statistic_params import BoundedQuestion
from tacit.noise.values import fine_grid, nearest, range_of
from tacit.randomness.stream import RandomBits
from tacit.sensitivity import tables
from tacit.sensitivity.neighbouring_datasets import of_numbers
from tacit.sensitivity.neighbours import user
from tacit.sensitivity.sensitivity import Sensitivity, bounds

_FINER = 16


class TruncatedMean(BoundedQuestion):
    """The mean of many rows, within declared limits."""

    least_rows: Annotated[int, Field(ge=1, le=1 << 40, description="a public fact: no dataset has fewer rows")]
    least: Annotated[float | None, Field(ge=-1e100, le=1e100, description="the least mean that is answered")] = None
    greatest: Annotated[float | None, Field(ge=-1e100, le=1e100, description="the greatest mean that is answered")] = (
        None
    )

    @model_validator(mode="after")
    def _output_in_order(self) -> Self:
        low, high = self.limits
        if not self.lower <= low < high <= self.upper:
            raise ValueError(f"the output range is {low} to {high}; it must be in order and within the bounds")
        return self

    @property
    def limits(self) -> tuple[float, float]:
        """The output range; by default the bounds."""
        least = self.lower if self.least is None else self.least
        return least, self.upper if self.greatest is None else self.greatest


FILLED = (
    "Where there are fewer rows than `least_rows` says, the missing ones count as the lower bound; the answer does not "
    "show whether this happened, and its interval is about the mean with these rows filled in."
)


class FilledMean(NoisyAnswer):
    """The mean of rows that were filled up to a declared number."""

    def remarks(self) -> tuple[str, ...]:
        """What becomes of too few rows, whether or not there were."""
        return (FILLED,)


def sensitivity(params: TruncatedMean) -> Sensitivity:
    """The most that a person moves the clamped mean."""
    ends, output = bounds(params.lower, params.upper), bounds(*params.limits)
    row = tables.mean(ends, params.least_rows, None, params.neighbours).for_unit(user(params.contributions))
    return row if row.l1 < output.width else tables.mean(ends, 1, output, params.neighbours)


def output_grid(params: TruncatedMean) -> Grid:
    """Steps so fine that rounding the mean costs next to nothing."""
    return fine_grid(float(sensitivity(params).l1), _FINER)


def used(params: TruncatedMean) -> NoiseSetting:
    """The noise of the mean: its sensitivity in steps, rounded up, and one step for the rounding of the values."""
    grid = output_grid(params)
    steps = -(-sensitivity(params).l1 // grid.step) + 1
    return setting(Moves(steps, Fraction(steps)), Allowance(exact(params.epsilon)))


def truncated_mean(values: ArrayLike, params: TruncatedMean, bits: RandomBits) -> FilledMean:
    """The clamped mean with Laplace noise, clamped again."""
    return from_aggregates(range_of(params.lower, params.upper).totals(values), params, bits)


def wanted(columns: Sequence[str], params: TruncatedMean) -> Sums:
    """What an engine must add up: the steps of the column above the lower bound."""
    return range_of(params.lower, params.upper).wanted(columns)


@scoped
def from_aggregates(found: Totals, params: TruncatedMean, bits: RandomBits) -> FilledMean:
    """The private answer, computed from the aggregates that an engine found."""
    grid, (least, greatest) = output_grid(params), params.limits
    truth = min(max(mean_of(found, params), exact(least)), exact(greatest))
    noisy = add_noise(as_steps(nearest(truth / grid.step)), used(params), grid, bits)
    held = np.clip(noisy.values.astype(np.float64), least, greatest)
    return FilledMean(held, noisy.noise, noisy.event, grid.step, grid.step / 2, least, greatest)


def mean_of(found: Totals, params: TruncatedMean) -> Fraction:
    """The exact mean, secret; the sum is divided by at least the declared number of rows."""
    held = range_of(params.lower, params.upper)
    (above,) = found.of(held.wanted(["value"]), params.contributions)
    return (Fraction(above, max(found.rows, params.least_rows)) + held.low) * held.grid.step


def spends(params: TruncatedMean) -> Event:
    """What the mean costs."""
    return in_scope(used(params).event, params.scope)


def error(params: TruncatedMean, level: float = 0.95) -> float:
    """What the answer is off by, at most, with probability `level`, where the true mean lies in the output range."""
    return float((error_steps(used(params).noise, level) + Fraction(1, 2)) * output_grid(params).step)


METHOD = Statistic(
    title="Truncated mean",
    params=TruncatedMean,
    run=truncated_mean,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_numbers,
    needs="a number for each row, declared bounds, and a public least number of rows",
    gives="the mean within declared limits, with Laplace noise",
    paper="https://doi.org/10.1007/11681878_14",
    example=TruncatedMean(epsilon=1.0, lower=1000.0, upper=100000.0, least_rows=5, least=2000.0, greatest=4000.0),
)

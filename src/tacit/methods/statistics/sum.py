"""A sum of values between declared bounds (W18): clamped, rounded to a public grid, summed exactly, plus Laplace noise.

A row moves the sum by at most the largest absolute value (`add-remove`) or by the width of the bounds (`replace`),
the rows of a person by their number times that. Sums of floats may move by more (their rounding depends on order and
number of rows), so the values are whole numbers of grid steps before they are added up.
"""

from collections.abc import Sequence
from fractions import Fraction

from numpy.typing import ArrayLike

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.sums import Sums, Totals
from tacit.noise.answer import NoisyAnswer
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import scoped
from tacit.noise.setting import Allowance, Moves, NoiseSetting, add_noise, as_steps, setting
from tacit.noise.statistic_params import BoundedQuestion, ValueGrid
from tacit.noise.values import Range, fine_grid, range_of
from tacit.randomness.stream import RandomBits
from tacit.sensitivity import tables
from tacit.sensitivity.neighbouring_datasets import of_numbers
from tacit.sensitivity.neighbours import user
from tacit.sensitivity.sensitivity import bounds


class Sum(BoundedQuestion):
    """The sum of values between bounds."""

    grid: ValueGrid = None


def range_for(params: Sum) -> Range:
    """The bounds on their grid: 2**28 steps to whatever the sensitivity is measured by."""
    if params.grid is None and params.neighbours == "add-remove":
        size = max(abs(params.lower), abs(params.upper))
        return range_of(params.lower, params.upper, fine_grid(size).power)
    return range_of(params.lower, params.upper, params.grid)


def used(params: Sum) -> NoiseSetting:
    """The noise of a sum, in steps."""
    held = range_for(params)
    move = tables.total(bounds(Fraction(held.low), Fraction(held.high)), params.neighbours)
    steps = int(move.for_unit(user(params.contributions)).l1)
    return setting(Moves(steps, Fraction(steps)), Allowance(exact(params.epsilon)))


def noisy_sum(values: ArrayLike, params: Sum, bits: RandomBits) -> NoisyAnswer:
    """The sum of the clamped values with noise."""
    return from_aggregates(range_for(params).totals(values), params, bits)


def wanted(columns: Sequence[str], params: Sum) -> Sums:
    """What an engine must add up: the steps of the column above the lower bound."""
    return range_for(params).wanted(columns)


@scoped
def from_aggregates(found: Totals, params: Sum, bits: RandomBits) -> NoisyAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    held = range_for(params)
    (above,) = found.of(held.wanted(["value"]), params.contributions)
    return add_noise(as_steps(above + held.low * found.rows), used(params), held.grid, bits)


def spends(params: Sum) -> Event:
    """What a sum costs."""
    return in_scope(used(params).event, params.scope)


def error(params: Sum, level: float = 0.95) -> float:
    """What the sum is off by, at most, with probability `level`."""
    return float(error_steps(used(params).noise, level) * range_for(params).grid.step)


METHOD = Statistic(
    title="Sum",
    params=Sum,
    run=noisy_sum,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_numbers,
    needs="a number for each row and declared bounds",
    gives="the sum of the clamped values, with Laplace noise on a public grid",
    paper="https://doi.org/10.1007/11681878_14",
    example=Sum(epsilon=0.5, lower=0.0, upper=100.0),
)

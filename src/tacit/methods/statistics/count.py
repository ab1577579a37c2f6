"""A count of rows (W18): two-sided geometric noise on the number of rows that have a property.

One row moves the count by at most 1 under either relation, the rows of a person by their number, so noise of scale
contributions / epsilon is epsilon-private (Ghosh, Roughgarden and Sundararajan 2009: for counts no mechanism serves
anybody better). What is published, interval and number, is held at 0 or above.
"""

from collections.abc import Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import TruthColumn
from tacit.data.aggregates.array_cells import as_truths
from tacit.data.aggregates.scale import Reading, Truth, require_columns
from tacit.data.aggregates.sums import Sums, Term, Totals
from tacit.noise.answer import NoisyAnswer
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, as_steps, setting
from tacit.noise.statistic_params import StatisticParams
from tacit.randomness.stream import RandomBits
from tacit.sensitivity import tables
from tacit.sensitivity.neighbouring_datasets import of_truths
from tacit.sensitivity.neighbours import user


class Count(StatisticParams):
    """How many rows have a property."""


def used(params: Count) -> NoiseSetting:
    """The noise of a count."""
    move = tables.count(params.neighbours).for_unit(user(params.contributions))
    return setting(Moves(int(move.l1), move.l2), Allowance(exact(params.epsilon)))


def count(having: ArrayLike, params: Count, bits: RandomBits) -> NoisyAnswer:
    """The noisy number of rows for which `having` is true; what is missing is not."""
    return from_number(int(as_truths(having).sum()), params, bits)


@scoped
def from_number(number: int, params: Count, bits: RandomBits) -> NoisyAnswer:
    """The same, where an engine has counted."""
    return replace(add_noise(as_steps(number), used(params), WHOLE, bits), lower=0)


def wanted(columns: Sequence[str], params: Count) -> Sums:
    """What an engine must add up: the rows for which the column is true; without a column, all rows."""
    if not columns:
        return Sums((), ())
    require_columns(columns, 1)
    return Sums((Reading(columns[0], Truth()),), (Term((0,)),))


def from_aggregates(found: Totals, params: Count, bits: RandomBits) -> NoisyAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    of_all = found.asked is not None and not found.asked.terms
    sums = found.of(wanted([] if of_all else ["having"], params), params.contributions)
    return from_number(found.rows if of_all else sums[0], params, bits)


def spends(params: Count) -> Event:
    """What a count costs."""
    return in_scope(used(params).event, params.scope)


def error(params: Count, level: float = 0.95) -> float:
    """What the count is off by, at most, with probability `level`."""
    return float(error_steps(used(params).noise, level))


METHOD = Statistic(
    title="Count",
    params=Count,
    run=count,
    takes=TruthColumn(least=0),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_truths,
    needs="a boolean for each row, or nothing to count all rows",
    gives="how many are true, with two-sided geometric noise",
    paper="https://doi.org/10.1137/09076828X",
    example=Count(epsilon=0.5),
)

"""The best of several models or parameters, chosen privately by how well each does on the rows.

Each candidate has a score on every row between declared bounds (0 for wrong, 1 for right; or a loss). The sums of the
scores, measured from the lower bound, move by at most the width, all in one direction where a row is added;
permute-and-flip chooses (McKenna and Sheldon 2020). The candidates must be public, or private by themselves and paid
for; only the choice is paid for here. The error bounds how far the chosen sum stays behind the best.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, in_scope
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import ScoreColumns
from tacit.data.aggregates.scale import require_columns
from tacit.data.aggregates.sums import Sums, Term, Totals
from tacit.methods.mechanisms.permute_and_flip import PermuteAndFlip, choose, worst_chance
from tacit.methods.mechanisms.permute_and_flip import spends as choice_spends
from tacit.methods.statistics._named_choice import NamedChoice, named
from tacit.noise.private_answer import scoped
from tacit.noise.scores import loss_steps
from tacit.noise.statistic_params import BoundedQuestion, NameList
from tacit.noise.values import Range, as_matrix, range_of, total
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_scores


class BestChoice(BoundedQuestion):
    """The best of named candidates."""

    candidates: NameList
    goal: Annotated[Literal["greatest", "least"], Field(description="whether scores are gains or losses")] = "greatest"


def selection(params: BestChoice) -> PermuteAndFlip:
    """How the candidate is chosen; scores are in steps of the range."""
    together = params.neighbours == "add-remove"
    width = float(score_range(params).width * params.contributions)
    return PermuteAndFlip(epsilon=params.epsilon, sensitivity=width, monotonic=together, grid=0)


def score_sums(rows: ArrayLike, params: BestChoice) -> IntArray:
    """The exact sum of each candidate's clamped scores, in steps from the lower bound; secret."""
    table, held = as_matrix(rows, len(params.candidates)), score_range(params)
    return _scores([total(held.steps(column) - held.low) for column in table.T], params)


def sums_from(found: Totals, params: BestChoice) -> IntArray:
    """The private answer, computed from the aggregates that an engine found."""
    return _scores(found.of(wanted(params.candidates, params), params.contributions), params)


def _scores(sums: Sequence[int], params: BestChoice) -> IntArray:
    return np.array(sums, dtype=np.int64) * (1 if params.goal == "greatest" else -1)


def best_choice(rows: ArrayLike, params: BestChoice, bits: RandomBits) -> NamedChoice:
    """The candidate that does best on the rows, or nearly best; one column of scores for each candidate."""
    return _answer(score_sums(rows, params), params, bits)


def wanted(columns: Sequence[str], params: BestChoice) -> Sums:
    """What an engine must add up: the steps of each candidate's column of scores above the lower bound."""
    require_columns(columns, len(params.candidates))
    readings = tuple(score_range(params).reading(column) for column in columns)
    return Sums(readings, tuple(Term((place,)) for place in range(len(readings))))


def from_aggregates(found: Totals, params: BestChoice, bits: RandomBits) -> NamedChoice:
    """The private answer, computed from the aggregates that an engine found."""
    return _answer(sums_from(found, params), params, bits)


@scoped
def _answer(sums: IntArray, params: BestChoice, bits: RandomBits) -> NamedChoice:
    return named(choose(sums, selection(params), bits), params.candidates)


def spends(params: BestChoice) -> Event:
    """What the choice costs."""
    return in_scope(choice_spends(selection(params)), params.scope)


def error(params: BestChoice, level: float = 0.95) -> float:
    """What the chosen sum stays behind the best by, at most, with probability `level`."""
    steps = loss_steps(worst_chance, selection(params), len(params.candidates), level)
    return steps * float(score_range(params).grid.step)


def score_range(params: BestChoice) -> Range:
    """The bounds of a score, in steps of their grid."""
    return range_of(params.lower, params.upper)


METHOD = Statistic(
    title="Best choice",
    params=BestChoice,
    run=best_choice,
    takes=ScoreColumns(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_scores,
    needs="a score of every candidate on every row, and declared bounds of the scores",
    gives="the name of the best candidate, or of one nearly as good",
    paper="https://arxiv.org/abs/2010.12603",
    example=BestChoice(epsilon=1.0, lower=0.0, upper=1.0, candidates=("small", "large")),
)

"""A minimum or maximum that one row can't decide: the outermost candidate that about `depth` rows lie beyond.

The true extreme is one person's value and moves by the whole width. Here the score of a candidate is minus the
distance of a public depth from [rows beyond it, rows beyond it or at it], which one row moves by at most 1, and the
exponential mechanism chooses (McSherry and Talwar 2007). Further in than the innermost candidate there is none, so it
counts as deep enough. By default the depth is the mechanism's own error at 95 %, about 2 ln(candidates / 0.05)
contributions / epsilon rows: then at least one row lies at the chosen value or beyond, but at most twice the depth
beyond it.

The interval reaches from the answer to the declared bound and holds the greatest (least) clamped value with the stated
probability. Neither end can be nearer for any interval that is made from the answer (docs/explanation/quantiles.md).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, in_scope
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.scale import require_columns
from tacit.methods.mechanisms.exponential import ExponentialMechanism, choose, worst_chance
from tacit.methods.mechanisms.exponential import spends as choice_spends
from tacit.methods.statistics._candidates import CandidatesQuestion
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.scores import loss_steps, score_rate
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_numbers


class Extremes(CandidatesQuestion):
    """The least or the greatest value, up to a public number of rows."""

    which: Annotated[Literal["minimum", "maximum"], Field(description="the lower or the upper end")] = "maximum"
    depth: Annotated[
        int | None,
        Field(ge=0, le=1 << 40, description="how many rows should lie beyond; by default as many as the error"),
    ] = None


@dataclass(frozen=True)
class ExtremeAnswer(Publishable):
    """The chosen candidate, how many rows were to lie beyond it, and what it cost."""

    value: float
    depth: int
    params: Extremes
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The chosen candidate, and how many rows were to lie beyond it."""
        return {"values": [self.value], "depth": self.depth}

    def interval(self, level: float = 0.95) -> Interval:
        """Bounds that hold the greatest (least) clamped value with probability `level`; those declared where the depth
        is too small for it."""
        check_level(level)
        low, high = self.params.lower, self.params.upper
        if miss(self.params) <= 1 - level:
            half = (high - low) / self.params.steps / 2
            if self.params.which == "minimum":
                high = min(self.value + half, high)
            else:
                low = max(self.value - half, low)
        return Interval(np.array([low]), np.array([high]))


def selection(params: Extremes) -> ExponentialMechanism:
    """How the candidate is chosen."""
    return ExponentialMechanism(epsilon=params.epsilon, sensitivity=float(params.contributions), grid=0)


def spends(params: Extremes) -> Event:
    """What the choice costs."""
    return in_scope(choice_spends(selection(params)), params.scope)


def error(params: Extremes, level: float = 0.95) -> float:
    """How many rows the depth lies outside the ranks of the answer, at most, with probability `level`."""
    return float(loss_steps(worst_chance, selection(params), params.steps + 1, level))


def depth(params: Extremes) -> int:
    """How many rows should lie beyond the answer; public."""
    return int(error(params)) + 1 if params.depth is None else params.depth


def miss(params: Extremes) -> float:
    """A bound of the chance that the answer lies beyond every row."""
    return worst_chance(math.exp(-float(score_rate(selection(params))) * depth(params)), params.steps + 1)


def extremes(values: ArrayLike, params: Extremes, bits: RandomBits) -> ExtremeAnswer:
    """A candidate that about `depth` rows lie beyond."""
    return _answer(distances(params.points.places(values), params), params, bits)


def wanted(columns: Sequence[str], params: Extremes) -> Cells:
    """What an engine must count: the rows nearest to each candidate."""
    require_columns(columns, 1)
    return Cells((params.points.near(columns[0]),))


def from_aggregates(found: CellCounts, params: Extremes, bits: RandomBits) -> ExtremeAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["value"], params), params.contributions)
    return _answer(_gaps(kept.dense(params.steps + 1), params), params, bits)


@scoped
def _answer(gaps: IntArray, params: Extremes, bits: RandomBits) -> ExtremeAnswer:
    held = params.points
    choice = choose(-gaps, selection(params), bits)
    place = held.resolution - choice.chosen if params.which == "minimum" else choice.chosen
    return ExtremeAnswer(float(held.points(place)[0]), depth(params), params, choice.event)


def distances(places: IntArray, params: Extremes) -> IntArray:
    """How far the depth is from the ranks of each candidate, from the inner end outwards; secret."""
    return _gaps(np.bincount(places, minlength=params.steps + 1), params)


def _gaps(counts: IntArray, params: Extremes) -> IntArray:
    inner = counts[::-1] if params.which == "minimum" else counts
    beyond = inner.sum() - np.cumsum(inner)
    short = depth(params) - beyond - inner
    short[0] = 0
    gaps: IntArray = np.maximum(np.maximum(beyond - depth(params), short), 0)
    return gaps


METHOD = Statistic(
    title="Minimum and maximum",
    asks=lambda params: params.which.capitalize(),
    params=Extremes,
    run=extremes,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_numbers,
    needs="a number for each row, declared bounds and the number of candidates between them",
    gives="a value beyond which only about a given number of rows lie",
    paper="https://doi.org/10.1109/FOCS.2007.66",
    example=Extremes(epsilon=1.0, lower=0.0, upper=100.0),
)

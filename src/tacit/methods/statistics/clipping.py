"""A clipping bound found by the sparse vector technique (W31): the first declared bound that keeps enough rows.

For declared bounds b_1 < b_2 < … the questions are q_i = rows up to b_i - share n; a row moves each by at most
max(share, 1 - share). The first i at which the noisy q_i reaches the noisy threshold 0 is answered, for one epsilon
however many bounds were looked at (Lyu, Su and Li 2017). The bound may then serve as `upper` of a sum or a mean, whose
own epsilon comes on top. Where no bound reaches, the last is answered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.scale import Borders, Reading, require_columns
from tacit.methods.mechanisms.sparse_vector import SparseVector, above_threshold
from tacit.methods.mechanisms.sparse_vector import error as sparse_error
from tacit.methods.mechanisms.sparse_vector import spends as sparse_spends
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.statistic_params import StatisticParams, Upper
from tacit.noise.values import as_column
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import FAR, Ends, neighbouring_datasets
from tacit.sensitivity.pair import Pair

_PARTS = 10_000


class Clipping(StatisticParams):
    """The least of declared bounds that keeps a share of the rows."""

    bounds: Annotated[
        tuple[Upper, ...], Field(min_length=1, max_length=100_000, description="the declared bounds, in rising order")
    ]
    share: Annotated[float, Field(gt=0, lt=1, description="the share of rows that should stay as they are")] = 0.95

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(first >= second for first, second in pairwise(self.bounds)):
            raise ValueError("the bounds must rise and differ")
        if (exact(self.share) * _PARTS).denominator != 1:
            raise ValueError("the share has more than four decimals")
        return self


@dataclass(frozen=True)
class ClippingAnswer(Publishable):
    """The bound, its position, whether the noisy share was reached there, and what it cost."""

    bound: float
    index: int
    reached: bool
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The bound, and whether enough rows seem to lie up to it."""
        return {"values": [self.bound], "reached": self.reached}


def questions(values: ArrayLike, params: Clipping) -> IntArray:
    """q_i for each bound, times the denominator of the share; NaN counts as 0; secret."""
    column = np.sort(np.nan_to_num(as_column(values).astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf))
    return _questions(np.searchsorted(column, np.array(params.bounds), side="right"), column.size, params)


def _questions(upto: IntArray, rows: int, params: Clipping) -> IntArray:
    share = exact(params.share)
    return (upto * share.denominator - share.numerator * rows).astype(np.int64)


def sparse_vector(params: Clipping) -> SparseVector:
    """The sparse vector behind it."""
    share = exact(params.share)
    move = max(share.numerator, share.denominator - share.numerator) if params.neighbours == "add-remove" else 0
    sensitivity = float((move or share.denominator) * params.contributions)
    return SparseVector(epsilon=params.epsilon, sensitivity=sensitivity, threshold=0.0, grid=0)


def clipping(values: ArrayLike, params: Clipping, bits: RandomBits) -> ClippingAnswer:
    """The first declared bound up to which enough rows seem to lie."""
    return _answer(questions(values, params), params, bits)


def wanted(columns: Sequence[str], params: Clipping) -> Cells:
    """What an engine must count: the rows between each two bounds."""
    require_columns(columns, 1)
    return Cells((Reading(columns[0], Borders(params.bounds)),))


def from_aggregates(found: CellCounts, params: Clipping, bits: RandomBits) -> ClippingAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    upto = np.cumsum(found.of(wanted(["value"], params), params.contributions).dense(len(params.bounds) + 1))
    return _answer(_questions(upto[:-1], int(upto[-1]), params), params, bits)


@scoped
def _answer(asked: IntArray, params: Clipping, bits: RandomBits) -> ClippingAnswer:
    found = above_threshold(asked, sparse_vector(params), bits)
    index = int(found.above[0]) if found.above.size else len(params.bounds) - 1
    return ClippingAnswer(params.bounds[index], index, bool(found.above.size), found.event)


def spends(params: Clipping) -> Event:
    """What the whole search costs."""
    return in_scope(sparse_spends(sparse_vector(params)), params.scope)


def neighbours(params: Clipping) -> tuple[Pair, ...]:
    """Rows below the first bound, at the last, and far beyond it."""
    first, last = params.bounds[0], params.bounds[-1]
    ends = Ends(first / 2, last, (sum(params.bounds[:2]) / 2,), FAR * last, np.array, params.contributions)
    return neighbouring_datasets(ends, params.neighbours)


def error(params: Clipping, level: float = 0.95) -> float:
    """How many rows too few the chosen bound keeps, or a lower one that was passed over too many, at most, with
    probability `level`."""
    return sparse_error(sparse_vector(params), len(params.bounds), level) / exact(params.share).denominator


METHOD = Statistic(
    title="Automatic clipping",
    params=Clipping,
    run=clipping,
    takes=NumberColumn(bounded=False),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=neighbours,
    needs="a number for each row and declared bounds to choose from",
    gives="the first bound that about a given share of the rows does not exceed",
    paper="https://doi.org/10.14778/3055330.3055331",
    example=Clipping(epsilon=1.0, bounds=(1.0, 10.0, 100.0, 1000.0)),
)

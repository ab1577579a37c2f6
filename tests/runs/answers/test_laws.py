"""Exact laws of grouped questions: what one person can change, enumerated, against what the question is charged for.

Counts by group have independent discrete Laplace noise of one scale s. Where a person changes the counts by d, the
privacy loss is a sum over groups of whole multiples of 1/s, so its law is a convolution of finite laws and the delta of
any epsilon is a finite sum (Canonne, Kamath and Steinke 2020 for delta as an expectation of the loss). The counts come
from the same queries that answer questions; the people are all those with up to three rows.

Covers accounting/spread, answers/asking, answers/protection, answers/question, aggregates/people, aggregates/groups.
"""

import math
from contextlib import nullcontext
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacit.accounting.account import account
from tacit.accounting.events import DiscreteLaplace, Event, Parallel
from tacit.accounting.scope import Neighbours
from tacit.accounting.scoping import unscoped
from tacit.cards.takes import Declaration
from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.groups import ByGroup
from tacit.data.aggregates.people import People
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.sums import Sums
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData
from tacit.randomness.stream import RandomBits
from tacit.runs.answers.asking import AskableRows
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker, Question

NAMES = ("u", "v")
COLUMNS = {
    "id": Declaration("id"),
    "key": Declaration("key", categories=NAMES),
    "side": Declaration("side", categories=NAMES),
}
OTHERS = [("b", "u", "v"), ("b", "v", "v"), ("c", "v", "u"), (None, "u", "u")]
ROWS = [("u", "u"), ("v", "u"), ("v", "v"), (None, "v")]
EVERYBODY = [rows for number in range(4) for rows in combinations_with_replacement(ROWS, number)]
Counts = dict[tuple[Any, ...], tuple[int, ...]]
SINGLE = tuple((name,) for name in NAMES)


def count_by(who: Protection, by: tuple[str, ...]) -> Question:
    return Asker(COLUMNS, who).question("statistics/count", {"by": list(by), "epsilon": 1.0})


def counts(asked: Aggregate[Any]) -> Counts:
    """The count of each group beside the others, for everybody who may join them."""
    found = {}
    with DuckDB() as engine:
        for rows in EVERYBODY:
            table = [*OTHERS, *(("a", key, side) for key, side in rows)]
            columns = (pa.array(column, pa.string()) for column in zip(*table, strict=True))
            source = Source("frame", frame=pa.table(dict(zip(COLUMNS, columns, strict=True))))
            found[rows] = tuple(part.rows for part in engine.aggregates(source, asked))
    return found


def moves(found: Counts, neighbours: Neighbours) -> set[tuple[int, ...]]:
    """All that one person can change: by coming, or by becoming another person who has rows too."""
    pairs = [((), rows) for rows in found] if neighbours == "add-remove" else product(found, found)
    some = [pair for pair in pairs if neighbours == "add-remove" or all(pair)]
    return {tuple(abs(one - two) for one, two in zip(found[a], found[b], strict=True)) for a, b in some}


def loss_law(move: tuple[int, ...], scale: float) -> dict[int, float]:
    """The law of the privacy loss in units of 1/scale: each group adds |x - d| - |x| for its noise x."""
    q, law = math.exp(-1 / scale), {0: 1.0}
    for shift in move:
        inner = {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(1, shift)}
        part: dict[int, float] = {shift: 1 / (1 + q), -shift: q**shift / (1 + q)} if shift else {0: 1.0}
        for x, chance in inner.items():
            part[shift - 2 * x] = part.get(shift - 2 * x, 0.0) + chance
        mixed: dict[int, float] = {}
        for (a, p), (b, r) in product(law.items(), part.items()):
            mixed[a + b] = mixed.get(a + b, 0.0) + p * r
        law = mixed
    return law


def worst_delta(changes: set[tuple[int, ...]], scale: float, epsilon: float) -> float:
    """The delta that the noise needs for this epsilon, over all that one person can change."""
    return max(
        sum(p * -math.expm1(min(epsilon - loss / scale, 0.0)) for loss, p in loss_law(move, scale).items())
        for move in changes
    )


def keeps(event: Event, changes: set[tuple[int, ...]], scale: float) -> bool:
    """Whether what the event says is true of all changes, at no delta and at some, once and three times over."""
    told = {
        (times, delta): account([event] * times, delta).epsilon for times in (1, 3) for delta in (0.0, 1e-3, 0.05, 0.3)
    }
    return all(
        worst_delta({move * times for move in changes}, scale, epsilon + 1e-9) <= delta + 1e-12
        for (times, delta), epsilon in told.items()
    )


TWO_ROWS = People("id", 2).of(ByGroup(("key",), SINGLE, Sums((), ())))


class EachBounded(ByGroup[Any]):
    """One row of each person in each group."""

    @property
    def columns(self) -> tuple[str, ...]:
        return ("id", "key")

    def query(self, relation: str, express: Express = plain) -> str:
        ranked = f"select *, row_number() over (partition by id, key) as place from {relation}"
        return super().query(f"(select * from ({ranked}) where place = 1)", express)


def leaf(question: Question) -> DiscreteLaplace:
    """The noise of one group."""
    found = unscoped(question.card.spends(question.params))
    assert isinstance(found, DiscreteLaplace)
    return found


def test_the_law_of_the_loss_is_that_of_the_noise() -> None:
    scale, shift = 1.7, 3
    places = np.arange(-200, 201)
    noise = np.exp(-np.abs(places) / scale)
    noise /= noise.sum()
    loss = np.abs(places - shift) - np.abs(places)
    assert loss_law((shift, 0), scale) == pytest.approx({int(k): noise[loss == k].sum() for k in np.unique(loss)})


BOUNDS = [(1, None), (2, None), (3, 1), (3, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "groups"), BOUNDS)
def test_nobody_changes_grouped_counts_by_more_than_was_charged(rows: int, groups: int | None) -> None:
    by = ("key",) if groups != 2 else ("key", "side")
    who = Protection("id", rows=rows, groups=groups)
    question = count_by(who, by)
    assert question.grouping is not None
    with DuckDB() as engine:
        asking = AskableRows(engine, Source("none"), who)
    found = counts(asking._asked(question, question.grouping.keys or ()))
    assert max(map(sum, moves(found, "add-remove"))) == rows
    assert max(sum(map(bool, move)) for move in moves(found, "add-remove")) == who.groups_of_one(len(found[()]))
    for neighbours in ("add-remove", "replace"):
        asked = count_by(Protection("id", neighbours, rows, groups), by)
        assert keeps(asked.event, moves(found, neighbours), float(leaf(asked).scale))
        whole = Asker(COLUMNS, Protection("id", neighbours, rows, groups)).question(
            "statistics/count", {"epsilon": 1.0}
        )
        wider = 2 if neighbours == "replace" and rows == 1 else 1
        assert leaf(asked).scale == pytest.approx(wider * leaf(whole).scale, rel=1e-12)


@pytest.mark.slow
def test_a_person_who_is_replaced_needs_more_than_one_who_goes() -> None:
    question = count_by(Protection("id", rows=2), ("key",))
    found = counts(TWO_ROWS)
    scale = float(leaf(question).scale)
    assert keeps(question.event, moves(found, "add-remove"), scale)
    assert not keeps(question.event, moves(found, "replace"), scale)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_parallel_groups_without_a_factor_are_refuted(neighbours: Neighbours) -> None:
    """Noise for one row a group, priced as if nobody stood in two groups: somebody does."""
    one_row = count_by(Protection("id", neighbours), ("key",))
    forgetful = Parallel((leaf(one_row),) * 2, neighbours)
    assert not keeps(forgetful, moves(counts(TWO_ROWS), neighbours), float(leaf(one_row).scale))


def test_more_rows_of_a_person_than_the_event_holds_for_are_refused() -> None:
    """The noise is made for one row, so what was read of a person is held against the event of all groups."""
    question = count_by(Protection("id", rows=2), ("key",))
    assert question.rows == 2
    assert question.card.answer is not None
    for read, refused in ((2, False), (3, True)):
        asked = People("id", read).of(ByGroup(("key",), SINGLE, Sums((), ()), question.rows))
        parts = asked.found([("u", 5), ("v", 7)])
        with pytest.raises(BadData, match="rows of a person were read") if refused else nullcontext():
            question.card.answer(parts[0], question.params, RandomBits.from_seed(1))


@pytest.mark.slow
def test_rows_bounded_within_each_group_are_refuted() -> None:
    """The bound on people must stand around all groups, not inside each."""
    question = count_by(Protection("id", rows=1), ("key",))
    found = counts(EachBounded(("key",), SINGLE, Sums((), ())))
    assert not keeps(question.event, moves(found, "add-remove"), float(leaf(question).scale))

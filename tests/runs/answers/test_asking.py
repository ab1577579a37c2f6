"""Asking an engine (runs/answers/asking): noise that is almost none shows that the right rows were asked about."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.lots import drawn

from tacit.cards.takes import Declaration
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import CannotGuarantee, TacitError
from tacit.randomness.stream import RandomBits
from tacit.runs.answers.asking import Answers, AskableRows
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker

COLUMNS = {
    "id": Declaration("id"),
    "age": Declaration("age", (0.0, 100.0)),
    "sex": Declaration("sex", categories=("f", "m")),
    "town": Declaration("town", categories=("x", "y")),
}
PLENTY = 100.0
"""An epsilon at which a count is off by 1 with a probability below e**-20, given up to four rows and two groups."""
SEX = st.sampled_from(["f", "m", "?", None])
ROWS = st.lists(
    st.tuples(
        st.sampled_from("abcd"), st.integers(0, 100), st.sampled_from(["f", "m", "?", None]), st.sampled_from("xy")
    ),
    min_size=1,
    max_size=20,
)


def answers(rows: list[Any], who: Protection, name: str, **given: Any) -> Answers:
    columns = list(zip(*rows, strict=True))
    table = pa.table(dict(zip(COLUMNS, (pa.array(column) for column in columns), strict=True)))
    question = Asker(COLUMNS, who).question(name, given)
    with DuckDB() as engine:
        return AskableRows(engine, Source("frame", frame=table), who).answers(question, RandomBits.from_seed(1))


def kept(rows: list[Any], who: Protection) -> list[Any]:
    """At most so many rows of each person, drawn by lot from all in the order of their cells; all without a unit."""
    if who.unit is None:
        return rows
    by_person = defaultdict(list)
    for row in rows:
        by_person[row[0]].append(row)
    order = lambda row: (row[1], row[2] is None, row[2] or "")  # noqa: E731
    drawing = ((person, sorted(own, key=order)) for person, own in by_person.items())
    return [row for person, own in drawing for row in drawn("row", person, own, who.rows)]


@pytest.mark.slow
@examples(25)
@given(ROWS, st.sampled_from([Protection(), Protection("id", rows=2), Protection("id", "replace", 3)]))
def test_sums_by_group_are_of_the_rows_that_count(rows: list[Any], who: Protection) -> None:
    found = answers(rows, who, "statistics/sum", of="age", by="sex", epsilon=PLENTY)
    assert found.keys == (("f",), ("m",))
    assert found.seeded
    for (key,), answer in zip(found.keys, found.answers, strict=True):
        truth = sum(row[1] for row in kept(rows, who) if row[2] == key)
        ends = answer.interval(1 - 1e-9)
        assert ends is not None
        assert ends.lower[0] <= truth <= ends.upper[0]
        assert ends.upper[0] - ends.lower[0] <= 1000


@pytest.mark.parametrize("by", [(), ("sex",)])
def test_an_answer_that_spends_more_than_was_charged_is_withheld(by: tuple[str, ...]) -> None:
    question = Asker(COLUMNS, Protection()).question("statistics/mean", {"of": "age", "by": by, "epsilon": 0.5})
    card, table = question.card, pa.table({"age": [20, 30, 40], "sex": ["f", "m", "m"]})

    def dear(found: Any, params: Any, bits: RandomBits) -> Any:
        assert card.answer is not None
        return card.answer(found, params.model_copy(update={"epsilon": 50.0}), bits)

    with DuckDB() as engine:
        asking = AskableRows(engine, Source("frame", frame=table), Protection())
        assert asking.answers(question, RandomBits.from_seed(1)).answers
        with pytest.raises(CannotGuarantee, match="spends something other than its card says"):
            asking.answers(replace(question, card=replace(card, answer=dear)), RandomBits.from_seed(1))


@pytest.mark.parametrize("by", [(), ("sex",)])
def test_a_card_that_gives_no_answer_is_found_out_before_the_charge(by: tuple[str, ...]) -> None:
    question = Asker(COLUMNS, Protection()).question("statistics/mean", {"of": "age", "by": by, "epsilon": 0.5})
    broken = replace(question, card=replace(question.card, answer=lambda found, params, bits: 42))
    with DuckDB() as engine:
        asking = AskableRows(engine, Source("frame", frame=pa.table({"age": [20], "sex": ["f"]})), Protection())
        assert asking.rehearse(question)
        with pytest.raises(
            TacitError, match=r"statistics/mean can't even answer a question about no rows \(AttributeError\)"
        ):
            asking.rehearse(broken)


@pytest.mark.slow
@examples(15)
@given(ROWS)
def test_counts_need_no_column(rows: list[Any]) -> None:
    whole = answers(rows, Protection(), "statistics/count", epsilon=PLENTY)
    assert whole.keys is None
    assert whole.answers[0].published()["values"] == [len(rows)]
    found = answers(rows, Protection(), "statistics/count", by=["sex", "town"], epsilon=PLENTY)
    expected = {key: sum((row[2], row[3]) == key for row in rows) for key in found.keys or ()}
    shown = {key: one.published()["values"][0] for key, one in zip(found.keys or (), found.answers, strict=True)}
    assert shown == expected


def test_counts_of_people_bound_their_rows() -> None:
    rows = [("a", 1, "f", "x")] * 50 + [("b", 1, "m", "y")] * 2
    found = answers(rows, Protection("id", rows=3), "statistics/count", epsilon=PLENTY)
    assert found.answers[0].published()["values"] == [5]


@pytest.mark.parametrize("unit", [None, "id"])
def test_groups_that_enough_people_are_in_are_chosen(unit: str | None) -> None:
    rows = [(f"p{n}", 50, "f", "x") for n in range(400)] + [("alone", 50, "rare", "x")]
    keys = {"epsilon": 1.0, "delta": 1e-6}
    found = answers(rows, Protection(unit), "statistics/count", by="sex", epsilon=20.0, keys=keys)
    assert found.keys == (("f",),)


def test_values_that_are_equal_and_read_differently_are_two_groups() -> None:
    """To a database a month is as long as 30 days, though their texts differ."""
    lengths = pa.array([pa.MonthDayNano([1, 0, 0]), pa.MonthDayNano([0, 30, 0])])
    table = pa.table({"id": ["a", "a"], "length": lengths})
    columns = {"id": Declaration("id"), "length": Declaration("length", categories=("1 month", "30 days"))}
    who = Protection("id", rows=2, groups=1)
    question = Asker(columns, who).question("statistics/count", {"by": "length", "epsilon": PLENTY})
    with DuckDB() as engine:
        found = AskableRows(engine, Source("frame", frame=table), who).answers(question, RandomBits.from_seed(1))
    assert sum(answer.published()["values"][0] for answer in found.answers) == 1


@pytest.mark.parametrize("name", ["tacit_place", "TACIT_PLACE_", "tacit_number", "other"])
def test_no_column_of_the_data_is_taken_for_the_place_of_a_group(name: str) -> None:
    places = {"tacit_place": [0, 0, 0], "tacit_number": [0, 0, 0], name + "_": [0, 0, 0]}
    table = pa.table({"id": ["a"] * 3, "sex": ["f", "m", "m"], **places})
    who = Protection("id", rows=3, groups=1)
    question = Asker(COLUMNS, who).question("statistics/count", {"by": "sex", "epsilon": PLENTY})
    with DuckDB() as engine:
        found = AskableRows(engine, Source("frame", frame=table), who).answers(question, RandomBits.from_seed(1))
    (kept,) = drawn("group", "a", ["f", "m"], 1)
    expected = [number if sex == kept else 0 for sex, number in (("f", 1), ("m", 2))]
    assert [answer.published()["values"][0] for answer in found.answers] == expected


def test_statistics_that_need_rows_get_them_bounded() -> None:
    rows = [("a", 10, "f", "x"), ("a", 90, "f", "x"), ("b", 30, "m", "y")] * 30
    found = answers(rows, Protection("id", rows=2), "statistics/textbook-k-means", of=["age"], epsilon=5.0, k=1)
    assert found.answers[0].published()["values"]

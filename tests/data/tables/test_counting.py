"""From distinct rows to a tally: the same counts as plain Python, of rows and of people.

Covers tally.
"""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.tables.counting import TallyRequest, encode, ordered, tally_from
from tacit.data.tables.grouping import group_by
from tacit.data.tables.tally import Census, Tally

Rows = list[tuple[str, str, str, str]]

cells = st.tuples(
    *(st.sampled_from(values) for values in (["x", "y", ""], ["1", "10", "9"], ["flu", "", "hiv"], "pqr"))
)
rows = st.lists(cells, min_size=1, max_size=15)
READING = TallyRequest(("a", "b"), ("s",), "who")


def distinct(rows: Rows, columns: str) -> pa.Table:
    """As an engine hands it over: one line for each combination, its number of rows last."""
    names = dict(zip("absw", ("a", "b", "s", "who"), strict=True))
    counted = Counter(tuple(row["absw".index(c)] for c in columns) for row in rows)
    keys = list(counted)
    arrays = [pa.array([key[i] or None for key in keys], pa.string()) for i in range(len(columns))]
    return pa.Table.from_arrays(
        [*arrays, pa.array(list(counted.values()), pa.int64())], [*(names[c] for c in columns), "rows"]
    )


def people_of(census: Census, keys: int) -> list[int]:
    return [int(n) for n in census.counts()] if keys else []


def combos(tally: Tally) -> list[tuple[str, ...]]:
    return [tuple(tally.values[c][tally.codes[c, i]] for c in range(2)) for i in range(tally.combinations)]


@given(rows)
@examples(80)
def test_people_and_rows_are_those_of_plain_python(rows: Rows) -> None:
    tally = tally_from(distinct(rows, "absw"), READING)
    keys = combos(tally)
    assert keys == sorted({row[:2] for row in rows})
    assert tally.rows.tolist() == [sum(row[:2] == key for row in rows) for key in keys]
    assert people_of(tally.people, len(keys)) == [len({row[3] for row in rows if row[:2] == key}) for key in keys]
    part = tally.sensitive["s"]
    cells = [(keys[i], part.values[v]) for i, v in zip(part.combination, part.value, strict=True)]
    assert set(cells) == {(row[:2], row[2]) for row in rows}
    assert people_of(part.census, len(cells)) == [
        len({row[3] for row in rows if (row[:2], row[2]) == cell}) for cell in cells
    ]
    assert part.reference.tolist() == [len({row[3] for row in rows if row[2] == value}) for value in part.values]


@given(rows)
@examples(40)
def test_without_a_unit_rows_are_people(rows: Rows) -> None:
    tally = tally_from(distinct(rows, "abs"), TallyRequest(("a", "b"), ("s",)))
    assert np.array_equal(tally.people.counts(), tally.rows)
    assert tally.rows.sum() == len(rows)
    part = tally.sensitive["s"]
    assert dict(zip(part.values, part.reference.tolist(), strict=True)) == Counter(row[2] for row in rows)


def test_the_column_of_rows_is_the_last_whatever_others_are_called() -> None:
    table = pa.Table.from_arrays([pa.array(["1", "2"]), pa.array([3, 4], pa.int64())], ["rows", "rows_"])
    assert tally_from(table, TallyRequest(("rows",))).rows.tolist() == [3, 4]


@pytest.mark.slow
def test_many_people_with_many_values_do_not_overflow() -> None:
    """60,000 values times 60,000 people are more than 2**31 pairs."""
    people, values = 60_000, 60_000
    number = np.arange(people)
    table = pa.table(
        {
            "a": pa.DictionaryArray.from_arrays(np.zeros(people, np.int32), ["x"]).cast(pa.string()),
            "s": pa.array(number % values).cast(pa.string()),
            "who": pa.array(number).cast(pa.string()),
            "rows": np.ones(people, np.int64),
        }
    )
    tally = tally_from(table, TallyRequest(("a",), ("s",), "who"))
    expected = Counter((number % values).tolist())
    part = tally.sensitive["s"]
    assert {int(v): n for v, n in zip(part.values, part.reference.tolist(), strict=True)} == expected
    assert people_of(tally.people, 1) == [people]


def test_values_are_sorted_and_null_is_the_empty_text() -> None:
    found = encode(pa.chunked_array([["b", None], ["a", "", "b"]]))
    assert found.values == ("", "a", "b")
    assert found.codes.tolist() == [2, 0, 1, 0, 2]
    assert encode(pa.chunked_array([pa.array([], pa.string())])).values == ()


@pytest.mark.parametrize(
    ("values", "order", "expected", "means"),
    [
        (["10", "9", ""], None, ("", "9", "10"), True),
        (["10", "9", "x"], None, ("10", "9", "x"), False),
        (["1e1", "-2.5", "3"], None, ("-2.5", "3", "1e1"), True),
        (["nan", "1"], None, ("1", "nan"), False),
        (["high", "low", ""], ["low", "high"], ("", "low", "high"), True),
        (["high", "low", "odd"], ["low", "high"], ("odd", "low", "high"), False),
        (["2", "1"], ["2", "1"], ("2", "1"), True),
    ],
)
def test_an_order_is_declared_or_that_of_numbers(
    values: list[str], order: list[str] | None, expected: tuple[str, ...], means: bool
) -> None:
    column = encode(pa.chunked_array([values]))
    reading = TallyRequest((), ("s",), orders={"s": order} if order else {})
    found, is_ordered = ordered(column, "s", reading)
    assert (found.values, is_ordered) == (expected, means)
    assert [found.values[code] for code in found.codes] == values


def test_people_without_a_name_are_one_person() -> None:
    """Else k rows without a name would pass for k people."""
    tally = tally_from(distinct([("x", "1", "flu", "")] * 3 + [("x", "1", "flu", "p")], "absw"), READING)
    assert people_of(tally.people, 1) == [2]


@given(rows, st.data())
@examples(40)
def test_merging_counts_people_once(rows: Rows, data: st.DataObject) -> None:
    tally = tally_from(distinct(rows, "absw"), READING)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=tally.combinations, max_size=tally.combinations)))
    merged = tally.merged(group_by(group, 3))
    keys = combos(tally)
    together = [{keys[i] for i in np.flatnonzero(group == g)} for g in sorted(set(group.tolist()))]
    expected = [len({row[3] for row in rows if row[:2] in members}) for members in together]
    assert people_of(merged.people, merged.combinations) == expected

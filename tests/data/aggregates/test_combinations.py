"""Combinations of codes: what DuckDB and SQLite find is what plain Python counts, row by row."""

import math
import sqlite3
from collections import Counter
from contextlib import closing

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.aggregates.combinations import CodedRows, Combinations
from tacit.data.aggregates.people import People
from tacit.data.aggregates.scale import Names, Reading, Shares
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData

TOWNS = ("Ulm", "it's", "")
PARTS = 4
ASKED = Combinations(
    (Reading("town", Names(TOWNS)), Reading("age", Shares(0.0, 8.0, PARTS)), Reading("zip", Names(("07",))))
)
ROW = st.tuples(
    st.sampled_from([*TOWNS, "Rom", None]),
    st.none() | st.floats(-3, 11) | st.sampled_from([0.0, 8.0, -0.0, math.inf, -math.inf, math.nan, 5e-324]),
    st.sampled_from(["07", "7", None]),
)


def coded(row: tuple[str | None, float | None, str | None]) -> tuple[int, int, int]:
    """The codes of a row, by the definition."""
    town, age, place = row
    part = PARTS if age is None or math.isnan(age) else min(int(min(max(age, 0.0), 8.0) / 8.0 * PARTS), PARTS - 1)
    return (
        TOWNS.index(town) if town in TOWNS else len(TOWNS),
        part,
        0 if place == "07" else 1,
    )


def told(found: CodedRows) -> Counter[tuple[int, ...]]:
    return Counter({tuple(codes): rows for codes, rows in zip(found.codes.tolist(), found.rows.tolist(), strict=True)})


@pytest.mark.slow
@examples(60)
@given(st.lists(ROW, max_size=25))
def test_engines_find_the_combinations_that_there_are(rows):
    towns, ages, places = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    table = pa.table(
        {
            "town": pa.array(towns, pa.string()),
            "age": pa.array(ages, pa.float64()),
            "zip": pa.array(places, pa.string()),
        }
    )
    expected = Counter(map(coded, rows))
    with DuckDB() as engine:
        assert told(engine.aggregates(Source("frame", frame=table), ASKED)) == expected
    with closing(sqlite3.connect(":memory:")) as other:
        other.execute("create table log (town text, age real, zip text)")
        # SQLite stores no NaN: it is missing there.
        other.executemany("insert into log values (?, ?, ?)", rows)
        assert told(ASKED.found(other.execute(ASKED.query("log")).fetchall())) == expected


@examples(60)
@given(st.lists(ROW, min_size=1, max_size=25), st.permutations(range(3)), st.integers(1, 3))
def test_counts_of_some_axes_add_up_over_the_others(rows, order, number):
    axes = tuple(order[:number])
    whole = Counter(map(coded, rows))
    found = ASKED.found(
        [
            (*(TOWNS[town] if town < 3 else None,), age, "07" if not place else None, count)
            for (town, age, place), count in whole.items()
        ]
    )
    counts = found.counts(*axes)
    assert counts.sum() == len(rows)
    expected = Counter(tuple(codes[axis] for axis in axes) for codes in map(coded, rows))
    assert {place: counts[place] for place in expected} == dict(expected)


def test_of_each_person_no_more_rows_are_read_than_were_allowed():
    table = pa.table({"who": ["a"] * 5 + ["b"], "town": ["Ulm"] * 6, "age": [1.0] * 6, "zip": ["07"] * 6})
    with DuckDB() as engine:
        found = engine.aggregates(Source("frame", frame=table), People("who", 2).of(ASKED))
    assert found.rows.sum() == 3
    assert found.of(ASKED, contributions=2) is found
    with pytest.raises(BadData, match="up to 2 rows of a person were read"):
        found.of(ASKED, contributions=1)


def test_counts_for_other_axes_are_refused():
    found = ASKED.found([])
    other = Combinations((Reading("town", Names(("Ulm",))),))
    with pytest.raises(BadData, match="other parameters"):
        found.of(other, contributions=1)
    with pytest.raises(BadData, match="text that was not declared"):
        ASKED.found([("Rom", 0, "07", 1)])
    with pytest.raises(BadData, match="above 4"):
        ASKED.found([("Ulm", 5, "07", 1)])

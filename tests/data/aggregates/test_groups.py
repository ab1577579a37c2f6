"""Groups and bounds on people together: of a person the same rows are kept, whichever group is asked for."""

import sqlite3
from contextlib import closing

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.aggregates.groups import OfGroup
from tacit.data.aggregates.people import Groups, People
from tacit.data.aggregates.rows import Rows
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB

ROW = st.tuples(
    st.sampled_from(["ann", "bob", "eve"]),
    st.sampled_from(["f", "m", None, "it's"]),
    st.integers(min_value=0, max_value=9),
)
KEYS = ("f", "m", "it's")


def kept_rows(rows: list[tuple[str, str | None, int]], most: int, groups: int | None) -> list[tuple[str | None, int]]:
    """Rows of each person's first groups, then the first of them by key and value, missing keys last."""

    def order(row: tuple[str, str | None, int]) -> tuple[bool, str, int]:
        return (row[1] is None, row[1] or "", row[2])

    kept = []
    for person in {row[0] for row in rows}:
        own = [row for row in rows if row[0] == person]
        if groups is not None:
            first = sorted({row[1] for row in own}, key=lambda key: (key is None, key or ""))[:groups]
            own = [row for row in own if row[1] in first]
        kept += sorted(own, key=order)[:most]
    return [(key, value) for _, key, value in kept]


@examples(60)
@given(st.lists(ROW, min_size=1, max_size=25), st.integers(1, 4), st.none() | st.integers(1, 3))
def test_rows_of_groups_are_those_that_the_bounds_keep(
    rows: list[tuple[str, str | None, int]], most: int, groups: int | None
) -> None:
    people = People("who", most, groups=None if groups is None else Groups(("key",), groups))
    expected = kept_rows(rows, most, groups)
    names, keys, values = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"who": names, "key": pa.array(keys, pa.string()), "value": values})
    with DuckDB() as engine, closing(sqlite3.connect(":memory:")) as other:
        other.execute("create table log (who text, key text, value integer)")
        other.executemany("insert into log values (?, ?, ?)", rows)
        for key in KEYS:
            asked = people.of(OfGroup("key", key, Rows(("key", "value"))))
            wanted = sorted(value for own, value in expected if own == key)
            for found in (
                engine.aggregates(Source("frame", frame=table), asked),
                asked.found(other.execute(asked.query("log")).fetchall()),
            ):
                assert sorted(found[1]) == wanted
                assert set(found[0]) <= {key}

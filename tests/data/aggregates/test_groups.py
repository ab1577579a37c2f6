"""Groups and bounds on people together: of a person the same rows are kept, whichever group is asked for.

All groups are found in one select, which must be what a select for each of them finds, in every engine.

Covers aggregates/groups, aggregates/people, aggregates/aggregate, aggregates/rows, aggregates/keys.
"""

import math
from contextlib import closing
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.lots import drawn, last_if_missing, sqlite_with_md5

from tacit.data.aggregates.aggregate import Groupable
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.groups import ByGroup
from tacit.data.aggregates.keys import KeyCounts, Keys
from tacit.data.aggregates.people import Groups, People
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form, GridSteps, Names, Reading
from tacit.data.aggregates.sums import Sums, Term, Together
from tacit.data.sources.source import Source
from tacit.data.sql import literal
from tacit.engines.duckdb import DuckDB

ROW = st.tuples(
    st.sampled_from(["ann", "bob", "eve"]),
    st.sampled_from(["f", "m", None, "it's"]),
    st.integers(min_value=0, max_value=9),
)
KEYS = ("f", "m", "it's")


def kept_rows(rows: list[tuple[str, str | None, int]], most: int, groups: int | None) -> list[tuple[str | None, int]]:
    """Of each person's groups so many are drawn, and of the rows in them so many, both numbered in their order."""
    kept = []
    for person in {row[0] for row in rows}:
        own = sorted((row[1:] for row in rows if row[0] == person), key=lambda row: (last_if_missing(row[0]), row[1]))
        if groups is not None:
            some = drawn("group", person, list(dict.fromkeys(key for key, _ in own)), groups)
            own = [row for row in own if row[0] in some]
        kept += drawn("row", person, own, most)
    return kept


@pytest.mark.slow
@examples(60)
@given(st.lists(ROW, min_size=1, max_size=25), st.integers(1, 4), st.none() | st.integers(1, 3))
def test_rows_of_groups_are_those_that_the_bounds_keep(
    rows: list[tuple[str, str | None, int]], most: int, groups: int | None
) -> None:
    people = People("who", most, groups=None if groups is None else Groups(("key",), groups))
    expected = kept_rows(rows, most, groups)
    names, keys, values = (list(column) for column in zip(*rows, strict=True))
    table = pa.table({"who": names, "key": pa.array(keys, pa.string()), "value": values})
    with DuckDB() as engine, closing(sqlite_with_md5()) as other:
        other.execute("create table log (who text, key text, value integer)")
        other.executemany("insert into log values (?, ?, ?)", rows)
        asked = people.of(
            ByGroup(("key",), tuple((key,) for key in KEYS), Rows((Form("key", "text"), Form("value", "number"))))
        )
        for found in (
            engine.aggregates(Source("frame", frame=table), asked),
            asked.found(other.execute(asked.query("log")).fetchall()),
        ):
            for key, (own, values) in zip(KEYS, found, strict=True):
                assert sorted(values) == sorted(value for own, value in expected if own == key)
                assert set(own) <= {key}


STEPS = Reading("value", GridSteps(0, 0, 9))
NAMED = Reading("key", Names(("m", "f")))
LARGE = Reading("value", GridSteps(-28, 0, 9 << 28))
WANTED: dict[str, Groupable[Any]] = {
    "rows": Sums((), ()),
    "sums": Sums((STEPS,), (Term((0,)), Term((0, 0), 3))),
    "halves": Sums((LARGE,), (Term((0,)),)),
    "together": Together((Sums((STEPS,), (Term((0,)),)), Sums((STEPS,), (Term((0, 0)),)))),
    "cells": Cells((STEPS, NAMED)),
    "people": Keys("who", "key", 1, ("value",)),
    "keys of rows": Keys("who", "key", 1, each="row", names=("f",)),
    "cells as they are": Rows((Form("value", "number"),)),
}
BOTH = tuple(product(("f", "it's", "nobody"), ("ann", "eve", "absent")))


@pytest.mark.parametrize("name", WANTED)
def test_one_select_finds_what_one_for_each_group_finds(name: str) -> None:
    """Undeclared and missing keys leave no trace, and an absent group is what an engine says of no rows."""
    wanted, rows = (
        WANTED[name],
        [("ann", "f", 3), ("ann", "f", 7), ("eve", "it's", 9), ("ann", "m", 1), ("bob", "f", 2)],
    )
    rows += [("eve", None, 5), ("eve", "it's", 9), ("eve", "f", 8)]
    asked = ByGroup(("key", "who"), BOTH, wanted)
    with closing(sqlite_with_md5()) as other, DuckDB() as engine:
        other.create_function("floor", 1, math.floor)
        other.execute("create table log (who text, key text, value integer)")
        other.executemany("insert into log values (?, ?, ?)", rows)
        found = asked.found(other.execute(asked.query("log")).fetchall(), 1)
        names, keys, values = (list(column) for column in zip(*rows, strict=True))
        table = pa.table({"who": names, "key": pa.array(keys, pa.string()), "value": values})
        again = engine.aggregates(Source("frame", frame=table), People("who", 9).of(asked))
        for key, part, twin in zip(BOTH, found, again, strict=True):
            other.execute("drop view if exists one")
            own = f"key = {literal(key[0])} and who = {literal(key[1])}"
            other.execute(f"create view one as select * from log where {own}")
            alone = wanted.found(other.execute(wanted.query("one")).fetchall(), 1)
            assert told(part) == told(alone) == told(twin)


def told(found: Any) -> Any:
    """What can be compared, without the order of rows."""
    if isinstance(found, CellCounts):
        return found.places.tolist(), found.rows.tolist(), found.size
    if isinstance(found, KeyCounts):
        return found.keys, found.counts.tolist()
    return sorted(found[0]) if isinstance(found, tuple) and isinstance(found[0], list) else found


def test_no_column_of_the_data_is_taken_for_the_key() -> None:
    table = pa.table({"tacit_group": ["a", "b"], "TACIT_GROUP_": ["b", "b"]})
    asked = ByGroup(("TACIT_GROUP_", "tacit_group"), (("b", "a"), ("b", "b"), ("a", "a")), Sums((), ()))
    with DuckDB() as engine:
        assert [part.rows for part in engine.aggregates(Source("frame", frame=table), asked)] == [1, 1, 0]

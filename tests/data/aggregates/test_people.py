"""Which rows, groups and keys of a person are kept: by lot, which favours no value, and by nothing but their own rows.

Over people the lots are independent and each person keeps at most so many rows, so a count of kept rows lies within
r sqrt(n ln(2 / p) / 2) of its expectation but for a probability p (Hoeffding 1963), r being the rows that are kept.

Covers aggregates/people, aggregates/lots, aggregates/keys.
"""

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.lots import drawn, hashed, sqlite_with_md5

from tacit.data.aggregates.keys import Keys
from tacit.data.aggregates.people import Groups, People
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB

Row = tuple[str | None, str | None, float | None]
CELL = st.sampled_from(['"', ",", "a,1", "", None, "b"])
ROW = st.tuples(st.sampled_from(["ann", "an", "ann,1", "", None]), CELL, st.sampled_from([0.0, 1.0, 2.5, None]))
BOUNDS = [People("who", 2), People("who", 2, groups=Groups(("key",), 1)), People("who", 1, first=("value",))]
ALL = (Form("who", "text"), Form("key", "text"), Form("value", "number"))
PEOPLE, ERROR = 3000, 1e-9
OWN = ("a", "a", "a", "b", "c")
"""The cells of everybody: one value fills three rows of five."""


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDB]:
    with DuckDB(threads=1) as engine:
        yield engine


def source(rows: list[Row]) -> Source:
    names, keys, values = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    texts = {"who": pa.array(names, pa.string()), "key": pa.array(keys, pa.string())}
    return Source("frame", frame=pa.table({**texts, "value": pa.array(values, pa.float64())}))


def kept(engine: DuckDB, people: People, rows: list[Row]) -> Counter[tuple[Any, ...]]:
    found = engine.aggregates(source(rows), people.of(Rows(ALL)))
    return Counter(zip(*found, strict=True))


@pytest.mark.slow
@examples(40)
@given(st.lists(ROW, max_size=14), st.data(), st.sampled_from(BOUNDS))
def test_neither_storage_nor_other_people_change_what_is_kept(engine, rows, data, people):
    found = kept(engine, people, rows)
    assert kept(engine, people, data.draw(st.permutations(rows))) == found
    for person in {row[0] for row in rows}:
        alone = kept(engine, people, [row for row in rows if row[0] == person])
        assert alone == Counter({row: number for row, number in found.items() if row[0] == person})


def test_rows_that_only_look_alike_are_numbered_by_their_cells(engine: DuckDB) -> None:
    """A NaN and a missing number have no text, either of them; storage must not choose between the two."""
    rows: list[Row] = [("ann", "a", math.nan), ("ann", "a", None), ("ann", "b", 1.0)]
    for most in (1, 2):
        one, two = (Counter(map(str, kept(engine, People("who", most), part))) for part in (rows, rows[::-1]))
        assert one.total() == most
        assert one == two


@pytest.mark.slow
@examples(40)
@given(st.lists(ROW, max_size=14), st.integers(1, 3), st.sampled_from(["person", "row"]))
def test_keys_of_a_person_are_drawn(engine, rows, most, each):
    expected: list[str | None] = []
    for person in {row[0] for row in rows if row[0]}:
        own = sorted(key for who, key, _ in rows if who == person and key is not None)
        expected += drawn("key", person, own if each == "row" else sorted(set(own)), most)
    wanted = Keys("who", "key", most, each=each)
    with closing(sqlite_with_md5()) as other:
        other.execute("create table log (who text, key text, value real)")
        other.executemany("insert into log values (?, ?, ?)", rows)
        again = wanted.found(other.execute(wanted.query("log")).fetchall())
        for found in (engine.aggregates(source(rows), wanted), again):
            assert Counter(dict(zip(found.keys, found.counts.tolist(), strict=True))) == Counter(expected)


def is_fair(counts: Counter[str], shares: dict[str, float], most: int) -> bool:
    """Whether so many rows of everybody fall on the cells as if they were drawn by chance."""
    far = most * math.sqrt(PEOPLE * math.log(2 * len(shares) / ERROR) / 2)
    return all(abs(counts[cell] - PEOPLE * most * share) <= far for cell, share in shares.items())


def cells_kept(engine: DuckDB, people: People, own: tuple[str, ...]) -> Counter[str]:
    rows: list[Row] = [(f"p{person}", cell, None) for person in range(PEOPLE) for cell in own]
    (found,) = engine.aggregates(source(rows), people.of(Rows((Form("key", "text"),))))
    return Counter(found)


@pytest.mark.slow
def test_every_row_of_a_person_is_kept_with_the_same_chance(engine: DuckDB) -> None:
    shares = {cell: number / len(OWN) for cell, number in Counter(OWN).items()}
    assert is_fair(cells_kept(engine, People("who", 2), OWN), shares, 2)
    in_order_of_values = cells_kept(engine, People("who", 2, first=("key",)), OWN)
    assert not is_fair(in_order_of_values, shares, 2)
    hash_of_cells = Counter(
        cell for person in range(PEOPLE) for cell in sorted(OWN, key=lambda cell: hashed(f"p{person},{cell}"))[:2]
    )
    assert not is_fair(hash_of_cells, shares, 2)


def test_groups_and_then_rows_in_them_are_kept_with_the_same_chance(engine: DuckDB) -> None:
    shares = dict.fromkeys("abc", 1 / 3)
    assert is_fair(cells_kept(engine, People("who", 1, groups=Groups(("key",), 2)), ("a", "b", "c")), shares, 1)
    same_lots = Counter(
        cell
        for name in (f"p{person}" for person in range(PEOPLE))
        for cell in drawn("row", name, sorted(drawn("row", name, "abc", 2)), 1)
    )
    assert not is_fair(same_lots, shares, 1)

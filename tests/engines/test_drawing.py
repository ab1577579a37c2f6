"""Drawn rows: those whose place is true, in the order of the source, cells and types untouched, from every format.

Covers engines/duckdb, duckdb/positions.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.formats import write_csv, write_file
from tests.examples import examples

from tacit.data.columns import Numbers, columns_of
from tacit.data.sources.source import Source, file_source
from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Engine

ROWS: list[dict[str, Any]] = [{"i": str(i), "t": f"v{i % 7}" if i % 5 else None, "tacit_place": "x"} for i in range(40)]
CHOSEN = np.arange(40) % 3 == 1


def cells(engine: Engine, source: Source, *names: str) -> list[tuple[str, ...]]:
    table = engine.cells(source, names)
    return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".sqlite", ".xlsx"])
def test_the_rows_that_are_true_come_in_their_order(engine: Engine, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people{ending}"
    if ending == ".xlsx":
        book = openpyxl.Workbook()
        assert book.active is not None
        for row in [list(ROWS[0]), *(list(row.values()) for row in ROWS)]:
            book.active.append(row)
        book.save(path)
    else:
        write_file(path, ROWS)
    drawn = engine.drawn(file_source(path), CHOSEN)
    assert drawn.name == path.name
    assert list(engine.columns(drawn)) == ["i", "t", "tacit_place"]
    expected = [(row["i"], row["t"] or "", "x") for row, kept in zip(ROWS, CHOSEN, strict=True) if kept]
    assert cells(engine, drawn, "i", "t", "tacit_place") == expected


@pytest.mark.slow
@examples(30)
@given(st.lists(st.booleans(), min_size=1, max_size=30).filter(any))
def test_any_draw_is_what_numpy_picks(chosen: list[bool]) -> None:
    rows, places = np.array(chosen), np.arange(len(chosen))
    source = Source("frame", frame=pa.table({"i": places, "f": places / 2}))
    with DuckDB(threads=1) as own:
        drawn = own.drawn(source, rows)
        assert own.columns(drawn) == own.columns(source)
        assert [int(i) for (i,) in cells(own, drawn, "i")] == places[rows].tolist()


def test_many_rows_in_many_groups_and_threads_keep_their_order(tmp_path: Path) -> None:
    number = 300_000
    pq.write_table(pa.table({"i": np.arange(number)}), tmp_path / "x.parquet", row_group_size=10_000)
    chosen = np.random.default_rng(3).random(number) < 0.1
    with DuckDB(threads=4) as own:
        drawn = own.drawn(file_source(tmp_path / "x.parquet"), chosen)
        found = own.cells(drawn, ("i",)).column("i").to_pylist()
    assert found == [str(i) for i in np.flatnonzero(chosen)]


def test_a_row_that_came_later_is_never_drawn(engine: Engine) -> None:
    source = Source("frame", frame=pa.table({"t": ["a", "b", "later"]}))
    assert cells(engine, engine.drawn(source, np.array([False, True])), "t") == [("b",)]


def test_missing_words_stay_missing(engine: Engine, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv", [{"a": "?", "b": "1"}, {"a": "x", "b": "?"}])
    drawn = engine.drawn(file_source(path, missing=("?",)), np.array([True, True]))
    assert cells(engine, drawn, "a", "b") == [("", "1"), ("x", "")]


def test_it_lasts_as_long_as_the_engine_and_can_be_treated_and_drawn_again(tmp_path: Path) -> None:
    source = Source("frame", frame=pa.table({"n": [1, 2, 3, 4]}))
    with DuckDB() as own:
        first = own.drawn(source, np.array([True, False, True, True]))
        treated = own.replaced(first, columns_of({"n": Numbers(np.array([10.0, 30.0, 40.0]))}))
        again = own.drawn(treated, np.array([False, True, True]))
        assert cells(own, again, "n") == [("30",), ("40",)]
        folder = own._folder
        assert all(one.path is not None and one.path.is_relative_to(folder) for one in (first, treated, again))
    assert not folder.exists()


@pytest.mark.slow
def test_a_database_keeps_its_declared_types(tmp_path: Path) -> None:
    import tacit

    with closing(sqlite3.connect(tmp_path / "p.sqlite")) as database:
        database.execute("create table people (age integer, income integer, weight real)")
        database.executemany(
            "insert into people values (?, ?, ?)", [(20 + i % 2, 10 * i + 3, i / 2) for i in range(90)]
        )
        database.commit()
    roles = {"age": "quasi-identifier", "income": "insensitive", "weight": "insensitive"}
    treatments = [{"method": "columns/rounding", "columns": ["income"], "parameters": {"base": 10}}]
    people, output = tacit.read(tmp_path / "p.sqlite", roles), tmp_path / "r.sqlite"
    tacit.protect(people, [tacit.KAnonymity(k=5)], sample={"size": 30}, treatments=treatments, output=output)
    with closing(sqlite3.connect(output)) as database:
        found = database.execute("select typeof(income), income, typeof(weight), weight from release").fetchall()
    assert len(found) == 30
    assert all(row == ("integer", int(20 * row[3]), "real", row[3]) for row in found)

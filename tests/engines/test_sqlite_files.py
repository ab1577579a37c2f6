"""SQLite databases: cells of any type in any column, tables by name, no file made or changed by reading.

Covers engines/duckdb, data/sources/source, duckdb/sqlite.
"""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.formats import counted, write_sqlite
from tests.examples import examples

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter

cells = st.none() | st.integers(-2, 2) | st.sampled_from([0.5, 1.0, 0.1 + 0.2, 1e20, "", "1", "x", "é"])


def shown(cell: object) -> str:
    if cell is None:
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15 else str(cell)


@pytest.mark.slow
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=8))
@settings(examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_tally_is_a_plain_count(engine: Engine, tmp_path: Path, rows: list[tuple[object, object]]) -> None:
    """BLOB columns leave values as they are."""
    path = tmp_path / "t.sqlite"
    path.unlink(missing_ok=True)
    write_sqlite(path, [{"a": a, "b": b} for a, b in rows], {"a": "BLOB", "b": "BLOB"})
    expected = Counter((shown(a), shown(b)) for a, b in rows)
    assert counted(engine, path, "a", "b") == Counter(
        {tuple(cell.replace("1e+20", "1.0e+20") for cell in key): count for key, count in expected.items()}
    )


def test_affinities(engine: Engine, tmp_path: Path) -> None:
    types = {"i": "INTEGER", "r": "REAL", "t": "TEXT", "n": "NUMERIC", "v": "VARCHAR(3)", "x": ""}
    path = write_sqlite(tmp_path / "t.db", [dict.fromkeys(types, "5"), dict.fromkeys(types, "1.50")], types)
    found = counted(engine, path, *types)
    assert found == {("5", "5", "5", "5", "5", "5"): 1, ("1.5", "1.5", "1.50", "1.5", "1.50", "1.50"): 1}


@pytest.mark.slow
def test_nulls_may_come_first_however_many(engine: Engine, tmp_path: Path) -> None:
    rows = [{"a": None, "b": 1}] * 70_000 + [{"a": "x", "b": "y"}]
    path = write_sqlite(tmp_path / "t.db", rows, {"a": "TEXT", "b": ""})
    assert counted(engine, path, "a", "b") == {("", "1"): 70_000, ("x", "y"): 1}


def test_bytes_become_hexadecimal_digits(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": b"\xff\x00"}, {"a": b""}], {"a": "BLOB"})
    assert counted(engine, path, "a") == {("FF00",): 1, ("",): 1}


def test_names_are_taken_as_they_are(engine: Engine, tmp_path: Path) -> None:
    names = ['a"b', "br{0}ace", "sel ect", "select", "rows", "größe", "%s", "typeof"]
    path = write_sqlite(tmp_path / "a%20b?mode=x#.db", [{name: name for name in names}], table='t"x')
    assert counted(engine, path, *names) == {tuple(names): 1}
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_reading_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": 1}])
    before = path.read_bytes()
    engine.profile(file_source(path))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_one_of_several_tables_must_be_named(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": 1}], table="one")
    write_sqlite(path, [{"b": 2}], table="two")
    with pytest.raises(BadParameter, match=r"has 2 tables; set `table` to one of: one, two"):
        engine.columns(file_source(path))
    with pytest.raises(BadParameter, match=r"no table 'three'"):
        engine.columns(file_source(path, table="three"))
    assert counted(engine, path, "b", table="two") == {("2",): 1}


def test_a_view_is_read_like_a_table(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": 1}, {"a": 2}], table="one")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE VIEW half AS SELECT a FROM one WHERE a > 1")
    assert counted(engine, path, "a", table="half") == {("2",): 1}


def test_missing_words(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": -9.0, "b": "?"}, {"a": 9.5, "b": ""}], {"a": "REAL"})
    assert counted(engine, path, "a", "b", missing=("-9", "?")) == {("", ""): 1, ("9.5", ""): 1}


def test_text_that_is_no_unicode_is_refused(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": "x", "b": 1}])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE people SET a = CAST(x'FF41' AS TEXT)")
    for column in "ab":
        with pytest.raises(BadData, match=r"t.db"):
            counted(engine, path, column)


@pytest.mark.parametrize("content", [b"junk" * 1000, b"SQLite format 3\0" + b"junk" * 1000, b"a,b\n1,2\n"])
def test_another_file_is_no_database(engine: Engine, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.sqlite"
    path.write_bytes(content)
    with pytest.raises(BadData, match=r"t.sqlite is not an SQLite database, or it is damaged"):
        engine.columns(file_source(path))


def test_a_database_without_tables_or_rows(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE a (x TEXT)")
        database.execute("DROP TABLE a")
    with pytest.raises(BadParameter, match=r"0 tables"):
        engine.columns(file_source(path))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE a (x TEXT)")
    with pytest.raises(BadData, match=r"has no rows"):
        counted(engine, path, "x")


def test_a_truncated_database(engine: Engine, tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "t.db", [{"a": f"secret{i}"} for i in range(3000)])
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(BadData, match=r"t.db") as caught:
        counted(engine, path, "a")
    assert "secret" not in str(caught.value)

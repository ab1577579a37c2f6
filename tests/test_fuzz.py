"""Any bytes at all: readers answer with rows or with a TacitError that shows no cell.

Covers data/sources/source, engines/duckdb.
"""

import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import TacitError

SECRET = "planted7secret"
ROWS = {"a": [f"{SECRET}{i % 3}" for i in range(40)], "b": [f"x{i}" for i in range(40)]}
QUICKLY = settings(examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])

edits = st.lists(
    st.tuples(st.sampled_from(["flip", "cut", "insert", "repeat"]), st.floats(0, 1), st.binary(min_size=1, max_size=6)),
    min_size=1,
    max_size=4,
)


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDB]:
    with DuckDB(threads=2) as made:
        yield made


def edited(content: bytes, changes: list[tuple[str, float, bytes]], keep: int = 0) -> bytes:
    """The content after some damage; its first bytes are kept."""
    for kind, where, new in changes:
        at = keep + int(where * max(len(content) - keep, 0))
        if kind == "flip":
            content = content[:at] + new + content[at + len(new) :]
        elif kind == "cut":
            content = content[:at] + content[at + 7 * len(new) :]
        elif kind == "insert":
            content = content[:at] + new + content[at:]
        else:
            content = content[:at] + content[max(at - 20, keep) :]
    return content


def complaint(engine: DuckDB, path: Path, **options: str) -> str:
    """What the reader says against the file; nothing where it can be read."""
    try:
        source = file_source(path, **options)
        engine.tally(source, tuple(engine.columns(source))[:2])
        engine.profile(source)
    except TacitError as error:
        return str(error)
    return ""


def parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(ROWS), sink, compression="none")
    return sink.getvalue()


def sqlite(path: Path) -> bytes:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE t (a TEXT, b TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", list(zip(*ROWS.values(), strict=True)))
    return path.read_bytes()


def excel() -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")
    book = openpyxl.Workbook()
    for row in (list(ROWS), *zip(*ROWS.values(), strict=True)):
        book.active.append(list(row))
    sink = io.BytesIO()
    book.save(sink)
    return sink.getvalue()


@pytest.mark.slow
@given(
    head=st.sampled_from([b"a,b\n", b"a;b\r\n", b'"a","b"\n', b"\xef\xbb\xbfa,b\n"]),
    body=st.lists(
        st.sampled_from([b",", b";", b'"', b"\n", b"\r", b"\r\n", b"\xff", b"\xc3", b"\\", b"x", SECRET.encode()])
        | st.binary(max_size=3),
        max_size=30,
    ),
    encoding=st.sampled_from(["utf-8", "latin-1", "cp1252", "ascii"]),
)
@settings(examples(80), suppress_health_check=QUICKLY.suppress_health_check)
def test_any_csv_file(engine: DuckDB, tmp_path: Path, head: bytes, body: list[bytes], encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(head + b"".join(body))
    assert SECRET not in complaint(engine, path, encoding=encoding)


@given(st.binary(max_size=80), st.sampled_from(["csv", "parquet", "sqlite", "xlsx"]))
@QUICKLY
def test_any_bytes_in_any_format(engine: DuckDB, tmp_path: Path, content: bytes, form: str) -> None:
    path = tmp_path / f"t.{form}"
    path.write_bytes(content)
    said = complaint(engine, path)
    assert said or form == "csv"


@pytest.mark.slow
@pytest.mark.parametrize(("form", "make"), [("parquet", parquet), ("xlsx", excel)])
def test_damaged_files(engine: DuckDB, tmp_path: Path, form: str, make: Callable[[], bytes]) -> None:
    whole = make()
    path = tmp_path / f"t.{form}"

    @given(edits)
    @QUICKLY
    def damage(changes: list[tuple[str, float, bytes]]) -> None:
        path.write_bytes(edited(whole, changes))
        assert SECRET not in complaint(engine, path)

    path.write_bytes(whole)
    assert complaint(engine, path) == ""
    damage()


def test_damaged_databases(engine: DuckDB, tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    whole = sqlite(path)

    @given(edits)
    @QUICKLY
    def damage(changes: list[tuple[str, float, bytes]]) -> None:
        path.write_bytes(edited(whole, changes))
        assert SECRET not in complaint(engine, path)

    assert complaint(engine, path) == ""
    damage()


def test_the_secret_would_be_noticed(engine: DuckDB, tmp_path: Path) -> None:
    """Where it is the name of a column, a message may show it."""
    path = tmp_path / "t.csv"
    path.write_text(f"{SECRET},{SECRET}\n1,2\n")
    assert SECRET in complaint(engine, path)

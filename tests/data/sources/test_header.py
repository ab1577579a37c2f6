"""The head of a CSV file: titles, two lines of names, none, and names that are broken over lines.

Covers data/sources/header, duckdb/csv.
"""

from pathlib import Path
from typing import Any

import pytest

from tacit.data.sources.header import joined_names, read_header
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter


def rows_of(path: Path, **told: Any) -> list[tuple[str, ...]]:
    """The names, then the cells of each row."""
    source = file_source(path, **told)
    with DuckDB() as engine:
        names = tuple(engine.columns(source))
        cells = engine.cells(source, names)
        return [names, *zip(*(cells[name].to_pylist() for name in names), strict=True)]


def write(folder: Path, *lines: str, ending: str = "\r\n", encoding: str = "utf-8") -> Path:
    path = folder / "t.csv"
    path.write_bytes("".join(line + ending for line in lines).encode(encoding))
    return path


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-8-sig", "utf-16"])
def test_titles_are_skipped(tmp_path: Path, ending: str, encoding: str) -> None:
    path = write(tmp_path, "Export; from ü", "", "a;b", "1;2", "3;4", ending=ending, encoding=encoding)
    assert rows_of(path, skip=2, encoding=encoding) == [("a", "b"), ("1", "2"), ("3", "4")]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("inner", ["\n", "\r\n"])
def test_a_name_may_be_broken_over_lines(tmp_path: Path, ending: str, inner: str) -> None:
    path = write(tmp_path, f'a;"weight{inner}[kg]"', "1;2", f'3;"4{inner}5"', ending=ending)
    assert rows_of(path) == [("a", "weight [kg]"), ("1", "2"), ("3", f"4{inner}5")]


def test_two_lines_of_names_are_joined(tmp_path: Path) -> None:
    path = write(tmp_path, "Patient;;Visit;", "no;sex;date;no", "1;m;x;7")
    assert rows_of(path, header=2) == [("Patient no", "Patient sex", "Visit date", "Visit no"), ("1", "m", "x", "7")]
    assert joined_names(["age", "sex"], ["age", ""]) == ("age", "sex")


def test_a_file_without_names_gets_some(tmp_path: Path) -> None:
    path = write(tmp_path, "39, m", "17, f")
    assert rows_of(path, header=0, trim=True) == [("column_1", "column_2"), ("39", "m"), ("17", "f")]
    assert rows_of(path, header=0, names=["age", "sex"]) == [("age", "sex"), ("39", " m"), ("17", " f")]
    with pytest.raises(BadParameter, match=r"`names` has 3 names; t.csv has 2 columns"):
        rows_of(path, header=0, names=["a", "b", "c"])


def test_names_may_be_replaced(tmp_path: Path) -> None:
    assert rows_of(write(tmp_path, "a;a", "1;2"), names=["x", "y"]) == [("x", "y"), ("1", "2")]


def test_a_line_that_can_not_be_read_is_counted_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "title", "a;b", "1;2", "3;4;5")
    with pytest.raises(BadData, match=r"line 4: the row has 3 cells"):
        rows_of(path, skip=1)


def test_nothing_is_left_after_what_is_skipped(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="nothing after the 9 lines"):
        read_header(file_source(write(tmp_path, "a;b", "1;2"), skip=9))
    with DuckDB() as engine, pytest.raises(BadData, match="has no rows"):
        engine.tally(file_source(write(tmp_path, "title", "a;b"), skip=1), ["a"])


@pytest.mark.parametrize(
    ("name", "told", "message"),
    [
        ("t.csv", {"sheet": "s"}, "`sheet` says how to read an Excel workbook; t.csv is a CSV file"),
        ("t.csv", {"table": "t"}, "`table` says how to read an SQLite database"),
        ("t.parquet", {"delimiter": ";"}, "`delimiter` says how to read a CSV file; t.parquet is a Parquet file"),
        ("t.sqlite", {"skip": 1}, "`skip` says how to read a CSV file or an Excel workbook"),
        ("t.csv", {"header": 3}, "header is 3; the column names must be in 0, 1 or 2 lines"),
        ("t.csv", {"skip": -1}, "skip is -1; it must be a number of lines"),
    ],
)
def test_options_that_mean_nothing_are_refused(tmp_path: Path, name: str, told: dict[str, Any], message: str) -> None:
    (tmp_path / name).write_text("a;b\n1;2\n")
    with pytest.raises(BadParameter, match=message):
        file_source(tmp_path / name, **told)


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(BadData, match="is not a regular file"):
        file_source(tmp_path / "pipe.csv")

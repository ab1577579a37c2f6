"""Excel workbooks: the first row names the columns, cells are text, blank rows are no people.

Covers engines/duckdb, data/sources/source, duckdb/excel.
"""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.engines.formats import counted

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.errors import BadData, MissingExtra

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("fastexcel")


def write(path: Path, *sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_every_type_as_text(engine: Engine, tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.xlsx",
        [
            ["a", "b", " c ", "d", "e"],
            [1, 1.5, "x", date(1984, 3, 5), True],
            [2.0, None, "", datetime(1984, 3, 5, 6, 7), False],
        ],
    )
    assert counted(engine, path, "a", "b", "c", "d", "e") == {
        ("1", "1.5", "x", "1984-03-05", "true"): 1,
        ("2", "", "", "1984-03-05 06:07:00", "false"): 1,
    }


def test_blank_rows_and_blank_columns_do_not_count(engine: Engine, tmp_path: Path) -> None:
    path = write(tmp_path / "t.xlsx", [["a", None, "b"], [1, None, 2], [None] * 3, ["", None, " "], [3, None, None]])
    assert counted(engine, path, "a", "b") == {("1", "2"): 1, ("3", ""): 1}
    assert list(engine.columns(file_source(path))) == ["a", "b"]


def test_a_sheet_is_found_by_its_name(engine: Engine, tmp_path: Path) -> None:
    path = write(tmp_path / "t.xlsx", [["a"], [1]], [["b"], [2]])
    assert counted(engine, path, "a") == {("1",): 1}
    assert counted(engine, path, "b", sheet="sheet 2") == {("2",): 1}
    with pytest.raises(BadData, match=r"no sheet 'three'; it has 'sheet 1', 'sheet 2'"):
        engine.columns(file_source(path, sheet="three"))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "a"], [1, 2]], "used twice: 'a'"),
        ([["a", None], [1, 2]], "column 2 has no name"),
        ([], "t.xlsx has no columns; it needs at least one"),
        ([["a"]], "has no rows"),
    ],
)
def test_a_sheet_without_columns_or_rows(engine: Engine, tmp_path: Path, rows: list[list[Any]], message: str) -> None:
    path = write(tmp_path / "t.xlsx", rows)
    with pytest.raises(BadData, match=message):
        counted(engine, path, "a")


def test_another_file_is_no_workbook(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04 junk")
    with pytest.raises(BadData, match=r"t.xlsx is not an Excel workbook"):
        engine.columns(file_source(path))


def test_without_the_extra_the_pip_line_is_printed(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "t.xlsx", [["a"], [1]])
    monkeypatch.setitem(__import__("sys").modules, "fastexcel", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tacit-privacy\[excel\]'"):
        engine.columns(file_source(path))

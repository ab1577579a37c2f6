"""Excel workbooks: the first row names the columns, cells are text, blank rows are no people.

Covers engines/duckdb, data/sources/source, data/sources/sheet, duckdb/excel.
"""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.formats import counted
from tests.examples import examples

from tacit.data.sources.source import Source, file_source
from tacit.engines.engine import Engine, Target
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


def test_titles_and_two_lines_of_names(engine: Engine, tmp_path: Path) -> None:
    path = write(tmp_path / "t.xlsx", [["Export", None], ["Patient", None], ["no", "sex\nm/f"], [1, "m"]])
    assert counted(engine, path, "Patient no", "Patient sex m/f", skip=1, header=2) == {("1", "m"): 1}
    path = write(tmp_path / "u.xlsx", [[1, "m"], [2, "f"]])
    assert counted(engine, path, "column_1", "column_2", header=0) == {("1", "m"): 1, ("2", "f"): 1}


CELLS = st.one_of(
    st.integers(-(10**16), 10**16).map(str),
    st.decimals(-(10**6), 10**6, places=3).map(str),
    st.text(alphabet="ab 019.,=+-_x\n\tä€\U0001f600<>&'\"", min_size=1, max_size=10).filter(str.strip),
    st.sampled_from(
        ["01067", "1e5", "-0", "0.0", "0.10", "*", "[20, 30)", "=1+1", "http://a.de", "1984-03-05", "true"]
    ),
)


@pytest.mark.slow
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12))
@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_back(engine: Engine, tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    pytest.importorskip("xlsxwriter")
    path = tmp_path / "out.xlsx"
    frame = pa.table({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})
    engine.write(Source("frame", frame=frame), Target(("a", "b"), (), path, "excel"))
    cells = engine.cells(file_source(path), ["a", "b"])
    assert list(zip(cells["a"].to_pylist(), cells["b"].to_pylist(), strict=True)) == rows


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["x\x01"], "control character"),
        (["_x0041_"], "control character"),
        (["x" * 40_000], "at most 32,767 characters"),
        ([None], "a row without any value"),
    ],
)
def test_what_a_sheet_can_not_give_back_is_refused(
    engine: Engine, tmp_path: Path, cells: list[Any], message: str
) -> None:
    frame = pa.table({"a": pa.array(cells, pa.string())})
    with pytest.raises(BadData, match=message):
        engine.write(Source("frame", frame=frame), Target(("a",), (), tmp_path / "out.xlsx", "excel"))

"""Any relation is written and counted: a frame, a file, what was drawn or treated, and what was recoded of these.

Covers engines/engine.
"""

from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from tests.engines.formats import Cells, counted, read_file, write_csv, write_file

from tacit.data.columns import Numbers, columns_of
from tacit.data.sources.source import Source, file_source
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.recoding import Recoding
from tacit.engines.engine import Engine, Stars, Target
from tacit.errors import BadData

ROWS: list[Cells] = [{"town": town, "age": str(30 + i), "note": "=1"} for i, town in enumerate("abacb")]
FORMATS = (".csv", ".parquet", ".sqlite")


def target_in(path: Path, *columns: str, **options: Any) -> Target:
    return Target(columns, (), path, path.suffix[1:], **options)  # type: ignore[arg-type]


def grouped(engine: Engine, source: Source, column: str, label: dict[str, str | None], how: Any = "star") -> Source:
    """The rows with one column recoded; None suppresses."""
    tally = tally_from(engine.tally(source, (column,)), TallyRequest((column,)))
    values = [tally.values[0][code] for code in tally.codes[0]]
    labels = tuple(sorted({one for one in label.values() if one is not None}))
    recoding = Recoding(
        columns=(column,),
        labels=(labels,),
        leaves=(np.ones(len(labels), np.int64),),
        codes=np.array([[labels.index(label[value] or labels[0]) for value in values]], dtype=np.int32),
        combination=np.arange(tally.combinations),
        rows=tally.rows,
        suppressed=np.array([label[value] is None for value in values]),
    )
    return engine.recoded(source, tally, recoding, Stars((column,), how))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("given", [*FORMATS, "frame"])
def test_what_was_not_recoded_is_written_as_it_is(engine: Engine, tmp_path: Path, given: str, form: str) -> None:
    frame = Source("frame", frame=pa.Table.from_pylist(ROWS))
    source = frame if given == "frame" else file_source(write_file(tmp_path / f"in{given}", ROWS))
    engine.write(source, target_in(tmp_path / f"out{form}", "note", "town"))
    assert read_file(tmp_path / f"out{form}") == [{"note": "=1", "town": row["town"]} for row in ROWS]
    engine.write(source, target_in(tmp_path / f"out{form}", "note", guard=True))
    assert read_file(tmp_path / f"out{form}") == [{"note": "'=1"}] * 5


def test_a_sheet_is_recoded_like_any_file(engine: Engine, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in [list(ROWS[0]), *(list(row.values()) for row in ROWS)]:
        book.active.append(row)
    book.save(tmp_path / "in.xlsx")
    made = grouped(engine, file_source(tmp_path / "in.xlsx"), "town", {"a": "ab", "b": "ab", "c": None})
    engine.write(made, target_in(tmp_path / "out.csv", "town", "age"))
    assert [row["town"] for row in read_file(tmp_path / "out.csv")] == ["ab", "ab", "ab", "*", "ab"]


def test_rows_that_are_left_out_are_neither_written_nor_counted(engine: Engine, tmp_path: Path) -> None:
    source = file_source(write_csv(tmp_path / "in.csv", ROWS))
    made = grouped(engine, source, "town", {"a": "ab", "b": "ab", "c": None}, "omit")
    assert counted(engine, made, "town") == {("ab",): 4}
    assert [row["age"] for row in engine.frame(made, Target(("age",), ())).to_pylist()] == ["30", "31", "32", "34"]


@pytest.mark.slow
def test_what_was_recoded_is_counted_drawn_treated_and_recoded_again(engine: Engine) -> None:
    source = Source("frame", frame=pa.Table.from_pylist(ROWS))
    made = grouped(engine, source, "town", {"a": "ab", "b": "ab", "c": "c"})
    assert counted(engine, made, "town") == {("ab",): 4, ("c",): 1}
    assert engine.columns(made) == {"town": "VARCHAR", "age": "VARCHAR", "note": "VARCHAR"}
    assert [profile.distinct for profile in engine.profile(made)] == [2, 5, 1]
    drawn = engine.drawn(made, np.array([False, True, False, True, True]))
    treated = engine.replaced(drawn, columns_of({"age": Numbers(np.array([1.0, 2.0, 3.0]))}))
    again = grouped(engine, treated, "town", {"ab": "any", "c": None})
    twice = grouped(engine, again, "age", {"1": "low", "2": "low", "3": "high"})
    shown = engine.cells(twice, ("town", "age"))
    assert shown.to_pylist() == [
        {"town": "any", "age": "low"},
        {"town": "*", "age": "low"},
        {"town": "any", "age": "high"},
    ]


def test_the_rows_are_read_when_they_are_written_and_a_new_one_is_suppressed(engine: Engine, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "in.csv", ROWS)
    made = grouped(engine, file_source(path), "town", {"a": "x", "b": "x", "c": "x"})
    write_csv(path, [*ROWS, {"town": "d", "age": "9", "note": ""}])
    assert counted(engine, made, "town") == {("x",): 5, ("*",): 1}


def test_an_absent_column_and_a_damaged_row_are_told_by_the_name_of_the_file(engine: Engine, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "in.csv", ROWS)
    made = grouped(engine, file_source(path), "town", {"a": "x", "b": "x", "c": "x"})
    with pytest.raises(BadData, match=r"in.csv has no column 'id'"):
        engine.frame(made, Target(("id",), ()))
    path.write_text(path.read_text(encoding="utf-8") + "only-one-cell\n", encoding="utf-8")
    with pytest.raises(BadData, match=r"in.csv, line 7: the row has 1 cell, the header has 3"):
        engine.write(made, target_in(tmp_path / "out.csv", "town"))

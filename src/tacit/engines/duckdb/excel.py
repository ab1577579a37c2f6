"""Excel sheets in and out: every cell is text, rows without a cell are no rows.

The names of the columns stand in the first row, or where `skip` and `header` say. A cell is written as a number where
its text is the plain spelling of one, so that spreadsheets count with it, and as text otherwise: a code keeps its
leading zeros, and nothing is run as a formula or followed as a link. Both are read back as the same text.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.data.sources.header import named_columns
from tacit.data.sources.sheet import sheet_cells
from tacit.data.sources.source import Source, require_names
from tacit.errors import BadData, MissingExtra
from tacit.scratch import scratch

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS = 1 << 20
MOST_COLUMNS = 1 << 14
LONGEST_CELL = 32_767
LONGEST_TITLE = 31
PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,13})(?:\.[0-9]{0,8}[1-9])?")
MOST_DIGITS = 15
"""What a double holds of any number, and what Excel keeps."""
UNWRITABLE = r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\x{fffe}\x{ffff}]|_x[0-9A-Fa-f]{4}_"
"""What XML has no characters for, or what would be read back as another character."""


def read_sheet(source: Source) -> "pa.Table":
    """The sheet as text; a moment at midnight is a date."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = sheet_cells(source)
    head = min(max(source.header, 1), cells.num_rows)
    lines = [[cells.column(c)[r].as_py() or "" for c in range(cells.num_columns)] for r in range(head)]
    rows = cells.slice(source.header)
    kept = [c for c in range(cells.num_columns) if any(line[c].strip() for line in lines) or _has_cell(rows.column(c))]
    if not kept:
        require_names(source.name, ())
    names = named_columns([[line[c] for c in kept] for line in lines], source)
    columns = [pc.replace_substring_regex(rows.column(c), r"^(\d{4}-\d\d-\d\d) 00:00:00$", r"\1") for c in kept]
    table = pa.table(dict(zip(names, columns, strict=True)))
    filled = [pc.not_equal(pc.fill_null(column, ""), "") for column in table.columns]
    mask = filled[0]
    for column in filled[1:]:
        mask = pc.or_(mask, column)
    return table.filter(mask)


def _has_cell(column: "pa.Array") -> bool:
    return bool(column.null_count < len(column))


def write_sheet(rows: "pa.Table", path: Path, sheet: str) -> None:
    """The rows, all of them text, in a new workbook; what a sheet could not give back is refused first."""
    try:
        import xlsxwriter
    except ImportError:
        raise MissingExtra("xlsxwriter", "excel", "writing an Excel file") from None
    _require_writable(rows)
    # What is written on the way holds the release before it was checked.
    with scratch() as folder:
        options = {"constant_memory": True, "strings_to_urls": False, "strings_to_formulas": False}
        with xlsxwriter.Workbook(str(path), {**options, "tmpdir": str(folder)}) as book:
            page = book.add_worksheet(sheet[:LONGEST_TITLE])
            for column, name in enumerate(rows.column_names):
                page.write_string(0, column, name)
            for line, cells in enumerate(zip(*(column.to_pylist() for column in rows.columns), strict=True), 1):
                for column, cell in enumerate(cells):
                    if cell is not None and is_number(cell):
                        page.write_number(line, column, float(cell))
                    elif cell:
                        page.write_string(line, column, cell)


def _require_writable(rows: "pa.Table") -> None:
    """The sheet would be read back as these rows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if rows.num_columns > MOST_COLUMNS or rows.num_rows >= MOST_ROWS:
        raise BadData(
            f"a sheet holds {MOST_COLUMNS:,} columns and {MOST_ROWS - 1:,} rows at most; write CSV or Parquet instead"
        )
    filled = None
    for cells in (*rows.columns, pa.chunked_array([pa.array(rows.column_names)])):
        texts = pc.fill_null(cells, "")
        if (pc.max(pc.utf8_length(texts)).as_py() or 0) > LONGEST_CELL:
            raise BadData(f"a cell of a sheet holds at most {LONGEST_CELL:,} characters; write CSV or Parquet instead")
        if pc.any(pc.match_substring_regex(texts, UNWRITABLE)).as_py():
            raise BadData("a cell has a control character, which a sheet can't give back; write CSV or Parquet instead")
    for column in rows.columns:
        there = pc.not_equal(pc.fill_null(column, ""), "")
        filled = there if filled is None else pc.or_(filled, there)
    if filled is not None and not pc.all(filled).as_py():
        raise BadData("a sheet can't hold a row without any value; write CSV or Parquet instead")


def is_number(text: str) -> bool:
    """Whether a sheet can hold the text as a number and give it back as it was."""
    return PLAIN_NUMBER.fullmatch(text) is not None and sum(map(str.isdigit, text)) <= MOST_DIGITS and text != "-0"

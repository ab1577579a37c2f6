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

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS = 1 << 20
MOST_COLUMNS = 1 << 14
LONGEST_CELL = 32_767
PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,13})(?:\.[0-9]{0,8}[1-9])?")
MOST_DIGITS = 15
"""What a double holds of any number, and what Excel keeps."""
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")
"""What XML has no characters for, or what would be read back as another character."""


def read_sheet(source: Source) -> "pa.Table":
    """The sheet as text; a moment at midnight is a date."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = sheet_cells(source)
    head = max(source.header, 1)
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


def write_sheet(rows: "pa.RecordBatchReader", path: Path, sheet: str) -> None:
    """The rows, all of them text, in a new workbook."""
    try:
        import xlsxwriter
    except ImportError:
        raise MissingExtra("xlsxwriter", "excel", "writing an Excel file") from None
    if len(rows.schema.names) > MOST_COLUMNS:
        raise BadData(f"a sheet has at most {MOST_COLUMNS:,} columns; write CSV or Parquet")
    options = {"constant_memory": True, "strings_to_urls": False, "strings_to_formulas": False}
    book = xlsxwriter.Workbook(str(path), options)
    page = book.add_worksheet(sheet[:31])
    for column, name in enumerate(rows.schema.names):
        page.write_string(0, column, _writable(name))
    line = 0
    for batch in rows:
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            line += 1
            if line >= MOST_ROWS:
                raise BadData(f"a sheet has at most {MOST_ROWS - 1:,} rows under its names; write CSV or Parquet")
            for column, cell in enumerate(cells):
                if cell is not None and is_number(cell):
                    page.write_number(line, column, float(cell))
                elif cell:
                    page.write_string(line, column, _writable(cell))
            if not any(cells):
                raise BadData("a row without any value can't be told from no row in a sheet; write CSV or Parquet")
    book.close()


def is_number(text: str) -> bool:
    """Whether a sheet can hold the text as a number and give it back as it was."""
    return PLAIN_NUMBER.fullmatch(text) is not None and sum(map(str.isdigit, text)) <= MOST_DIGITS and text != "-0"


def _writable(text: str) -> str:
    if len(text) > LONGEST_CELL:
        raise BadData(f"a cell of a sheet holds at most {LONGEST_CELL:,} characters; write CSV or Parquet")
    if _UNWRITABLE.search(text):
        raise BadData("a cell holds a control character, which a sheet can't give back; write CSV or Parquet")
    return text

"""The cells of an Excel sheet, as text, row by row."""

from typing import TYPE_CHECKING

from tacit.data.sources.source import Source
from tacit.errors import BadData, MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa


def sheet_cells(source: Source, first: int | None = None) -> "pa.RecordBatch":
    """The cells of the sheet, or of its first rows; without `skip` it begins with the first row that has a cell."""
    try:
        import fastexcel
    except ImportError:
        raise MissingExtra("fastexcel", "excel", "reading an Excel file") from None
    try:
        book = fastexcel.read_excel(str(source.path))
        if source.sheet is not None and source.sheet not in book.sheet_names:
            names = ", ".join(map(repr, book.sheet_names))
            raise BadData(f"{source.name} has no sheet {source.sheet!r}; it has {names}")
        skipped = source.skip or (None if first is None else 0)
        sheet = book.load_sheet(source.sheet or 0, header_row=None, dtypes="string", n_rows=first, skip_rows=skipped)
        return sheet.to_arrow()
    except fastexcel.InvalidParametersError:
        raise BadData(f"{source.name} has nothing after the {source.skip} rows that `skip` skips") from None
    except fastexcel.FastExcelError:
        raise BadData(f"{source.name} is not an Excel workbook, or it is damaged") from None


def first_rows(source: Source, rows: int) -> list[list[str]]:
    """The texts of the first rows of the sheet, empty ones among them; a cell without a value is empty."""
    cells = sheet_cells(source, rows)
    return [[cells.column(c)[r].as_py() or "" for c in range(cells.num_columns)] for r in range(cells.num_rows)]

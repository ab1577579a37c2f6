"""How an Excel sheet is read: the first row names the columns, every cell is text, rows without a cell are no rows."""

from typing import TYPE_CHECKING

from tacit.data.sources.source import Source, require_names
from tacit.errors import BadData, MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa


def read_sheet(source: Source) -> "pa.Table":
    """The sheet as text; a moment at midnight is a date."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = _cells(source)
    names = [(cells.column(c)[0].as_py() or "").strip() if cells.num_rows else "" for c in range(cells.num_columns)]
    rows = cells.slice(1)
    kept = [c for c, name in enumerate(names) if name or rows.column(c).null_count < rows.num_rows]
    require_names(source.name, [names[c] for c in kept])
    columns = [pc.replace_substring_regex(rows.column(c), r"^(\d{4}-\d\d-\d\d) 00:00:00$", r"\1") for c in kept]
    table = pa.table(dict(zip([names[c] for c in kept], columns, strict=True)))
    filled = [pc.not_equal(pc.fill_null(column, ""), "") for column in table.columns]
    mask = filled[0]
    for column in filled[1:]:
        mask = pc.or_(mask, column)
    return table.filter(mask)


def _cells(source: Source) -> "pa.RecordBatch":
    try:
        import fastexcel
    except ImportError:
        raise MissingExtra("fastexcel", "excel", "reading an Excel file") from None
    try:
        book = fastexcel.read_excel(str(source.path))
        if source.sheet is not None and source.sheet not in book.sheet_names:
            names = ", ".join(map(repr, book.sheet_names))
            raise BadData(f"{source.name} has no sheet {source.sheet!r}; it has {names}")
        return book.load_sheet(source.sheet or 0, header_row=None, dtypes="string").to_arrow()
    except fastexcel.FastExcelError:
        raise BadData(f"{source.name} is not an Excel workbook, or it is damaged") from None

"""Files of statistics packages: SPSS, Stata and SAS, read by ReadStat (Miller) through pyreadstat.

A value that has a label is read as its label, since that is the category; a value that is declared missing is missing.
Dates are dates. Files are read whole.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tacit.data.sources.source import KINDS, Source, require_names
from tacit.errors import BadData, MissingExtra

if TYPE_CHECKING:
    import pyarrow as pa

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
USUAL = {"spss": "read_sav", "stata": "read_dta", "sas": "read_sas7bdat"}
WITHOUT_ENCODING = ("read_por",)


def read_statistics(source: Source) -> "pa.Table":
    """The table with labels for the values that have one."""
    import pyarrow as pa

    columns, labels = _read(source)
    require_names(source.name, tuple(columns))
    return pa.table({name: _column(cells, labels.get(name, {})) for name, cells in columns.items()})


def _read(source: Source) -> tuple[Mapping[str, Sequence[Any]], Mapping[str, Mapping[Any, str]]]:
    """The cells of each column, and the labels of its values."""
    try:
        import pyreadstat
    except ImportError:
        what = f"reading {KINDS[source.format]}"
        raise MissingExtra("pyreadstat", "statistics", what) from None
    assert source.path is not None
    reader = READERS.get(source.path.suffix.lower(), USUAL[source.format])
    told = source.encoding if source.codec != "utf-8" and reader not in WITHOUT_ENCODING else None
    options = {} if told is None else {"encoding": told}
    try:
        columns, meta = getattr(pyreadstat, reader)(str(source.path), output_format="dict", **options)
    except (pyreadstat.PyreadstatError, pyreadstat.ReadstatError, UnicodeError, ValueError, OverflowError):
        raise BadData(
            f"{source.name} is not {KINDS[source.format]}, or it is damaged, or its text has another encoding"
        ) from None
    return columns, meta.variable_value_labels


def _column(cells: Sequence[Any], labels: Mapping[Any, str]) -> "pa.Array":
    """The cells as one type: text where values have labels, else numbers, dates or text."""
    import pyarrow as pa

    plain = [None if _is_missing(cell) else cell for cell in cells]
    if labels:
        return pa.array([None if cell is None else str(labels.get(cell, _spelt(cell))) for cell in plain], pa.string())
    try:
        return pa.array(plain)
    except (pa.ArrowException, TypeError):
        return pa.array([None if cell is None else _spelt(cell) for cell in plain], pa.string())


def _is_missing(cell: Any) -> bool:
    return cell is None or cell == "" or cell != cell


def _spelt(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)

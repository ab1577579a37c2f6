"""Where rows come from: a CSV, Parquet, SQLite or Excel file, or a data frame in memory.

A source says how to read, it does not read. CSV files are read as text with a header; the delimiter is guessed from
the header line where it is not given. Empty cells and the words in `missing` are the missing value.
"""

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tacit.errors import BadData, BadParameter

Format = Literal["csv", "parquet", "sqlite", "excel", "frame"]

SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".xlsx": "excel",
}
DELIMITERS = ";,\t|"
HEADER_BYTES = 1 << 20


@dataclass(frozen=True, eq=False)
class Source:
    """How to read one table. `table` names it in a database, `sheet` in a workbook."""

    format: Format
    path: Path | None = None
    delimiter: str | None = None
    quote: str = '"'
    encoding: str = "utf-8"
    missing: tuple[str, ...] = ()
    table: str | None = None
    sheet: str | None = None
    frame: Any = None

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return self.path.name if self.path else "the data frame"


def file_source(path: Path, **options: Any) -> Source:
    """The source of an existing file; its format follows from its name unless `format` is given."""
    if not path.exists():
        raise BadData(f"there is no file {path}")
    if path.is_dir():
        raise BadData(f"{path} is a folder; name a file in it")
    if path.stat().st_size == 0:
        raise BadData(f"{path} is empty")
    return Source(format=options.pop("format", None) or format_of(path), path=path, **options)


def format_of(path: Path) -> Format:
    """The format that a file's name stands for."""
    try:
        return SUFFIXES[path.suffix.lower()]
    except KeyError:
        known = ", ".join(SUFFIXES)
        raise BadParameter(
            f"{path}: the ending {path.suffix!r} names no format; use one of {known}, or give `format`"
        ) from None


@dataclass(frozen=True)
class Header:
    """The column names of a CSV file and the delimiter that separates them."""

    columns: tuple[str, ...]
    delimiter: str


def read_header(source: Source) -> Header:
    """The header line of a CSV file, checked: text, no column without a name, none named twice."""
    line = _first_record(source)
    delimiter = source.delimiter or _likely_delimiter(line)
    names = next(csv.reader(io.StringIO(line), delimiter=delimiter, quotechar=source.quote or '"'), [])
    columns = tuple(name.strip() for name in names)
    require_names(source.name, columns)
    return Header(columns, delimiter)


def require_names(where: str, columns: tuple[str, ...]) -> None:
    """No column without a name, none named twice (capitals do not tell names apart)."""
    if not columns or any(not name for name in columns):
        raise BadData(
            f"{where}: column {1 + ([*columns, ''].index(''))} has no name; give every column a name in the first line"
        )
    counted = Counter(name.casefold() for name in columns)
    double = sorted({name for name in columns if counted[name.casefold()] > 1})
    if double:
        raise BadData(f"{where}: column name(s) used twice: {', '.join(double)}; every column needs its own name")


def _first_record(source: Source) -> str:
    assert source.path is not None
    with source.path.open("rb") as file:
        start = file.read(HEADER_BYTES)
    if b"\x00" in start and not source.encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32")):
        raise BadData(
            f"{source.name} is not a text file: it holds zero bytes; is it another format, or another encoding?"
        )
    text = _decode(start, source)
    lines = io.StringIO(text, newline=None).read().split("\n")
    record = lines[0]
    for line in lines[1:]:
        if record.count(source.quote or '"') % 2 == 0:
            break
        record += "\n" + line
    if not record.strip():
        raise BadData(f"{source.name}: the first line is blank; it must name the columns")
    return record


def _decode(start: bytes, source: Source) -> str:
    try:
        text = start.decode("utf-8-sig" if source.encoding.lower() in ("utf-8", "utf8") else source.encoding)
    except LookupError:
        raise BadParameter(
            f"there is no encoding {source.encoding!r}; common ones: utf-8, latin-1, cp1252, utf-16"
        ) from None
    except UnicodeDecodeError as error:
        if error.start > len(start) - 8 and len(start) == HEADER_BYTES:
            return start[: error.start].decode(source.encoding, errors="ignore")
        raise BadData(
            f"{source.name} is not {source.encoding} text (byte {error.start}); give its encoding, such as latin-1"
        ) from None
    return text


def _likely_delimiter(line: str) -> str:
    counts = {delimiter: line.count(delimiter) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=counts.__getitem__)
    return best if counts[best] else ","

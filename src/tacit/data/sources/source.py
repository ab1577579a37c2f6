"""Where rows come from: a CSV, Parquet, SQLite, Excel, SPSS, Stata or SAS file, or a data frame in memory.

A source says how to read, it does not read. CSV files are read as text with a header (`header.py`). Empty cells and the
words in `missing` are the missing value, in every column: a release shows them as missing, whatever the word was. If
`trim` is set, spaces around a cell are no part of it, nor of a word. Numbers with a decimal comma or with marks between
thousands are read as the same numbers with a point (`notation.py`).
"""

import codecs
import io
import os
import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from tacit.data.sources.frames import as_arrow
from tacit.data.sources.notation import NumberNotation
from tacit.errors import BadData, BadParameter
from tacit.spelling import did_you_mean, noun
from tacit.visible import visible

if TYPE_CHECKING:
    import pyarrow as pa

FileFormat = Literal["csv", "parquet", "sqlite", "excel", "spss", "stata", "sas"]
Packing = Literal["gzip", "zip", "zstd"]
Format = FileFormat | Literal["frame", "relation"]

SUFFIXES: dict[str, FileFormat] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".xlsx": "excel",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".dta": "stata",
    ".sas7bdat": "sas",
    ".xpt": "sas",
}
PACKINGS: dict[str, Packing] = {".gz": "gzip", ".zip": "zip", ".zst": "zstd"}
"""Endings after that of a CSV file; a `.zip` may stand alone."""
KINDS: dict[str, str] = {
    "csv": "a CSV file",
    "parquet": "a Parquet file",
    "sqlite": "an SQLite database",
    "excel": "an Excel workbook",
    "spss": "an SPSS file",
    "stata": "a Stata file",
    "sas": "a SAS file",
    "frame": "a data frame",
}
OPTIONS_OF: dict[str, tuple[str, ...]] = {
    "delimiter": ("csv",),
    "quote": ("csv",),
    "encoding": ("csv", "spss", "stata", "sas"),
    "skip": ("csv", "excel"),
    "header": ("csv", "excel"),
    "names": ("csv", "excel"),
    "table": ("sqlite",),
    "sheet": ("excel",),
}
"""For which formats an option of reading has a meaning; those that are not here have one for all."""
MOST_SKIPPED = 10_000
MOST_SHOWN = 20
LONGEST_SHOWN = 60


@dataclass(frozen=True, eq=False)
class Source:
    """How to read one table. `table` names it in a database, `sheet` in a workbook.

    `skip` lines come before the `header`, which is of one or two lines, or of none; `names` take the place of the names
    that the header gives. A `relation` is what an engine made of another source; the engine alone can read what is in
    its `frame`.
    """

    format: Format
    path: Path | None = None
    delimiter: str | None = None
    quote: str = '"'
    encoding: str = "utf-8"
    missing: tuple[str, ...] = ()
    table: str | None = None
    sheet: str | None = None
    frame: Any = None
    skip: int = 0
    header: int = 1
    names: tuple[str, ...] | None = None
    trim: bool = False
    decimal: str = "."
    thousands: str | None = None

    def __repr__(self) -> str:
        """Where the rows are, and none of them."""
        return f"Source({self.format}, {visible(self.name)})"

    def __post_init__(self) -> None:
        """Every option can be what it is said to be, and means something for the format."""
        if self.delimiter is not None and not _is_separator(self.delimiter):
            raise BadParameter(f"delimiter is {self.delimiter!r}; it must be one character, and not a line break")
        if not _is_separator(self.quote) or not self.quote.isascii() or self.quote == self.delimiter:
            raise BadParameter(f"quote is {self.quote!r}; it must be one plain character, and not the delimiter")
        if isinstance(self.missing, str) or not all(isinstance(word, str) for word in self.missing):
            raise BadParameter(f"missing is {self.missing!r}; it must be a list of words, such as ['NA', '?']")
        _require_encoding(self.encoding)
        if not isinstance(self.skip, int) or not 0 <= self.skip <= MOST_SKIPPED:
            raise BadParameter(f"skip is {self.skip!r}; it must be a number of lines from 0 to {MOST_SKIPPED:,}")
        if self.header not in (0, 1, 2):
            raise BadParameter(f"header is {self.header!r}; the column names must be in 0, 1 or 2 lines")
        assert self.notation is not None
        _require_meaning(self)

    @cached_property
    def notation(self) -> NumberNotation:
        """How numbers are written."""
        return NumberNotation(self.decimal, self.thousands)

    @property
    def packing(self) -> Packing | None:
        """How the file is packed."""
        return PACKINGS.get(self.path.suffix.lower()) if self.path and self.format == "csv" else None

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return self.path.name if self.path else "the data frame"

    @property
    def codec(self) -> str:
        """The usual spelling of the encoding: `utf8` and `UTF_8` are `utf-8`."""
        return codecs.lookup(self.encoding).name

    @cached_property
    def arrow(self) -> "pa.Table":
        """The data frame as an Arrow table, made once: a stream can be read once only."""
        return as_arrow(self.frame)


def file_source(path: Path, **options: Any) -> Source:
    """The source of an existing file; its format follows from its name unless `format` is given."""
    require_file(path)
    known = [field.name for field in fields(Source) if field.name not in ("path", "frame")]
    for name in options:
        if name not in known:
            raise BadParameter(f"there is no option {name!r} for reading a file; {did_you_mean(name, known)}")
    form = options.pop("format", None) or format_of(path)
    if form not in get_args(FileFormat):
        raise BadParameter(f"format is {form!r}; it must be one of {', '.join(get_args(FileFormat))}")
    # What nobody gave is as usual.
    given = {name: value for name, value in options.items() if value is not None}
    if "names" in given:
        given["names"] = tuple(given["names"])
    return Source(format=form, path=path, **given)


def require_file(path: Path) -> None:
    """The path names a file that is there, has content and can be read."""
    try:
        if path.is_dir():
            raise BadData(f"{path} is a folder; name a file in it")
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise BadData(f"{path} is not a regular file but a pipe or a device; write its content to a file first")
        size = found.st_size
    except FileNotFoundError:
        raise BadData(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise BadData(f"{path} can't be read: {reason or 'its name is not a file name'}") from None
    if size == 0:
        raise BadData(f"{path} is empty")
    if not os.access(path, os.R_OK):
        raise BadData(f"{path} can't be read: permission denied")


def format_of(path: Path) -> FileFormat:
    """The format that a file's name stands for."""
    found = known_format(path)
    if found is None:
        known, packed = ", ".join(SUFFIXES), ", ".join(PACKINGS)
        raise BadParameter(
            f"{path}: the ending {path.suffix!r} is not a known format; use one of {known} (a CSV file may be packed: "
            f"{packed}), or give the `format` of what you read"
        )
    return found


def known_format(path: Path) -> FileFormat | None:
    """The format that a file's name stands for, if it stands for one; only CSV files may be packed."""
    ending, inner = path.suffix.lower(), Path(path.stem).suffix.lower()
    if ending not in PACKINGS:
        return SUFFIXES.get(ending)
    if ending == ".zip" and inner not in SUFFIXES:
        return "csv"
    return "csv" if SUFFIXES.get(inner) == "csv" else None


def bare_name(path: Path) -> str:
    """The name of a file without its ending, nor that of its packing: `people` for people.csv.gz."""
    stem = path.stem
    return Path(stem).stem if path.suffix.lower() in PACKINGS and Path(stem).suffix.lower() in SUFFIXES else stem


def require_names(
    where: str, columns: Sequence[str], place: str = " in the first line, or say where the names are"
) -> None:
    """There are columns, none without a name, none named twice (capitals do not tell names apart).

    `place` says where names stand.
    """
    if not columns:
        raise BadData(f"{where} has no columns; it needs at least one, with a name")
    if "" in columns:
        raise BadData(f"{where}: column {1 + columns.index('')} has no name; give every column a name{place}")
    counted = Counter(name.lower() for name in columns)
    double = sorted({name for name in columns if counted[name.lower()] > 1})
    if double:
        raise BadData(
            f"{where}: {noun(len(double), 'column name')} used twice: {shown_names(double)}; every column needs its "
            "own name"
        )


def shown_names(names: Sequence[str]) -> str:
    """The names of columns for a message: quoted, long ones cut, the first of many."""
    cut = [name if len(name) <= LONGEST_SHOWN else name[: LONGEST_SHOWN - 1] + "…" for name in names[:MOST_SHOWN]]
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(map(repr, cut)) + more


def _require_meaning(source: Source) -> None:
    """No option is given that the format has no use for: it would be ignored in silence."""
    for name, formats in OPTIONS_OF.items():
        usual = Source.__dataclass_fields__[name].default
        if source.format not in (*formats, "relation") and getattr(source, name) != usual:
            kinds = " or ".join(KINDS[form] for form in formats)
            raise BadParameter(
                f"`{name}` says how to read {kinds}; {source.name} is {KINDS[source.format]}, so leave `{name}` out"
            )


def _is_separator(character: str) -> bool:
    return isinstance(character, str) and len(character) == 1 and character not in "\r\n\0"


def _require_encoding(encoding: str) -> None:
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=encoding).close()
    except (LookupError, ValueError, TypeError):
        raise BadParameter(f"there is no encoding {encoding!r}; common ones: utf-8, latin-1, cp1252, utf-16") from None

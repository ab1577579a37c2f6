"""Hierarchy files: one line for each leaf, `leaf;level 1;…;root`, no header, as ARX reads and writes them.

The file is UTF-8 text (a byte order mark is skipped), fields are quoted as in RFC 4180 where they need it. Where no
delimiter is given, the one of `;`, `,`, tab and `|` is taken that cuts all lines into equally many fields and ends
them in one root, best `*`. A line that is repeated word for word is read once, since it says nothing new; a leaf with
two different lines is an error.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar

from pydantic import Field, field_validator

from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, Origin
from tacit.errors import BadData, BadParameter
from tacit.params import Params

DELIMITERS = (";", ",", "\t", "|")
SNIFFED_LINES = 200
_QUOTED = re.compile(r'"[^"]*"')


class FileSpec(Params):
    """A hierarchy in its own file; the path is relative to the plan."""

    kind: ClassVar[str] = "file"

    file: str = Field(min_length=1, description="path of the file, relative to the plan")
    delimiter: str | None = Field(default=None, description="the character between the fields; guessed by default")

    @field_validator("delimiter")
    @classmethod
    def _usable(cls, delimiter: str | None) -> str | None:
        if delimiter is not None and not _is_delimiter(delimiter):
            raise ValueError("a delimiter is one character, neither a quote nor a line break")
        return delimiter


def read_hierarchy(path: str | Path, column: str, delimiter: str | None = None) -> Hierarchy:
    """The hierarchy in a file, or an error that names the file, the column and the line."""
    if delimiter is not None:
        _require_delimiter(delimiter)
    text = _read_text(Path(path), column)
    records = _split(text, delimiter or _sniff(text), column, path)
    if len(records.rows) > 1 and all(len(row) == 1 for row in records.rows):
        wanted = f"delimiter {delimiter!r}" if delimiter else "delimiter (one of ; , tab |)"
        raise BadData(
            f"column {column!r}: no {wanted} in hierarchy file {str(path)!r}; "
            "each line must read leaf;level 1;…;*, at least leaf;*"
        )
    records = records.without_repetition()
    return Hierarchy.from_paths(column, records.rows, Origin(_name(path), records.lines))


def write_hierarchy(hierarchy: Hierarchy, path: str | Path, delimiter: str = ";") -> None:
    """The file at `path` holds the hierarchy, such that `read_hierarchy` gives it back."""
    text = hierarchy_text(hierarchy, delimiter)
    where = f"column {hierarchy.column!r}: hierarchy file {str(path)!r}"
    if "\0" in text:
        raise BadData(f"{where} can't hold a label with a NUL character; rename it")
    try:
        Path(path).write_bytes(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise BadData(f"{where} can't hold a label that is not valid Unicode; rename it") from None
    except (OSError, ValueError) as error:
        raise BadData(f"{where} can't be written: {_reason(error)}") from None


def hierarchy_text(hierarchy: Hierarchy, delimiter: str = ";") -> str:
    """The hierarchy as a file holds it."""
    _require_delimiter(delimiter)
    levels = []
    for names, codes in zip(hierarchy.labels, hierarchy.codes, strict=True):
        fields = [_quoted(name, delimiter) for name in names]
        levels.append([fields[code] for code in codes.tolist()])
    return "".join(delimiter.join(fields) + "\n" for fields in zip(*levels, strict=True))


@dataclass(frozen=True)
class _FieldLines:
    """The fields of each line that is not blank, and the number of the line."""

    rows: list[list[str]]
    lines: list[int]

    def without_repetition(self) -> "_FieldLines":
        if len({row[0] for row in self.rows}) == len(self.rows):
            return self
        first: dict[tuple[str, ...], int] = {}
        for position, row in enumerate(self.rows):
            first.setdefault(tuple(row), position)
        return _FieldLines([self.rows[i] for i in first.values()], [self.lines[i] for i in first.values()])


def _name(path: str | Path) -> str:
    return f"hierarchy file {str(path)!r}"


def _read_text(path: Path, column: str) -> str:
    where = f"column {column!r}: {_name(path)}"
    try:
        if path.is_dir():
            raise BadData(f"{where} is a directory; name a file in it")
        raw = path.read_bytes()
    except FileNotFoundError:
        raise BadData(f"{where} does not exist; paths are relative to the plan") from None
    except (OSError, ValueError) as error:
        raise BadData(f"{where} can't be read: {_reason(error)}") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadData(f"{where} is UTF-16 text; save it as UTF-8")
    if b"\0" in raw:
        raise BadData(f"{where} is binary, not text (NUL in line {_line_of(raw, raw.index(0))}); export it as CSV")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadData(f"{where} is not UTF-8 text: see line {_line_of(raw, error.start)}; save it as UTF-8") from None
    if not text.strip("\r\n \t"):
        raise BadData(f"{where} is empty; write one line for each value: leaf;level 1;…;*")
    return text


def _line_of(raw: bytes, position: int) -> int:
    return raw.count(b"\n", 0, position) + 1


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _sniff(text: str) -> str:
    """The delimiter under which the first lines look most like a hierarchy."""
    unquoted = _QUOTED.sub("", text)
    return max(DELIMITERS, key=lambda delimiter: (delimiter in unquoted, *_likeness(text, delimiter)))


def _likeness(text: str, delimiter: str) -> tuple[bool, bool, bool, float]:
    """Whether all lines have equally many fields, end in one root, which is `*`; the share of lines that are cut."""
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [row for row in islice(reader, SNIFFED_LINES) if row]
    except csv.Error:
        return (False, False, False, 0.0)
    widths = [len(row) for row in rows]
    roots = {row[-1] for row in rows}
    cut = sum(width > 1 for width in widths) / len(widths) if widths else 0.0
    even = cut == 1.0 and len(set(widths)) == 1
    return (even, even and len(roots) == 1, even and roots == {SUPPRESSED}, cut)


def _split(text: str, delimiter: str, column: str, path: str | Path) -> _FieldLines:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    records = _FieldLines([], [])
    try:
        for row in reader:
            if row:
                records.rows.append(row)
                records.lines.append(reader.line_num)
    except csv.Error as error:
        raise BadData(
            f"column {column!r}: {_name(path)}, line {reader.line_num}: {error}; check the quotes around it"
        ) from None
    return records


def _is_delimiter(delimiter: str) -> bool:
    return len(delimiter) == 1 and delimiter not in '"\r\n\0'


def _require_delimiter(delimiter: str) -> None:
    if not _is_delimiter(delimiter):
        raise BadParameter(
            f"delimiter is {delimiter!r}; it must be one character, neither a quote nor a line break, such as ';'"
        )


def _quoted(field: str, delimiter: str) -> str:
    # All four delimiters are quoted, whichever is used: then the file can't be misread when it is found out again.
    special: Sequence[str] = (*DELIMITERS, delimiter, '"', "\r", "\n", "\ufeff")
    if field and not any(character in field for character in special):
        return field
    return '"' + field.replace('"', '""') + '"'

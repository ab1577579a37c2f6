"""The head of a CSV file: the lines to skip, the names of its columns, and the delimiter that separates them.

The delimiter is guessed where it is not given: the one of `;`, `,`, tab and `|` that stands most often in the names,
outside of quotes. A name may be broken over lines within its quotes; it is read on one line. Where names stand in two
lines, each is joined of both: the upper one goes on to the right over cells that are empty, as merged cells are
exported. A file without names has columns called `column_1`, `column_2`, …
"""

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from tacit.data.sources.packed import opened
from tacit.data.sources.source import Source, require_names
from tacit.errors import BadData, BadParameter

DELIMITERS = ";,\t|"
HEADER_BYTES = 1 << 20
LONGEST_NAME = 10_000
LINE_END = re.compile(r"\r\n|\n|\r")
_BREAK = re.compile(r"\s*[\r\n]\s*")


@dataclass(frozen=True)
class Header:
    """The column names of a CSV file and the delimiter that separates them.

    `begins` is the character at which the rows begin, `lines` how many lines come before it, and `ending` ends them.
    `plain`: the file begins with one line of names, as every reader of CSV files expects.
    """

    columns: tuple[str, ...]
    delimiter: str
    begins: int
    lines: int
    ending: str
    plain: bool


def read_header(source: Source) -> Header:
    """The head of a CSV file, checked: text, no column without a name, none named twice."""
    text = start_of(source)
    skipped = _after_lines(text, source.skip)
    if source.skip and not text[skipped:].strip():
        raise BadData(f"{source.name} has nothing after the {source.skip} lines that `skip` skips")
    ends = _record_ends(text, skipped, max(source.header, 1), source.quote)
    head = text[skipped : ends[0]]
    if not head.strip():
        raise BadData(f"{source.name}: the first line is blank; it must name the columns, or be skipped with `skip`")
    delimiter = source.delimiter or _likely_delimiter(text[skipped : ends[-1]], source.quote)
    lines = [
        _cells(text[begin:end], delimiter, source.quote) for begin, end in zip([skipped, *ends], ends, strict=False)
    ]
    columns = named_columns(lines, source)
    begins = _after_break(text, ends[-1]) if source.header else skipped
    before = len(LINE_END.findall(text, 0, begins))
    simple = source.skip == 0 and source.header == 1 and source.names is None
    ending = text[ends[0] : _after_break(text, ends[0])] or "\n"
    return Header(columns, delimiter, begins, before, ending, simple and not LINE_END.search(text, 0, ends[0]))


def named_columns(lines: Sequence[Sequence[str]], source: Source) -> tuple[str, ...]:
    """The names of the columns, of which `lines` are the cells of the header, or of the first row where it has none."""
    width = len(lines[0])
    if source.names is not None:
        columns = tuple(name.strip() for name in source.names)
        if len(columns) != width:
            raise BadParameter(f"`names` has {len(columns)} names; {source.name} has {width} columns")
    elif source.header == 0:
        columns = tuple(f"column_{number}" for number in range(1, width + 1))
    elif source.header == 2:
        columns = joined_names(*lines) if len(lines) == 2 else one_line(lines[0])
    else:
        columns = one_line(lines[0])
    if any(len(name) > LONGEST_NAME for name in columns):
        raise BadData(
            f"{source.name}: the first line does not look like column names: one is longer than {LONGEST_NAME} "
            "characters; is it another format, or are there quotes that do not close?"
        )
    require_names(source.name, columns)
    return columns


def one_line(cells: Sequence[str]) -> tuple[str, ...]:
    """The names without line breaks in them, nor spaces around them."""
    return tuple(_BREAK.sub(" ", name.strip()) for name in cells)


def joined_names(upper: Sequence[str], lower: Sequence[str]) -> tuple[str, ...]:
    """Names of two lines as one: the upper one goes on to the right over empty cells."""
    joined, group = [], ""
    above = [*one_line(upper), *[""] * (len(lower) - len(upper))]
    for over, name in zip(above, one_line(lower), strict=False):
        group = over or group
        joined.append(" ".join(part for part in dict.fromkeys((group, name)) if part))
    return tuple(joined)


def start_of(source: Source, size: int = HEADER_BYTES) -> str:
    """The first part of the file as text, without a byte order mark."""
    with opened(source) as file:
        start = _read(file, size)
    if b"\x00" in start and not source.codec.startswith(("utf-16", "utf-32")):
        raise BadData(
            f"{source.name} is not a text file: it holds zero bytes; is it another format, or another encoding?"
        )
    try:
        text = codecs.getincrementaldecoder(source.encoding)().decode(start, final=len(start) < size)
    except UnicodeError as error:
        place = f" (byte {error.start})" if isinstance(error, UnicodeDecodeError) else ""
        raise BadData(
            f"{source.name} is not {source.encoding} text{place}; give its encoding, such as latin-1 or cp1252"
        ) from None
    return text.removeprefix("\ufeff")


def _read(file: BinaryIO, size: int) -> bytes:
    """So many bytes, or all that there are: a stream may give fewer than asked for at a time."""
    parts: list[bytes] = []
    left = size
    while left and (block := file.read(left)):
        parts.append(block)
        left -= len(block)
    return b"".join(parts)


def _after_lines(text: str, lines: int) -> int:
    """Where the line after so many lines begins."""
    place = 0
    for _ in range(lines):
        found = LINE_END.search(text, place)
        if found is None:
            return len(text)
        place = found.end()
    return place


def _after_break(text: str, place: int) -> int:
    found = LINE_END.match(text, place)
    return found.end() if found else place


def _record_ends(text: str, begin: int, records: int, quote: str) -> list[int]:
    """Where the next records end: each at the end of a line, unless a quote is open there."""
    ends: list[int] = []
    # Line by line, since the start of the file is long and its first records short.
    quotes, seen = 0, begin
    for match in LINE_END.finditer(text, begin):
        quotes += text.count(quote, seen, match.start())
        seen = match.start()
        if quotes % 2 == 0:
            ends.append(match.start())
            if len(ends) == records:
                return ends
    return [*ends, len(text)] if not ends or text[ends[-1] :].strip() else ends


def _cells(line: str, delimiter: str, quote: str) -> list[str]:
    bare = line.removeprefix("\r\n").removeprefix("\n").removeprefix("\r")
    try:
        return next(csv.reader(io.StringIO(bare, newline=""), delimiter=delimiter, quotechar=quote), [""])
    except csv.Error:
        return [bare]


def _likely_delimiter(line: str, quote: str) -> str:
    bare = re.sub(f"{re.escape(quote)}[^{re.escape(quote)}]*{re.escape(quote)}", "", line)
    best = max(DELIMITERS, key=bare.count)
    return best if best in bare else ","

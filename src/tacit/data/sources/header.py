"""The first line of a CSV file: the names of its columns, and the delimiter that separates them.

The delimiter is guessed where it is not given: the one of `;`, `,`, tab and `|` that stands most often in the line,
outside of quotes.
"""

import codecs
import csv
import io
import re
from dataclasses import dataclass

from tacit.data.sources.source import Source, require_names
from tacit.errors import BadData

DELIMITERS = ";,\t|"
HEADER_BYTES = 1 << 20
LONGEST_NAME = 10_000
LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Header:
    """The column names of a CSV file and the delimiter that separates them."""

    columns: tuple[str, ...]
    delimiter: str


def read_header(source: Source) -> Header:
    """The header line of a CSV file, checked: text, no column without a name, none named twice."""
    line = _first_record(source)
    delimiter = source.delimiter or _likely_delimiter(line, source.quote)
    try:
        names = next(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter, quotechar=source.quote), [])
    except csv.Error:
        names = [line]
    columns = tuple(name.strip() for name in names)
    if any(len(name) > LONGEST_NAME for name in columns):
        raise BadData(
            f"{source.name}: the first line does not look like column names: one is longer than {LONGEST_NAME} "
            "characters; is it another format, or are there quotes that do not close?"
        )
    require_names(source.name, columns)
    return Header(columns, delimiter)


def _first_record(source: Source) -> str:
    """The first line, and those after it while a quote is open."""
    text = _start(source).removeprefix("\ufeff")
    # Line by line, since the start of the file is long and its first record short.
    ends = (match.start() for match in LINE_END.finditer(text))
    quotes = begin = 0
    record = text
    for end in ends:
        quotes += text.count(source.quote, begin, end)
        begin = end
        if quotes % 2 == 0:
            record = text[:end]
            break
    if not record.strip():
        raise BadData(f"{source.name}: the first line is blank; it must name the columns")
    return record


def _start(source: Source) -> str:
    """The first part of the file as text."""
    assert source.path is not None
    try:
        with source.path.open("rb") as file:
            start = file.read(HEADER_BYTES)
    except OSError as error:
        raise BadData(f"{source.name} can't be read: {error.strerror}") from None
    if b"\x00" in start and not source.codec.startswith(("utf-16", "utf-32")):
        raise BadData(
            f"{source.name} is not a text file: it holds zero bytes; is it another format, or another encoding?"
        )
    try:
        return codecs.getincrementaldecoder(source.encoding)().decode(start, final=len(start) < HEADER_BYTES)
    except UnicodeError as error:
        place = f" (byte {error.start})" if isinstance(error, UnicodeDecodeError) else ""
        raise BadData(
            f"{source.name} is not {source.encoding} text{place}; give its encoding, such as latin-1"
        ) from None


def _likely_delimiter(line: str, quote: str) -> str:
    bare = re.sub(f"{re.escape(quote)}[^{re.escape(quote)}]*{re.escape(quote)}", "", line)
    best = max(DELIMITERS, key=bare.count)
    return best if best in bare else ","

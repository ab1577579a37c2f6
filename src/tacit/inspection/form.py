"""The form of a text file, guessed from its first lines: encoding, delimiter, lines above the names, lines of names.

Records are cut by each delimiter in turn. The right one cuts nearly all of them into equally many cells; what stands
above the first such record are titles. The names stand in two lines if the second can't be a row: where all cells below
are numbers, it has words. Each guess comes with a reason, for a person to check.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import BinaryIO

from tacit.data.sources.header import DELIMITERS, joined_names, one_line, read_header, start_of
from tacit.data.sources.packed import BLOCK_BYTES, opened
from tacit.data.sources.sheet import first_rows
from tacit.data.sources.source import Source
from tacit.spelling import many

Reasons = dict[str, str]

SAMPLED_RECORDS = 300
SAMPLED_BYTES = 1 << 20
DECODED_BYTES = 1 << 28
MOST_TITLES = 30
MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_MISREAD_POLISH = re.compile(r"[^\W\d_][\u00b3\u00b9][^\W\d_]")
"""A small number on top amid letters: ł and ą of cp1250, read as cp1252."""
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,' \u00a0\u202f]*")


@dataclass(frozen=True)
class _CutRecord:
    """The cells of a record, and the number of the line that it ends in."""

    cells: list[str]
    line: int

    @cached_property
    def filled(self) -> int:
        return sum(map(bool, map(str.strip, self.cells)))


def guess_form(source: Source, told: Collection[str]) -> tuple[Source, Reasons]:
    """The source with a guess for all that was not told of its form, and the reason of each guess."""
    reasons: Reasons = {}
    if source.format == "csv":
        source = _with_encoding(source, told, reasons)
        records = _best_records(source, told, reasons)
        if "delimiter" not in told and records is not None:
            source = replace(source, delimiter=records[0])
        rows = records[1] if records else []
    elif source.format == "excel" and "skip" not in told:
        rows = [_CutRecord(cells, number) for number, cells in enumerate(first_rows(source, SAMPLED_RECORDS), 1)]
    else:
        return source, reasons
    return _with_head(source, rows, told, reasons), reasons


def _with_encoding(source: Source, told: Collection[str], reasons: Reasons) -> Source:
    if "encoding" in told:
        return source
    with opened(source) as file:
        start = file.read(BLOCK_BYTES)
        found = next((name for mark, name in MARKS.items() if start.startswith(mark)), None)
        if found is None and (b"\0" in start or _is_utf8(start, file)):
            return source
    if found is not None:
        reasons["encoding"] = "the file begins with a UTF-16 byte order mark"
        return replace(source, encoding=found)
    guess = "cp1252" if _decodes(start, "cp1252") else "latin-1"
    if _MISREAD_POLISH.search(start.decode("latin-1")):
        guess = "cp1250"
    reasons["encoding"] = (
        "guessed, because the file is not UTF-8: check that letters such as ä, é and ł look right; cp1250 is usual "
        "in Central Europe, cp1252 in the West"
    )
    return replace(source, encoding=guess)


def _is_utf8(start: bytes, file: BinaryIO) -> bool:
    decoder, block, read = codecs.getincrementaldecoder("utf-8")(), start, 0
    try:
        while block and read < DECODED_BYTES:
            decoder.decode(block)
            read += len(block)
            block = file.read(BLOCK_BYTES)
        if read < DECODED_BYTES:
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _decodes(start: bytes, encoding: str) -> bool:
    try:
        start.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _best_records(source: Source, told: Collection[str], reasons: Reasons) -> tuple[str, list[_CutRecord]] | None:
    """The delimiter that cuts the first records best, with what it cuts them into; None where none cuts them."""
    text = start_of(source, SAMPLED_BYTES)
    whole = len(text) < SAMPLED_BYTES // 4
    tried = [source.delimiter] if source.delimiter else list(DELIMITERS)
    cut = {delimiter: _records(text, delimiter, source.quote, whole) for delimiter in tried if delimiter}
    best = max(cut, key=lambda delimiter: _evenness(cut[delimiter]))
    if _evenness(cut[best])[0] or source.delimiter:
        return best, cut[best]
    if "skip" in told or "header" in told:
        return None
    # No delimiter cuts it: one column, or none that is known.
    return read_header(source).delimiter if text.strip() else ",", cut[best]


def _records(text: str, delimiter: str, quote: str, whole: bool) -> list[_CutRecord]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote)
    records: list[_CutRecord] = []
    try:
        for cells in reader:
            records.append(_CutRecord(cells, reader.line_num))
            if len(records) > SAMPLED_RECORDS:
                return records
    except csv.Error:
        return records
    return records if whole or len(records) < 2 else records[:-1]


def _evenness(records: Sequence[_CutRecord]) -> tuple[bool, float, int]:
    """Whether records are cut at all; the share of them with the usual number of cells; that number."""
    width = _usual_width(records)
    there = [record for record in records if record.filled]
    share = sum(len(record.cells) == width for record in there) / len(there) if there else 0.0
    return width > 1, round(share, 1), width


def _usual_width(records: Sequence[_CutRecord]) -> int:
    widths = Counter(len(record.cells) for record in records if record.filled)
    return max(widths, key=lambda width: (widths[width], width), default=0)


def _with_head(source: Source, records: Sequence[_CutRecord], told: Collection[str], reasons: Reasons) -> Source:
    """The source with the lines above the names, and the lines of names."""
    if "skip" in told:
        first = next((n for n, record in enumerate(records) if record.line > source.skip), 0)
    else:
        first = _first_full(records)
        if first:
            lines = records[first - 1].line
            reasons["skip"] = f"{many(lines, 'line')} above the column names"
            source = replace(source, skip=lines)
    if "header" in told or source.names is not None:
        return source
    head = [record.cells for record in records[first : first + 2]]
    below = [record.cells for record in records[first + 2 :] if len(record.cells) == len(head[0])] if head else []
    if len(head) == 2 and len(head[0]) == len(head[1]) and _are_two_lines(head[0], head[1], below):
        reasons["header"] = "the column names take up two lines, which are joined: the second can't be a row of data"
        return replace(source, header=2)
    return source


def _first_full(records: Sequence[_CutRecord]) -> int:
    """The place of the first record that is as wide as most and is no title."""
    width = _usual_width(records)
    least = 1 if width == 1 else 2
    for place, record in enumerate(records[: MOST_TITLES + 1]):
        if len(record.cells) == width and record.filled >= least:
            return place
    return 0


def _are_two_lines(upper: Sequence[str], lower: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the second line holds names too: under the first, words stand over columns of numbers alone."""
    columns = list(zip(*below, strict=True))
    numbers = [c for c, cells in enumerate(columns) if _are_numbers(cells)]
    words = all(lower[c].strip() and not _NUMBER.fullmatch(lower[c].strip()) for c in numbers)
    if not words:
        return False
    names = [name.lower() for name in joined_names(upper, lower)]
    joined = len(set(names)) == len(names) and "" not in names
    bare = [name.lower() for name in one_line(upper)]
    grouped = "" in bare or len(set(bare)) < len(bare)
    return joined and bool(numbers) and (grouped or len(numbers) >= 2)


def _are_numbers(cells: Sequence[str]) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    numbers = sum(_NUMBER.fullmatch(cell) is not None for cell in filled)
    return len(filled) >= 3 and numbers >= 0.8 * len(filled)

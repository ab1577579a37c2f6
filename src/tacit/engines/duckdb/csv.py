"""How DuckDB reads a CSV file: every column as text, in UTF-8.

It reads the file itself if that is UTF-8 and begins with one line of names. Otherwise it reads a copy of the rows,
which is made once in the engine's own folder: unpacked, in UTF-8, with one plain line in place of those above the rows.
DuckDB takes the first line end for that of all lines, even one within quotes.
"""

import io
import re
from hashlib import sha256
from pathlib import Path
from typing import cast

from tacit.data.sources.header import Header, read_header
from tacit.data.sources.packed import opened
from tacit.data.sources.source import Source
from tacit.data.sql import literal
from tacit.errors import BadData

BLOCK_CHARACTERS = 1 << 20


def csv_relation(source: Source, folder: Path) -> str:
    """What to put after FROM to read the file."""
    header = read_header(source)
    path = source.path if _is_read_as_it_is(source, header) else _copied(source, header, folder)
    names = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in header.columns)
    # Spaces belong to a word until they are trimmed (`cells.py`).
    words = () if source.trim else source.missing
    missing = ", ".join(literal(word) for word in ("", *words))
    return (
        f"read_csv({path_literal(path)}, auto_detect = false, header = true, columns = {{{names}}}, "
        f"delim = {literal(header.delimiter)}, quote = {literal(source.quote)}, escape = {literal(source.quote)}, "
        f"nullstr = [{missing}], null_padding = false, strict_mode = true)"
    )


def _is_read_as_it_is(source: Source, header: Header) -> bool:
    return header.plain and source.packing is None and source.codec in ("utf-8", "utf-8-sig", "ascii")


def path_literal(path: Path | None) -> str:
    """The path as SQL text: absolute, so that no `~` is expanded, and with its wildcards taken literally."""
    assert path is not None
    return literal(re.sub(r"([*?\[])", r"[\1]", str(path.absolute())))


def csv_complaint(source: Source, text: str) -> str:
    """What is wrong with the file, from the engine's own message, without the line that the message quotes."""
    reason, _, rest = text.partition("Original Line")
    place = re.search(r"Line: (\d+)", reason)
    header = read_header(source)
    before = 0 if _is_read_as_it_is(source, header) else header.lines - 1
    where = f"{source.name}, line {int(place.group(1)) + before}" if place else source.name
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", rest or text)
    if "Invalid unicode" in text:
        return f"{where} is not {source.encoding} text; give its encoding, such as latin-1"
    if cells:
        wanted, found = cells.groups()
        cell = "cell" if found == "1" else "cells"
        return f"{where}: the row has {found} {cell}, the header has {wanted}; check the delimiter and the quotes"
    if "unterminated quote" in text:
        return f"{where}: a quote does not close, or text follows it; check the quotes"
    if "invalid state" in text:
        return f"{where}: lines end in more than one way, or a quote does not close; save it with one kind of line end"
    return f"{where}: a row can't be read: is it too long, or are the delimiter or quotes not those stated?"


def _copied(source: Source, header: Header, folder: Path) -> Path:
    """The rows in UTF-8, made once in the engine's own folder."""
    assert source.path is not None
    stat = source.path.stat()
    read = sha256(repr((source.codec, header)).encode()).hexdigest()[:16]
    copy = folder / f"{stat.st_dev}-{stat.st_ino}-{stat.st_mtime_ns}-{read}.csv"
    if not copy.exists():
        partial = copy.with_suffix(".partial")
        try:
            with (
                opened(source) as packed,
                io.TextIOWrapper(cast(io.BufferedReader, packed), encoding=source.encoding, newline="") as old,
                partial.open("w", encoding="utf-8", newline="") as new,
            ):
                new.write(header.delimiter.join("x" * len(header.columns)) + header.ending)
                _copy_rows(old, new, header.begins)
        except UnicodeError:
            raise BadData(f"{source.name} is not {source.encoding} text; give its encoding") from None
        partial.rename(copy)
    return copy


def _copy_rows(old: io.TextIOWrapper, new: io.TextIOWrapper, begins: int) -> None:
    """All characters from the one at which the rows begin; a byte order mark is none."""
    block = old.read(max(begins, 1) + 1).removeprefix("\ufeff")
    new.write(block[begins:])
    while block := old.read(BLOCK_CHARACTERS):
        new.write(block)

"""How DuckDB reads a CSV file: every column as text, in UTF-8."""

import re
from pathlib import Path

from tacit.data.sources.header import read_header
from tacit.data.sources.source import Source
from tacit.data.sql import literal
from tacit.errors import BadData

BLOCK_CHARACTERS = 1 << 20


def csv_relation(source: Source, folder: Path) -> str:
    """What to put after FROM to read the file."""
    header = read_header(source)
    path = source.path if source.codec in ("utf-8", "utf-8-sig", "ascii") else _transcoded(source, folder)
    names = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in header.columns)
    missing = ", ".join(literal(word) for word in ("", *source.missing))
    return (
        f"read_csv({path_literal(path)}, auto_detect = false, header = true, columns = {{{names}}}, "
        f"delim = {literal(header.delimiter)}, quote = {literal(source.quote)}, escape = {literal(source.quote)}, "
        f"nullstr = [{missing}], null_padding = false, strict_mode = true)"
    )


def path_literal(path: Path | None) -> str:
    """The path as SQL text: absolute, so that no `~` is expanded, and with its wildcards taken literally."""
    assert path is not None
    return literal(re.sub(r"([*?\[])", r"[\1]", str(path.absolute())))


def csv_complaint(source: Source, text: str) -> str:
    """What is wrong with the file, from the engine's own message, without the line that the message quotes."""
    reason, _, rest = text.partition("Original Line")
    place = re.search(r"Line: (\d+)", reason)
    where = f"{source.name}, line {place.group(1)}" if place else source.name
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", rest or text)
    if "Invalid unicode" in text:
        return f"{where} is not {source.encoding} text; give its encoding, such as latin-1"
    if cells:
        wanted, found = cells.groups()
        cell = "cell" if found == "1" else "cells"
        return f"{where}: the row has {found} {cell}, the header has {wanted}; check delimiter and quoting"
    if "unterminated quote" in text:
        return f"{where}: a quote does not close, or text follows it; check quoting"
    if "invalid state" in text:
        return f"{where}: lines end in more than one way, or a quote does not close; save it with one kind of line end"
    return f"{where}: a row can't be read: is it too long, or are delimiter and quoting other than stated?"


def _transcoded(source: Source, folder: Path) -> Path:
    """The file in UTF-8, made once in the engine's own folder."""
    assert source.path is not None
    stat = source.path.stat()
    copy = folder / f"{stat.st_dev}-{stat.st_ino}-{stat.st_mtime_ns}-{source.codec}.csv"
    if not copy.exists():
        partial = copy.with_suffix(".partial")
        try:
            with (
                source.path.open(encoding=source.encoding, newline="") as old,
                partial.open("w", encoding="utf-8", newline="") as new,
            ):
                while block := old.read(BLOCK_CHARACTERS):
                    new.write(block)
        except UnicodeError:
            raise BadData(f"{source.name} is not {source.encoding} text; give its encoding") from None
        partial.rename(copy)
    return copy

"""What a plan says about cells, as SQL: spaces around them, words for missing values, how numbers are written.

Each cell is told by itself, in the order trim, missing, number. The patterns are those of `data/sources/notation.py`.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tacit.data.sources.notation import SPACES, THOUSANDS
from tacit.data.sources.source import Source
from tacit.data.sql import identifier, literal
from tacit.errors import BadData
from tacit.spelling import many

if TYPE_CHECKING:
    import duckdb

COLUMNS_AT_ONCE = 500
TEXT = "VARCHAR"
TextOf = Callable[[str, str], str]
"""How a column of a type is spelt as text."""


def told_cells(relation: str, source: Source, types: Mapping[str, str], text_of: TextOf) -> str:
    """These columns of the relation with their cells as the source says that they are read."""
    words = _words(source)
    if not words and not source.trim and source.notation.is_plain:
        return relation
    cells = (f"{_cell(name, kind, source, words, text_of)} as {identifier(name)}" for name, kind in types.items())
    return f"(select {', '.join(cells)} from {_trimmed(relation, source, types)})"


def told_texts(relation: str, source: Source) -> str:
    """A relation of texts `v`, each beside `i` and `n`, with the texts as the source says that they are read."""
    trimmed = f"(select i, {_trim('v') if source.trim else 'v'} as v, n from {relation})"
    cell = _cell("v", TEXT, source, _words(source), lambda name, _: identifier(name))
    return f"(select i, {cell} as v, n from {trimmed})"


def _words(source: Source) -> tuple[str, ...]:
    """The words that are not read as missing already; the reader of a CSV file knows them, but does not trim."""
    return source.missing if source.format != "csv" or source.trim else ()


def _trimmed(relation: str, source: Source, types: Mapping[str, str]) -> str:
    """The columns with their texts trimmed, in a query of its own, so that each is trimmed once."""
    if not source.trim:
        return relation
    trimmed = (
        f"{_trim(name)} as {identifier(name)}" if kind == TEXT else identifier(name) for name, kind in types.items()
    )
    return f"(select {', '.join(trimmed)} from {relation})"


def _trim(name: str) -> str:
    return f"nullif(trim({identifier(name)}, {literal(SPACES)}), '')"


def _cell(name: str, kind: str, source: Source, words: tuple[str, ...], text_of: TextOf) -> str:
    """One cell: null for a word that stands for missing, a plain number for a number, else itself."""
    value = identifier(name)
    cases = f"when {text_of(name, kind)} in ({', '.join(map(literal, words))}) then null " if words else ""
    if kind == TEXT and not source.notation.is_plain:
        cases += f"when regexp_full_match({value}, {literal(source.notation.marked)}) then {_plain(value, source)} "
    return f"case {cases}else {value} end" if cases else value


def _plain(value: str, source: Source) -> str:
    """A number of the notation with a point, and without marks between thousands."""
    notation = source.notation
    text = value
    if notation.thousands is not None:
        marks = THOUSANDS[notation.thousands]
        # Zeros in front are left only of numbers in groups: those of 0.123,45.
        bare = f"translate({value}, {literal(marks)}, '')"
        shorn = f"regexp_replace({bare}, '^([+-]?)0+([0-9])', '\\1\\2')"
        text = f"(case when {bare} = {value} then {value} else {shorn} end)"
    return f"replace({text}, ',', '.')" if notation.decimal == "," else text


def require_one_notation(
    connection: "duckdb.DuckDBPyConnection", relation: str, source: Source, types: Mapping[str, str]
) -> None:
    """Refuse a column whose numbers are written in both notations, since those of one would be misread."""
    texts = [name for name, kind in types.items() if kind == TEXT]
    notation = source.notation
    ours, others = literal(notation.marked), literal(notation.foreign)
    for first in range(0, len(texts), COLUMNS_AT_ONCE):
        columns = texts[first : first + COLUMNS_AT_ONCE]
        cells = {name: _trim(name) if source.trim else identifier(name) for name in columns}
        counts = [
            f"count_if(regexp_full_match({cell}, {ours})), "
            f"count_if(regexp_full_match({cell}, {others}) and not regexp_full_match({cell}, {ours}))"
            for cell in cells.values()
        ]
        found = connection.sql(f"select {', '.join(counts)} from {relation}").fetchall()[0]
        for name, ours_found, others_found in zip(columns, found[::2], found[1::2], strict=True):
            if ours_found and others_found:
                raise BadData(_mixed(source, name, ours_found, others_found))


def _mixed(source: Source, column: str, ours: int, others: int) -> str:
    stated, other = ("comma", "point") if source.decimal == "," else ("point", "comma")
    told = f"decimal {source.decimal!r}" + (f" and thousands {source.thousands!r}" if source.thousands else "")
    return (
        f"{source.name}: column {column!r} has {many(ours, 'number')} written as stated ({told}) and {others:,} with a "
        f"decimal {other}, which can't be told apart from thousands separators; write all of them with a decimal "
        f"{stated}, or state how they are written with `decimal` and `thousands`"
    )

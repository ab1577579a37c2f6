"""Rows by position: columns that were treated outside are put back into them, and rows that were drawn are picked.

Rows are numbered in the order of the source, which is the order in which their cells were handed over. A number goes
back into the type that the column had: whole where all are whole, text where it was text. A row that was not there when
the cells were read gets none of the source's own cells in a treated column, and is never picked by a draw.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray
from tacit.data.columns import Column, Columns, Numbers
from tacit.data.sources.arrow import from_numbers, from_texts
from tacit.data.sql import identifier, literal, unused
from tacit.data.tables.hierarchy import MISSING
from tacit.engines.duckdb.reading import text_of

if TYPE_CHECKING:
    import pyarrow as pa

TREATED = "tacit_treated"
DRAWN = "tacit_drawn"
WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
LARGEST_WHOLE = 2.0**53


def treated_table(columns: Columns) -> "pa.Table":
    """The columns by number, and the position of each row from 1."""
    import pyarrow as pa

    cells = {f"c{i}": _array(column) for i, column in enumerate(columns.values())}
    cells["place"] = from_numbers(np.arange(1, columns.rows + 1, dtype=np.int64))
    return pa.Table.from_arrays(list(cells.values()), names=list(cells))


def _array(column: Column) -> "pa.Array":
    import pyarrow as pa

    if isinstance(column, Numbers):
        return from_numbers(column.values)
    return pa.DictionaryArray.from_arrays(from_numbers(column.codes), from_texts(column.values))


def replacing_query(relation: str, types: Mapping[str, str], columns: Columns) -> str:
    """All columns of the relation, with those that are treated from the registered table."""
    place = identifier(unused("tacit_place", types))
    number = {name: i for i, name in enumerate(columns)}
    values = {
        name: _cell(columns[name], number[name], kind) if name in number else f"t.{identifier(name)}"
        for name, kind in types.items()
    }
    cells = ", ".join(f"{value} as {identifier(name)}" for name, value in values.items())
    rows = f"(select *, row_number() over () as {place} from {relation})"
    return f"select {cells} from {rows} t left join {TREATED} x on t.{place} = x.place order by t.{place}"


def _cell(column: Column, number: int, kind: str) -> str:
    if not isinstance(column, Numbers):
        return f"nullif(cast(x.c{number} as varchar), {literal(MISSING)})"
    there = column.values[~np.isnan(column.values)]
    whole = bool((there == np.floor(there)).all() and (np.abs(there) < LARGEST_WHOLE).all())
    value = f"case when isnan(x.c{number}) then null else {{}} end"
    if kind == "VARCHAR":
        return value.format(text_of(f"c{number}", "DOUBLE", "x."))
    if kind in WHOLE and whole:
        return value.format(f"cast(x.c{number} as bigint)")
    return value.format(f"x.c{number}")


def drawn_table(rows: BoolArray) -> "pa.Table":
    """The positions of the drawn rows, from 1."""
    import pyarrow as pa

    return pa.Table.from_arrays([from_numbers(np.flatnonzero(rows).astype(np.int64) + 1)], names=["place"])


def drawing_query(relation: str, columns: Iterable[str]) -> str:
    """The rows of the relation whose positions are in the registered table, in their order."""
    names = tuple(columns)
    place = identifier(unused("tacit_place", names))
    cells = ", ".join(f"t.{identifier(name)}" for name in names)
    rows = f"(select *, row_number() over () as {place} from {relation})"
    return f"select {cells} from {rows} t semi join {DRAWN} x on t.{place} = x.place order by t.{place}"

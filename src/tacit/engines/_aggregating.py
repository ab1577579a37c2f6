"""How DuckDB reads the cells of an aggregate: by type, a text that is no number as none, NaN as no text.

Columns of Python objects come read already (`object_columns`); a column in which nothing has a type holds nulls only.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tacit.data.aggregates.object_columns import NUMBER, TEXT, TRUTH, with_cells_read
from tacit.data.aggregates.rendering import Express
from tacit.data.aggregates.scale import ReadAs
from tacit.data.source import Source
from tacit.data.sql import identifier
from tacit.engines._reading import OBJECTS, text_of
from tacit.errors import BadData

FIELDS: Mapping[ReadAs, str] = {"itself": TEXT, "text": TEXT, "number": NUMBER, "truth": TRUTH}
NULLS = '"NULL"'
_TYPES: Mapping[ReadAs, str] = {"text": "varchar", "number": "double precision", "truth": "boolean"}
_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")


def cell_by_cell(source: Source, columns: Sequence[str]) -> Source:
    """The source, with the cells of these columns read one by one where they are Python objects."""
    frame = with_cells_read(source.frame, columns) if source.format == "frame" else source.frame
    return source if frame is source.frame else replace(source, frame=frame)


def expression(types: Mapping[str, str]) -> Express:
    """How columns of these types are read."""

    def express(column: str, read_as: ReadAs) -> str:
        name, kind = identifier(column), types[column]
        if kind == OBJECTS:
            return f"{name}.{identifier(FIELDS[read_as])}"
        if kind == NULLS and read_as != "itself":
            return f"cast(null as {_TYPES[read_as]})"
        if read_as == "itself":
            return name
        if read_as == "text":
            text = text_of(column, kind)
            return f"case when not isnan({name}) then {text} end" if kind in ("FLOAT", "DOUBLE") else text
        target = _TYPES[read_as]
        if kind == "VARCHAR":
            # Were the text read for nothing but the cast, DuckDB would let the CSV reader do it, which fails on a row.
            return f"case when {name} <> '' then try_cast({name} as {target}) end"
        if kind != "BOOLEAN" and not _NUMBER.fullmatch(kind):
            raise BadData(f"the column {column!r} is of type {kind}; it must hold numbers or truth values")
        if read_as == "truth":
            return name if kind == "BOOLEAN" else f"{name} = 1"
        return f"cast({name} as double precision)"

    return express

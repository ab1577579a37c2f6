"""How DuckDB reads the cells of an aggregate: by type, a text that is no number as none, NaN as no text."""

import re
from collections.abc import Mapping

from tacit.data.aggregates.rendering import Express
from tacit.data.aggregates.scale import ReadAs
from tacit.data.sql import identifier
from tacit.engines._reading import text_of
from tacit.errors import BadData

_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")


def expression(types: Mapping[str, str]) -> Express:
    """How columns of these types are read."""

    def express(column: str, read_as: ReadAs) -> str:
        name, kind = identifier(column), types[column]
        if read_as == "itself":
            return name
        if read_as == "text":
            text = text_of(column, kind)
            return f"case when not isnan({name}) then {text} end" if kind in ("FLOAT", "DOUBLE") else text
        target = "double precision" if read_as == "number" else "boolean"
        if kind == "VARCHAR":
            # Were the text read for nothing but the cast, DuckDB would let the CSV reader do it, which fails on a row.
            return f"case when {name} <> '' then try_cast({name} as {target}) end"
        if kind != "BOOLEAN" and not _NUMBER.fullmatch(kind):
            raise BadData(f"the column {column!r} is of type {kind}; it must hold numbers or truth values")
        if read_as == "truth":
            return name if kind == "BOOLEAN" else f"{name} = 1"
        return f"cast({name} as double precision)"

    return express

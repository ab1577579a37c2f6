"""How DuckDB reads each kind of source, and the cells of its columns."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.aggregates.object_columns import NUMBER, TEXT, TRUTH, with_cells_read
from tacit.data.aggregates.rendering import Express
from tacit.data.aggregates.scale import ReadAs
from tacit.data.sources.source import KINDS, Source, require_names
from tacit.data.sql import identifier, unused
from tacit.data.tables.counting import ROWS
from tacit.engines.duckdb.cells import told_cells
from tacit.engines.duckdb.csv import csv_complaint, csv_relation, path_literal
from tacit.engines.duckdb.excel import read_sheet
from tacit.engines.duckdb.interrupt import interruptible
from tacit.engines.duckdb.sqlite import sqlite_columns, sqlite_relation, sqlite_rows
from tacit.engines.duckdb.statistics import read_statistics
from tacit.engines.duckdb.zones import in_own_zones
from tacit.errors import BadData, EngineCannot

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

REGISTERED = "tacit_source"
OBJECTS = f"STRUCT({TEXT} VARCHAR, {NUMBER} DOUBLE, {TRUTH} BOOLEAN)"
"""The type of a column of Python objects whose cells were read before."""
FLOATING = ("FLOAT", "DOUBLE")
EXACT_WHOLES: Mapping[str, int] = {"FLOAT": 1 << 24, "DOUBLE": 1 << 53}
"""Below these every whole number is a number of the type."""
LARGEST_WHOLE = f"{2.0**64:.0f}::double"
"""Below it a whole number may stand in a column of whole numbers too."""
FIELDS: Mapping[ReadAs, str] = {"identity": TEXT, "text": TEXT, "number": NUMBER, "rank": NUMBER, "truth": TRUTH}
NULLS = '"NULL"'
CONVERTED = ("excel", "spss", "stata", "sas")
"""Formats that are read whole, into a Parquet file in the engine's own folder."""
_TYPES: Mapping[ReadAs, str] = {
    "text": "varchar",
    "identity": "varchar",
    "number": "double precision",
    "rank": "double precision",
    "truth": "boolean",
}
_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")
_SAME_WHERE_TEXTS_ARE = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BOOLEAN|VARCHAR")
_SURE = re.compile(rf"{_NUMBER.pattern}|BOOLEAN|VARCHAR")
_NESTED = re.compile(r".*\]|(STRUCT|MAP|UNION)\(.*", re.DOTALL)


@contextmanager
def relation(connection: "duckdb.DuckDBPyConnection", source: Source, folder: Path) -> Iterator[str]:
    """What to put after FROM to read the source once."""
    if source.format == "csv":
        yield csv_relation(source, folder)
    elif source.format == "parquet":
        schema = _parquet_schema(source)
        yield in_own_zones(f"read_parquet({path_literal(source.path)})", schema)
    elif source.format in CONVERTED:
        yield f"read_parquet({path_literal(_converted(source, folder))})"
    elif source.format == "sqlite":
        with sqlite_rows(source) as rows, registered(connection, REGISTERED, rows):
            yield sqlite_relation(REGISTERED, sqlite_columns(source))
    else:
        require_names(source.name, source.arrow.column_names)
        with registered(connection, REGISTERED, source.arrow):
            yield in_own_zones(REGISTERED, source.arrow.schema)


@contextmanager
def explained(source: Source) -> Iterator[None]:
    """Turns errors of the reader into BadData that names the file and the line, never a cell."""
    import duckdb
    import pyarrow as pa

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException:
        raise EngineCannot(f"there is not enough memory, or not enough disk to spill to, for {source.name}") from None
    except (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException):
        raise  # These are our own mistakes, and no cell has been read.
    except duckdb.Error as error:
        raise BadData(_complaint(source, error)) from None
    except (pa.ArrowException, UnicodeError):
        raise BadData(f"{source.name} holds text that is not valid Unicode, or it is damaged") from None


def _complaint(source: Source, error: "duckdb.Error") -> str:
    import duckdb

    if source.format == "csv" and isinstance(error, duckdb.InvalidInputException | duckdb.ConversionException):
        return csv_complaint(source, str(error))
    if isinstance(error, duckdb.NotImplementedException):
        named = f"the column {found!r}, which is" if (found := _unreadable(source)) else "a column"
        return f"{source.name} has {named} of a type that can't be read; convert it to a number, a date or text"
    if source.format == "frame":
        named = f"in the column {found!r} " if (found := _unreadable(source)) else ""
        return (
            f"{source.name} holds something {named}that can't be read, such as a time or a duration that is out of "
            "range; correct it, or convert its column to text"
        )
    kind = KINDS.get(source.format)
    return f"{source.name} is not {kind}, or it is damaged" if kind else f"{source.name} can't be read"


def _unreadable(source: Source) -> str | None:
    """The first column of a data frame that DuckDB can't read, looked for among those of no plain type."""
    import duckdb
    import pyarrow.types as kinds

    if source.format != "frame":
        return None
    plain = (kinds.is_integer, kinds.is_floating, kinds.is_boolean, kinds.is_string, kinds.is_large_string)
    for field in source.arrow.schema:
        if kinds.is_float16(field.type) or not any(is_plain(field.type) for is_plain in plain):
            try:
                # A connection of its own: some errors leave one that can do nothing more.
                with duckdb.connect() as connection:
                    connection.register(REGISTERED, source.arrow.select([field.name]))
                    connection.execute(f"select max(cast({identifier(field.name)} as varchar)) from {REGISTERED}")
            except duckdb.Error:
                name: str = field.name
                return name
    return None


def texts_of_risky(types: Mapping[str, str]) -> dict[str, str]:
    """As SQL, the texts of those columns whose type has values that can't be read; other types can't fail."""
    express = expression(types)
    risky = [name for name, kind in types.items() if kind not in (OBJECTS, NULLS) and not _SURE.fullmatch(kind)]
    return {name: f"{express(name, 'text')} as {identifier(name)}" for name in risky}


def text_of(name: str, kind: str, prefix: str = "") -> str:
    """A column as SQL text in which equal values look alike; null stays null."""
    column = prefix + identifier(name)
    if kind == OBJECTS:
        return f"{column}.{identifier(TEXT)}"
    text = column if kind == "VARCHAR" else f"cast({column} as varchar)"
    if kind.endswith("]"):
        return text
    if kind in FLOATING:
        return f"case when {column} = 0 then '0' else regexp_replace({text}, '\\.0$', '') end"
    if kind.startswith("DECIMAL"):
        return f"regexp_replace(regexp_replace({text}, '(\\.[0-9]*[1-9])0+$', '\\1'), '\\.0+$', '')"
    if kind.startswith("TIMESTAMP"):
        return f"regexp_replace({text}, ' 00:00:00$', '')"
    return text


def counting_query(relation: str, types: Mapping[str, str]) -> str:
    """Each distinct combination of these columns as text, and its rows.

    Values of other types are grouped as they are first, so that each becomes text once, not in every row.
    """
    texts = ", ".join(f"coalesce({text_of(name, kind)}, '') as {identifier(name)}" for name, kind in types.items())
    rows = identifier(unused(ROWS, types))
    if all(kind == "VARCHAR" for kind in types.values()):
        return f"select {texts}, count(*) as {rows} from {relation} group by all"
    distinct = f"select {', '.join(map(identifier, types))}, count(*) as {rows} from {relation} group by all"
    return f"select {texts}, sum({rows})::bigint as {rows} from ({distinct}) group by all"


def cell_by_cell(source: Source, columns: Sequence[str]) -> Source:
    """The source, with the cells of these columns read one by one where they are Python objects."""
    frame = with_cells_read(source.frame, columns) if source.format == "frame" else source.frame
    return source if frame is source.frame else replace(source, frame=frame)


def expression(types: Mapping[str, str]) -> Express:
    """How the cells of an aggregate are read: by type, a text that is no number as none, NaN as no text.

    A cell is read alike in every type in which a column can hold it: what one person's cell makes of the type of a
    column must change nothing for the others. Columns of Python objects come read already (`object_columns`); a column
    in which nothing has a type holds nulls.
    """

    def express(column: str, read_as: ReadAs) -> str:
        name, kind = identifier(column), types[column]
        if kind == OBJECTS:
            field = f"{name}.{identifier(FIELDS[read_as])}"
            return _no_nan(field) if read_as == "rank" else field
        if kind == NULLS:
            return f"cast(null as {_TYPES[read_as]})"
        if _NESTED.fullmatch(kind):
            raise BadData(
                f"the column {column!r} is of type {_outermost(kind)}; give a column with one value in each row"
            )
        if read_as in ("text", "identity"):
            same = read_as == "identity" and _SAME_WHERE_TEXTS_ARE.fullmatch(kind)
            return name if same else _float_text(name) if kind in FLOATING else text_of(column, kind)
        is_number = kind == "BOOLEAN" or _NUMBER.fullmatch(kind) is not None
        if read_as == "rank":
            return _no_nan(_as_type(name, kind, "number")) if is_number or kind == "VARCHAR" else "cast(null as double)"
        if not is_number and kind != "VARCHAR":
            raise BadData(f"the column {column!r} is of type {kind}; it must hold numbers or truth values")
        return _as_type(name, kind, read_as)

    return express


def _as_type(name: str, kind: str, read_as: ReadAs) -> str:
    """A column of numbers, truth values or texts as a number or a truth value."""
    if kind == "VARCHAR":
        # Were the text read for nothing but the cast, DuckDB would let the CSV reader do it, which fails on a row.
        return f"case when {name} <> '' then try_cast({name} as {_TYPES[read_as]}) end"
    if read_as == "truth":
        return name if kind == "BOOLEAN" else f"{name} = 1"
    return f"cast({name} as double precision)"


def _no_nan(number: str) -> str:
    return f"case when not isnan({number}) then {number} end"


def _float_text(name: str) -> str:
    """The text of a floating-point number: that of the whole number where it is one, of its double otherwise.

    A missing cell makes doubles of whole numbers, and a text makes doubles of narrower ones; they keep their texts.
    """
    value = f"cast({name} as double)"
    whole = f"{value} = floor({value}) and abs({value}) < {LARGEST_WHOLE}"
    text = f"when not isnan({value}) then cast({value} as varchar)"
    return f"case when {whole} then cast(cast({value} as hugeint) as varchar) {text} end"


def _outermost(kind: str) -> str:
    """The type of a column of nested values, without its parts."""
    return "LIST" if kind.endswith("]") else kind.partition("(")[0]


def told(relation: str, source: Source, types: Mapping[str, str]) -> str:
    """The relation with cells as the source says: trimmed, null for missing words, numbers with a point."""
    return told_cells(relation, source, types, text_of)


def _parquet_schema(source: Source) -> "pa.Schema":
    """The columns of the file, which have names of their own; the engine would rename them silently."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(source.path)
    except (OSError, pa.ArrowException):
        raise BadData(f"{source.name} is not a Parquet file, or it is damaged") from None
    require_names(source.name, schema.names)
    return schema


def _converted(source: Source, folder: Path) -> Path:
    """The table as a Parquet file, made once in the engine's own folder."""
    import pyarrow.parquet as pq

    assert source.path is not None
    stat = source.path.stat()
    told = repr((source.sheet, source.skip, source.header, source.names, source.codec))
    copy = folder / f"{stat.st_dev}-{stat.st_ino}-{stat.st_mtime_ns}-{sha256(told.encode()).hexdigest()[:16]}.parquet"
    if not copy.exists():
        pq.write_table(read_sheet(source) if source.format == "excel" else read_statistics(source), copy)
    return copy


@contextmanager
def registered(connection: "duckdb.DuckDBPyConnection", name: str, rows: Any) -> Iterator[None]:
    """The rows can be selected from under the name."""
    try:
        interruptible(connection, lambda: connection.register(name, rows))
        yield
    finally:
        interruptible(connection, lambda: connection.unregister(name))

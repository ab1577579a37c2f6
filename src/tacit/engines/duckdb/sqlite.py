"""SQLite in and out. A column may hold values of several types, so every cell is read as text.

A whole number looks alike as INTEGER and as REAL, a REAL keeps all its digits, a BLOB becomes hexadecimal digits.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tacit.data.sources.source import Source
from tacit.data.sql import identifier
from tacit.errors import BadData, BadParameter

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 65_536
_PLAIN_TYPE = re.compile(r"[A-Za-z0-9_ ]*(\([0-9 ,]*\))?")


def sqlite_columns(source: Source) -> dict[str, str]:
    """The columns of the table that is read, with their declared types."""
    return _described(source)[1]


@contextmanager
def sqlite_rows(source: Source) -> Iterator["pa.RecordBatchReader"]:
    """The rows as text, once: empty for null, else the value after one letter."""
    import adbc_driver_manager
    import adbc_driver_sqlite.dbapi as sqlite
    import pyarrow as pa

    table, columns = _described(source)
    cells = ", ".join(f"{_text(identifier(name))} AS {identifier(name)}" for name in columns)
    try:
        with sqlite.connect(_address(source)) as connection, connection.cursor() as cursor:
            cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH_ROWS)})
            cursor.execute(f"SELECT {cells} FROM {identifier(table)}")
            reader = cursor.fetch_record_batch()
            yield pa.RecordBatchReader.from_batches(reader.schema, _valid(reader))
    except adbc_driver_manager.Error:
        raise _damaged(source) from None


def sqlite_relation(name: str, columns: Mapping[str, str]) -> str:
    """What to put after FROM to read the registered rows."""
    # Cast, since the driver takes the columns of an empty table for numbers.
    texts = {column: f"cast({identifier(column)} as varchar)" for column in columns}
    cells = (f"case when {text} <> '' then {text}[2:] end as {identifier(column)}" for column, text in texts.items())
    return f"(select {', '.join(cells)} from {identifier(name)})"


def write_sqlite(rows: "pa.RecordBatchReader", path: Path, table: str, declared: Mapping[str, str]) -> None:
    """The table in a new database; columns are declared with the given types, the others with those of the rows."""
    import adbc_driver_manager
    import adbc_driver_sqlite.dbapi as sqlite

    path.unlink(missing_ok=True)
    try:
        if declared:
            _create(path, table, {name: declared.get(name, "TEXT") for name in rows.schema.names})
        with sqlite.connect(f"file:{quote(str(path.absolute()))}") as database:
            with database.cursor() as cursor:
                cursor.adbc_ingest(table, rows, mode="append" if declared else "create")
            database.commit()
    except (adbc_driver_manager.Error, sqlite3.Error) as error:
        raise OSError(0, f"the database can't be written ({_cause(error)})") from None


def _create(path: Path, table: str, columns: Mapping[str, str]) -> None:
    cells = ", ".join(
        f"{identifier(name)} {kind if _PLAIN_TYPE.fullmatch(kind) else ''}" for name, kind in columns.items()
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE {identifier(table)} ({cells})")


def _cause(error: Any) -> str:
    full = re.search(r"disk is full|disk I/O error|unable to open|readonly", str(error))
    return full.group(0) if full else type(error).__name__


def _described(source: Source) -> tuple[str, dict[str, str]]:
    """The table that is read, and its columns with their declared types."""
    try:
        with closing(sqlite3.connect(_address(source), uri=True)) as connection:
            listed = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
            tables = [row[0] for row in listed if not row[0].startswith("sqlite_")]
            table = source.table or (tables[0] if len(tables) == 1 else None)
            if table is None or table not in tables:
                named = f"no table {table!r}" if table else f"{len(tables)} tables"
                raise BadParameter(f"{source.name} has {named}; set `table` to one of: {', '.join(tables) or 'none'}")
            info = connection.execute(f"PRAGMA table_info({identifier(table)})").fetchall()
    except (sqlite3.Error, UnicodeError):
        raise _damaged(source) from None
    if not info:
        raise BadData(f"the table {table!r} of {source.name} has no columns")
    return table, {row[1]: row[2] for row in info}


def _address(source: Source) -> str:
    assert source.path is not None
    return f"{source.path.absolute().as_uri()}?mode=ro"


def _text(cell: str) -> str:
    real = (
        f"CASE WHEN abs({cell}) < 1e15 AND {cell} = CAST({cell} AS INTEGER) THEN CAST(CAST({cell} AS INTEGER) AS TEXT) "
        f"WHEN CAST(CAST({cell} AS TEXT) AS REAL) = {cell} THEN CAST({cell} AS TEXT) ELSE printf('%!.17g', {cell}) END"
    )
    kinds = f"WHEN 'real' THEN {real} WHEN 'blob' THEN hex({cell}) ELSE CAST({cell} AS TEXT)"
    return f"CASE WHEN {cell} IS NULL THEN '' ELSE 'v' || CASE typeof({cell}) {kinds} END END"


def _valid(reader: "pa.RecordBatchReader") -> Iterator["pa.RecordBatch"]:
    """The batches, found to be text: SQLite itself does not look."""
    for batch in reader:
        batch.validate(full=True)
        yield batch


def _damaged(source: Source) -> BadData:
    return BadData(f"{source.name} is not an SQLite database, or it is damaged")

"""How DuckDB writes a release."""

from pathlib import Path
from typing import TYPE_CHECKING

from tacit.engines._sql import literal
from tacit.engines.engine import Target
from tacit.errors import BadParameter

if TYPE_CHECKING:
    import duckdb

BATCH_ROWS = 65_536


def write(connection: "duckdb.DuckDBPyConnection", query: str, target: Target) -> None:
    """Runs the query into the target file."""
    if target.path is None or target.format not in ("csv", "parquet", "sqlite"):
        raise BadParameter(f"a release can be written as csv, parquet or sqlite, not as {target.format}")
    if target.format == "sqlite":
        _sqlite(connection, query, target.path, target.table)
    else:
        connection.execute(f"copy ({query}) to {literal(str(target.path))} ({_options(target)})")


def _options(target: Target) -> str:
    if target.format == "parquet":
        return "format parquet"
    return f"format csv, header true, delimiter {literal(target.delimiter)}"


def _sqlite(connection: "duckdb.DuckDBPyConnection", query: str, path: Path, table: str) -> None:
    import adbc_driver_sqlite.dbapi as sqlite

    path.unlink(missing_ok=True)
    reader = connection.sql(query).to_arrow_reader(BATCH_ROWS)
    with sqlite.connect(str(path)) as database:
        with database.cursor() as cursor:
            cursor.adbc_ingest(table, reader, mode="create")
        database.commit()

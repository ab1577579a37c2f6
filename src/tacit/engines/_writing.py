"""How DuckDB writes a release."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tacit.engines._sql import literal
from tacit.engines._sqlite import write_sqlite
from tacit.engines.engine import Target
from tacit.errors import BadParameter

if TYPE_CHECKING:
    import duckdb

BATCH_ROWS = 65_536


def write(connection: "duckdb.DuckDBPyConnection", query: str, target: Target, declared: Mapping[str, str]) -> None:
    """Runs the query into the target file; `declared` are the types of columns of a database, where they are known.

    An OSError where the file can't be written.
    """
    import duckdb

    if target.path is None or target.format not in ("csv", "parquet", "sqlite"):
        raise BadParameter(f"a release can be written as csv, parquet or sqlite, not as {target.format}")
    try:
        if target.format == "sqlite":
            rows = connection.sql(query).to_arrow_reader(BATCH_ROWS)
            write_sqlite(rows, target.path, target.table, declared)
        else:
            connection.execute(f"copy ({query}) to {literal(str(target.path.absolute()))} ({_options(target)})")
    except duckdb.IOException as error:
        if target.path.name not in str(error):
            raise
        raise OSError(0, _cause(str(error))) from None


def _options(target: Target) -> str:
    if target.format == "parquet":
        return "format parquet"
    return f"format csv, header true, delimiter {literal(target.delimiter)}"


def _cause(message: str) -> str:
    """What the system said, which DuckDB quotes last."""
    known = re.search(r"No space left on device|File too large|Permission denied|Read-only file system", message)
    return known.group(0) if known else "the file can't be written"

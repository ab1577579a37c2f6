"""The engine that all verbs work with; this is the one place where it is chosen."""

from collections.abc import Iterator
from contextlib import contextmanager

from tacit.engines.engine import Engine


@contextmanager
def engine() -> Iterator[Engine]:
    """An engine for the time of a block."""
    from tacit.engines.duckdb import DuckDB

    with DuckDB() as database:
        yield database

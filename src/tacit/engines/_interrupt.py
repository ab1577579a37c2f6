"""Interrupts: a long query ends when the person at the terminal says so.

DuckDB does not look at Python's signals while it works. So the work runs in a thread of its own, and the thread that
waits for it, which does get the signal, tells the connection to stop. It waits a little at a time: a signal that the
system hands to another thread is seen only when this one wakes up.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import duckdb

R = TypeVar("R")

PATIENCE_SECONDS = 0.1


def interruptible(connection: "duckdb.DuckDBPyConnection", work: Callable[[], R]) -> R:
    """What the work gives; an interrupt while it runs ends its query, and then goes on its way."""
    with ThreadPoolExecutor(1, "tacit-query") as pool:
        running = pool.submit(work)
        try:
            while not running.done():
                wait([running], PATIENCE_SECONDS)
            return running.result()
        finally:
            # More than once, since the work may be between two queries.
            while not running.done():
                connection.interrupt()
                wait([running], PATIENCE_SECONDS)

"""Interrupts: a long query ends when the person at the terminal says so.

DuckDB does not look at Python's signals while it works. So the work runs in a thread of its own, and the thread that
waits for it, which does get the signal, tells the connection to stop. It waits a little at a time: a signal that the
system hands to another thread is seen only when this one wakes up.
"""

from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import duckdb

R = TypeVar("R")

PATIENCE_SECONDS = 0.1


def interruptible(connection: "duckdb.DuckDBPyConnection", work: Callable[[], R]) -> R:
    """What the work gives; an interrupt while it runs ends its query, and then goes on its way."""
    begins, done = Lock(), Event()
    found: list[R] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            # Whoever takes the lock first decides whether there is any work.
            if begins.acquire(blocking=False):
                found.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
            raised.append(error)
        finally:
            done.set()

    try:
        # Events instead of joining: a join that is interrupted takes the thread for ended (Python 3.11).
        Thread(target=run, name="tacit-query", daemon=True).start()
        while not done.wait(PATIENCE_SECONDS):
            pass
    finally:
        if not begins.acquire(blocking=False):
            # More than once, since the work may be between two queries.
            while not done.wait(PATIENCE_SECONDS):
                connection.interrupt()
    if raised:
        raise raised[0]
    return found[0]

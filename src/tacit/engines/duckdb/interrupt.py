"""Interrupts: a long query ends when the person at the terminal says so.

DuckDB does not look at Python's signals while it works. So the work runs in a thread of its own, and the thread that
waits for it, which does get the signal, tells the connection to stop. It waits a little at a time: a signal that the
system hands to another thread is seen only when this one wakes up. Every call of DuckDB goes this way, also short ones:
it calls Python in between, and would turn an interrupt that is raised there into an error of its own.

Plain locks, no `Event`, `Condition` or `Thread`: these are written in Python, and an interrupt inside them leaves their
inner lock held, or released once too often. Then the work could never say that it has ended, and the wait for it would
have no end.
"""

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import duckdb

R = TypeVar("R")

PATIENCE_SECONDS = 0.1


def interruptible(
    connection: "duckdb.DuckDBPyConnection | None", work: Callable[[], R], meanwhile: Callable[[], None] | None = None
) -> R:
    """What the work gives; an interrupt while it runs ends its query, and then goes on its way.

    Without a connection there is no query, and the work, such as making the connection, is waited for. `meanwhile` is
    called now and then, while the work takes long.
    """
    begins, awaited = allocate_lock(), allocate_lock()
    found: list[R] = []
    raised: list[BaseException] = []
    ended: list[bool] = []

    def run() -> None:
        try:
            # Whoever takes the lock first decides whether there is any work.
            if begins.acquire(blocking=False):
                found.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the work was asked for
            raised.append(error)
        finally:
            ended.append(True)
            awaited.release()

    awaited.acquire()
    try:
        start_new_thread(run, ())
        # Not whether the lock was taken: an interrupt may come between taking it and saying so.
        while not ended:
            if not awaited.acquire(timeout=PATIENCE_SECONDS) and meanwhile is not None:
                meanwhile()
    finally:
        if not begins.acquire(blocking=False):
            # More than once, since the work may be between two queries.
            while not ended:
                if connection is not None:
                    connection.interrupt()
                awaited.acquire(timeout=PATIENCE_SECONDS)
    if raised:
        raise raised[0]
    return found[0]

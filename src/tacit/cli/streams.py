"""Standard output and standard error where they are closed, full, or read by nobody.

What a command did must not depend on whether it can be told, and its exit code says what happened, not that a message
found no place. So a closed stream leads nowhere, and what stays unwritten at the end is given up.
"""

import os
import sys
from contextlib import suppress


def open_closed() -> None:
    """A stream that was closed before the start leads nowhere; else a file opened later would take its number."""
    # In this order, since each takes the lowest number that is free.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - open to the end


def give_up_unwritten() -> None:
    """What could not be written to a stream is forgotten: Python would try again at the end, and fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

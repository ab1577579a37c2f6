"""`tacit` and `python -m tacit` are the command line.

An interrupt may strike while the command line is still being imported, before anything can have been changed. Until the
command line heeds interrupts itself, one ends the process at once, as it would later, and not with a traceback.

When Python ends, it also ends threads that come back from a library, and a library written in C++ answers that by
aborting the process. So the process leaves as soon as the command line has ended and what was registered for the end is
done, without taking Python apart, which takes a tenth of a second besides.
"""

import atexit
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

MESSAGE = "interrupted; nothing was changed"
INTERRUPTED = 130


def main() -> NoReturn:
    """Runs the command line, and ends the process with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_early)
    from tacit.cli import main as run

    try:
        run(until_now=end_early)
    except SystemExit as end:
        atexit._run_exitfuncs()
        os._exit(end.code if isinstance(end.code, int) else 0)
    raise AssertionError("the command line ends with an exit code")


def end_early(number: int, frame: FrameType | None) -> None:
    """Ends the process, and tells it as the command line does."""
    os.write(2, f"tacit: {MESSAGE}\n".encode())
    if "--json" in sys.argv[1:]:
        error = f'{{"error": {{"kind": "Interrupted", "message": "{MESSAGE}", "exit_code": {INTERRUPTED}}}}}'
        os.write(1, f"{error}\n".encode())
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()

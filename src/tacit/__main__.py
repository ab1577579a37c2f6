"""`tacit` and `python -m tacit` are the command line.

An interrupt may strike while the command line is still being imported, before anything can have been changed. Until the
command line heeds interrupts itself, one ends the process at once, as it would later, and not with a traceback.
"""

import os
import signal
import sys
from types import FrameType

MESSAGE = "interrupted; nothing was changed"
INTERRUPTED = 130


def main() -> None:
    """Runs the command line, and ends the process with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_early)
    from tacit.cli import main as run

    run(until_now=end_early)


def end_early(number: int, frame: FrameType | None) -> None:
    """Ends the process, and tells it as the command line does."""
    os.write(2, f"tacit: {MESSAGE}\n".encode())
    if "--json" in sys.argv[1:]:
        error = f'{{"error": {{"kind": "Interrupted", "message": "{MESSAGE}", "exit_code": {INTERRUPTED}}}}}'
        os.write(1, f"{error}\n".encode())
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()

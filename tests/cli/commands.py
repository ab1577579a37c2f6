"""Running the command line: in this process, or as a child whose signals, limits and times can be told."""

import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tacit.cli import main

TACIT = (sys.executable, "-m", "tacit")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def complaints(self) -> list[str]:
        """What stands on standard error besides progress, which shows itself where the machine is slow."""
        return [line for line in self.err.splitlines() if line and not re.match(r"\d+\.\d s  ", line)]


def run_here(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Ended:
    """The command in this process."""
    argv, handlers = sys.argv, {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    lost = sys.unraisablehook
    sys.argv = ["tacit", *map(str, words)]
    capsys.readouterr()
    try:
        main()
    except SystemExit as end:
        out, err = capsys.readouterr()
        return Ended(int(end.code or 0), out, err)
    finally:
        sys.argv, sys.unraisablehook = argv, lost
        for number, handler in handlers.items():
            signal.signal(number, handler)
    raise AssertionError("main ends the process")


def run_child(*words: str | Path, folder: Path) -> Ended:
    """The command as a process of its own."""
    done = subprocess.run([*TACIT, *map(str, words)], capture_output=True, text=True, cwd=folder)
    return Ended(done.returncode, done.stdout, done.stderr)

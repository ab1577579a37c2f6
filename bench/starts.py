"""How long it takes to import the package and to be asked for help."""

import sys
from pathlib import Path

from bench.section import Section, run, tacit

REPEATS = 7


def measure(data: Path) -> Section:
    """The best of several runs of each."""
    cases = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import tacit": [sys.executable, "-c", "import tacit"],
        "tacit --help": tacit("--help"),
        "tacit protect --help": tacit("protect", "--help"),
    }
    rows = []
    for title, command in cases.items():
        runs = [run(command) for _ in range(REPEATS)]
        rows.append([title, f"{min(one.wall for one in runs):.3f}", f"{min(one.cpu for one in runs):.3f}"])
    return Section("starts", "Starting up", ("command", "s", "CPU s"), rows, ("The best of seven runs.",))

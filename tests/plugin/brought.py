"""The plug-in as a user has it: on the search path of another process, with ballots to work on."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PACKAGE = HERE / "ballots"
SOURCE = HERE.parents[1] / "src"

BALLOTS = [
    *["Ann > Bob > Cid"] * 6,
    *["Ann > Bob > Dee"] * 2,
    *["Ann > Cid"] * 5,
    *["Bob > Ann > Cid > Dee"] * 4,
    *["Bob > Ann > Dee"] * 3,
    *["Cid > Dee > Ann > Bob"] * 1,
    *["Dee"] * 2,
]
"""23 voters. Under k = 5 all but the last three can be told something of."""


@dataclass(frozen=True)
class Shell:
    """A folder in which commands are run, with packages on the search path."""

    folder: Path
    packages: tuple[Path, ...] = (PACKAGE,)

    def run(self, *command: str, code: int = 0) -> str:
        """What `tacit` prints to standard output, having ended with this code."""
        done = self.python("-m", "tacit", *command)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr if code else done.stdout

    def json(self, *command: str, code: int = 0) -> Any:
        """What `tacit … --json` prints."""
        done = self.python("-m", "tacit", *command, "--json")
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)

    def python(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A run of Python."""
        path = os.pathsep.join(map(str, (SOURCE, *self.packages)))
        surroundings = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
        )


def write_ballots(path: Path, rankings: Sequence[str] = BALLOTS) -> Path:
    """A file with one voter for each ranking."""
    path.write_text("".join(f"voter {at}: {ranking}\n" for at, ranking in enumerate(rankings)), encoding="utf-8")
    return path


def install(folder: Path, name: str, modules: dict[str, str], points: str) -> Path:
    """A package as pip leaves it: its modules by path, and its entry points."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    for path, text in modules.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder

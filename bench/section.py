"""A section of docs/benchmarks.md: what was measured, by which command, on what."""

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
HEAD = """# Benchmarks

The command above each table prints it and writes it here. Machines differ and are noisy: compare columns of one run,
not seconds. Figures for ARX are for version 3.9.2, measured once on a quiet two-core machine; all other figures come
from the run itself.
"""


@dataclass(frozen=True)
class Section:
    """A titled table with remarks."""

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()

    def lines(self) -> list[str]:
        """The section as Markdown."""
        table = ["| " + " | ".join(self.header) + " |", "|" + "---|" * len(self.header)]
        table += ["| " + " | ".join(row) + " |" for row in self.rows]
        command = f"`python -m bench {self.name}` ({machine()})"
        return [f"## {self.title}", "", command, "", *table, "", *self.remarks, ""]


def machine() -> str:
    """What it ran on."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def write(section: Section) -> None:
    """Puts the section in its place on the page, the others stay."""
    marks = f"<!-- {section.name} -->", f"<!-- end {section.name} -->"
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else HEAD
    block = "\n".join([marks[0], *section.lines(), marks[1]])
    if marks[0] in text:
        before, rest = text.split(marks[0])
        text = before + block + rest.split(marks[1])[1]
    else:
        text = text.rstrip() + "\n\n" + block + "\n"
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Run:
    """What a process took: wall and CPU seconds, the largest memory of it in MB."""

    wall: float
    cpu: float
    megabytes: float
    output: str


def run(command: Sequence[str]) -> Run:
    """Runs a command to its end and measures it; its failure is ours."""
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        begin = perf_counter()
        child = subprocess.Popen(command, stdout=output, stderr=errors, text=True, env=as_installed())
        _, status, used = os.wait4(child.pid, 0)
        wall = perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if child.returncode:
            raise SystemExit(f"{' '.join(command)} failed: {errors.read()}")
        return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, output.read())


def as_installed() -> dict[str, str]:
    """The environment in which modules are compiled once, as an installed package is, not at every start."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def tacit(*arguments: str) -> list[str]:
    """The command line of the package under test."""
    return [sys.executable, "-m", "tacit", *arguments]

"""Files with thousands of columns: how long a first look takes, and that a release can be made."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.section import Section, run, tacit

SHAPES = ((20, 500), (20, 2_000), (500, 2_000), (20, 10_000), (500, 10_000))
LIMITS = {2_000: 5, 10_000: 30}
"""Seconds that a first look may take, by columns."""


def measure(data: Path) -> Section:
    """`tacit inspect` on tables of few rows and many columns."""
    rows = []
    with TemporaryDirectory() as folder:
        for lines, columns in SHAPES:
            path = Path(folder) / f"{lines}-{columns}.csv"
            write(path, lines, columns)
            found = run(tacit("inspect", str(path), "--force"))
            limit = LIMITS.get(columns)
            kept = "" if limit is None else "yes" if found.cpu <= limit else "**no**"
            told = "" if limit is None else str(limit)
            rows.append(
                [
                    f"{lines:,}",
                    f"{columns:,}",
                    told,
                    f"{found.wall:.1f}",
                    f"{found.cpu:.1f}",
                    f"{found.megabytes:,.0f}",
                    kept,
                ]
            )
    remarks = (
        "`tacit inspect`, the whole command: numbers, dates, sexes and categories in turn. The limit is held against "
        "CPU seconds, since wall seconds are those of a machine that others use too.",
    )
    header = ("rows", "columns", "limit s", "wall s", "CPU s", "MB", "kept")
    return Section("wide", "Very wide files", header, rows, remarks)


def write(path: Path, lines: int, columns: int) -> None:
    """A CSV file of so many lines and columns."""
    draw = random.Random(1)
    kinds = (
        lambda: str(draw.randint(0, 100)),
        lambda: draw.choice("mf"),
        lambda: f"{draw.gauss(5, 2):.2f}",
        lambda: draw.choice("abcd"),
        lambda: f"{draw.randint(1990, 2020)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}",
    )
    with path.open("w") as file:
        file.write(",".join(f"v{column}" for column in range(columns)) + "\n")
        for _ in range(lines):
            file.write(",".join(kinds[column % len(kinds)]() for column in range(columns)) + "\n")

"""Twenty-four columns, whose lattice nobody can search to its end: whole columns, and what loses less, as a command."""

import csv
import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.section import Section, run, tacit

NAME = "creditcard_int"
L_DIVERSE = {"l-diversity": {"l": 2, "kind": "distinct", "column": "default-payment-next-month"}}
LATTICE = "tables/lattice"
CASES: tuple[tuple[str, str, float, list[dict[str, Any]]], ...] = (
    ("k = 5", LATTICE, 1, []),
    ("k = 5", LATTICE, 0.02, []),
    ("k = 5, distinct 2-diversity of the default", LATTICE, 1, [L_DIVERSE]),
    ("k = 5", "tables/mondrian", 1, []),
    ("k = 5", "auto", 1, []),
)
HEADER = (
    "guarantee", "method", "limit", "loss", "no node below", "suppressed", "nodes", "evaluated", "s", "CPU s", "MB",
)  # fmt: skip
REMARKS = (
    "30,000 rows of credit cards, 24 quasi-identifiers (23 and a secret in the last row) with the hierarchies of ARX's "
    "own benchmark of large lattices. Each release was checked again by plain Python.",
    "",
    "Beside the first row, as measured once on a quiet two-core machine: ARX's genetic search 0.62973 in 6.0 s, its "
    "top-down search 0.65757 in 3.8 s. Branch and bound alone, without the descent, held 0.732 after 60 s. We found "
    "no node with the loss of the genetic search: three annealings, 204 descents from random nodes and 16,384 nodes "
    "around the one found here gave none below it. `evaluated` does not count nodes that were only screened.",
    "",
    "The last two rows take the same plan without asking for the same label throughout a column: Mondrian, and `auto`, "
    "the default, within the 30 s that it takes for its search.",
)


def measure(data: Path) -> Section | None:
    """Every case; each release is checked again in plain Python."""
    folder = (data / "tables" / NAME).resolve()
    if not folder.exists():
        return None
    with TemporaryDirectory() as scratch:
        rows = [_row(case, folder, Path(scratch)) for case in CASES]
    return Section("large_lattice", "Credit cards: 24 columns, as a whole command", HEADER, rows, REMARKS)


def _row(case: tuple[str, str, float, list[dict[str, Any]]], folder: Path, scratch: Path) -> list[str]:
    title, method, limit, further = case
    plan, release = scratch / "plan.json", scratch / "release.csv"
    form = plan_of(folder, method, limit, further)
    plan.write_text(json.dumps(form), encoding="utf-8")
    took = run(tacit("protect", str(plan), "-o", str(release), "--json"))
    found = json.loads(took.output)
    search = json.loads((scratch / "release.evidence.json").read_text())["body"]["search"] if method == LATTICE else {}
    assert found["holds"]
    require(release, [name for name, column in form["columns"].items() if column["role"] == "quasi-identifier"])
    return [
        title,
        f"`{method}`",
        f"{limit:g}",
        f"{found['metrics']['loss']:.5f}",
        f"{search['lower_bound']:.5f}" if search else "",
        f"{found['suppressed']:,}",
        f"{search['candidates']:.2g}" if search else "",
        f"{search['evaluated']:,}" if search else "",
        f"{took.wall:.1f}",
        f"{took.cpu:.1f}",
        f"{took.megabytes:.0f}",
    ]


def plan_of(folder: Path, method: str, limit: float, further: list[dict[str, Any]]) -> dict[str, Any]:
    """A plan by which at most this share of the rows may be suppressed."""
    with (folder / f"{NAME}.csv").open(encoding="utf-8") as file:
        names = file.readline().strip().split(";")
    secrets = {params["column"] for entry in further for params in entry.values()}
    columns = {
        name: {
            "role": "sensitive" if name in secrets else "quasi-identifier",
            "hierarchy": str(folder / f"{NAME}_hierarchy_{name}.csv"),
        }
        for name in names
    }
    return {
        "version": 1,
        "data": {"path": str(folder / f"{NAME}.csv"), "delimiter": ";"},
        "columns": columns,
        "release": {
            "method": method,
            "guarantees": [{"k-anonymity": {"k": 5}}, *further],
            "suppression": limit,
        },
    }


def require(release: Path, quasi: list[str]) -> None:
    """Nobody shares the published quasi-identifiers with fewer than four others."""
    with release.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter=";") if any(value != "*" for value in row.values())]
    assert min(Counter(tuple(row[name] for name in quasi) for row in rows).values()) >= 5

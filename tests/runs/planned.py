"""Plans and their data, written to a folder and run."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Engine
from tacit.plan.load import Plan, load_plan
from tacit.request import Progress, be_silent
from tacit.runs.attack import AttackOutcome
from tacit.runs.candidates import ComparisonRequest
from tacit.runs.compare import ComparisonPage
from tacit.runs.kinds import kind_of
from tacit.runs.run import Outcome

Row = Mapping[str, Any]

PEOPLE = [
    {
        "name": f"name-{i}",
        "zip": f"{1000 + i % 2}",
        "age": str(30 + i % 3),
        "ill": ["flu", "cold", "hiv"][i % 3],
        "n": str(i),
    }
    for i in range(12)
]
ROLES: dict[str, Any] = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}},
    "ill": {"role": "sensitive"},
    "n": {"role": "insensitive"},
}
RELEASE: dict[str, Any] = {"guarantees": [{"k-anonymity": {"k": 3}}], "method": "tables/lattice"}


def form_of(columns: Mapping[str, Any] = ROLES, release: Mapping[str, Any] = RELEASE, **more: Any) -> dict[str, Any]:
    """A plan as values; `release` is added to what it promises by default, and `more` are its other sections."""
    return {
        "version": 1,
        "data": {"path": "people.csv"},
        "columns": dict(columns),
        "release": {**RELEASE, **release},
        **more,
    }


def write_data(path: Path, rows: Sequence[Row] = PEOPLE, delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_plan(folder: Path, form: Mapping[str, Any] | None = None, rows: Sequence[Row] = PEOPLE) -> Path:
    """The plan in `folder`, with its data beside it; JSON is YAML."""
    write_data(folder / "people.csv", rows)
    path = folder / "plan.yaml"
    path.write_text(json.dumps(form or form_of()), encoding="utf-8")
    return path


def protected(plan: Path, output: Path | None = None) -> Outcome[Any, Any]:
    with DuckDB(threads=2) as engine:
        return protect_plan(load_plan(plan), engine, output)


def protect_plan(
    plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
) -> Outcome[Any, Any]:
    """The release of the plan, on this engine."""
    return kind_of(plan).protect(plan, engine, output, progress)


def attack_plan(plan: Plan, engine: Engine, releases: Sequence[Path] = ()) -> AttackOutcome:
    """The board of the plan, on this engine."""
    return kind_of(plan).attack(plan, engine, releases)


def compare_plan(
    plan: Plan, engine: Engine, wanted: ComparisonRequest, page: Path | None = None, progress: Progress = be_silent
) -> ComparisonPage:
    """The comparison of the plan, on this engine."""
    return kind_of(plan).compare(plan, engine, wanted, page, progress)


def rows_in(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def names_in(folder: Path) -> list[str]:
    """Everything that stands in the folder, what is hidden too."""
    return sorted(path.name for path in folder.iterdir())

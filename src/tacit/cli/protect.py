"""`tacit protect PLAN`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress


@click.command("protect")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write the release (.csv, .parquet, .sqlite)."
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def protect(plan: Path, output: Path | None, as_json: bool) -> None:
    """Make a release of the data that PLAN names, under its guarantees, with evidence and a report beside it."""
    from tacit.engines.duckdb import DuckDB
    from tacit.evidence.summary import summary_lines
    from tacit.plan.load import load_plan
    from tacit.runs.tables.protect import protect_plan

    with progress() as tell, DuckDB() as engine:
        outcome = protect_plan(load_plan(plan), engine, output, tell)
    files = {"release": str(outcome.output), "evidence": str(outcome.evidence), "report": str(outcome.report)}
    files |= {name: str(path) for name, path in outcome.beside.items()}
    if as_json:
        print_json(as_values(outcome.release, files))
    else:
        click.echo("\n".join(summary_lines(outcome.release, files)))


def as_values(release: Any, files: dict[str, str]) -> dict[str, Any]:
    """The outcome as plain values."""
    from tacit.evidence.reading import unseeded

    whole = release.model_dump(mode="json")
    return {
        "output": files["release"],
        "evidence": files["evidence"],
        "report": files["report"],
        "holds": release.holds,
        "may_be_published": release.holds and unseeded(release),
        "guarantees": whole["guarantees"],
        "metrics": whole["metrics"],
        "drawn": whole["drawn"],
        "suppressed": release.suppressed.rows,
        "classes": release.classes,
        "levels": whole["recipe"]["levels"],
        "optimal": release.recipe.optimal,
        "lower_bound": release.recipe.lower_bound,
        "seconds": release.seconds["total"],
        "notes": whole["notes"],
        **{name: path for name, path in files.items() if name not in ("release", "evidence", "report")},
    }


COMMAND = protect

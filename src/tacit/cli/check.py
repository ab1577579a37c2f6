"""`tacit check DATA --plan PLAN`, `tacit check EVIDENCE`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress, say

FAILS = 1


@click.command("check")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--plan", type=click.Path(path_type=Path), help="The plan whose guarantees to check.")
@click.option("--delimiter", help="The character between the cells of a CSV file; guessed by default.")
@click.option("--encoding", help="The encoding of a CSV file; by default the plan's if DATA is its own, else utf-8.")
@click.option("--table", help="The table of an SQLite database to read.")
@click.option("--sheet", help="The sheet of an Excel workbook to read.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(data: Path, plan: Path | None, as_json: bool, **reading: Any) -> None:
    """Check whether DATA, raw or released, keeps the guarantees of a plan.

    The exit code is 1 if one fails, or if a released file still has identifiers or more suppressed rows than the plan
    allows. Without a plan, DATA must be evidence (.json). The command then prints its verdict, and whether the files
    beside it are still the ones it was written for. The exit code is 1 if a promise is broken or a claim refuted, if
    the evidence contradicts itself or its release, if a file was changed, if the release is gone, or if it was made
    from a seed and so may not be published. Changed data is not a fault if a history records a later release.
    """
    from tacit.verbs.plans import check_evidence, check_plan

    if plan is None and data.suffix != ".json":
        raise click.UsageError("name the plan whose guarantees to check with --plan, or give evidence (.json)")
    with progress() as tell:
        found = check_evidence(data) if plan is None else check_plan(plan, data, reading, tell)
    if as_json:
        print_json({"data": str(data), **found.values()})
    else:
        say(*found.lines(data.name))
    raise SystemExit(0 if found.holds else FAILS)


COMMAND = check

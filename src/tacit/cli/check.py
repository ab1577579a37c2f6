"""`tacit check DATA --plan PLAN`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from tacit.plan.check import Checked
    from tacit.release import SampleRisk

FAILS = 1


@click.command("check")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--plan", required=True, type=click.Path(path_type=Path), help="The plan whose guarantees are checked.")
@click.option("--delimiter", help="Between cells, where DATA is a CSV file; guessed by default.")
@click.option("--encoding", default="utf-8", show_default=True, help="Of a CSV file.")
@click.option("--table", help="Of an SQLite database.")
@click.option("--sheet", help="Of an Excel workbook.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(data: Path, plan: Path, as_json: bool, **reading: Any) -> None:
    """Check whether DATA, raw or released, keeps the guarantees of a plan.

    Exit code 1 if one fails, or if a released file still has identifiers or more suppressed rows than the plan allows.
    """
    from tacit.data.source import file_source
    from tacit.engines.duckdb import DuckDB
    from tacit.plan.check import check_file
    from tacit.plan.load import load_plan

    with progress() as tell, DuckDB() as engine:
        tell("counting")
        found = check_file(load_plan(plan), file_source(data, **reading), engine)
    if as_json:
        print_json(
            {
                "data": str(data),
                "holds": found.holds,
                "guarantees": [finding.model_dump(mode="json") for finding in found.findings],
                "risk": found.risk.model_dump(mode="json"),
                "classes": found.classes,
                "suppressed": found.suppressed_rows,
                "counted": found.counted,
                "of": found.of,
                "remarks": [{"says": remark.says, "fails": remark.fails} for remark in found.remarks],
            }
        )
    else:
        _show(found, data.name)
    raise SystemExit(0 if found.holds else FAILS)


def _show(found: "Checked", name: str) -> None:
    """What was found, in lines."""
    click.echo(f"{name}: {found.classes:,} classes, {found.suppressed_rows:,} suppressed rows, {found.counted} counted")
    for finding in found.findings:
        click.echo(f"  {'holds' if finding.holds else 'FAILS'}  {finding.says}")
        if not finding.holds:
            click.echo(
                f"         {finding.failing:,} {finding.counted} with {finding.failing_people:,} {found.of} fail"
            )
    for remark in found.remarks:
        click.echo(f"  {'FAILS' if remark.fails else 'note '}  {remark.says}")
    risk = f"{found.risk.prosecutor_highest:.3g}{' of a row' if found.of == 'rows' else ''}"
    click.echo(f"  highest risk {risk}, {found.risk.unique:,} {found.of} unique")
    if found.risk.sample is not None:
        click.echo(f"  as a sample: {_drawn(found.risk.sample)}")


def _drawn(sample: "SampleRisk") -> str:
    """The risk of a sample, in words."""
    words = f"highest risk {sample.highest:.3g}, {sample.expected:,.3g} people re-identified on average"
    if sample.households is None:
        return words
    return f"{words}, and {sample.households_expected or 0:,.3g} of {sample.households:,} households"


COMMAND = check

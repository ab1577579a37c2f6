"""`tacit tabulate PLAN --by COLUMN`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli.terminal import print_json, progress, setting

if TYPE_CHECKING:
    from tacit.methods.frequencies.suppression import Suppressed

MOST_LINES, WIDEST = 40, 110


@click.command("tabulate")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--by", multiple=True, required=True, metavar="COLUMN[@LEVEL]", help="A side of the table; repeatable.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of frequencies/suppression, such as threshold=10; repeatable.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write the table (.csv).")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def tabulate(plan: Path, by: tuple[str, ...], output: Path | None, as_json: bool, settings: tuple[str, ...]) -> None:
    """Count the people of PLAN's data by some columns and publish the table without its small counts.

    Counts above 0 and below the threshold (5 by default) are small. Totals are published, so other cells are left out
    too, as few as keep the small ones from being deduced.
    """
    from tacit.engines.duckdb import DuckDB
    from tacit.evidence.tabulation import tabulation_lines
    from tacit.methods.frequencies.suppression import SmallCells
    from tacit.plan.load import load_plan
    from tacit.runs.counts.tabulate import tabulate_plan

    params = SmallCells.parse("tabulate", dict(map(setting, settings)))
    with progress() as tell, DuckDB() as engine:
        tell("counting and choosing what is left out")
        made = tabulate_plan(load_plan(plan), engine, by, params, output)
    if as_json:
        print_json({"table": str(made.output), "beside": str(made.evidence), **made.facts.model_dump(mode="json")})
        return
    for line in (*_shown(made.table), *tabulation_lines(made.facts, made.table)):
        click.echo(line)
    click.echo(f"The table is in {made.output}, its evidence in {made.evidence}")


def _shown(table: "Suppressed") -> list[str]:
    """The table as lines, with an empty one after it; nothing where it would not fit a screen."""
    lines = table.lines()
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if len(lines) > MOST_LINES or sum(widths) + 2 * len(widths) > WIDEST:
        return []
    sides = len(table.margins.axes) - 1
    pads = [f"<{width}" if at < sides else f">{width}" for at, width in enumerate(widths)]
    return [*("  ".join(f"{cell:{pad}}" for cell, pad in zip(line, pads, strict=True)) for line in lines), ""]


COMMAND = tabulate

"""`tacit tabulate PLAN --by COLUMN`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress, say, setting
from tacit.usual import COUNTS

MOST_LINES, WIDEST = 40, 110


@click.command("tabulate")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--by",
    multiple=True,
    required=True,
    metavar="COLUMN[@LEVEL]",
    help="A column to count by, optionally at a level of its hierarchy; repeatable.",
)
@click.option("--method", default=COUNTS, show_default=True, metavar="NAME", help="How small counts are hidden.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the method, such as threshold=10; repeatable.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write the table (.csv).")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def tabulate(plan: Path, output: Path | None, as_json: bool, settings: tuple[str, ...], **asked: Any) -> None:
    """Count the people of PLAN's data by some columns and publish the table without its small counts.

    Counts above 0 and below the threshold (5 by default) are small. Totals are published, so other cells are left out
    too: as few as suffice to keep the small ones from being deduced.
    """
    from tacit.verbs.plans import Tabulation, counts_lines, tabulate_plan

    wanted = Tabulation(parameters=dict(map(setting, settings)), **asked)
    with progress() as tell:
        made = tabulate_plan(plan, wanted, output, tell)
    files = {"table": str(made.output), "evidence": str(made.evidence), "report": str(made.report)}
    if as_json:
        whole = made.release.model_dump(mode="json")
        parameters = whole["recipe"]["parameters"]
        print_json({**files, "parameters": parameters, "notes": whole["notes"], **whole["body"]})
        return
    say(*_shown(made.made.table), *counts_lines(made))
    say(f"The table is in {made.output}, its evidence in {made.evidence}")


def _shown(table: Any) -> list[str]:
    """The table as lines, with an empty one after it; nothing where it would not fit a screen."""
    lines = table.lines()
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if len(lines) > MOST_LINES or sum(widths) + 2 * len(widths) > WIDEST:
        return []
    sides = len(table.margins.axes) - 1
    pads = [f"<{width}" if at < sides else f">{width}" for at, width in enumerate(widths)]
    return [*("  ".join(f"{cell:{pad}}" for cell, pad in zip(line, pads, strict=True)) for line in lines), ""]


COMMAND = tabulate

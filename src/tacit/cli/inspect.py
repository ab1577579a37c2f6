"""`tacit inspect DATA`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress, say


@click.command("inspect")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write the draft plan; by default beside DATA."
)
@click.option("--format", help="The format, such as csv, excel or spss; by default from DATA's name.")
@click.option("--delimiter", help="The character between the cells of a CSV file; guessed by default.")
@click.option("--encoding", help="The encoding of a CSV file; guessed by default.")
@click.option("--skip", type=int, help="How many lines to skip above the column names; guessed by default.")
@click.option("--header", type=click.IntRange(0, 2), help="How many lines hold the column names; guessed by default.")
@click.option("--decimal", type=click.Choice([".", ","]), help="The decimal mark of numbers; guessed by default.")
@click.option("--thousands", help="The thousands separator of numbers; guessed by default.")
@click.option("--trim/--no-trim", default=None, help="Whether to strip spaces around cells; guessed by default.")
@click.option(
    "--missing", multiple=True, help="A word that stands for a missing value; repeatable; guessed by default."
)
@click.option("--table", help="The table of an SQLite database to read.")
@click.option("--sheet", help="The sheet of an Excel workbook to read.")
@click.option("--force", is_flag=True, help="Replace the plan and its hierarchies if they exist.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def inspect(data: Path, output: Path | None, force: bool, as_json: bool, **reading: Any) -> None:
    """Inspect DATA without a plan: what each column seems to hold and why, and who stands out; write a draft plan."""
    from tacit.verbs.plans import inspect_file

    # An option that can be given several times is never absent, only empty.
    reading["missing"] = reading["missing"] or None
    with progress() as tell:
        found = inspect_file(data, reading, output, force, tell)
    if as_json:
        written = {"plan": str(found.plan), "hierarchies": [str(path) for path in found.hierarchies]}
        print_json({**written, **found.look.values})
    else:
        say(*found.look.lines)
        if found.hierarchies:
            say(f"\n{_written(found.hierarchies)}")
        say(f"\nA draft plan is in {found.plan}: check it, then run `tacit protect {found.plan}`")


def _written(paths: Sequence[Path]) -> str:
    """Where hierarchies can be seen and edited."""
    what = "One inferred hierarchy is" if len(paths) == 1 else f"{len(paths)} inferred hierarchies are"
    return (
        f"{what} written out in {paths[0].parent}, for you to see and edit: one line for each value, from fine to "
        "coarse. This folder contains values from the data, so keep it where the data is."
    )


COMMAND = inspect

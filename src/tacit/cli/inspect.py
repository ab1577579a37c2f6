"""`tacit inspect DATA`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress


@click.command("inspect")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write the draft plan; by default beside DATA."
)
@click.option("--delimiter", help="The character between the cells of a CSV file; guessed by default.")
@click.option("--encoding", default="utf-8", show_default=True, help="The encoding of a CSV file.")
@click.option("--table", help="The table of an SQLite database to read.")
@click.option("--sheet", help="The sheet of an Excel workbook to read.")
@click.option("--force", is_flag=True, help="Replace the plan if the file exists.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def inspect(data: Path, output: Path | None, force: bool, as_json: bool, **reading: Any) -> None:
    """Look at DATA without a plan: what it seems to hold and why, who stands out; write a draft plan."""
    from tacit.verbs.plans import inspect_file

    with progress() as tell:
        found = inspect_file(data, reading, output, force, tell)
    if as_json:
        print_json({"plan": str(found.plan), **found.look.values})
    else:
        click.echo("\n".join(found.look.lines))
        click.echo(f"\nA draft plan is in {found.plan}: check it, then run `tacit protect {found.plan}`")


COMMAND = inspect

"""`tacit demo`."""

from pathlib import Path

import click

from tacit.cli.terminal import progress


@click.command("demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("tacit-demo"),
    show_default=True,
    help="The folder to write.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def demo(output: Path, as_json: bool) -> None:
    """Write a made-up hospital register with its plan, protect it, and show what was promised, found and lost."""
    from tacit.cli.protect import show
    from tacit.verbs.plans import demo as run_demo

    with progress() as tell:
        outcome = run_demo(output, tell)
    show(outcome, as_json)


COMMAND = demo

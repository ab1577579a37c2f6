"""`tacit demo`."""

from pathlib import Path

import click

from tacit.cli.terminal import print_json, progress


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
    from tacit.cli.protect import as_values
    from tacit.engines.duckdb import DuckDB
    from tacit.evidence.summary import summary_lines
    from tacit.plan.load import load_plan
    from tacit.runs.tables.protect import protect_plan
    from tacit.sample.hospital import write_sample

    with progress() as tell, DuckDB() as engine:
        tell("making the sample")
        outcome = protect_plan(load_plan(write_sample(output)), engine, progress=tell)
    files = {"release": str(outcome.output), "evidence": str(outcome.evidence), "report": str(outcome.report)}
    if as_json:
        print_json(as_values(outcome.release, files))
    else:
        click.echo("\n".join(summary_lines(outcome.release, files)))


COMMAND = demo

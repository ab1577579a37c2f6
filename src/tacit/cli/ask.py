"""`tacit ask PLAN`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import complain, print_json, progress, say


@click.command("ask")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write the answers (.json).")
@click.option("--json", "as_json", is_flag=True, help="Print the answers as JSON.")
def ask(plan: Path, output: Path | None, as_json: bool) -> None:
    """Answer the questions of PLAN with differential privacy, and charge them to its budget.

    Each question is paid for before it is asked. If the budget does not cover all of them, nothing is asked and nothing
    is charged.
    """
    from tacit.verbs.ask import ask_plan

    with progress() as tell:
        outcome = ask_plan(plan, output, tell)
    for remark in outcome.remarks:
        complain(remark)
    show(outcome, as_json)


def show(outcome: Any, as_json: bool) -> None:
    """Prints the answers, in lines or as JSON."""
    from tacit.verbs.ask import answers_values
    from tacit.verbs.plans import summary_lines

    if as_json:
        print_json(answers_values(outcome))
    else:
        files = {name: str(path) for name, path in outcome.files.named.items()}
        files = {"answers": files.pop("release"), **files}
        say(*summary_lines(outcome.release, files))


COMMAND = ask

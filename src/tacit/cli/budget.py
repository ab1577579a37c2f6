"""`tacit budget PLAN`."""

from pathlib import Path

import click

from tacit.cli.terminal import print_json, say


@click.command("budget")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the budget as JSON.")
def budget(plan: Path, as_json: bool) -> None:
    """Show what the questions of PLAN have spent, what is left, and every charge in its ledger.

    Where `tacit ask` would refuse PLAN, whatever its questions, the reason is shown in place of amounts, with the same
    exit code.
    """
    from tacit.verbs.budget import budget_plan

    status = budget_plan(plan)
    if as_json:
        print_json(status.values())
    elif status.lines():
        say(*status.lines())
    if status.refused is not None:
        raise status.refused


COMMAND = budget

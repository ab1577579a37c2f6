"""`tacit attack PLAN`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from tacit.plan.attack import Board


@click.command("attack")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--release",
    "releases",
    type=click.Path(path_type=Path),
    multiple=True,
    help="The release to attack, by default the plan's own; several times for several releases of the same people.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the board as JSON.")
def attack(plan: Path, releases: tuple[Path, ...], as_json: bool) -> None:
    """Attack the release that PLAN made: what adversaries learn from the raw file, without identifiers, from it."""
    from tacit.engines.duckdb import DuckDB
    from tacit.evidence.board import board_lines
    from tacit.plan.attack import attack_plan
    from tacit.plan.load import load_plan

    with progress() as tell, DuckDB() as engine:
        board = attack_plan(load_plan(plan), engine, releases, tell)
    if as_json:
        print_json(
            {
                "release": str(board.release),
                "evidence": None if board.evidence is None else str(board.evidence),
                "report": None if board.report is None else str(board.report),
                "attacks": [result.model_dump(mode="json") for result in board.results],
                "skipped": dict(board.skipped),
            }
        )
    else:
        click.echo("\n".join([*board_lines(board.results), "", *_rest(board)]))


def _rest(board: "Board") -> list[str]:
    """What was not run, and where the board stands."""
    lines = [f"not run: {name}: {reason}" for name, reason in board.skipped.items()]
    if board.report is None:
        return [*lines, f"Not written down: the evidence beside {board.release.name} is missing or of another file"]
    return [*lines, f"The board is in {board.evidence} and {board.report}"]


COMMAND = attack

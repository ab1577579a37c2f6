"""`tacit attack PLAN` and `tacit attack statistics/NAME`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress, say, setting


@click.command("attack")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--release",
    "releases",
    type=click.Path(path_type=Path),
    multiple=True,
    help="The release to attack, by default the plan's own; repeat it for several releases of the same people.",
)
@click.option(
    "--set", "changes", multiple=True, metavar="NAME=VALUE", help="A parameter of an attack on statistics, as JSON."
)
@click.option("--seed", type=click.IntRange(min=0), help="A seed that makes an attack on statistics repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print the board as JSON.")
def attack(plan: Path, releases: tuple[Path, ...], changes: tuple[str, ...], seed: int | None, as_json: bool) -> None:
    """Attack the release that PLAN made, and compare it with the raw file and with the file without identifiers.

    Give `statistics`, or the name of an attack on statistics such as `statistics/reconstruction`, instead of a plan to
    run such attacks on invented people: against exact answers, noise of a fixed size, and differential privacy.
    """
    from tacit.verbs.statistics_attacks import names_attacks_on_statistics

    if names_attacks_on_statistics(plan):
        if releases:
            raise click.UsageError("--release is for plans; an attack on statistics invents its people")
        _attack_statistics(plan, changes, seed, as_json)
        return
    if changes or seed is not None:
        raise click.UsageError("--set and --seed are for attacks on statistics; attacks on releases use no randomness")
    _attack_release(plan, releases, as_json)


def _attack_statistics(target: Path, changes: tuple[str, ...], seed: int | None, as_json: bool) -> None:
    from tacit.verbs.statistics_attacks import attack_statistics, contest_lines

    if changes and len(target.parts) == 1:
        raise click.UsageError("--set is for one attack, such as statistics/averaging; name it")
    with progress() as tell:
        found = attack_statistics(target.as_posix(), dict(setting(text) for text in changes), seed, tell)
    if as_json:
        print_json({"attacks": [one.values() for one in found]})
    else:
        for number, one in enumerate(found):
            say(*([""] if number else []), *contest_lines(one))


def _attack_release(plan: Path, releases: tuple[Path, ...], as_json: bool) -> None:
    from tacit.verbs.plans import attack_plan, board_lines

    with progress() as tell:
        board = attack_plan(plan, releases, tell)
    if as_json:
        print_json(
            {
                "release": str(board.release),
                "evidence": None if board.evidence is None else str(board.evidence),
                "report": None if board.report is None else str(board.report),
                "attacks": [result.model_dump(mode="json") for result in board.results],
                "skipped": dict(board.skipped),
                "changed": board.is_changed,
                "notes": list(board.notes),
            }
        )
    else:
        say(*_changed(board), *board_lines(board), "", *_rest(board))


def _changed(board: Any) -> list[str]:
    """That the attacked file is not the one that was released; nothing if it is."""
    if not board.is_changed:
        return []
    name = board.release.name
    return [f"{name} was changed since it was released: the evidence beside it is of another file.", ""]


def _rest(board: Any) -> list[str]:
    """What was not run, what to know about it, and where the board stands."""
    from tacit.verbs.plans import not_run_lines

    lines = [*not_run_lines(board), *(f"note: {note}" for note in board.notes)]
    if board.report is None:
        return [
            *lines,
            f"The board was not saved: the evidence beside {board.release.name} is missing, or belongs to another file",
        ]
    return [*lines, f"The board is in {board.evidence} and {board.report}"]


COMMAND = attack

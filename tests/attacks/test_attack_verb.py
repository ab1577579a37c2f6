"""`tacit.attack`: the same board from a plan, from a file, from what `protect` returned and from a data frame.

Covers verbs, runs/tables/attack/board, verbs/datasets, verbs/calls.
"""

from pathlib import Path
from typing import Any

import polars
import pytest
from tests.runs.planned import ROLES, form_of, protected, write_plan

import tacit
from tacit.errors import BadParameter
from tacit.release.attacks import Success
from tacit.runs.attack import AttackOutcome

PEOPLE = [
    {"name": f"n{i}", "zip": f"{1000 + i % 7}", "age": str(20 + i % 11), "ill": "abc"[i % 3], "n": str(i)}
    for i in range(80)
]
GUARANTEES = [tacit.KAnonymity(k=3)]


def rates(board: AttackOutcome, sides: tuple[str, ...] = ("raw", "pseudonymised", "release")) -> dict[str, Any]:
    """The success of each attack on each side, and its bound."""
    found: dict[str, Any] = {}
    for one in board.results:
        successes: list[Success | None] = [getattr(one, side) for side in sides]
        found[f"{one.attack} {one.column}"] = [None if side is None else side.rate for side in successes], one.bound
    return found


@pytest.fixture(autouse=True)
def few_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which attacks there are is told elsewhere; a few quick ones are enough here."""
    from tacit.runs.tables.attack import board as attack

    cards = attack._cards
    few = ("linkage", "homogeneity", "inference", "intersection")
    monkeypatch.setattr(attack, "_cards", lambda: (one for one in cards() if one[0] in few))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write_plan(tmp_path_factory.mktemp("attacked"), form_of(release={"suppression": 0.1}), PEOPLE)
    protected(path)
    return path


@pytest.mark.slow
def test_a_plan_is_attacked_as_on_the_command_line(plan: Path) -> None:
    board = tacit.attack(str(plan))
    assert board.evidence is not None
    assert rates(board)["linkage None"][1] == pytest.approx(1 / 3)
    read = tacit.read(plan.parent / "people.csv", ROLES)
    # The evidence beside the file lets the adversary in who knows the recipe.
    assert rates(tacit.attack(read, plan.parent / "people.release.csv", guarantees=GUARANTEES)) == rates(board)


@pytest.mark.slow
def test_a_dataset_is_attacked_with_what_protect_returned(tmp_path: Path) -> None:
    people = tacit.read(polars.DataFrame(PEOPLE), ROLES)
    made = tacit.protect(people, GUARANTEES, suppression=0.1)
    board = tacit.attack(people, made)
    assert board.release == Path("data frame")
    assert board.evidence is None
    written = tacit.protect(people, GUARANTEES, suppression=0.1, output=tmp_path / "release.csv")
    both = rates(tacit.attack(people, written, made))
    assert {name: one for name, one in both.items() if name in rates(board)} == rates(board)
    assert "intersection ill" in both
    assert rates(board)["linkage None"][1] == pytest.approx(1 / 3)


@pytest.mark.slow
def test_without_guarantees_nothing_bounds_an_attack() -> None:
    people = tacit.read(polars.DataFrame(PEOPLE), ROLES)
    made = tacit.protect(people, GUARANTEES, suppression=0.1)
    assert all(bound is None for _, bound in rates(tacit.attack(people, made.data)).values())


@pytest.mark.slow
def test_what_cant_be_meant_is_refused(plan: Path) -> None:
    people = tacit.read(polars.DataFrame(PEOPLE), ROLES)
    with pytest.raises(BadParameter, match="no release is named"):
        tacit.attack(people)
    with pytest.raises(BadParameter, match="a plan names its own guarantees"):
        tacit.attack(plan, guarantees=GUARANTEES)

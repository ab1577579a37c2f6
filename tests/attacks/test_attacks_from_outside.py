"""Attacks on tables that an installed package brings: with parameters of any name, the board runs them like our own.

Covers cards/attack, tacit/catalogue, runs/tables/attack/board, attack/sample, attack/setting.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from tests.plugin.brought import install

import tacit
from tacit.cards.attack import ReleaseAttack, TableAttack
from tacit.catalogue import attacks_of
from tacit.errors import TacitError
from tacit.release.attacks import AttackResult
from tacit.runs.attack import AttackOutcome
from tacit.runs.tables.attack import board
from tacit.runs.tables.attack.sample import NOBODY_KNOWN
from tacit.testing import check_card

ROLES = {"age": "quasi-identifier", "town": "quasi-identifier", "illness": "sensitive", "pay": "sensitive"}
PACKAGE = "attacks_outside"

SECRETS = '''
"""Tells what it was given: how many values the secret has, and which part of the people it was told of."""

from typing import Annotated

from pydantic import Field

from tacit.cards.attack import TableAttack
from tacit.params import Params
from tacit.release.attacks import Success


class Told(Params):
    """Names that no attack of Tacit has."""

    secret_of_whom: Annotated[str, Field(description="the secret that is sought")] = "nobody"
    part: Annotated[float, Field(gt=0, le=1, description="which part of the people is there")] = 0.5


def tell(view, params):
    values = len(view.known.sensitive[params.secret_of_whom].values)
    return Success.counted(0, view.targets, 0.0, values=values, part=params.part)


ATTACK = TableAttack(
    title="Secrets",
    params=Told,
    run=tell,
    needs="a secret",
    gives="nothing",
    paper="https://example.org/secrets",
    example=Told(),
    knowledge="nothing",
    story="The adversary tells what was given.",
    sees="table",
    column_parameter="secret_of_whom",
    fraction_parameter="part",
    place=0,
)
'''

HALF = '''
"""Hits nobody, and says that it would hit half at the most."""

from tacit.cards.attack import TableAttack
from tacit.params import Params
from tacit.release.attacks import Success


def miss(view, params):
    return Success.counted(0, view.targets, 0.0)


def half(params, guarantee, found):
    return 0.5


ATTACK = TableAttack(
    title="Half",
    params=Params,
    run=miss,
    needs="nothing",
    gives="nothing",
    paper="https://example.org/half",
    example=Params(),
    knowledge="nothing",
    story="The adversary misses.",
    sees="table",
    bound=half,
    MORE
)
'''

MODULES = {
    "tables/secrets.py": SECRETS,
    "tables/half.py": HALF.replace("MORE", ""),
    "tables/half_of_people.py": HALF.replace("MORE", "bound_for_people=True, needs_people=True,"),
}


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with three attacks, as pip leaves it; of ours, linkage alone is run beside them."""
    modules = {f"{PACKAGE}/{path}": text for path, text in {"__init__.py": "", **MODULES}.items()}
    site = install(tmp_path / "site", PACKAGE, modules, f"[tacit.attacks]\noutside = {PACKAGE}\n")
    monkeypatch.syspath_prepend(site)
    cards = board._cards
    few = ("linkage", "secrets", "half", "half-of-people")
    monkeypatch.setattr(board, "_cards", lambda: (one for one in cards() if one[0] in few))
    yield site / PACKAGE / "tables"
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def people(number: int = 60) -> pa.Table:
    return pa.table(
        {
            "age": [str(20 + i % 5) for i in range(number)],
            "town": ["AB"[i % 2] for i in range(number)],
            "illness": [["flu", "cold", "asthma"][i % 3] for i in range(number)],
            "pay": [["low", "high"][i % 2] for i in range(number)],
        }
    )


def told(found: AttackOutcome, name: str) -> list[AttackResult]:
    return [one for one in found.results if one.attack == name]


@pytest.mark.slow
def test_it_is_run_for_each_secret_by_whatever_name(brought: Path) -> None:
    dataset = tacit.read(people(), ROLES)
    found = tacit.attack(dataset, tacit.protect(dataset, [tacit.KAnonymity(k=3)]))
    illness, pay = told(found, "secrets")
    assert (illness.column, pay.column) == ("illness", "pay")
    for result, values in ((illness, 3), (pay, 2)):
        for side in (result.raw, result.release):
            assert side is not None
            assert side.details == {"values": values, "part": 0.5}
        # Which secret it was stands in `column`, and need not be told twice.
        assert result.parameters == {"part": 0.5}
    # A lower place comes first; between equals the name decides.
    assert [one.attack for one in found.results] == ["secrets", "secrets", "linkage", "half", "half-of-people"]
    assert {one.bound for one in found.results if one.attack.startswith("half")} == {0.5}


@pytest.mark.slow
def test_without_a_secret_it_is_left_out(brought: Path) -> None:
    dataset = tacit.read(people().select(["age", "town"]), {"age": "quasi-identifier", "town": "quasi-identifier"})
    found = tacit.attack(dataset, tacit.protect(dataset, [tacit.KAnonymity(k=3)]))
    assert found.skipped["secrets"] == "the plan names no sensitive column"


@pytest.mark.slow
def test_it_is_told_which_part_of_the_population_is_there(brought: Path) -> None:
    dataset = tacit.read(people(60), ROLES, population=people(240).select(["age", "town"]))
    found = tacit.attack(dataset, tacit.protect(dataset, [tacit.KAnonymity(k=3)]))
    assert {one.parameters["part"] for one in told(found, "secrets")} == {0.25}


@pytest.mark.slow
def test_of_a_sample_it_is_told_the_drawn_share(brought: Path) -> None:
    dataset = tacit.read(people(), ROLES)
    found = tacit.attack(dataset, tacit.protect(dataset, [tacit.KAnonymity(k=2)], sample={"size": 30}))
    (result, _) = told(found, "secrets")
    assert result.raw is not None
    assert result.release is not None
    assert (result.raw.details["part"], result.release.details["part"]) == (0.5, 0.25)
    (needing,) = told(found, "half-of-people")
    assert needing.release is None
    assert needing.raw is not None
    assert found.skipped["half-of-people on the release"] == NOBODY_KNOWN
    (other,) = told(found, "half")
    assert other.release is not None


@pytest.mark.slow
def test_where_people_have_several_rows_a_bound_must_say_that_it_holds_for_people(brought: Path) -> None:
    rows = people()
    several = pa.concat_tables([rows, rows]).append_column("who", [[str(i % 60) for i in range(120)]])
    dataset = tacit.read(several, {**ROLES, "who": "identifier"}, unit="who")
    found = tacit.attack(dataset, tacit.protect(dataset, [tacit.KAnonymity(k=3)]))
    assert [told(found, name)[0].bound for name in ("half", "half-of-people")] == [None, 0.5]


@pytest.mark.slow
def test_a_parameter_that_is_not_there_is_told(brought: Path) -> None:
    lying = SECRETS.replace('column_parameter="secret_of_whom"', 'column_parameter="secret"')
    (brought / "secrets.py").write_text(lying, encoding="utf-8")
    dataset = tacit.read(people(), ROLES)
    found = tacit.attack(dataset, tacit.protect(dataset, [tacit.KAnonymity(k=3)]))
    assert "secrets: secret: there is no such key" in found.skipped["secrets (pay)"]
    with pytest.raises(AssertionError, match="`column_parameter` is 'secret', which Told does not have"):
        check_card("attacks", "tables/secrets")


def test_its_cards_keep_the_contract(brought: Path) -> None:
    for path in MODULES:
        check_card("attacks", path.removesuffix(".py").replace("_", "-"))


def test_a_card_of_another_class_is_refused(brought: Path) -> None:
    assert "tables/half" in attacks_of("tables", TableAttack)
    text = HALF.replace("MORE", "").replace("TableAttack", "ReleaseAttack").replace('    sees="table",\n', "")
    (brought / "other.py").write_text(text, encoding="utf-8")
    with pytest.raises(
        TacitError, match="the attack tables/other is a ReleaseAttack; below tables/ it must be a Table"
    ):
        attacks_of("tables", TableAttack)
    assert "tables/other" in attacks_of("tables", ReleaseAttack)

"""Evidence names the packages that brought what took part in a run, and says which one is lacking.

Covers runs/packages, release/packages, evidence/packages, evidence/files.
"""

import json
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.evidence.example_release import example_release
from tests.plugin.brought import install
from tests.runs.planned import form_of, protected, write_plan

import tacit
from tacit.distribution import NAME
from tacit.errors import BadData, BadParameter
from tacit.evidence.files import evidence_text, parse_evidence
from tacit.evidence.packages import needed_for_kind, shown, state_here
from tacit.release.packages import BroughtPackage, joined, with_attacks
from tacit.release.release import Release
from tacit.runs import packages
from tacit.runs.check_evidence import checked
from tacit.runs.evidence_kinds import body_of
from tacit.runs.packages import packages_of, part_of
from tacit.testing import installed
from tacit.verbs.plans import read_evidence

CARD = """
from dataclasses import replace
from {module} import {constant} as OURS
{constant} = replace(OURS, title="Own")
"""
STEP = """
from tacit.runs.tables.step import Step, StepFacts


class Wink(Step):
    "Says that it was there."
    name = "wink"

    def tell(self, released, task, engine):
        return StepFacts(notes=("It winked.",))


STEP = Wink()
"""
GUARANTEE = """
from typing import ClassVar

from tacit.guarantees.k_anonymity import KAnonymity


class Crowd(KAnonymity):
    "Everybody has company."
    name: ClassVar[str] = "crowd"


GUARANTEE = Crowd
"""
CARDS = {
    "methods/tables/own_lattice.py": ("tacit.methods.tables.lattice", "METHOD"),
    "methods/columns/own_noise.py": ("tacit.methods.columns.noise", "METHOD"),
    "methods/columns/own_sample.py": ("tacit.methods.columns.sample", "METHOD"),
    "methods/statistics/own_mean.py": ("tacit.methods.statistics.mean", "METHOD"),
    "methods/statistics/own_selection.py": ("tacit.methods.statistics.partition_selection", "METHOD"),
    "metrics/tables/own_loss.py": ("tacit.metrics.tables.loss", "METRIC"),
    "attacks/tables/own_linkage.py": ("tacit.attacks.tables.linkage", "ATTACK"),
}
PEOPLE = [{"zip": f"{1000 + i % 4}", "age": str(20 + i % 10), "pay": str(100 + i)} for i in range(40)]
ROLES: dict[str, Any] = {
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}},
    "pay": {"role": "insensitive"},
}


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two distributions: one with cards, one with a guarantee and a step."""
    cards = {f"own_cards/{path}": CARD.format(module=module, constant=name) for path, (module, name) in CARDS.items()}
    folders = ("methods", "metrics", "attacks")
    cards |= {"own_cards/__init__.py": "", **{f"own_cards/{name}/__init__.py": "" for name in folders}}
    points = "\n".join(f"[tacit.{name}]\nown = own_cards.{name}" for name in folders)
    install(tmp_path / "site", "own_cards", cards, points + "\n")
    rules = {"own_rules/__init__.py": "", "own_rules/crowd.py": GUARANTEE, "own_rules/wink.py": STEP}
    points = "[tacit.guarantees]\ncrowd = own_rules.crowd\n[tacit.steps]\nwink = own_rules.wink\n"
    monkeypatch.syspath_prepend(install(tmp_path / "site", "own_rules", rules, points))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] in ("own_cards", "own_rules")]:
        del sys.modules[name]


def brought(release: Release[Any]) -> dict[str, list[str]]:
    """What each package of a release brought; all of them have version 1.0."""
    assert {one.version for one in release.packages} <= {"1.0"}
    return {one.name: list(one.brought) for one in release.packages}


@pytest.mark.slow
def test_all_that_took_part_in_a_table_is_named_with_its_package(tmp_path: Path, parts: None) -> None:
    section = {
        "method": "tables/own-lattice",
        "guarantees": [{"crowd": {"k": 2}}],
        "suppression": 1.0,
        "sample": {"method": "columns/own-sample", "share": 0.5},
        "treatments": [{"method": "columns/own-noise", "columns": ["pay"], "parameters": {"share": 0.1}}],
        "steps": {"wink": {}},
        "metrics": [{"own-loss": {}}],
    }
    made = protected(write_plan(tmp_path, form_of(ROLES) | {"release": section}, PEOPLE))
    cards = ["methods/columns/own-noise", "methods/columns/own-sample", "methods/tables/own-lattice"]
    whole = {"own_cards": [*cards, "metrics/tables/own-loss"], "own_rules": ["guarantees/crowd", "steps/wink"]}
    assert brought(made.release) == whole
    assert brought(read_evidence(made.evidence)) == brought(made.release)
    assert '<span class="tag-name">own_rules</span> 1.0' in made.report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_attacks_are_named_once_they_were_made(tmp_path: Path, parts: None) -> None:
    section = {"method": "tables/lattice", "guarantees": [{"k-anonymity": {"k": 2}}], "suppression": 1.0}
    plan = write_plan(tmp_path, form_of(ROLES) | {"release": section}, PEOPLE)
    made = protected(plan)
    # The copy of the loss calls itself standard, as its model does, so it is measured of every release.
    assert brought(made.release) == {"own_cards": ["metrics/tables/own-loss"]}
    for _ in range(2):
        tacit.attack(plan)
        after = brought(read_evidence(made.evidence))
        assert after == {"own_cards": ["attacks/tables/own-linkage", "metrics/tables/own-loss"]}


@pytest.mark.slow
def test_statistics_and_what_chooses_groups_are_named(parts: None) -> None:
    frame = pa.table({"zip": [row["zip"] for row in PEOPLE], "age": [float(row["age"]) for row in PEOPLE]})
    price = {"epsilon": 1.0, "delta": 1e-6, "method": "statistics/own-selection"}
    asked = {"of": "age", "bounds": [0, 100], "by": "zip", "keys": price, "epsilon": 1.0}
    found = tacit.ask(frame, {"statistics/own-mean": asked}, budget=tacit.PrivacyBudget(epsilon=3, delta=1e-3))
    assert brought(found.release) == {"own_cards": ["methods/statistics/own-mean", "methods/statistics/own-selection"]}


def test_what_is_ours_is_known_without_a_look_at_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(group: str, *more: str) -> None:
        raise AssertionError(f"{group} was looked up")

    monkeypatch.setattr(packages, "entry_points_of", refuse)
    monkeypatch.setattr(packages, "modules_of", refuse)
    assert packages_of(map(str, installed("tacit"))) == ()
    with pytest.raises(AssertionError, match="kinds was looked up"):
        packages_of(["kinds/baskets"])


def test_what_nobody_brought_is_left_out() -> None:
    assert packages_of(["kinds/baskets", "methods/ask", "guarantees/own", "steps/none", "attacks/a/b"]) == ()
    assert part_of("metrics", "loss", "tables") == part_of("metrics", "tables/loss", "any") == "metrics/tables/loss"


def package(name: str, *parts: str, version: str = "1.0") -> BroughtPackage:
    return BroughtPackage(name=name, version=version, brought=parts)


def test_packages_are_joined_and_former_attacks_are_forgotten() -> None:
    one, two = package("one", "steps/b", "attacks/a"), package("two", "attacks/c")
    assert joined([two, one, package("one", "kinds/a")]) == (package("one", "attacks/a", "kinds/a", "steps/b"), two)
    assert with_attacks((one, two), ()) == (package("one", "steps/b"),)
    assert with_attacks((one,), (two,)) == (package("one", "steps/b"), two)


def test_the_state_of_a_package_is_told() -> None:
    here = version(NAME)
    assert state_here(package(NAME, version=here)) == "installed here"
    assert state_here(package(NAME, version="0.0.0")) == f"version {here} is installed here"
    assert state_here(package("surely-unknown")) == "not installed here"
    assert state_here(package("")) == "not installed here"
    assert shown(package("a\x1b[31m" + "b" * 100)) == rf"a\x1b[31m{'b' * 51} 1.0"


def evidence(**change: Any) -> str:
    return json.dumps({**json.loads(evidence_text(example_release())), **change})


OF_BALLOTS = [{"name": "tacit-ballots", "version": "1.0", "brought": ["kinds/ballots"]}]


def test_evidence_of_an_absent_kind_names_the_package() -> None:
    with pytest.raises(
        BadData, match=r"^x\.json: its kind comes from the package tacit-ballots 1\.0, not installed here; install it"
    ):
        parse_evidence(evidence(kind="ballots", packages=OF_BALLOTS), "x.json", body_of)
    for unknown in ([], "tacit-ballots", [{"name": 1}], [{**OF_BALLOTS[0], "brought": ["kinds/other"]}]):
        with pytest.raises(BadParameter, match="there is no kind of data 'ballots'"):
            parse_evidence(evidence(kind="ballots", packages=unknown), "x.json", body_of)


def test_evidence_that_another_version_can_not_read_says_which_wrote_it() -> None:
    written = [{"name": NAME, "version": "0.0.0", "brought": ["kinds/tables"]}]
    with pytest.raises(BadData, match=rf"body(?s:.*)\n.*the package {NAME} 0\.0\.0, version .* is installed here$"):
        parse_evidence(evidence(body={}, packages=written), "x.json", body_of)


def test_evidence_without_the_field_is_read_as_before() -> None:
    old = {key: value for key, value in json.loads(evidence()).items() if key != "packages"}
    assert parse_evidence(json.dumps(old), "x.json", body_of) == example_release()
    assert needed_for_kind(old) == ""


def test_a_check_of_evidence_tells_the_packages(tmp_path: Path) -> None:
    release = example_release().model_copy(update={"packages": (package("surely-unknown", "methods/tables/own"),)})
    found = checked(release, tmp_path)
    assert found.values()["packages"] == [{"name": "surely-unknown", "version": "1.0", "installed": None}]
    assert found.lines("x")[-1] == "  note   made with the package surely-unknown 1.0, not installed here"

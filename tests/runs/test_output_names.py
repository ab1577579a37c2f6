"""Two plans for one data file: each has files of its own, and neither takes the place of the other's unasked.

Covers runs/files, plan/load.
"""

import json
from pathlib import Path

import pytest

import tacit
from tacit.errors import PolicyRefused
from tacit.plan.load import load_plan
from tacit.verbs.ask import ask_plan
from tacit.verbs.budget import budget_plan
from tacit.verbs.plans import Tabulation, protect_plan, tabulate_plan

TABLE = """
version: 1
data: {path: people.csv}
columns:
  age: {role: quasi-identifier, hierarchy: {intervals: [10]}, bounds: [0, 100]}
  town: {role: quasi-identifier}
privacy: {budget: {epsilon: 4}}
questions: [statistics/mean: {of: age, epsilon: 0.5}]
release: {guarantees: [k-anonymity: {k: 2}]}
"""
REPUBLICATION = """
version: 1
data: {path: people.csv}
unit: id
columns:
  id: {role: identifier}
  age: {role: quasi-identifier, hierarchy: {intervals: [10]}}
  town: {role: sensitive}
release: {guarantees: [m-invariance: {m: 2}], method: tables/republish, parameters: {history: HISTORY}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"{number},{number % 40 + 20},{'north' if number % 2 else 'south'}" for number in range(40)]
    (tmp_path / "people.csv").write_text("\n".join(["id,age,town", *rows]) + "\n")
    return tmp_path


def plan(folder: Path, name: str, text: str = TABLE) -> Path:
    path = folder / name
    text = text.replace("  age:", "  id: {role: identifier}\n  age:") if "unit" not in text else text
    path.write_text(text.replace("HISTORY", f"{name}.history"))
    return path


def protect(path: Path, output: Path | None = None) -> object:
    return protect_plan(path, output)


def tabulate(path: Path, output: Path | None = None) -> object:
    return tabulate_plan(path, Tabulation(["town"]), output)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("people.plan.yaml", "people"),
        ("draft.plan.yaml", "draft"),
        ("draft.yml", "draft"),
        ("v1.2.plan.yaml", "v1.2"),
        ("plan.yaml", "people"),
        (".plan.yaml", "people"),
    ],
)
def test_files_are_named_after_the_plan_or_else_the_data(folder: Path, name: str, called: str) -> None:
    assert load_plan(plan(folder, name)).name == called


@pytest.mark.slow
@pytest.mark.parametrize(
    ("run", "text", "kinds"),
    [
        (protect, TABLE, ("release.csv", "release.evidence.json", "release.report.html")),
        (ask_plan, TABLE, ("answers.json", "answers.evidence.json", "answers.report.html")),
        (tabulate, TABLE, ("counts.csv", "counts.evidence.json", "counts.report.html")),
        (protect, REPUBLICATION, ("release-1.csv", "release-1.evidence.json", "release-1.report.html")),
    ],
    ids=["protect", "ask", "tabulate", "republish"],
)
def test_two_plans_for_one_file_stand_side_by_side(folder: Path, run, text: str, kinds: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    for name in ("one", "two"):
        run(plan(folder, f"{name}.plan.yaml", text))
    for name in ("one", "two"):
        assert all((folder / f"{name}.{kind}").is_file() for kind in kinds)
        evidence = json.loads((folder / f"{name}.{kinds[1]}").read_text())
        assert evidence["plan"]["name"] == f"{name}.plan.yaml"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("run", "text", "kind"),
    [
        (protect, TABLE, "people.release.csv"),
        (ask_plan, TABLE, "people.answers.json"),
        (tabulate, TABLE, "people.counts.csv"),
        (protect, REPUBLICATION, "people.release-1.csv"),
    ],
    ids=["protect", "ask", "tabulate", "republish"],
)
def test_a_place_of_another_plan_is_taken_only_where_named(folder: Path, run, text: str, kind: str) -> None:  # type: ignore[no-untyped-def]
    """`plan.yaml` and `people.plan.yaml` are both called after `people`."""
    run(plan(folder, "plan.yaml", text))
    place = folder / kind
    before = place.read_bytes(), place.with_suffix(".evidence.json").read_bytes()
    second = plan(folder, "people.plan.yaml", text)
    with pytest.raises(PolicyRefused, match=r"was made by plan\.yaml.* with `-o`"):
        run(second)
    assert (place.read_bytes(), place.with_suffix(".evidence.json").read_bytes()) == before
    run(second, place)
    assert json.loads(place.with_suffix(".evidence.json").read_text())["plan"]["name"] == "people.plan.yaml"


@pytest.mark.slow
def test_the_refusal_names_the_file_that_is_there(folder: Path) -> None:
    """Both releases have evidence of one name: only that is taken."""
    protect(plan(folder, "plan.yaml"), folder / "made.csv")
    second = plan(folder, "second.plan.yaml", TABLE.replace("release: {", "release: {output: made.parquet, "))
    with pytest.raises(PolicyRefused) as refused:
        protect(second)
    said = str(refused.value)
    assert f"{folder / 'made.evidence.json'} is the evidence of made.csv, which was made by plan.yaml" in said
    assert f"{folder / 'made.parquet'}" not in said
    assert not (folder / "made.parquet").exists()


@pytest.mark.slow
def test_a_refused_question_costs_nothing(folder: Path) -> None:
    ask_plan(plan(folder, "plan.yaml"))
    before = spent(folder / "plan.yaml")
    with pytest.raises(PolicyRefused):
        ask_plan(plan(folder, "people.plan.yaml"))
    assert spent(folder / "people.plan.yaml") == before == 0.5


def spent(path: Path) -> float:
    return budget_plan(path).spent["epsilon"]


@pytest.mark.slow
def test_two_plans_for_one_file_spend_of_one_ledger(folder: Path) -> None:
    for name in ("one", "two"):
        ask_plan(plan(folder, f"{name}.plan.yaml"))
    assert spent(folder / "one.plan.yaml") == spent(folder / "two.plan.yaml") == 1.0


@pytest.mark.slow
def test_an_edited_plan_replaces_its_own_release(folder: Path) -> None:
    path = plan(folder, "one.plan.yaml")
    first = protect_plan(path)
    second = protect_plan(plan(folder, "one.plan.yaml", TABLE.replace("k: 2", "k: 4")))
    assert first.output == second.output
    assert second.release.promises[0].bound == 4


@pytest.mark.slow
def test_what_a_call_in_python_made_is_not_replaced_unasked(folder: Path) -> None:
    columns = {"id": "identifier", "age": "quasi-identifier", "town": "quasi-identifier"}
    data = tacit.read(folder / "people.csv", columns)
    tacit.protect(data, [tacit.KAnonymity(k=2)], output=folder / "one.release.csv")
    with pytest.raises(PolicyRefused, match="made by a call in Python"):
        protect_plan(plan(folder, "one.plan.yaml"))


@pytest.mark.slow
def test_evidence_that_cannot_be_read_is_replaced(folder: Path) -> None:
    (folder / "one.release.evidence.json").write_text("[1]")
    assert protect_plan(plan(folder, "one.plan.yaml")).release.holds

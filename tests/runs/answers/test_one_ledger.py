"""One ledger for the same rows, which remembers what was published and is shown as it is.

Covers answers/remembered, answers/charging, verbs/budget, cli/budget.
"""

import json
import shutil
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.commands import run_here
from tests.runs.answers.patients import COUNT, FRAME, plan_in

import tacit
from tacit import statistics
from tacit.accounting.budget import budget
from tacit.accounting.events import Pure
from tacit.errors import BadData, BadParameter, BudgetExceeded, PolicyRefused
from tacit.ledger.ledger import open_ledger
from tacit.ledger.terms import Terms
from tacit.release.fingerprints import fingerprint
from tacit.runs.answers.process import AnswersProcess
from tacit.verbs.ask import ask_plan
from tacit.verbs.budget import budget_plan


@pytest.mark.slow
def test_a_ledger_is_about_one_dataset(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, COUNT)
    ask_plan(plan)
    form = yaml.safe_load(plan.read_text())
    shutil.copy(tmp_path / "patients.csv", tmp_path / "sales.csv")
    form["data"] = {"path": "sales.csv"}
    form["privacy"]["ledger"] = "patients.ledger"
    other = tmp_path / "other.yaml"
    other.write_text(yaml.safe_dump(form))
    with pytest.raises(PolicyRefused, match=r"about the dataset 'patients'.*is about 'sales'"):
        ask_plan(other)
    form["privacy"]["dataset"] = "patients"
    other.write_text(yaml.safe_dump(form))
    ask_plan(other)
    assert budget_plan(plan).spent["epsilon"] == 1
    ledger = tmp_path / "patients.ledger"
    with pytest.raises(PolicyRefused, match="data without a name"):
        tacit.PrivacyBudget(epsilon=1, unit="id", rows=2, ledger=ledger)
    assert tacit.PrivacyBudget(epsilon=1, unit="id", rows=2, ledger=ledger, dataset="patients").left["epsilon"] == 0


@pytest.mark.slow
def test_no_second_ledger_is_made_for_the_same_data(tmp_path: Path) -> None:
    """Neither by another name for it, nor by a plan in another folder; one for other people is another matter."""
    plan = plan_in(tmp_path, COUNT)
    ask_plan(plan)
    form = yaml.safe_load(plan.read_text())
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    far = folder / "plan.yaml"
    form["data"] = {"path": "../patients.csv"}
    far.write_text(yaml.safe_dump(form))
    ask_plan(far)
    assert budget_plan(plan).spent["epsilon"] == 1
    assert not list(folder.glob("*.ledger"))
    for place in ("second.ledger", "../second.ledger"):
        form["privacy"]["ledger"] = place
        far.write_text(yaml.safe_dump(form))
        with pytest.raises(PolicyRefused, match="a second ledger would grant the budget twice"):
            ask_plan(far, folder / "new.json")
    form["privacy"]["dataset"] = "other people"
    far.write_text(yaml.safe_dump(form))
    with pytest.raises(PolicyRefused, match="has charged questions about the same rows already") as refused:
        ask_plan(far, folder / "new.json")
    assert "if these are other people" not in str(refused.value)
    assert not (tmp_path / "second.ledger").exists()
    (tmp_path / "others.csv").write_text("id,age,sex\nz,70,f\n")
    form["data"] = {"path": "../others.csv"}
    far.write_text(yaml.safe_dump(form))
    ask_plan(far, folder / "new.json")


@pytest.mark.slow
def test_what_is_refused_leaves_no_ledger(tmp_path: Path) -> None:
    """Another budget may be written as long as nothing was charged."""
    plan = plan_in(tmp_path, COUNT)
    (tmp_path / "patients.csv").write_text("age,sex\n10,f\n")
    with pytest.raises(BadData, match="no column"):
        ask_plan(plan)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patients.csv", "plan.yaml"]
    ask_plan(plan_in(tmp_path, COUNT, budget={"epsilon": 2}))
    assert budget_plan(plan).left["epsilon"] == 1.5


@pytest.mark.slow
def test_a_budget_with_a_file_is_made_with_its_first_charge(tmp_path: Path) -> None:
    """Until then several may be stated; the first that is charged holds for all."""
    place = tmp_path / "people.ledger"
    one, two = (tacit.PrivacyBudget(epsilon=epsilon, unit="row", ledger=place) for epsilon in (1, 2))
    assert (one.left["epsilon"], two.left["epsilon"]) == (1, 2)
    with pytest.raises(BudgetExceeded):
        statistics.count(FRAME, epsilon=3, budget=two)
    assert not place.exists()
    statistics.count(FRAME, epsilon=1, budget=one)
    assert one.left["epsilon"] == 0
    with pytest.raises(PolicyRefused, match="opened with epsilon 1"):
        statistics.count(FRAME, epsilon=1, budget=two)
    place.unlink()
    with pytest.raises(BadData, match="can't be opened"):
        statistics.count(FRAME, epsilon=1, budget=one)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["link", "hard link", "copy", "other contributions"])
def test_the_same_rows_have_one_ledger_by_whatever_name(tmp_path: Path, way: str) -> None:
    plan, patients, again = plan_in(tmp_path, COUNT), tmp_path / "patients.csv", tmp_path / "again.csv"
    ask_plan(plan)
    form = yaml.safe_load(plan.read_text())
    form["data"] = {"path": "patients.csv" if way == "other contributions" else "again.csv"}
    if way == "link":
        again.symlink_to(patients)
    elif way == "hard link":
        again.hardlink_to(patients)
    elif way == "copy":
        shutil.copy(patients, again)
    else:
        form["privacy"] |= {"contributions": {"rows": 1}, "ledger": "second.ledger"}
    other = tmp_path / "again.plan.yaml"
    other.write_text(yaml.safe_dump(form))
    if way == "link":
        ask_plan(other)
        assert budget_plan(plan).spent["epsilon"] == 1
        return
    with pytest.raises(PolicyRefused, match="a second ledger would grant the budget twice"):
        ask_plan(other)
    assert budget_plan(plan).spent["epsilon"] == 0.5


def test_a_ledger_has_a_name_by_which_it_is_found(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, COUNT)
    form = yaml.safe_load(plan.read_text())
    form["privacy"]["ledger"] = "mine.db"
    plan.write_text(yaml.safe_dump(form))
    with pytest.raises(BadParameter, match=r"ends in \.ledger"):
        ask_plan(plan)


@pytest.mark.slow
def test_data_that_grew_is_remarked_and_not_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, patients = plan_in(tmp_path, {"statistics/count": {"epsilon": 0.1}}), tmp_path / "patients.csv"
    for _ in range(2):
        assert "changed since the last question" not in run_here(capsys, "ask", plan).err
    patients.write_text(patients.read_text() + "d,33,f\n")
    ended = run_here(capsys, "ask", plan)
    assert ended.code == 0
    assert "changed since the last question" in ended.err
    assert "changed since the last" not in "".join(path.read_text() for path in tmp_path.glob("patients.answers*"))
    changed = [entry["data_changed"] for entry in budget_plan(plan).entries if entry["kind"] == "charged"]
    assert changed == [False, False, True]
    assert "(the data had changed)" in run_here(capsys, "budget", plan).out


def test_no_receipt_tells_which_rows_were_asked_about(tmp_path: Path) -> None:
    """Receipts are published. Who knows all that the ledger says, but for its key, can't try rows against them."""
    frame, when = tmp_path / "patients.csv", datetime(2026, 11, 16, tzinfo=UTC)
    plan_in(tmp_path, COUNT)
    marks = set()
    for place in ("one.ledger", "two.ledger"):
        ledger = open_ledger(tmp_path / place, Terms(budget(1)), lambda: when)
        ledger.charge_all([(Pure(0.1), "q")], data=fingerprint(frame).sha256 or "")
        assert ledger.has_seen(fingerprint(frame).sha256 or "")
        assert not ledger.has_seen("0" * 64)
        marks.add(ledger.entries()[-1].content["data"])
        assert sha256(frame.read_bytes()).hexdigest() not in str(ledger.entries())
    assert len(marks) == 2


@pytest.mark.slow
def test_a_ledger_that_forgot_is_noticed(tmp_path: Path) -> None:
    """A new ledger, an old copy, and a link that leads nowhere all would give the budget once more."""
    plan, ledger, old = plan_in(tmp_path, COUNT), tmp_path / "patients.ledger", tmp_path / "old"
    ask_plan(plan)
    shutil.copy(ledger, old)
    ask_plan(plan)
    shutil.copy(old, ledger)
    with pytest.raises(PolicyRefused, match="charges that the ledger does not have"):
        ask_plan(plan)
    ledger.unlink()
    with pytest.raises(PolicyRefused, match="charges that the ledger does not have"):
        ask_plan(plan)
    assert not ledger.exists()
    ledger.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadData, match="link to a file that is not there"):
        ask_plan(plan)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["elsewhere", "other plan", "other name", "old copy"])
def test_no_other_place_gives_a_forgotten_budget_again(tmp_path: Path, way: str) -> None:
    """Evidence beside the data, the plan or the output tells of charges, wherever the next answers are to stand."""
    plan, ledger, fresh = plan_in(tmp_path, COUNT), tmp_path / "patients.ledger", tmp_path / "new" / "fresh.json"
    fresh.parent.mkdir()
    ask_plan(plan)
    kept = ledger.read_bytes()
    if way == "old copy":
        ask_plan(plan, tmp_path / "second.json")
    ledger.unlink()
    if way == "other plan":
        plan = plan.rename(tmp_path / "other.yaml")
    elif way == "other name":
        (tmp_path / "patients.csv").rename(tmp_path / "people.csv")
        plan.write_text(plan.read_text().replace("patients.csv", "people.csv"))
    elif way == "old copy":
        ledger.write_bytes(kept)
    with pytest.raises(PolicyRefused, match="charges that the ledger does not have") as refused:
        ask_plan(plan, fresh)
    assert "`-o`" not in str(refused.value)
    assert not any(fresh.parent.iterdir())
    assert ledger.exists() == (way == "old copy")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["gone", "old copy", "copied rows", "other budget"])
def test_the_budget_is_refused_as_questions_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """No amount is shown that no question could spend."""
    monkeypatch.chdir(tmp_path)
    plan, ledger = plan_in(tmp_path, COUNT), tmp_path / "patients.ledger"
    ask_plan(plan)
    kept = ledger.read_bytes()
    if way == "gone":
        ledger.unlink()
    elif way == "old copy":
        ask_plan(plan)
        ledger.write_bytes(kept)
    elif way == "copied rows":
        shutil.copy("patients.csv", "again.csv")
        plan.write_text(plan.read_text().replace("patients.csv", "again.csv"))
    else:
        plan_in(tmp_path, COUNT, budget={"epsilon": 5})
    asked = run_here(capsys, "ask", "plan.yaml")
    shown = run_here(capsys, "budget", "plan.yaml")
    assert asked.code == shown.code == 5
    assert asked.complaints == shown.complaints
    assert "left" not in shown.out
    values = run_here(capsys, "budget", "plan.yaml", "--json")
    told = json.loads(values.out)
    assert values.code == 5
    assert [f"tacit: {told['refused']}"] == asked.complaints
    assert told["left"] is told["spent"] is told["budget"] is None


@pytest.mark.slow
def test_evidence_about_other_people_is_no_hindrance(tmp_path: Path) -> None:
    """Their own ledger remembers it."""
    plan = plan_in(tmp_path, COUNT, ledger="first.ledger", dataset="first")
    ask_plan(plan)
    (tmp_path / "patients.csv").write_text("id,age,sex\nz,70,f\n")
    form = yaml.safe_load(plan.read_text())
    form["privacy"] |= {"ledger": "second.ledger", "dataset": "second"}
    plan.write_text(yaml.safe_dump(form))
    ask_plan(plan, tmp_path / "second.json")
    assert budget_plan(plan).spent["epsilon"] == 0.5


@pytest.mark.slow
def test_charges_are_remembered_whatever_kind_was_charged(tmp_path: Path) -> None:
    plan, evidence = plan_in(tmp_path, COUNT), tmp_path / "patients.answers.evidence.json"
    ask_plan(plan)
    told = json.loads(evidence.read_text(encoding="utf-8"))
    evidence.write_text(json.dumps({**told, "kind": "brought", "body": {}}), encoding="utf-8")
    (tmp_path / "patients.ledger").unlink()
    with pytest.raises(PolicyRefused, match="charges that the ledger does not have"):
        ask_plan(plan, tmp_path / "patients.answers.json")


def test_gaussian_noise_is_charged_with_a_price_that_is_seen(tmp_path: Path) -> None:
    """With rho = sigma**-2 / 2 of one count; what it is worth alone is more than nothing and within the budget."""
    asked = {"statistics/histogram": {"of": "sex", "epsilon": 0.5, "delta": 1e-7}}
    plan = plan_in(tmp_path, asked, budget={"epsilon": 3, "delta": 1e-6}, contributions={"rows": 1})
    ask_plan(plan)
    status = budget_plan(plan)
    (charge,) = [entry for entry in status.entries if entry["kind"] == "charged"]
    assert charge["epsilon"] is None
    assert charge["rho"] > 0
    assert charge["worth"]["delta"] == 5e-7
    assert 0 < charge["worth"]["epsilon"] <= 0.5
    assert f"rho {charge['rho']:.6g} (alone epsilon" in "\n".join(status.lines())


@pytest.mark.slow
def test_a_charge_without_an_answer_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends, in whatever way, between the charge and the answer."""
    plan = plan_in(tmp_path, COUNT)
    ask_plan(plan)

    def killed(self: AnswersProcess, prepared: Any, place: Any) -> Any:
        raise BadData("the power is gone")

    with monkeypatch.context() as patched:
        patched.setattr(AnswersProcess, "make", killed)
        with pytest.raises(BadData):
            ask_plan(plan)
    status = budget_plan(plan)
    assert [entry["answered"] for entry in status.entries if entry["kind"] == "charged"] == [True, False]
    assert [line.endswith("(not answered)") for line in status.lines() if "charged " in line] == [False, True]

"""`tacit ask` and `tacit budget` end to end, and the same in Python: what is charged, published, told and refused.

Covers answers/*, verbs/answers, plan/privacy, aggregates/rehearsal, cli/ask, cli/budget, tacit/statistics.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from tests.cli.commands import run_here

import tacit
from tacit import statistics
from tacit.accounting.budget import budget
from tacit.accounting.events import Pure
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, BudgetExceeded, PolicyRefused
from tacit.ledger.ledger import Ledger, open_ledger
from tacit.ledger.terms import Terms
from tacit.randomness.stream import RandomBits
from tacit.release.fingerprints import fingerprint
from tacit.runs.answers.process import AnswersProcess
from tacit.verbs.answers import ask_plan, budget_plan
from tacit.verbs.calls import source_of
from tacit.verbs.plans import read_evidence

PLENTY = 1000.0
"""An epsilon at which a count of up to three rows a person is off by 1 with a probability below e**-100."""
PATIENTS = [("a", 10, "f"), ("a", 20, "m"), ("a", 30, "m"), ("a", 40, "f"), ("b", 50, "f"), ("secret-id", 60, "m")]
FRAME = pd.DataFrame(PATIENTS, columns=["id", "age", "sex"])


def plan_in(folder: Path, *questions: dict[str, Any], **privacy: Any) -> Path:
    """A plan over a file with several rows of a person."""
    FRAME.to_csv(folder / "patients.csv", index=False)
    form = {
        "version": 1,
        "data": {"path": "patients.csv"},
        "unit": "id",
        "columns": {
            "id": {"role": "identifier"},
            "age": {"role": "insensitive", "bounds": [0, 100]},
            "sex": {"role": "insensitive", "categories": ["f", "m"]},
        },
        "privacy": {"budget": {"epsilon": 1}, "contributions": {"rows": 2}, **privacy},
        "questions": list(questions),
    }
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(form))
    return path


COUNT = {"statistics/count": {"epsilon": 0.5}}
MEANS = {"statistics/mean": {"of": "age", "by": "sex", "epsilon": 0.25}}


TOO_LITTLE = [
    {"statistics/sum": {"of": "age", "epsilon": 1e-12}},
    {"statistics/mean": {"of": "age", "by": "sex", "epsilon": 1e-12}},
    {"statistics/histogram": {"of": "age", "bins": 100_000_000, "epsilon": 0.5}},
    {"statistics/histogram": {"of": "age", "bins": 6_000_000, "by": "sex", "epsilon": 0.5}},
    {"statistics/count": {"by": "sex", "epsilon": 0.1, "keys": {"epsilon": 1e-300, "delta": 1e-300}}},
]


@pytest.mark.parametrize("question", TOO_LITTLE, ids=lambda question: json.dumps(question)[1:60])
def test_what_parameters_alone_decide_is_refused_before_the_charge(tmp_path: Path, question: dict[str, Any]) -> None:
    """Noise that no sampler draws, and more cells than anybody can hold, whatever the rows are."""
    plan = plan_in(tmp_path, question, budget={"epsilon": 1, "delta": 1e-6})
    with pytest.raises(BadParameter) as refused:
        ask_plan(plan)
    assert "stays spent" not in str(refused.value)
    assert budget_plan(plan).spent == {"epsilon": 0.0, "delta": 0.0}


@pytest.mark.slow
def test_the_command_answers_charges_and_says_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_in(tmp_path, COUNT, MEANS)
    ended = run_here(capsys, "ask", plan, "--json")
    assert ended.code == 0
    told = json.loads(ended.out)
    whole, grouped = told["answers"]
    assert {"question", "values", "lower", "upper"} <= whole.keys()
    assert whole["lower"][0] <= whole["values"][0] <= whole["upper"][0]
    assert grouped["keys"] == ["f", "m"]
    assert [len(grouped[part]) for part in ("values", "lower", "upper")] == [2, 2, 2]
    assert told["spent"] == {"epsilon": 0.75, "delta": 0.0}
    assert told["left"] == {"epsilon": 0.25, "delta": 0.0}
    assert not told["seeded"]
    shown = json.loads(run_here(capsys, "budget", plan, "--json").out)
    assert (shown["spent"], shown["left"]) == (told["spent"], told["left"])
    assert [entry["kind"] for entry in shown["entries"]] == ["opened", "charged", "charged", "answered", "answered"]


def test_what_the_budget_does_not_cover_is_not_charged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_in(tmp_path, COUNT, COUNT, {"statistics/count": {"epsilon": 0.001}})
    ended = run_here(capsys, "ask", plan, "--json")
    assert ended.code == 4
    assert ended.out == ""
    assert "the 3 questions cost epsilon 1.001, delta 0 together" in ended.err
    assert "is left of epsilon 1" in ended.err
    assert budget_plan(plan).spent == {"epsilon": 0.0, "delta": 0.0}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patients.csv", "plan.yaml"]


BROKEN = "c,70,f,too many cells\n"


@pytest.mark.parametrize("question", [COUNT, MEANS, {"statistics/count": {"by": "sex", "epsilon": 0.5}}])
def test_a_row_that_no_reader_understands_is_found_before_the_charge(tmp_path: Path, question: dict[str, Any]) -> None:
    """It is told to whoever owns the file, which costs nobody any privacy, and the ledger stays as it was."""
    plan = plan_in(tmp_path, question)
    with (tmp_path / "patients.csv").open("a") as file:
        file.write(BROKEN)
    with pytest.raises(BadData, match=r"patients.csv, line 8: the row has 4 cells"):
        ask_plan(plan)
    assert not (tmp_path / "patients.ledger").exists()


def test_no_row_decides_on_an_error_once_a_question_is_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is not read again, whatever becomes of it, and an engine that fails does not say on which row."""
    plan, patients = plan_in(tmp_path, COUNT), tmp_path / "patients.csv"
    charge = Ledger.charge_all

    def charge_and_break(*given: Any, **named: Any) -> Any:
        patients.write_text(patients.read_text() + BROKEN)
        return charge(*given, **named)

    monkeypatch.setattr(Ledger, "charge_all", charge_and_break)
    with pytest.raises(BadData, match="changed") as changed:
        ask_plan(plan)
    assert "line" not in str(changed.value)
    monkeypatch.undo()
    monkeypatch.setattr(DuckDB, "held", lambda engine, source, *given: source)
    monkeypatch.setattr(AnswersProcess, "refuse", lambda process: None)
    with pytest.raises(BadData, match="what went wrong is not told") as failed:
        ask_plan(plan)
    assert "line" not in str(failed.value)
    assert failed.value.__cause__ is None


@pytest.mark.parametrize("name", ["patients.csv", "patients.db", "patients.parquet"])
def test_a_file_that_was_read_before_the_charge_has_the_same_rows(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    frame = pd.DataFrame({"a": ["1", "x", "", "-"], "b": ["0.5", "2", "é", ""], "c": ["1"] * 4})
    if name.endswith("csv"):
        frame.to_csv(path, index=False, encoding="latin-1")
    elif name.endswith("db"):
        with closing(sqlite3.connect(path)) as connection:
            frame.to_sql("t", connection, index=False)
    else:
        frame.to_parquet(path)
    source = replace(source_of(path), encoding="latin-1", missing=("-",))
    wanted = Rows((Form("a", "text"), Form("b", "number"), Form("b", "text")))
    with DuckDB() as engine:
        held = engine.held(source, ("b", "a"))
        assert engine.aggregates(held, wanted) == engine.aggregates(source, wanted)
        assert {**engine.columns(source), **engine.columns(held)} == engine.columns(source)


@pytest.mark.slow
def test_answers_evidence_and_report_are_published_together_and_tell_nothing_else(tmp_path: Path) -> None:
    outcome = ask_plan(plan_in(tmp_path, COUNT, MEANS))
    assert read_evidence(outcome.evidence) == outcome.release
    (source,) = outcome.release.inputs
    assert (source.bytes, source.sha256, source.rows) == (None, None, None)
    assert outcome.release.seconds == {}
    assert outcome.release.peak_memory_bytes is None
    for path in (outcome.output, outcome.evidence, outcome.report, tmp_path / "patients.ledger"):
        assert b"secret-id" not in path.read_bytes()
    (proven,) = outcome.release.proven
    assert (proven.epsilon, proven.unit, proven.contributions) == (pytest.approx(0.75), "id", 2)


def test_rows_beyond_those_that_count_are_left_out(tmp_path: Path) -> None:
    by_sex = {"statistics/count": {"by": "sex", "epsilon": PLENTY}}
    plan = plan_in(tmp_path, {"statistics/count": {"epsilon": PLENTY}}, by_sex, budget={"epsilon": 2 * PLENTY}, seed=1)
    whole, grouped = ask_plan(plan).release.body.answers
    assert whole.values == [4]
    assert sum(grouped.values) == 4


@pytest.mark.slow
def test_seeded_answers_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_in(tmp_path, COUNT, seed=7)
    told = json.loads(run_here(capsys, "ask", plan, "--json").out)
    assert told["seeded"]
    assert told["answers"][0]["seeded"]
    assert any("seed" in note for note in read_evidence(Path(told["evidence"])).notes)
    checked = run_here(capsys, "check", told["evidence"])
    assert checked.code == 1
    assert "FAILS  It was made from a seed, so it may not be published." in checked.out
    assert "keeps its promises" not in checked.out
    assert not json.loads(run_here(capsys, "check", told["evidence"], "--json").out)["may_be_published"]
    answer = statistics.count(FRAME, epsilon=0.1, budget=tacit.PrivacyBudget(1), bits=RandomBits.from_seed(1))
    assert answer.seeded
    assert repr(answer).endswith("\nIt was made from a seed, so it may not be published.")
    fresh = statistics.count(FRAME, epsilon=0.1, budget=tacit.PrivacyBudget(1))
    assert not fresh.seeded
    assert "seed" not in repr(fresh)


@pytest.mark.parametrize(
    "question",
    [
        {"statistics/mean": {"of": "age", "epsilon": 0.1, "grid": -1001}},
        {"statistics/count": {"by": "nowhere", "epsilon": 0.1}},
    ],
)
def test_a_question_that_no_rows_could_answer_is_not_charged(tmp_path: Path, question: dict[str, Any]) -> None:
    plan = plan_in(tmp_path, COUNT, question)
    with pytest.raises((BadData, BadParameter)):
        ask_plan(plan)
    assert budget_plan(plan).spent["epsilon"] == 0


@pytest.mark.slow
def test_a_column_of_another_type_is_not_charged() -> None:
    frame = FRAME.assign(age=pd.to_datetime("2020-01-01"))
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadData, match="'age' is of type"):
        statistics.mean(frame, of="age", bounds=(0, 1), epsilon=0.5, budget=budget)
    for level in (2, "high", None):
        with pytest.raises(BadParameter, match="level"):
            statistics.count(frame, epsilon=0.5, budget=budget, level=level)
    assert budget.spent["epsilon"] == 0


@pytest.mark.slow
def test_short_names_charge_one_budget() -> None:
    budget = tacit.PrivacyBudget(epsilon=1, unit="id", rows=2)
    means = statistics.mean(
        FRAME, of="age", by="sex", bounds=(0, 100), categories={"sex": ["f", "m"]}, epsilon=0.75, budget=budget
    )
    assert means.keys == ("f", "m")
    assert all(low <= value <= high for low, value, high in zip(means.lower, means.values, means.upper, strict=True))
    assert means.spent["epsilon"] == pytest.approx(0.75)
    with pytest.raises(BudgetExceeded):
        statistics.count(FRAME, epsilon=0.5, budget=budget)
    assert budget.left == {"epsilon": 0.25, "delta": 0.0}


@pytest.mark.slow
@pytest.mark.parametrize("cell", [10**40, "none", b"x", [1], {}, None, object(), 1j])
def test_no_cell_decides_whether_there_is_an_answer(cell: Any) -> None:
    """A column of objects is read cell by cell: neither a refusal nor an error tells of a row."""
    frame = pd.DataFrame({"id": ["a", "b", 3], "age": pd.Series([5, 9, cell], dtype=object), "odd": [cell, 1, "x"]})
    budget = tacit.PrivacyBudget(epsilon=3 * PLENTY, delta=1e-6, unit="id")
    found = statistics.count(frame, epsilon=PLENTY, budget=budget)
    assert found.values == [3]
    low = statistics.mean(frame, of="age", bounds=(0, 10), epsilon=PLENTY, budget=budget)
    assert low.lower[0] <= low.values[0] <= low.upper[0]
    keys = {"epsilon": 1.0, "delta": 1e-7}
    statistics.count(frame, by="odd", epsilon=1.0, keys=keys, budget=budget)
    statistics.count(frame, by="odd", epsilon=1.0, keys=keys, budget=tacit.PrivacyBudget(epsilon=2, delta=1e-6))


def test_the_price_of_an_answer_is_finite_where_people_are_replaced() -> None:
    """A pair of people who go and come fails with probability delta (1 + e**epsilon) / 2, more than was written."""
    budget = tacit.PrivacyBudget(epsilon=1, delta=1e-3, unit="id", rows=2, neighbours="replace")
    found = statistics.partition_selection(FRAME, of="sex", epsilon=0.5, delta=1e-5, budget=budget)
    assert found.answer.epsilon == pytest.approx(0.5)


@pytest.mark.slow
def test_categories_are_read_as_cells_are() -> None:
    frame = pd.DataFrame({"truth": [True, True, False], "number": [1.0, 2.0, 2.0]})
    budget = tacit.PrivacyBudget(epsilon=2 * PLENTY)
    truth = statistics.count(frame, by="truth", categories=[True, False], epsilon=PLENTY, budget=budget)
    assert truth.values == [2, 1]
    number = statistics.count(frame, by="number", categories=[1.0, 2], epsilon=PLENTY, budget=budget)
    assert (number.keys, number.values) == (("1", "2"), [1, 2])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"categories": ["f", None]}, "missing"),
        ({"categories": "f"}, "must be a list"),
        ({"categories": ["f", "f"]}, "must be different"),
        ({"bounds": {"age": 5}}, "two numbers"),
        ({"bits": 5}, "stream of random bits"),
    ],
)
def test_a_bad_call_says_what_to_write(wrong: dict[str, Any], says: str) -> None:
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match=says):
        statistics.count(FRAME, **{"by": "sex", "categories": ["f"], **wrong}, epsilon=0.1, budget=budget)
    assert budget.spent["epsilon"] == 0


def test_people_are_told_apart_as_the_dataset_says() -> None:
    dataset = tacit.read(FRAME, dict.fromkeys(FRAME, "insensitive"), unit="id")
    with pytest.raises(BadParameter, match="name the same `unit`"):
        statistics.count(dataset, epsilon=0.1, budget=tacit.PrivacyBudget(epsilon=1))
    with pytest.raises(BadParameter, match="no `unit` is named"):
        tacit.PrivacyBudget(epsilon=1, rows=2)


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


def test_what_is_refused_leaves_no_ledger(tmp_path: Path) -> None:
    """Another budget may be written as long as nothing was charged."""
    plan = plan_in(tmp_path, COUNT)
    (tmp_path / "patients.csv").write_text("age,sex\n10,f\n")
    with pytest.raises(BadData, match="no column"):
        ask_plan(plan)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patients.csv", "plan.yaml"]
    ask_plan(plan_in(tmp_path, COUNT, budget={"epsilon": 2}))
    assert budget_plan(plan).left["epsilon"] == 1.5


def test_a_budget_with_a_file_is_made_with_its_first_charge(tmp_path: Path) -> None:
    """Until then several may be stated; the first that is charged holds for all."""
    place = tmp_path / "people.ledger"
    one, two = (tacit.PrivacyBudget(epsilon=epsilon, ledger=place) for epsilon in (1, 2))
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
def test_a_cell_of_a_parquet_file_that_no_reader_understands_is_found_before_the_charge(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    plan = plan_in(tmp_path, COUNT)
    form = yaml.safe_load(plan.read_text())
    frame = pd.read_csv(tmp_path / "patients.csv", dtype=str)
    cells = pa.array([b"\xff", *(name.encode() for name in frame["id"][1:])], pa.binary()).view(pa.string())
    table = pa.Table.from_pandas(frame).set_column(frame.columns.get_loc("id"), "id", cells)
    pq.write_table(table, tmp_path / "odd.parquet")
    form["data"] = {"path": "odd.parquet"}
    plan.write_text(yaml.safe_dump(form))
    with pytest.raises(BadData) as refused:
        ask_plan(plan)
    assert "charged" not in str(refused.value)
    assert budget_plan(plan).spent["epsilon"] == 0


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
def test_charges_are_remembered_whatever_kind_was_charged(tmp_path: Path) -> None:
    plan, evidence = plan_in(tmp_path, COUNT), tmp_path / "patients.answers.evidence.json"
    ask_plan(plan)
    told = json.loads(evidence.read_text(encoding="utf-8"))
    evidence.write_text(json.dumps({**told, "kind": "brought", "body": {}}), encoding="utf-8")
    (tmp_path / "patients.ledger").unlink()
    with pytest.raises(PolicyRefused, match="charges that the ledger does not have"):
        ask_plan(plan, tmp_path / "patients.answers.json")


@pytest.mark.parametrize("given", [{}, {"budget": 1}, {"budget": None}], ids=["none", "a number", "None"])
def test_a_call_without_a_budget_says_what_to_pass(given: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match=r"give `budget=tacit\.PrivacyBudget\(epsilon=1\)`"):
        statistics.mean(FRAME, of="age", bounds=(0, 1), epsilon=1, **given)


@pytest.mark.parametrize(
    ("name", "given", "passed"),
    [("mean", {}, "pass `bounds=` in the call"), ("count", {"by": "sex"}, "pass `categories=` in the call")],
)
def test_what_a_call_does_not_declare_is_refused_with_what_to_pass(
    name: str, given: dict[str, Any], passed: str
) -> None:
    asked = {"of": "age", **given} if name == "mean" else given
    with pytest.raises(BadParameter, match=passed):
        getattr(statistics, name)(FRAME, epsilon=1, budget=tacit.PrivacyBudget(epsilon=1), **asked)


@pytest.mark.parametrize(
    ("name", "asked", "labels"),
    [
        (
            "histogram",
            {"of": ["sex", "age"], "bins": 2, "categories": {"sex": ["f", "m"]}},
            [["sex f, age 0 to 5", "sex f, age 5 to 10"], ["sex m, age 0 to 5", "sex m, age 5 to 10"]],
        ),
        ("ranges", {"of": "age", "bins": 4}, ["0 to 2.5", "2.5 to 5", "5 to 7.5", "7.5 to 10"]),
        ("quantiles", {"of": "age", "quantiles": [0.25, 0.5]}, ["quantile 0.25", "median"]),
        ("covariance", {"of": ["age", "rank"]}, [["age, age", "age, rank"], ["rank, age", "rank, rank"]]),
        ("linear_regression", {"of": ["age", "rank"]}, ["slope of age", "intercept"]),
        ("k_means", {"of": ["age", "rank"], "k": 1, "guess": 5}, [["centre 1, age", "centre 1, rank"]]),
        ("uniform_grid", {"of": ["age", "rank"], "side": 1}, ["age 0 to 10, rank 0 to 10"]),
        ("mean", {"of": "age"}, None),
    ],
)
def test_numbers_are_labelled(name: str, asked: dict[str, Any], labels: Any) -> None:
    frame = FRAME.assign(rank=range(len(FRAME)))
    book = tacit.PrivacyBudget(epsilon=10, delta=1e-6)
    given = {"epsilon": 1, "bounds": {"age": (0, 10), "rank": (0, 10)}, **asked}
    assert getattr(statistics, name)(frame, budget=book, **given).answer.labels == labels


def test_quantiles_without_an_interval_say_how_to_buy_one() -> None:
    book = tacit.PrivacyBudget(epsilon=10)
    asked = {"of": "age", "bounds": (0, 60), "epsilon": 1, "budget": book}
    without, bought = statistics.quantiles(FRAME, **asked), statistics.quantiles(FRAME, **asked, interval_share=0.5)
    assert (without.lower, without.upper) == (None, None)
    assert "0 to 60" not in repr(without)
    assert "interval_share" in repr(without)
    assert bought.lower is not None
    assert "interval_share" not in repr(bought)


@pytest.mark.parametrize("which", ["minimum", "maximum"])
def test_an_extreme_is_called_by_what_was_asked(which: str) -> None:
    book = tacit.PrivacyBudget(epsilon=10)
    found = statistics.extremes(FRAME, of="age", bounds=(0, 60), epsilon=1, which=which, budget=book)
    assert found.answer.question == f"{which.capitalize()} of age"


def test_groups_that_nobody_passes_are_told() -> None:
    book = tacit.PrivacyBudget(epsilon=10, delta=1e-6, unit="id")
    keys = {"epsilon": 0.001, "delta": 1e-9}
    found = statistics.count(FRAME, by="sex", keys=keys, epsilon=1, budget=book)
    assert found.answer.keys == ()
    assert "No group had enough people" in repr(found)


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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda plan, one: tacit.ask(plan, budget=one), "a plan has a budget of its own"),
        (lambda plan, one: tacit.ask(FRAME), "there is no question about it"),
        (lambda plan, one: tacit.ask(FRAME, budget=one), "there is no question about it"),
        (lambda plan, one: tacit.ask(FRAME, [COUNT], budget=one), "`questions` is of type list"),
        (lambda plan, one: tacit.ask(FRAME, {"statistics/count": 0.5}, budget=one), "parameters are of type float"),
        (
            lambda plan, one: statistics.mean(FRAME, of=FRAME.age, epsilon=1, bounds=(0, 9), budget=one),
            "must be the name of a column",
        ),
        (
            lambda plan, one: statistics.count(FRAME, by=FRAME.sex, epsilon=1, categories=["f"], budget=one),
            "must be the name of a column",
        ),
    ],
)
def test_a_call_that_is_no_question_is_told_what_to_write(tmp_path: Path, call: Any, words: str) -> None:
    plan, one = plan_in(tmp_path, COUNT), tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match=words):
        call(plan, one)
    assert one.spent["epsilon"] == 0
    assert not (tmp_path / "patients.ledger").exists()


def test_what_was_asked_of_a_plan_shows_in_a_line(tmp_path: Path) -> None:
    shown = repr(tacit.ask(plan_in(tmp_path, COUNT)))
    answers = tmp_path / "patients.answers.json"
    assert shown == f"<answers in {answers}; evidence in {answers.with_suffix('.evidence.json')}>"


@pytest.mark.parametrize("kind", [int, bool, float])
def test_groups_of_numbers_and_truth_values_are_found(tmp_path: Path, kind: type) -> None:
    """In a frame and in Parquet; the categories are written in the plan as they are."""
    frame = pd.DataFrame({"x": [kind(1), kind(0), kind(1)]})
    frame.to_parquet(tmp_path / "x.parquet")
    names = [False, True] if kind is bool else [0, 1]
    form = {
        "version": 1,
        "data": {"path": "x.parquet"},
        "columns": {"x": {"role": "insensitive", "categories": names}},
        "privacy": {"budget": {"epsilon": PLENTY}},
        "questions": [{"statistics/count": {"by": "x", "epsilon": PLENTY}}],
    }
    plan = tmp_path / "plan.yaml"
    plan.write_text(yaml.safe_dump(form))
    (answer,) = ask_plan(plan).release.body.answers
    assert list(answer.values) == [1, 2]
    one = tacit.PrivacyBudget(epsilon=PLENTY)
    assert list(statistics.count(frame, by="x", epsilon=PLENTY, categories=names, budget=one).values) == [1, 2]


def test_an_empty_category_is_refused() -> None:
    one = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match="missing cells are in no group"):
        statistics.count(FRAME, by="sex", epsilon=1, categories=["f", ""], budget=one)


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

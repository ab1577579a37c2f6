"""`tacit ask` and `tacit budget` end to end, and the same in Python: what is charged, published, told and refused.

Covers answers/*, runs/charged, verbs/ask, verbs/budget, verbs/question, plan/privacy, aggregates/rehearsal, cli/ask,
cli/budget, tacit/statistics.
"""

import json
import sqlite3
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from tests.cli.commands import run_here
from tests.runs.answers.patients import COUNT, FRAME, MEANS, PLENTY, plan_in

import tacit
from tacit import statistics
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter
from tacit.ledger.ledger import Ledger
from tacit.randomness.stream import RandomBits
from tacit.runs import charged
from tacit.runs.answers.process import AnswersProcess
from tacit.verbs.ask import ask_plan
from tacit.verbs.budget import budget_plan
from tacit.verbs.calls import source_of
from tacit.verbs.plans import protect_plan, read_evidence

TOO_LITTLE = [
    {"statistics/sum": {"of": "age", "epsilon": 1e-12}},
    {"statistics/mean": {"of": "age", "by": "sex", "epsilon": 1e-12}},
    {"statistics/histogram": {"of": "age", "bins": 100_000_000, "epsilon": 0.5}},
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


@pytest.mark.parametrize(("most", "held"), [(12, True), (11, False)])
def test_groups_with_more_values_together_than_anybody_holds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, held: bool
) -> None:
    """Two groups with six bins each."""
    monkeypatch.setattr("tacit.runs.answers.asking.MOST_VALUES", most)
    histogram = {"statistics/histogram": {"of": "age", "bins": 6, "by": "sex", "epsilon": 0.5}}
    plan = plan_in(tmp_path, histogram, budget={"epsilon": 1, "delta": 1e-6})
    with nullcontext() if held else pytest.raises(BadParameter, match="2 groups have 12 values together"):
        ask_plan(plan)
    assert budget_plan(plan).spent["epsilon"] == (0.5 if held else 0)


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
    assert json.loads(ended.out)["error"]["kind"] == "BudgetExceeded"
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
    # Whoever is asked about is looked for before the charge too.
    monkeypatch.setattr(charged, "require_people_told_apart", lambda *given, **named: None)
    with pytest.raises(BadData, match="the cause is not shown") as failed:
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
    told = {"encoding": "latin-1"} if path.suffix == ".csv" else {}
    source = replace(source_of(path), **told, missing=("-",))
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


@pytest.mark.slow
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
    answer = statistics.count(
        FRAME, epsilon=0.1, budget=tacit.PrivacyBudget(1, unit="row"), bits=RandomBits.from_seed(1)
    )
    assert answer.seeded
    assert repr(answer).endswith("\nIt was made from a seed, so it may not be published.")
    fresh = statistics.count(FRAME, epsilon=0.1, budget=tacit.PrivacyBudget(1, unit="row"))
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


def test_what_was_asked_of_a_plan_shows_in_a_line(tmp_path: Path) -> None:
    shown = repr(tacit.ask(plan_in(tmp_path, COUNT)))
    answers = tmp_path / "patients.answers.json"
    assert shown == f"<answers in {answers}; evidence in {answers.with_suffix('.evidence.json')}>"


@pytest.mark.slow
def test_what_was_asked_of_a_plan_prints_its_answers(tmp_path: Path) -> None:
    shown = str(tacit.ask(plan_in(tmp_path, MEANS)))
    assert all(word in shown for word in ("Mean of age by sex", "95 % interval", "left", "patients.answers.json"))


@pytest.mark.parametrize("verb", [ask_plan, protect_plan], ids=["answers", "synthesis"])
def test_a_plan_is_told_of_categories_that_no_truth_value_is_in(tmp_path: Path, verb: Any) -> None:
    """A column of truth values in a file with types holds `true` and `false`, which the type tells."""
    pd.DataFrame({"ill": [True, False, True]}).to_parquet(tmp_path / "ill.parquet")
    promise = {"guarantees": [{"differential-privacy": {"epsilon": 1}}], "method": "synthesize/independent"}
    form = {
        "version": 1,
        "data": {"path": "ill.parquet"},
        "columns": {"ill": {"role": "insensitive", "categories": ["True", "False"]}},
        "privacy": {"budget": {"epsilon": 1}},
        "questions": [{"statistics/count": {"by": "ill", "epsilon": 1}}],
        "release": promise,
    }
    plan = tmp_path / "plan.yaml"
    plan.write_text(yaml.safe_dump(form))
    with pytest.raises(BadParameter, match=r"write `categories: \[true, false\]` in a plan"):
        verb(plan)
    assert budget_plan(plan).spent["epsilon"] == 0


@pytest.mark.slow
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

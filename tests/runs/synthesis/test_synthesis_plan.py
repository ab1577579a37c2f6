"""A synthetic table from a plan: charged first, read back, published with its evidence; refusals say what to write.

Covers runs/synthesis/kind, runs/synthesis/process, runs/synthesis/written, runs/synthesis/task, release/synthesis,
cards/synthesis, cards/asked, noise/synthetic_rows, answers/amounts, evidence/synthesis.
"""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.runs.planned import names_in, write_data, write_plan

import tacit
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, BudgetExceeded, CannotGuarantee, PolicyRefused
from tacit.evidence.synthesis import synthesis_lines
from tacit.plan.load import load_plan
from tacit.runs.files import default_output, table_files
from tacit.runs.run import publish
from tacit.runs.synthesis.kind import KIND
from tacit.runs.synthesis.process import SynthesisProcess
from tacit.runs.synthesis.task import task_of_plan
from tacit.verbs.budget import budget_plan
from tacit.verbs.plans import attack_plan, check_plan, compare_plan, protect_plan, read_evidence

PEOPLE = [
    {"id": f"p{i // 2}", "sex": "fm"[i % 2], "age": str(20 + i % 50), "code": "=1+1" if i % 5 else ""}
    for i in range(300)
]
COLUMNS: dict[str, Any] = {
    "id": {"role": "identifier"},
    "sex": {"role": "quasi-identifier", "categories": ["f", "m", "007", 'it\'s, "so"']},
    "age": {"role": "quasi-identifier", "bounds": [0, 100]},
    "code": {"role": "sensitive", "categories": ["=1+1", "A"]},
}
MUCH = 1e6
"""So much epsilon that no noise is drawn."""


def form(epsilon: float = MUCH, privacy: Any = None, columns: Any = COLUMNS, **release: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "data": {"path": "people.csv"},
        "unit": "row",
        "columns": columns,
        "privacy": {"budget": {"epsilon": 2 * epsilon}, **(privacy or {})},
        "release": {
            "guarantees": [{"differential-privacy": {"epsilon": epsilon}}],
            "method": "synthesize/independent",
            **release,
        },
    }


def rows_in(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@pytest.mark.slow
def test_the_table_has_the_columns_that_were_measured(tmp_path):
    made = protect_plan(write_plan(tmp_path, form(), PEOPLE))
    rows = rows_in(made.output)
    assert list(rows[0]) == ["sex", "age", "code"]
    assert Counter(row["sex"] for row in rows) == {"f": 150, "m": 150}
    assert Counter(row["code"] for row in rows) == {"=1+1": 240, "": 60}
    # Twenty bins between 0 and 100, five years wide; ages come six times each, 20 to 69.
    assert Counter(int(row["age"]) // 5 for row in rows) == dict.fromkeys(range(4, 14), 30)
    assert names_in(tmp_path) == [
        "people.csv", "people.ledger", "people.release.csv", "people.release.evidence.json",
        "people.release.report.html", "plan.yaml",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_evidence_says_what_was_promised_measured_and_spent(tmp_path):
    made = protect_plan(write_plan(tmp_path, form(0.5), PEOPLE))
    release = read_evidence(made.evidence)
    assert release == made.release
    (proven,) = release.proven
    assert (proven.name, proven.epsilon, proven.delta, proven.unit) == ("differential-privacy", 0.5, 0, "row")
    body = release.body
    assert [column.name for column in body.columns] == ["sex", "age", "code"]
    for column in body.columns:
        assert sum(column.written) == body.rows == len(rows_in(made.output))
        assert len(column.cells) == len(column.measured) == len(column.written)
        assert column.cells[-1] == "no value"
    assert (body.spent.epsilon, body.left.epsilon) == (0.5, 0.5)
    # Nothing else tells of the data: no hash, no size, no time.
    assert release.inputs[0].model_dump(exclude={"name"}) == {"bytes": None, "sha256": None, "rows": None}
    assert (release.seconds, release.peak_memory_bytes) == ({}, None)
    page = made.report.read_text()
    assert "These rows are invented" in page
    assert "What epsilon means" in page


@pytest.mark.slow
def test_a_budget_that_does_not_cover_it_is_left_alone(tmp_path):
    plan = write_plan(tmp_path, form(1.0), PEOPLE)
    protect_plan(plan)
    protect_plan(plan)
    first = (tmp_path / "people.release.csv").read_bytes()
    with pytest.raises(
        BudgetExceeded, match=r"the table costs epsilon 1, .*lower epsilon under `differential-privacy`"
    ):
        protect_plan(plan)
    assert budget_plan(plan).spent == {"epsilon": 2.0, "delta": 0.0}
    assert (tmp_path / "people.release.csv").read_bytes() == first


def test_it_is_charged_before_a_row_is_read(tmp_path, monkeypatch):
    plan = write_plan(tmp_path, form(1.0), PEOPLE)
    seen = []

    def look(self, question, bits):
        seen.append(dict(budget_plan(plan).spent))
        raise BadData("the disk is gone")

    monkeypatch.setattr("tacit.runs.answers.asking.AskableRows.answers", look)
    with pytest.raises(BadData):
        protect_plan(plan)
    assert seen == [{"epsilon": 1.0, "delta": 0.0}]
    assert not (tmp_path / "people.release.csv").exists()


@pytest.mark.slow
def test_of_a_person_no_more_rows_count_than_was_declared(tmp_path):
    """Each of 150 people has two rows, and one of them counts."""
    people = {**form(privacy={"contributions": {"rows": 1}}), "unit": "id"}
    made = protect_plan(write_plan(tmp_path, people, PEOPLE))
    assert len(rows_in(made.output)) == 150
    words = "Each person counts with at most 1 row, chosen by a hash"
    assert words in made.report.read_text()
    told = synthesis_lines(made.release)
    assert words in " ".join(" ".join(told).split())
    assert all(len(line) <= 80 for line in told)


@pytest.mark.slow
def test_several_rows_of_people_who_are_replaced_cost_twice(tmp_path):
    planned = {**form(1.0, {"contributions": {"rows": 2}, "neighbours": "replace"}), "unit": "id"}
    planned["release"]["guarantees"] = [{"differential-privacy": {"epsilon": 1.0, "neighbours": "replace"}}]
    made = protect_plan(write_plan(tmp_path, planned, PEOPLE))
    (proven,) = made.release.proven
    assert (proven.epsilon, proven.neighbours, proven.contributions) == (1.0, "replace", 2)
    assert made.release.recipe.parameters["epsilon"] == 0.5


@pytest.mark.slow
def test_people_who_are_replaced_with_several_rows_may_have_a_delta(tmp_path):
    """What is told at the delta is what was promised, and no less than a millionth below."""
    wanted = {"epsilon": 1.0, "delta": 1e-6, "neighbours": "replace"}
    privacy = {"budget": {"epsilon": 2, "delta": 1e-5}, "contributions": {"rows": 5}, "neighbours": "replace"}
    planned = {**form(1.0, privacy, guarantees=[{"differential-privacy": wanted}]), "unit": "id"}
    (proven,) = protect_plan(write_plan(tmp_path, planned, PEOPLE)).release.proven
    assert (proven.delta, proven.neighbours, proven.contributions) == (1e-6, "replace", 5)
    assert 1 - 1e-6 <= proven.epsilon <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["made.csv", "made.tsv", "made.parquet", "made.sqlite"])
@pytest.mark.parametrize("guard", [False, True])
def test_every_format_reads_back_as_it_was_made(tmp_path, name, guard):
    made = protect_plan(write_plan(tmp_path, form(guard_formulas=guard), PEOPLE), tmp_path / name)
    with DuckDB() as engine:
        source = file_source(made.output)
        cells = engine.cells(source, ["sex", "age", "code"]).to_pydict()
    shown = "'=1+1" if guard and name.endswith(("csv", "tsv")) else "=1+1"
    assert Counter(cells["code"]) in (Counter({shown: 240, "": 60}), Counter({"'=1+1": 240, "": 60}))
    assert Counter(cells["sex"]) == {"f": 150, "m": 150}


FRACTIONS = [
    ([0, 100], 1), ([0, 100], 2), ([0, 100], 3), ([0.5, 99.5], None), ([0.5, 99.5], 0), ([1e-7, 1e-5], None),
    ([-1e18, 1e18], 1), ([-0.4, 100], 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "bounds", "decimals"),
    [
        ("made.csv", [0, 100], 1),
        *(
            pytest.param(f"made.{ending}", *one, marks=pytest.mark.slow)
            for ending in ("csv", "tsv", "parquet", "sqlite")
            for one in FRACTIONS
        ),
    ],
)
def test_numbers_with_decimals_read_back_from_every_format(tmp_path, name, bounds, decimals):
    """Whole ones among them, which one format spells 44 and another 44.0."""
    digits = {} if decimals is None else {"decimals": decimals}
    columns = {"id": COLUMNS["id"], "age": {"role": "sensitive", "bounds": bounds, **digits}}
    planned = form(columns=columns, parameters={"rows": 500})
    made = protect_plan(
        write_plan(tmp_path, planned, [{k: r[k] for k in ("id", "age")} for r in PEOPLE]), tmp_path / name
    )
    with DuckDB() as engine:
        cells = engine.cells(file_source(made.output), ["age"])["age"].to_pylist()
    found = [float(cell) for cell in cells if cell]
    assert len(cells) == 500
    assert found
    assert all(bounds[0] <= number <= bounds[1] for number in found)
    if decimals is not None:
        within = (number for number in found if number not in bounds)
        assert all(round(number, decimals) == number for number in within)


@pytest.mark.slow
def test_what_no_text_file_can_hold_is_found_before_the_charge(tmp_path):
    columns = {**COLUMNS, "sex": {"role": "sensitive", "categories": ["f", "a zero byte: \0"]}}
    plan = write_plan(tmp_path, form(1.0, columns=columns), PEOPLE)
    with pytest.raises(BadParameter, match="nothing is charged or made; write another format"):
        protect_plan(plan)
    assert budget_plan(plan).spent["epsilon"] == 0
    assert protect_plan(plan, tmp_path / "made.parquet").release.proven


@pytest.mark.slow
def test_a_file_that_is_not_what_was_made_is_not_published(tmp_path):
    """The process writes the raw rows instead of invented ones: found out when the file is read back."""
    plan = load_plan(write_plan(tmp_path, form(), PEOPLE))

    class Lying(SynthesisProcess):
        def make(self, prepared, place):
            made = super().make(prepared, place)
            write_data(place.aside, [{name: row[name] for name in ("sex", "age", "code")} for row in PEOPLE])
            return made

    with DuckDB() as engine:
        lying = Lying(_job(plan), task_of_plan(plan), engine)
        with pytest.raises(BadData, match="does not read as it was written"):
            publish(lying, table_files(default_output(plan)), KIND)
    assert not (tmp_path / "people.release.csv").exists()


def _job(plan):
    from tacit.runs.job import plan_job

    return plan_job(plan, plan.dataset, (plan.dataset.source.path,))


def test_a_method_that_spends_more_than_is_promised_is_refused(tmp_path, monkeypatch):
    """The twin: an event of twice the price."""
    from tacit.accounting.events import Composed

    plan = load_plan(write_plan(tmp_path, form(1.0), PEOPLE))
    with DuckDB() as engine:
        process = SynthesisProcess(_job(plan), task_of_plan(plan), engine)
        event = process.task.priced.question.event
        object.__setattr__(process.task.priced.question, "event", Composed((event, event)))
        with pytest.raises(CannotGuarantee, match="spends epsilon 2 where 1 is promised"):
            process.refuse()
    assert budget_plan(plan.path).spent["epsilon"] == 0


@pytest.mark.slow
def test_a_seeded_table_may_not_be_published(tmp_path):
    plan = write_plan(tmp_path, form(1.0, seed=7), PEOPLE)
    first = protect_plan(plan)
    text = first.output.read_text()
    assert not first.release.may_be_published
    assert protect_plan(plan).output.read_text() == text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"release": {"guarantees": [{"k-anonymity": {"k": 2}}], "method": "synthesize/independent"}},
            "can't give k-anon",
        ),
        ({"release": {"guarantees": ["differential-privacy"], "method": "synthesize/independent"}}, "epsilon"),
        ({"columns": {**COLUMNS, "age": {"role": "sensitive"}}}, r"1 column declares neither .*: age"),
        (
            {"release": {**form()["release"], "suppression": 0.1}},
            "`suppression` does not apply to tables of invented rows",
        ),
        ({"release": {**form()["release"], "parameters": {"epsilon": 3}}}, "`epsilon` is not a parameter here"),
        ({"release": {**form()["release"], "parameters": {"delta": 1e-6}}}, "`delta` is not a parameter here"),
        ({"release": {**form()["release"], "parameters": {"neighbours": "replace"}}}, "`neighbours` is stated once"),
        ({"release": {**form()["release"], "parameters": {"bin": 3}}}, "bin: there is no such key; did you mean .bins"),
        (
            {"release": {**form()["release"], "parameters": {"zzz": 3}}},
            "zzz: there is no such key; the known ones are: bins, rows$",
        ),
        ({"privacy": {"budget": {"epsilon": 1}, "neighbours": "replace"}}, "the ledger is about replace|neighbours"),
        ({"release": {"guarantees": [{"differential-privacy": {"epsilon": 1}}]}}, "take a method that gives it"),
        ({"columns": {"id": {"role": "identifier"}}}, "nothing is left to publish"),
        ({"release": {**form()["release"], "parameters": {"rows": 0}}}, "rows"),
        (
            {"columns": {**COLUMNS, "age": {"role": "sensitive", "bounds": [0, 1], "decimals": 0}}},
            "take fewer bins or more decimals",
        ),
        (
            {
                "release": {
                    "guarantees": [{"differential-privacy": {"epsilon": 1}}] * 2,
                    "method": "synthesize/independent",
                }
            },
            "gives one guarantee",
        ),
    ],
)
def test_refusals_say_what_to_write(tmp_path, changes, said):
    plan = write_plan(tmp_path, {**form(1.0), **changes}, PEOPLE)
    if "neighbours" in changes.get("privacy", {}):
        planned = {**form(1.0), **changes}
        planned["release"]["guarantees"] = [{"differential-privacy": {"epsilon": 1, "neighbours": "replace"}}]
        planned["privacy"] = {"budget": {"epsilon": 1}}
        plan = write_plan(tmp_path, planned, PEOPLE)
    with pytest.raises(BadParameter, match=said):
        protect_plan(plan)
    assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


@pytest.mark.slow
@pytest.mark.parametrize("stated", ["add-remove", "replace"])
def test_neighbours_are_those_of_the_ledger_unless_others_are_stated(tmp_path, stated):
    """Also where what is stated is the usual: a promise for one relation is not published as one for the other."""
    other = "replace" if stated == "add-remove" else "add-remove"
    planned = form(1.0, privacy={"neighbours": other})
    (proven,) = protect_plan(write_plan(tmp_path, planned, PEOPLE)).release.proven
    assert proven.neighbours == other
    planned["release"]["guarantees"] = [{"differential-privacy": {"epsilon": 1, "neighbours": stated}}]
    with pytest.raises(BadParameter, match=f"has neighbours {stated}, but the section `privacy` has {other}"):
        protect_plan(write_plan(tmp_path, planned, PEOPLE))


def test_a_plan_without_a_budget_is_told_to_have_one(tmp_path):
    planned = form(1.0)
    del planned["privacy"]
    with pytest.raises(BadParameter, match=r"privacy: \{budget: \{epsilon: 1\}\}"):
        protect_plan(write_plan(tmp_path, planned, PEOPLE))


def test_a_column_that_the_file_lacks_costs_nothing(tmp_path):
    plan = write_plan(tmp_path, form(1.0, columns={**COLUMNS, "lost": {"role": "sensitive", "bounds": [0, 1]}}), PEOPLE)
    with pytest.raises(BadData, match="lost"):
        protect_plan(plan)
    assert budget_plan(plan).spent["epsilon"] == 0


@pytest.mark.slow
def test_what_would_tell_of_the_data_is_refused(tmp_path):
    plan = write_plan(tmp_path, form(1.0), PEOPLE)
    made = protect_plan(plan)
    for verb, says in (
        (lambda: check_plan(plan, made.output), "the promise of a synthetic table can't be checked"),
        (lambda: attack_plan(plan), "a synthetic table can't be attacked"),
        (lambda: compare_plan(plan, {}), "a synthetic table can't be compared"),
    ):
        with pytest.raises(PolicyRefused, match=f"^{says}.*tacit audit synthesize/independent"):
            verb()


def test_its_own_ledger_and_data_are_not_overwritten(tmp_path):
    plan = write_plan(tmp_path, form(1.0), PEOPLE)
    for name in ("people.csv", "people.ledger"):
        with pytest.raises((PolicyRefused, BadParameter)):
            protect_plan(plan, tmp_path / name)


@pytest.mark.slow
def test_a_ledger_that_forgot_is_noticed(tmp_path):
    plan = write_plan(tmp_path, form(1.0), PEOPLE)
    protect_plan(plan)
    (tmp_path / "people.ledger").unlink()
    for place in (None, tmp_path / "fresh.csv"):
        with pytest.raises(PolicyRefused, match="charges that the ledger does not have"):
            protect_plan(plan, place)


@pytest.mark.slow
def test_what_another_plan_made_stays(tmp_path):
    protect_plan(write_plan(tmp_path, form(1.0, output="made.csv"), PEOPLE))
    (tmp_path / "plan.yaml").rename(tmp_path / "other.yaml")
    with pytest.raises(PolicyRefused, match=r"was made by plan\.yaml"):
        protect_plan(tmp_path / "other.yaml")
    assert budget_plan(tmp_path / "other.yaml").spent["epsilon"] == 1


@pytest.mark.slow
def test_a_table_without_people_has_rows_all_the_same(tmp_path):
    """What is paid for is made: with next to no people the estimate may be 0, and then one row is written."""
    plan = write_plan(tmp_path, form(0.1, privacy={"budget": {"epsilon": 100}}), PEOPLE[:1])
    for _ in range(20):
        assert len(rows_in(protect_plan(plan).output)) >= 1


@pytest.mark.slow
def test_the_seed_of_privacy_counts_where_the_release_has_none(tmp_path):
    """The same seed in either section gives the same rows, and the release's own comes first."""
    found = {}
    for name, privacy, release in (
        ("neither", {}, {}),
        ("privacy", {"seed": 7}, {}),
        ("release", {}, {"seed": 7}),
        ("both", {"seed": 8}, {"seed": 7}),
        ("other", {"seed": 8}, {}),
    ):
        (folder := tmp_path / name).mkdir()
        made = protect_plan(write_plan(folder, form(0.1, privacy, **release), PEOPLE))
        assert made.release.seeded == (name != "neither")
        found[name] = made.output.read_bytes()
    assert found["privacy"] == found["release"] == found["both"]
    assert len({found[name] for name in ("neither", "privacy", "other")}) == 3


@pytest.mark.slow
def test_the_error_is_told_at_the_level_of_privacy(tmp_path):
    """At a higher level the error that is not exceeded is larger."""
    errors = []
    for level in (0.5, 0.999):
        (folder := tmp_path / str(level)).mkdir()
        body = protect_plan(write_plan(folder, form(0.1, {"level": level}), PEOPLE)).release.body
        assert body.level == level
        errors.append(body.error)
    assert errors[0] < errors[1]


@pytest.mark.slow
def test_a_guarantee_with_a_delta_needs_a_budget_with_one(tmp_path):
    guarantees = [{"differential-privacy": {"epsilon": 1, "delta": 1e-6}}]
    plan = write_plan(tmp_path, form(1, guarantees=guarantees), PEOPLE)
    with pytest.raises(BudgetExceeded, match="the guarantee has delta 1e-06 and the budget has none") as refused:
        protect_plan(plan)
    assert "`privacy: {budget: {epsilon: 2, delta: 1e-06}}`" in str(refused.value)
    assert budget_plan(plan).spent["epsilon"] == 0
    (folder := tmp_path / "mended").mkdir()
    budget = {"budget": {"epsilon": 2, "delta": 1e-6}}
    assert protect_plan(write_plan(folder, form(1, budget, guarantees=guarantees), PEOPLE)).release.proven


# From Python.


def dataset() -> Any:
    import pandas as pd

    return tacit.read(pd.DataFrame(PEOPLE), COLUMNS, unit="row")


def test_three_lines_of_python(tmp_path):
    budget = tacit.PrivacyBudget(epsilon=2 * MUCH)
    made = tacit.protect(
        dataset(), [tacit.DifferentialPrivacy(epsilon=MUCH)], method="synthesize/independent", budget=budget
    )
    assert type(made.data).__module__.startswith("pandas")
    assert Counter(made.data["sex"]) == {"f": 150, "m": 150}
    assert budget.spent["epsilon"] == MUCH
    assert "300 invented rows" in repr(made)
    assert "iframe" in made._repr_html_()


@pytest.mark.parametrize("seed", [None, 7])
def test_a_table_says_in_python_that_it_came_from_a_seed(seed):
    options = {} if seed is None else {"seed": seed}
    budget = tacit.PrivacyBudget(epsilon=1)
    wanted = [tacit.DifferentialPrivacy(epsilon=1)]
    made = tacit.protect(dataset(), wanted, method="synthesize/independent", budget=budget, **options)
    assert made.seeded is (seed is not None)
    assert ("made from a seed, so it may not be published" in repr(made)) is made.seeded


@pytest.mark.slow
def test_from_python_into_a_file(tmp_path):
    budget = tacit.PrivacyBudget(epsilon=1, ledger=tmp_path / "own.ledger")
    made = tacit.protect(
        dataset(),
        [tacit.DifferentialPrivacy(epsilon=1)],
        method="synthesize/independent",
        budget=budget,
        output=tmp_path / "made.csv",
    )
    assert made.output == tmp_path / "made.csv"
    evidence = json.loads((tmp_path / "made.evidence.json").read_text())
    assert evidence["kind"] == "synthesis"
    assert [entry.kind for entry in budget.book.entries()] == ["opened", "charged", "answered"]


def test_from_python_without_a_budget(tmp_path):
    with pytest.raises(BadParameter, match="PrivacyBudget"):
        tacit.protect(dataset(), [tacit.DifferentialPrivacy(epsilon=1)], method="synthesize/independent")
    with pytest.raises(BadParameter, match="methods that give differential privacy; leave it out here"):
        tacit.protect(dataset(), [tacit.KAnonymity(k=2)], budget=tacit.PrivacyBudget(epsilon=1))
    with pytest.raises(BadParameter, match="same `unit`"):
        tacit.protect(
            tacit.read(dataset().source.frame, COLUMNS, unit="id"),
            [tacit.DifferentialPrivacy(epsilon=1)],
            method="synthesize/independent",
            budget=tacit.PrivacyBudget(epsilon=1),
        )


@pytest.mark.slow
def test_no_cell_of_a_frame_decides_whether_it_can_be_read():
    """A column of objects is read cell by cell, also where a dataset was made of the frame before."""
    import pandas as pd

    columns = {name: COLUMNS[name] for name in ("sex", "age")}
    for odd in (1, [1, 2], 10**30, "\ud800", b"\xff", None):
        frame = pd.DataFrame(
            {"sex": pd.Series(["f", "m", odd], dtype=object), "age": pd.Series([1, 2, odd], dtype=object)}
        )
        made = tacit.protect(
            tacit.read(frame, columns),
            [tacit.DifferentialPrivacy(epsilon=MUCH)],
            method="synthesize/independent",
            budget=tacit.PrivacyBudget(epsilon=MUCH),
        )
        assert len(made.data) == 3

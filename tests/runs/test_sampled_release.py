"""A release that is a sample, seen again: risk by weights and population, checks, attacks, comparisons, commands.

Covers runs/attack, runs/candidates, runs/run, attack/sample.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.cli.commands import run_here
from tests.runs.planned import attack_plan, compare_plan, form_of, protected, rows_in, write_data, write_plan

import tacit
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadParameter, PolicyRefused
from tacit.plan.load import load_plan
from tacit.release.attacks import AttackResult, Success
from tacit.runs.attack import AttackOutcome
from tacit.runs.candidates import ComparisonRequest
from tacit.runs.run import Outcome
from tacit.runs.tables.attack.sample import NOBODY_KNOWN, NOT_TOLD_APART, TREATED
from tacit.runs.tables.check import TableCheck, check_file

ROLES: dict[str, Any] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20], "from": 20, "to": 59}},
    "sex": {"role": "quasi-identifier"},
    "ill": {"role": "sensitive"},
    "w": {"role": "insensitive"},
}
K4 = {"k-anonymity": {"k": 4}}
CLOSE = {"t-closeness": {"t": 0.4, "distance": "equal", "column": "ill"}}


def survey(number: int = 500) -> list[dict[str, str]]:
    chosen = np.random.default_rng(2)
    return [
        {
            "name": f"name-{i}",
            "age": str(chosen.integers(20, 60)),
            "sex": str(chosen.choice(["f", "m"])),
            "ill": str(chosen.choice(["flu", "cold", "hiv"], p=[0.6, 0.3, 0.1])),
            "w": f"{chosen.uniform(1, 30):.3f}",
        }
        for i in range(number)
    ]


def planned(folder: Path, release: dict[str, Any], rows: list[dict[str, str]], **more: Any) -> Path:
    return write_plan(folder, form_of(ROLES, {"guarantees": [K4], "sample": {"share": 0.2}, **release}, **more), rows)


def checked(plan: Path, path: Path) -> TableCheck:
    with DuckDB(threads=2) as engine:
        return check_file(load_plan(plan), file_source(path), engine)


def attacked(plan: Path, *releases: Path) -> AttackOutcome:
    with DuckDB(threads=2) as engine:
        return attack_plan(load_plan(plan), engine, releases)


def result(board: AttackOutcome, name: str) -> AttackResult:
    (found,) = [one for one in board.results if one.attack == name]
    return found


def classes_in(outcome: Outcome) -> dict[tuple[str, str], Counter[str]]:
    """The secrets of each class of the release, suppressed rows left out."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in rows_in(outcome.output):
        if row["ill"] != "*":
            found.setdefault((row["age"], row["sex"]), Counter())[row["ill"]] += 1
    return found


@pytest.mark.slow
def test_design_weights_count_as_often_as_the_draw_is_rare(tmp_path: Path) -> None:
    """The oracle: the release itself with every weight times five, measured as a file of its own."""
    rows = survey()
    plan = planned(tmp_path, {}, rows, survey={"weight": "w"})
    outcome = protected(plan)
    shown = rows_in(outcome.output)
    frame = pa.table({name: [row[name] for row in shown] for name in ("age", "sex")})
    frame = frame.append_column("w", pa.array([5 * float(row["w"]) for row in shown]))
    roles = {"age": "quasi-identifier", "sex": "quasi-identifier", "w": "insensitive"}
    alone = tacit.measure(tacit.read(frame, roles, survey={"weight": "w"})).survey
    before, after = outcome.release.body.risk_before.survey, outcome.release.body.risk_after.survey
    assert before is not None
    assert after is not None
    assert alone is not None
    assert after.model_dump() == pytest.approx(alone.model_dump())
    assert before.population == pytest.approx(sum(float(row["w"]) for row in rows))
    again = checked(plan, outcome.output).risk.survey
    assert again is not None
    assert again.model_dump() == pytest.approx(after.model_dump())
    raw = checked(plan, tmp_path / "people.csv").risk.survey
    assert raw is not None
    assert raw.population == pytest.approx(before.population)
    assert (
        "The weights in 'w' are published unchanged, if at all; in the release, and in its risk as a survey, "
        "each counts 5 times" in " ".join(outcome.release.notes)
    )


@pytest.mark.slow
def test_households_without_weights_are_judged_by_the_drawn_rows(tmp_path: Path) -> None:
    plan = planned(tmp_path, {}, survey(), survey={"household": "name"})
    after = protected(plan).release.body.risk_after
    assert after.survey is not None
    assert after.survey.population is None
    assert after.survey.households == 100
    assert after.survey.highest == pytest.approx(after.prosecutor_highest)


@pytest.mark.slow
def test_the_population_stays_whole(tmp_path: Path) -> None:
    """Twice the survey is the population: a class of the sample hides in all of it that fit."""
    rows = survey()
    write_data(tmp_path / "population.csv", [{"age": row["age"], "sex": row["sex"]} for row in [*rows, *rows]])
    promises = [{"k-map": {"k": 15}}, {"delta-presence": {"maximum": 0.5}}]
    release = {"guarantees": promises, "suppression": 0.1}
    plan = planned(tmp_path, release, rows, population={"path": "population.csv"})
    outcome = protected(plan)
    people = {found: counted.total() for found, counted in classes_in(outcome).items()}
    inside = dict.fromkeys(people, 0)
    for row in rows:
        for label in inside:
            low, high = _interval(label[0])
            inside[label] += 2 * (low <= int(row["age"]) < high and label[1] in ("*", row["sex"]))
    smallest, densest = outcome.release.promises
    assert smallest.measured == min(inside.values())
    assert densest.measured == pytest.approx(max(people[one] / inside[one] for one in people))
    again = checked(plan, outcome.output)
    assert again.holds
    assert [one.measured for one in again.promises] == pytest.approx([smallest.measured, densest.measured])
    board = attacked(plan)
    linked = result(board, "linkage")
    assert linked.release is not None
    hits = sum(people[one] * min(1 / people[one], 1 / inside[one]) for one in people)
    assert linked.release.hits == pytest.approx(hits)
    uniques = result(board, "population-uniques")
    assert uniques.parameters["fraction"] == 0.5
    assert uniques.release is not None
    assert uniques.release.details["fraction"] == pytest.approx(0.1)


def _interval(label: str) -> tuple[int, int]:
    if label == "*":
        return 0, 100
    if label.isdigit():
        return int(label), int(label) + 1
    low, high = label.strip("[)").split(",")
    return int(low), int(high)


@pytest.mark.slow
@pytest.mark.parametrize("suppressed", ["star", "omit"])
def test_a_check_finds_what_the_evidence_says(tmp_path: Path, suppressed: str) -> None:
    release = {"guarantees": [K4, CLOSE], "suppression": 0.2, "suppressed": suppressed}
    plan = planned(tmp_path, release, survey())
    outcome = protected(plan)
    found = checked(plan, outcome.output)
    assert found.holds
    assert [one.measured for one in found.promises] == [one.measured for one in outcome.release.promises]
    assert found.risk.people == outcome.release.body.risk_after.people
    whole = checked(plan, tmp_path / "people.csv")
    assert whole.risk.people == 500
    assert not whole.holds


@pytest.mark.slow
def test_a_check_knows_how_many_rows_were_to_be_drawn(tmp_path: Path) -> None:
    """100 of 500 rows are drawn and none may be suppressed, so a file with 60 of them has lost 40."""
    plan = planned(tmp_path, {"suppressed": "omit"}, survey())
    outcome = protected(plan)
    assert checked(plan, outcome.output).holds
    ages = Counter(row["age"] for row in rows_in(outcome.output))
    (rare, gone) = min(ages.items(), key=lambda entry: entry[1])
    write_data(tmp_path / "fewer.csv", [row for row in rows_in(outcome.output) if row["age"] != rare])
    found = checked(plan, tmp_path / "fewer.csv")
    assert [one.says for one in found.remarks if one.fails] == [
        f"{gone} of 100 rows are suppressed or left out, {gone} %; the plan allows 0 %"
    ]


@pytest.mark.slow
def test_a_check_of_concealment_needs_classes(tmp_path: Path) -> None:
    """Classes of k people conceal everybody; below that, the rows that may be a person's can't be counted again."""
    plan = planned(tmp_path, {"guarantees": [{"k-concealment": {"k": 4}}]}, survey())
    outcome = protected(plan)
    assert checked(plan, outcome.output).holds
    shown = rows_in(outcome.output)
    write_data(tmp_path / "fewer.csv", [*shown[:-1], {**shown[-1], "age": "59"}])
    with pytest.raises(BadParameter, match="no file records whose they are"):
        checked(plan, tmp_path / "fewer.csv")


@pytest.mark.slow
def test_the_adversary_knows_who_was_drawn(tmp_path: Path) -> None:
    """Rates on the release are those of its own classes, those on the raw file of the whole file."""
    plan = planned(tmp_path, {"suppression": 0.1}, survey())
    outcome = protected(plan)
    board = attacked(plan)
    classes = classes_in(outcome)
    people = sum(found.total() for found in classes.values())
    expected = {
        "linkage": (len(classes), people),
        "homogeneity": (sum(found.total() for found in classes.values() if len(found) == 1), people),
        "inference": (sum(max(found.values()) for found in classes.values()), people),
    }
    for name, (hits, targets) in expected.items():
        release = result(board, name).release
        assert release is not None
        assert (release.hits, release.targets) == (pytest.approx(hits), targets)
    linked = result(board, "linkage")
    assert linked.raw is not None
    assert linked.raw.targets == 500
    assert linked.bound == 0.25
    assert result(board, "singling-out").release is None
    assert result(board, "singling-out").raw is not None
    assert board.skipped["singling-out on the release"] == NOBODY_KNOWN
    assert board.skipped["minimality (ill)"] == NOBODY_KNOWN
    assert board.skipped["intersection (ill)"] == NOBODY_KNOWN
    assert board.report is not None
    assert "the adversary knows who was drawn" in board.report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_evidence_knows_better_than_the_plan_whether_a_release_is_a_sample(tmp_path: Path) -> None:
    sampled = planned(tmp_path, {}, survey())
    outcome = protected(sampled)
    plain = write_plan(tmp_path, form_of(ROLES, {"guarantees": [K4]}), survey())
    with pytest.raises(PolicyRefused, match="made by another plan"):
        attacked(plain, outcome.output)
    # In Python a dataset has no plan: the evidence beside the file says whether it is a sample.
    assert _targets(tacit.attack(load_plan(plain).dataset, outcome.output)) == 100
    whole = protected(plain, tmp_path / "whole.csv")
    assert _targets(tacit.attack(load_plan(plain).dataset, whole.output)) == 500
    planned(tmp_path, {}, survey())
    for path in (outcome.evidence, whole.evidence):
        path.unlink()
    assert _targets(attacked(sampled, outcome.output)) == 100


def _targets(board: AttackOutcome) -> int:
    found: Success | None = result(board, "linkage").release
    assert found is not None
    return found.targets


@pytest.mark.slow
def test_in_python_what_protect_returned_is_attacked_as_a_sample() -> None:
    rows = survey()
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    people = tacit.read(frame, ROLES)
    made = tacit.protect(people, [tacit.KAnonymity(k=4)], sample={"size": 120})
    assert _targets(tacit.attack(people, made)) == 120


@pytest.mark.slow
def test_people_with_several_rows_are_not_attacked_in_a_sample(tmp_path: Path) -> None:
    rows = [*survey(), *survey(200)]
    plan = planned(tmp_path, {}, rows, unit="name")
    protected(plan)
    board = attacked(plan)
    assert all(one.release is None for one in board.results)
    assert result(board, "linkage").raw is not None
    assert board.skipped["all attacks on the release"] == NOT_TOLD_APART


@pytest.mark.slow
def test_treated_secrets_of_a_sample_are_not_attacked(tmp_path: Path) -> None:
    pram = {"categories": ["flu", "cold", "hiv"], "epsilon": 1}
    plan = planned(
        tmp_path, {"treatments": [{"method": "columns/pram", "columns": ["ill"], "parameters": pram}]}, survey()
    )
    protected(plan)
    board = attacked(plan)
    assert board.skipped["inference (ill) on the release"] == TREATED
    assert result(board, "inference").release is None
    assert result(board, "linkage").release is not None


@pytest.mark.slow
def test_candidates_are_compared_on_one_sample(tmp_path: Path) -> None:
    plan = planned(tmp_path, {"suppression": 0.2}, survey(), survey={"weight": "w"})
    with DuckDB(threads=2) as engine:
        found = compare_plan(
            load_plan(plan), engine, ComparisonRequest(methods=("lattice", "mondrian"), risk="individual")
        ).comparison
    assert found.input.rows == 500
    assert found.before.people == 500
    for row in found.made:
        assert row.risk is not None
        assert row.suppressed_rows is not None
        assert row.risk.people == 100 - row.suppressed_rows
        assert row.suppressed_share == row.suppressed_rows / 100
        assert row.risk.survey is not None
    text = " ".join(found.notes)
    assert "a sample of 100 of 500 rows was drawn" in text
    assert "One sample was drawn for all candidates" in text


@pytest.mark.slow
def test_a_seed_makes_comparison_and_release_alike(tmp_path: Path) -> None:
    plan = planned(tmp_path, {"seed": 4}, survey(), survey={"weight": "w"})
    release = protected(plan).release
    with DuckDB(threads=2) as engine:
        found = compare_plan(load_plan(plan), engine, ComparisonRequest(methods=("lattice",))).comparison
    (row,) = found.made
    assert row.metrics["loss"] == pytest.approx(release.body.metrics["loss"])
    assert row.risk is not None
    assert row.risk.survey == release.body.risk_after.survey
    assert "One sample" not in " ".join(found.notes)


def test_a_republication_is_not_drawn(tmp_path: Path) -> None:
    roles = {name: role for name, role in ROLES.items() if name != "w"}
    release = {
        "guarantees": [{"m-invariance": {"m": 2}}],
        "method": "tables/republish",
        "parameters": {"history": "h"},
        "sample": {"share": 0.5},
    }
    rows = [{name: cell for name, cell in row.items() if name != "w"} for row in survey(50)]
    plan = write_plan(tmp_path, form_of(roles, release, unit="name"), rows)
    with pytest.raises(BadParameter, match="republication follows everybody"):
        protected(plan)
    assert not (tmp_path / "h").exists()


@pytest.mark.slow
def test_by_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = planned(tmp_path, {"sample": {"size": 150}, "output": "r.csv"}, survey())
    ended = run_here(capsys, "protect", plan)
    assert ended.code == 0
    assert "150 of 500 rows drawn at random" in ended.out
    ended = run_here(capsys, "protect", plan, "--json")
    told = json.loads(ended.out)
    assert told["drawn"]["rows"] == 150
    assert told["drawn"]["weight"] == pytest.approx(10 / 3)
    assert len(rows_in(tmp_path / "r.csv")) == 150
    assert run_here(capsys, "check", tmp_path / "r.csv", "--plan", plan).code == 0
    ended = run_here(capsys, "attack", plan)
    assert ended.code == 0
    assert f"not run: singling-out on the release: {NOBODY_KNOWN}" in ended.out
    ended = run_here(capsys, "compare", plan, "--methods", "lattice")
    assert ended.code == 0
    assert "a sample of 150 of 500 rows was drawn" in ended.out
    planned(tmp_path, {"sample": {"size": 501}, "output": "r.csv"}, survey())
    ended = run_here(capsys, "protect", plan)
    assert ended.code == 3
    assert "a sample of 501 rows is asked for, but there are only 500" in ended.err


@pytest.mark.slow
def test_a_freeform_release_conceals_the_people_who_were_drawn(tmp_path: Path) -> None:
    release = {"guarantees": [{"k-concealment": {"k": 4}}], "method": "tables/freeform"}
    outcome = protected(planned(tmp_path, release, survey()))
    assert outcome.release.promises[0].measured >= 4
    assert outcome.release.body.risk_after.people == 100

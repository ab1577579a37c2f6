"""Sampling weights and households: what evidence and check say is what a plain count over the rows says.

Covers individual_risk, steps/survey.
"""

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from tests.runs.planned import form_of, protected, write_plan

import tacit
from tacit.cli.check import check
from tacit.errors import BadData, BadParameter
from tacit.evidence.tables.report import render_report
from tacit.metrics.tables.individual_risk import individual_risk
from tacit.release.tables import SurveyRisk

ROLES: dict[str, Any] = {
    "home": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}},
    "sex": {"role": "quasi-identifier"},
    "ill": {"role": "sensitive"},
    "w": {"role": "insensitive"},
}
SURVEY = {"weight": "w", "household": "home"}


def survey(rows: int = 60) -> list[dict[str, str]]:
    generator = np.random.default_rng(1)
    return [
        {
            "home": str(generator.choice(["", *range(25)])),
            "age": str(generator.integers(20, 34)),
            "sex": str(generator.choice(["f", "m"])),
            "ill": str(generator.choice(["flu", "cold"])),
            "w": f"{generator.uniform(0.5, 40):.3f}",
        }
        for _ in range(rows)
    ]


def counted(rows: list[dict[str, str]], shown: list[dict[str, str]], weighted: bool = True) -> dict[str, float]:
    """The figures, row by row: class by what is shown, everything else from the survey."""
    classes = defaultdict(list)
    for row, cells in zip(rows, shown, strict=True):
        if cells["ill"] != "*":
            classes[cells["age"], cells["sex"]].append(row)
    risks: dict[int, float] = {}
    for members in classes.values():
        weight = max(sum(float(row["w"]) for row in members) if weighted else 0.0, len(members))
        for row in members:
            risks[id(row)] = float(individual_risk(np.array([len(members)]), np.array([weight]))[0])
    homes = defaultdict(list)
    for row in rows:
        if id(row) in risks:
            homes[row["home"] or id(row)].append(risks[id(row)])
    safe = [float(np.prod([1 - risk for risk in members])) for members in homes.values()]
    return {
        "highest": max(risks.values()),
        "expected": sum(risks.values()),
        "average": sum(risks.values()) / len(risks),
        "above": sum(risk > 0.2 for risk in risks.values()) / len(risks),
        "households": len(homes),
        "household_highest": 1 - min(safe),
        "households_expected": sum(1 - one for one in safe),
        "household_average": sum(1 - one for one in safe) / len(safe),
    }


def same(found: SurveyRisk | None, expected: dict[str, float]) -> bool:
    assert found is not None
    return {name: getattr(found, name) for name in expected} == pytest.approx(expected)


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tables/lattice", "tables/mondrian", "tables/suppress"])
def test_evidence_check_and_count_agree(tmp_path: Path, method: str) -> None:
    rows = survey()
    release = {"guarantees": [{"k-anonymity": {"k": 4}}], "method": method, "suppression": 0.1}
    plan = write_plan(tmp_path, form_of(ROLES, release, survey=SURVEY), rows)
    made = protected(plan)
    shown = read_rows(made.output)
    assert same(made.release.body.risk_before.survey, counted(rows, rows))
    assert same(made.release.body.risk_after.survey, counted(rows, shown))
    assert made.release.body.risk_before.survey is not None
    assert made.release.body.risk_before.survey.population == pytest.approx(sum(float(row["w"]) for row in rows))
    found = CliRunner().invoke(check, [str(made.output), "--plan", str(plan), "--json"])
    told = json.loads(found.stdout)["risk"]["survey"]
    assert told["expected"] == pytest.approx(counted(rows, shown)["expected"])
    assert told["households"] is None  # The release has no column of households.
    said = CliRunner().invoke(check, [str(tmp_path / "people.csv"), "--plan", str(plan)])
    assert "as a survey: highest individual risk" in said.stdout
    assert "households" in said.stdout
    assert "households re-identified" in render_report(made.release)


@pytest.mark.slow
def test_without_weights_households_are_judged_by_class_sizes(tmp_path: Path) -> None:
    rows = survey()
    plan = write_plan(tmp_path, form_of(ROLES, {}, survey={"household": "home"}), rows)
    made = protected(plan)
    assert same(made.release.body.risk_before.survey, counted(rows, rows, weighted=False))
    assert made.release.body.risk_before.survey is not None
    assert made.release.body.risk_before.survey.population is None
    assert made.release.body.risk_before.survey.highest == made.release.body.risk_before.prosecutor_highest


@pytest.mark.slow
def test_in_python() -> None:
    rows = survey()
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    people = tacit.read(frame, ROLES, survey=SURVEY)
    assert same(tacit.measure(people).survey, counted(rows, rows))
    assert same(tacit.check(people, [tacit.KAnonymity(k=2)]).risk.survey, counted(rows, rows))
    made = tacit.protect(people, [tacit.KAnonymity(k=4)])
    assert same(made.release.body.risk_after.survey, counted(rows, made.data.to_pylist()))
    assert tacit.measure(tacit.read(frame, ROLES)).survey is None


@pytest.mark.slow
def test_several_rows_of_a_person_count_once_in_a_class(tmp_path: Path) -> None:
    """Twice the same file with people named: the figures of one, with everybody's lesser weight."""
    rows = [{**row, "name": f"n{i}"} for i, row in enumerate(survey(40))]
    again = [{**row, "w": str(float(row["w"]) + 1)} for row in rows]
    roles = {"name": {"role": "identifier"}, **ROLES}
    release = {"guarantees": [{"k-anonymity": {"k": 3}}], "method": "tables/lattice"}
    plan = write_plan(tmp_path, form_of(roles, release, survey=SURVEY, unit="name"), [*again, *rows])
    made = protected(plan)
    shown = read_rows(made.output)
    assert same(made.release.body.risk_before.survey, counted(rows, rows))
    assert same(made.release.body.risk_after.survey, counted(rows, shown[40:]))


def counted_by_person(rows: list[dict[str, str]]) -> dict[str, float]:
    """The figures where a person may be in several classes: once in each, and once in all with the highest risk."""
    least: dict[tuple[str, str, str], float] = {}
    for row in rows:
        key = row["age"], row["sex"], row["name"]
        least[key] = min(least.get(key, float("inf")), float(row["w"]))
    risks: dict[str, float] = {}
    at_home: dict[tuple[str, str], float] = {}
    for row in rows:
        weights = [weight for key, weight in least.items() if key[:2] == (row["age"], row["sex"])]
        stands_for = np.array([max(sum(weights), len(weights))])
        risk = float(individual_risk(np.array([len(weights)]), stands_for)[0])
        risks[row["name"]] = max(risks.get(row["name"], 0.0), risk)
        home = row["home"], row["name"]
        at_home[home] = max(at_home.get(home, 0.0), risk)
    homes = defaultdict(list)
    for (home, name), risk in at_home.items():
        homes[home or name].append(risk)
    return {
        "population": sum(min(float(row["w"]) for row in rows if row["name"] == name) for name in risks),
        "highest": max(risks.values()),
        "expected": sum(risks.values()),
        "average": sum(risks.values()) / len(risks),
        "above": sum(risk > 0.2 for risk in risks.values()) / len(risks),
        "households": len(homes),
        "households_expected": sum(1 - float(np.prod([1 - risk for risk in some])) for some in homes.values()),
    }


def test_who_is_in_several_classes_is_re_identified_once() -> None:
    drawn = survey(60)
    rows = [{**row, "name": f"n{i % 23}", "home": drawn[i % 23]["home"]} for i, row in enumerate(drawn)]
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    people = tacit.read(frame, {"name": {"role": "identifier"}, **ROLES}, survey=SURVEY, unit="name")
    assert same(tacit.measure(people).survey, counted_by_person(rows))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"weight": "nobody"}, "weight is 'nobody', which is not a column"),
        ({"weight": "age"}, "is a quasi-identifier"),
        ({"household": "ill"}, "must be an identifier"),
        ({"strata": "w"}, "strata"),
    ],
)
def test_what_makes_no_sense_is_refused(columns: dict[str, str], reason: str) -> None:
    rows = survey(5)
    frame = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    with pytest.raises(BadParameter, match=reason):
        tacit.measure(tacit.read(frame, ROLES, survey=columns))


@pytest.mark.parametrize(("cell", "reason"), [("", "not a number"), ("many", "not a number"), ("0", "not above 0")])
def test_weights_that_are_none_are_refused_without_a_cell(cell: str, reason: str) -> None:
    rows = survey(5)
    frame = pa.table({name: [row[name] for row in rows[1:]] + [cell if name == "w" else "1"] for name in rows[0]})
    with pytest.raises(BadData, match=reason) as error:
        tacit.measure(tacit.read(frame, ROLES, survey={"weight": "w"}))
    assert "many" not in str(error.value)

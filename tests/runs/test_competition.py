"""The choice among methods: the least of what each reaches alone, told in evidence, report, lines and JSON.

Covers runs/tables/competition, cards/competition, evidence/tables/choice, cards/timed.
"""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.methods.tables.recoded import GUARANTEES
from tests.runs.planned import compare_plan, form_of, protected, write_plan

import tacit
from tacit.cards.tables import TableMethod
from tacit.catalogue import methods
from tacit.engines.duckdb import DuckDB
from tacit.errors import CannotGuarantee
from tacit.evidence.comparison.comparison import ComparisonReport
from tacit.evidence.tables.report import render_report
from tacit.evidence.tables.summary import summary_lines
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.plan.load import load_plan
from tacit.release.tables import TableRelease
from tacit.runs.candidates import ComparisonRequest
from tacit.runs.tables.competition import competing
from tacit.verbs.plans import check_plan

COMPETING = ("tables/lattice", "tables/mondrian", "tables/local")


def people(seed: int, rows: int = 60) -> list[dict[str, Any]]:
    generator = np.random.default_rng(seed)
    return [
        {
            "name": f"name-{i}",
            "zip": str(1000 + int(generator.integers(0, 40))),
            "age": str(20 + int(generator.integers(0, 60))),
            "ill": str(generator.choice(["flu", "cold", "hiv"])),
            "n": str(i),
        }
        for i in range(rows)
    ]


def made(folder: Path, seed: int = 0, **release: Any) -> TableRelease:
    found: TableRelease = protected(write_plan(folder, form_of(release=release), people(seed))).release
    return found


def compared(plan: Path) -> ComparisonReport:
    with DuckDB(threads=1) as engine:
        return compare_plan(load_plan(plan), engine, ComparisonRequest.parse("test", {})).comparison


def test_who_competes_is_said_by_cards() -> None:
    promised = (parse_table_guarantee({"k-anonymity": {"k": 3}}),)
    turns = {name: card.turn for name in methods() if isinstance(card := methods()[name], TableMethod)}
    assert tuple(competing(promised)) == COMPETING
    assert set(COMPETING) == {name for name, turn in turns.items() if turn is not None}
    presence = (parse_table_guarantee({"k-concealment": {"k": 3}}),)
    assert "tables/local" in competing(promised)
    assert all(card.guarantees == "any" for name, card in competing(presence).items() if name != "tables/local")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_winner_is_the_least_of_what_each_reaches_alone(tmp_path: Path, seed: int) -> None:
    alone = {name: made(tmp_path, seed, method=name, suppression=0.1).body for name in COMPETING}
    best = made(tmp_path, seed, method="auto", suppression=0.1)
    competition = best.body.competition
    assert competition is not None
    for entrant in competition.entrants:
        body = alone[entrant.method]
        assert entrant.loss == pytest.approx(body.metrics["loss"], abs=1e-12)
        assert entrant.average_risk == pytest.approx(body.risk_after.prosecutor_average, abs=1e-12)
        assert entrant.highest_risk == pytest.approx(body.risk_after.prosecutor_highest, abs=1e-12)
        assert (entrant.suppressed_rows, entrant.classes) == (body.suppressed.rows, body.classes)
        assert entrant.optimal == body.search.optimal
    losses = {name: body.metrics["loss"] for name, body in alone.items()}
    assert best.body.metrics["loss"] == pytest.approx(min(losses.values()), abs=1e-12)
    assert losses[competition.winner.method] == min(losses.values())
    assert best.holds
    assert best.recipe.method == "auto"


@pytest.mark.slow
@pytest.mark.parametrize("name", GUARANTEES)
def test_every_guarantee_is_kept(name: str) -> None:
    rows = people(5, 40)
    columns = {key: [row[key] for row in rows] for key in ("zip", "age", "ill")}
    import pyarrow as pa

    roles = {"zip": "quasi-identifier", "age": "quasi-identifier", "ill": "sensitive"}
    promised = [parse_table_guarantee(entry) for entry in _entries(name)]
    try:
        release = tacit.protect(tacit.read(pa.table(columns), roles), promised, suppression=0.3).release
    except CannotGuarantee:
        return
    assert release.holds
    assert release.body.competition is not None
    assert sum(one.won for one in release.body.competition.entrants) == 1


def _entries(name: str) -> list[dict[str, Any]]:
    own = [deepcopy(one) if isinstance(one, dict) else {one.name: one.model_dump()} for one in GUARANTEES[name]]
    for entry in own:
        for given in entry.values():
            if given.get("column") is not None:
                given["column"] = "ill"
    return own


def test_another_objective_is_left_to_those_that_know_it(tmp_path: Path) -> None:
    competition = made(tmp_path, method="auto", objective="discernibility").body.competition
    assert competition is not None
    fates = {one.method: one for one in competition.entrants}
    assert "one objective, loss" in (fates["tables/local"].failed or "")
    able = {name: one.cost for name, one in fates.items() if one.failed is None}
    assert competition.winner.cost == min(cost for cost in able.values() if cost is not None)


def test_who_raises_is_told_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.methods.tables import mondrian

    def breaks(*_: object) -> None:
        raise ZeroDivisionError("SECRET cell")

    monkeypatch.setattr(mondrian, "METHOD", replace(mondrian.METHOD, run=breaks))
    release = made(tmp_path, method="auto")
    competition = release.body.competition
    assert competition is not None
    fates = {one.method: one.failed for one in competition.entrants}
    assert fates["tables/mondrian"] == "it ended with ZeroDivisionError, which is a defect of the method"
    assert fates["tables/lattice"] is None
    assert "SECRET" not in release.model_dump_json()


def test_a_release_that_breaks_its_promise_does_not_compete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.guarantees.k_anonymity import KAnonymity
    from tacit.methods.tables import mondrian

    def cheats(table: Any, request: Any, params: Any) -> Any:
        return mondrian.partition(table, replace(request, guarantees=(KAnonymity(k=2),)), params)

    monkeypatch.setattr(mondrian, "METHOD", replace(mondrian.METHOD, run=cheats))
    competition = made(tmp_path, method="auto", guarantees=[{"k-anonymity": {"k": 6}}]).body.competition
    assert competition is not None
    fates = {one.method: one for one in competition.entrants}
    assert "does not keep its promise" in (fates["tables/mondrian"].failed or "")
    assert not fates["tables/mondrian"].won


def test_nobody_can_and_the_reason_is_that_of_the_lattice(tmp_path: Path) -> None:
    with pytest.raises(CannotGuarantee, match="no generalisation keeps all guarantees"):
        made(tmp_path, method="auto", guarantees=[{"k-anonymity": {"k": 600}}])


def test_the_choice_is_told_in_evidence_report_lines_and_json(tmp_path: Path) -> None:
    outcome = protected(write_plan(tmp_path, form_of(release={"method": "auto"}), people(1)))
    release = outcome.release
    kept = json.loads((tmp_path / "people.release.evidence.json").read_text())
    assert [one["method"] for one in kept["body"]["competition"]["entrants"]] == list(COMPETING)
    assert TableRelease.model_validate(kept) == release
    page, lines = render_report(release), "\n".join(summary_lines(release))
    for text in (page, lines):
        assert all(name in text for name in COMPETING)
        assert "chosen" in text
    assert "How the method was chosen" in page
    assert release.body.competition.winner.is_uniform or "write `method: tables/lattice` into the plan" in lines
    assert max(map(len, lines.splitlines())) <= 80
    assert check_plan(tmp_path / "plan.yaml", tmp_path / "people.release.csv").holds


@pytest.mark.slow
def test_what_the_clock_decided_is_told(tmp_path: Path) -> None:
    hurried = made(tmp_path, 1, method="auto", parameters={"seconds": 1e-6})
    competition = hurried.body.competition
    assert competition is not None
    fates = {one.method: one for one in competition.entrants}
    assert fates["tables/lattice"].cut_off
    assert not fates["tables/local"].tried
    assert competition.is_timed
    lines = " ".join(" ".join(summary_lines(hurried)).split())
    page = " ".join(render_report(hurried).split())
    for text in (page, lines):
        assert "tables/local was not tried and tables/lattice was stopped early" in text
        assert "To repeat a release, name its method" in text
    assert " no release " not in lines
    assert "not tried" in lines
    assert "not tried: it would take about" in page
    if not fates["tables/lattice"].won:
        assert "Its search was stopped early here" in lines


def test_without_hurry_the_clock_decides_nothing(tmp_path: Path) -> None:
    release = made(tmp_path, 1, method="auto")
    assert release.body.competition is not None
    assert not release.body.competition.is_timed
    assert "time limit" not in " ".join(summary_lines(release))


@pytest.mark.slow
def test_a_comparison_marks_what_would_be_chosen(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, form_of(release={"method": "auto", "suppression": 0.1}), people(2))
    found = compared(plan)
    rows = {row.method: row for row in found.rows}
    assert set(COMPETING) <= set(rows)
    assert "auto" not in rows
    (chosen,) = [row for row in found.rows if row.is_chosen]
    assert chosen.metrics["loss"] == min(rows[name].metrics["loss"] for name in COMPETING)
    assert f"auto, the plan's method, would choose {chosen.name}." in found.notes
    competition = protected(plan).release.body.competition
    assert competition.winner.method == chosen.method

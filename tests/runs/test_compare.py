"""Comparing candidates: figures are those of a release, refusals are outcomes, nothing is written.

Covers trial, compare/compare, comparison/shown.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.runs.planned import (
    PEOPLE,
    RELEASE,
    ROLES,
    compare_plan,
    form_of,
    names_in,
    protected,
    write_data,
    write_plan,
)

import tacit
from tacit.cards.metric import Metric
from tacit.data.tables.recoding import Recoding
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, MissingExtra
from tacit.evidence.comparison.comparison import ComparisonReport, TriedCandidate
from tacit.params import Params
from tacit.plan.load import load_plan
from tacit.plan.schema import ReleaseSection
from tacit.release.release import Release
from tacit.request import TableDecision
from tacit.runs.candidates import ComparisonRequest, candidates_of

DRAWN = np.random.default_rng(7)
CROWD = [
    {
        "name": f"name-{i}",
        "zip": f"{1000 + DRAWN.integers(40)}",
        "age": str(20 + DRAWN.integers(30)),
        "ill": str(DRAWN.choice(["flu", "cold", "hiv", "gout"])),
        "n": str(DRAWN.integers(100)),
    }
    for i in range(240)
]
SECRETS: dict[str, Any] = {
    "guarantees": [{"k-anonymity": {"k": 4}}, {"l-diversity": {"l": 2, "kind": "distinct"}}],
    "suppression": 0.05,
}


def compared(plan: Path, **wanted: Any) -> ComparisonReport:
    with DuckDB(threads=1) as engine:
        return compare_plan(load_plan(plan), engine, ComparisonRequest.parse("test", wanted)).comparison


STANDARD = {
    *("loss", "precision", "distortion", "non-uniform-entropy", "discernibility", "average-class-size"),
    "query-error",
}


def planned(folder: Path, release: Mapping[str, Any] = SECRETS, **more: Any) -> Path:
    return write_plan(folder, form_of(release=release, **more), CROWD)


def require_same(row: TriedCandidate, release: Release) -> None:
    """The figures of the candidate are those of the release that was written and read back."""
    assert row.failed is None
    assert [one.measured for one in row.guarantees] == [one.measured for one in release.promises]
    assert all(one.holds for one in row.guarantees)
    assert row.risk is not None
    risk = row.risk.model_dump(exclude={"sizes", "singling_out", "survey", "known_values"})
    assert row.risk.survey == release.body.risk_after.survey
    assert risk == {name: pytest.approx(getattr(release.body.risk_after, name), rel=1e-12) for name in risk}
    assert row.risk.sizes == release.body.risk_after.sizes
    assert row.metrics == {name: pytest.approx(release.body.metrics[name], rel=1e-12) for name in row.metrics}
    assert set(row.metrics) >= STANDARD
    assert (row.classes, row.suppressed_rows) == (release.body.classes, release.body.suppressed.rows)
    assert row.suppressed_share == release.body.suppressed.share
    assert row.optimal == release.body.search.optimal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "release"),
    [
        ("tables/lattice", SECRETS),
        ("tables/specialize", SECRETS),
        ("tables/cluster", SECRETS),
        ("tables/mondrian", SECRETS),
        ("tables/mondrian", {**SECRETS, "guarantees": [{"t-closeness": {"t": 0.4}}], "parameters": {"labels": "sets"}}),
        ("tables/mondrian", {"guarantees": [{"k-anonymity": {"k": 3}}], "parameters": {"mode": "relaxed"}}),
        ("tables/lattice", {**SECRETS, "suppressed": "omit", "guard_formulas": True, "risk_threshold": 0.1}),
    ],
)
def test_the_figures_are_those_of_the_release(tmp_path: Path, method: str, release: dict[str, Any]) -> None:
    plan = planned(tmp_path, {**release, "method": method})
    (row,) = compared(plan, methods=[method]).rows
    assert row.changes == {}
    require_same(row, protected(plan).release)


@pytest.mark.slow
def test_the_figures_are_those_of_the_release_where_people_have_several_rows(tmp_path: Path) -> None:
    rows = [{**row, "name": f"name-{i % 90}"} for i, row in enumerate(CROWD)]
    plan = write_plan(tmp_path, form_of(release=SECRETS, unit="name"), rows)
    found = compared(plan, methods=["lattice", "mondrian"])
    assert len(found.made) == 2
    for row in found.made:
        changed = form_of(release={**SECRETS, **row.changes}, unit="name")
        require_same(row, protected(write_plan(tmp_path, changed, rows)).release)


@pytest.mark.slow
@pytest.mark.parametrize(
    "promise", [{"k-map": {"k": 6}}, {"delta-presence": {"minimum": 0.0, "maximum": 0.8}}], ids=["k-map", "presence"]
)
def test_the_figures_are_those_of_the_release_beside_a_population(tmp_path: Path, promise: dict[str, Any]) -> None:
    more = [{**row, "zip": f"{1000 + i % 40}"} for i, row in enumerate(CROWD)]
    write_data(tmp_path / "everybody.csv", [*CROWD, *more])
    release = {"guarantees": [promise], "suppression": 0.5}
    form = form_of(release=release, population={"path": "everybody.csv"})
    plan = write_plan(tmp_path, form, CROWD)
    found = compared(plan, methods=["lattice", "mondrian"], risk=["journalist", "average"])
    assert len(found.made) == 2
    for row in found.made:
        changed = {**form, "release": {**form["release"], **row.changes}}
        require_same(row, protected(write_plan(tmp_path, changed, CROWD)).release)


@pytest.mark.slow
def test_the_figures_are_those_of_the_release_of_a_survey(tmp_path: Path) -> None:
    rows = [{**row, "n": str(1 + i % 9), "name": f"home-{i // 3}"} for i, row in enumerate(CROWD)]
    form = form_of(release=SECRETS, survey={"weight": "n", "household": "name"})
    plan = write_plan(tmp_path, form, rows)
    found = compared(plan, methods=["lattice"], risk=["individual", "individual-average", "household"])
    require_same(found.rows[0], protected(plan).release)
    assert found.rows[0].undominated
    with pytest.raises(BadParameter, match=r"household can't be measured here: .* the plan names no survey"):
        compared(planned(tmp_path), methods=["lattice"], risk=["household"])


@pytest.mark.slow
def test_the_figures_are_those_of_the_release_where_a_column_is_treated(tmp_path: Path) -> None:
    treatments = [
        {
            "method": "columns/pram",
            "columns": ["ill"],
            "parameters": {"categories": ["flu", "cold", "hiv", "gout"], "epsilon": 1.0},
        },
        {"method": "columns/noise", "columns": ["n"], "parameters": {"share": 0.2}},
    ]
    plan = planned(tmp_path, {**SECRETS, "treatments": treatments, "seed": 5})
    found = compared(plan, methods=["lattice"])
    require_same(found.rows[0], protected(plan).release)
    assert any("once for all candidates" in note for note in found.notes)


def split_in_two(answer: TableDecision) -> TableDecision:
    """The same release, told as two portions of each combination that has several rows."""
    one = answer.recoding
    first = one.rows // 2
    again = np.flatnonzero(first > 0)
    recoding = Recoding(
        one.columns,
        one.labels,
        one.leaves,
        np.concatenate([one.codes, one.codes[:, again]], axis=1),
        np.concatenate([one.combination, one.combination[again]]),
        np.concatenate([one.rows - first, first[again]]),
        np.concatenate([one.suppressed, one.suppressed[again]]),
    )
    return replace(answer, recoding=recoding)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [None, "name"])
def test_a_release_that_hides_who_went_where_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str | None
) -> None:
    from tacit.runs.tables.step import Task

    decide = Task.decide
    rows = [{**row, "name": f"name-{i % 90}", "zip": "1000", "age": str(30 + i % 9)} for i, row in enumerate(CROWD)]
    plan = write_plan(tmp_path, form_of(release=SECRETS, unit=unit), rows)
    monkeypatch.setattr(Task, "decide", lambda *given: split_in_two(decide(*given)))
    require_same(compared(plan, methods=["lattice"]).rows[0], protected(plan).release)


@pytest.mark.slow
def test_the_data_are_counted_once_and_no_release_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(tmp_path)
    tally, counted = DuckDB.tally, list[tuple[str, ...]]()
    monkeypatch.setattr(
        DuckDB, "tally", lambda self, source, columns: counted.append(columns) or tally(self, source, columns)
    )
    monkeypatch.delattr(DuckDB, "write")
    monkeypatch.delattr(DuckDB, "frame")
    found = compared(plan, methods=["lattice", "mondrian"], settings={"k-anonymity.k": [2, 4]})
    assert len(found.made) == 4
    assert len(counted) == 1
    assert names_in(tmp_path) == ["people.compare.html", "people.csv", "plan.yaml"]


@pytest.mark.slow
def test_every_combination_is_tried_and_named(tmp_path: Path) -> None:
    settings = {"k-anonymity.k": [2, 4, 2], "suppression": 0.1, "mondrian.labels": ["nodes", "sets"]}
    found = compared(planned(tmp_path), methods=["lattice", "tables/mondrian", "lattice"], settings=settings)
    assert [row.name for row in found.rows] == [
        "tables/lattice k=2 suppression=0.1",
        "tables/lattice k=4 suppression=0.1",
        "tables/mondrian k=2 suppression=0.1 labels=nodes",
        "tables/mondrian k=2 suppression=0.1 labels=sets",
        "tables/mondrian k=4 suppression=0.1 labels=nodes",
        "tables/mondrian k=4 suppression=0.1 labels=sets",
    ]
    assert [row.keeps_plan for row in found.rows[:2]] == [row.guarantees[0].measured >= 4 for row in found.rows[:2]]
    best = found.best()
    assert best is not None
    assert best.keeps_plan
    assert best.undominated
    kept = [row for row in found.rows if row.undominated and row.keeps_plan]
    assert best.metrics["loss"] == min(row.metrics["loss"] for row in kept)


@pytest.mark.slow
def test_what_a_candidate_changes_makes_it(tmp_path: Path) -> None:
    plan = planned(tmp_path, {**SECRETS, "method": "tables/mondrian", "parameters": {"labels": "sets"}})
    settings = {"l-diversity.l": [3], "suppression": [0.2]}
    (row,) = compared(plan, methods=["specialize"], settings=settings).rows
    assert set(row.changes) == {"guarantees", "method", "parameters", "suppression"}
    form = json.loads(plan.read_text())
    form["release"] |= row.changes
    require_same(row, protected(write_plan(tmp_path, form, CROWD)).release)


def test_a_strength_is_halved_and_doubled_where_asked() -> None:
    section = ReleaseSection.parse("test", {"guarantees": [{"t-closeness": {"t": 0.3}}, {"k-anonymity": {"k": 5}}]})
    names = [
        one.settings for one in candidates_of(section, ComparisonRequest(methods=("tables/lattice",), vary=True)).tried
    ]
    assert names == [{"k-anonymity.k": 3}, {"k-anonymity.k": 5}, {"k-anonymity.k": 10}]
    least = ReleaseSection.parse("test", {"guarantees": [{"k-anonymity": {"k": 2}}]})
    assert [one.settings for one in candidates_of(least, ComparisonRequest(methods=("lattice",), vary=True)).tried] == [
        {"k-anonymity.k": 2},
        {"k-anonymity.k": 4},
    ]


def test_by_default_all_methods_are_tried_that_can_give_the_guarantees() -> None:
    section = ReleaseSection.parse(
        "test", {"guarantees": [{"delta-presence": {"minimum": 0.0, "maximum": 0.8}}], "method": "tables/mondrian"}
    )
    found = candidates_of(section, ComparisonRequest())
    tried = [one.section.method for one in found.tried]
    assert tried[0] == "tables/mondrian"
    assert {"tables/lattice", "tables/specialize"} <= set(tried)
    assert "can't give delta-presence" in found.skipped["tables/local"]
    assert not any(name.startswith("columns/noise") for name in (*tried, *found.skipped))


def test_a_candidate_that_fails_is_a_row_with_the_reason(tmp_path: Path) -> None:
    found = compared(planned(tmp_path), methods=["lattice", "mondrian"], settings={"k-anonymity.k": [4, 1000]})
    failed = [row for row in found.rows if row.failed is not None]
    assert [row.settings["k-anonymity.k"] for row in failed] == [1000, 1000]
    assert all(row.failed for row in failed)
    assert not any(row.undominated for row in failed)
    assert len(found.made) == 2


def test_a_method_that_cant_give_a_guarantee_is_a_row_with_the_reason(tmp_path: Path) -> None:
    write_data(tmp_path / "everybody.csv", [*CROWD, *CROWD])
    presence = {"delta-presence": {"minimum": 0.0, "maximum": 0.8}}
    form = form_of(release={"guarantees": [presence]}, population={"path": "everybody.csv"})
    found = compared(write_plan(tmp_path, form, CROWD), methods=["lattice", "local"])
    assert "can't give delta-presence" in str(found.rows[1].failed)
    assert found.rows[0].failed is None


@pytest.mark.slow
def test_a_method_whose_package_is_missing_is_skipped_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.methods.tables import local

    def lacks(*_: object) -> None:
        raise MissingExtra("quick", "quick", "tables/local")

    monkeypatch.setattr(local, "METHOD", replace(local.METHOD, run=lacks))
    found = compared(planned(tmp_path), settings={"suppression": [0.05, 0.1]}, methods=["local", "lattice"])
    assert "[quick]'" in found.skipped["tables/local"]
    assert [row.method for row in found.rows] == ["tables/lattice", "tables/lattice"]
    with pytest.raises(BadParameter, match=r"nothing is left to compare: tables/local: .* needs the package quick"):
        compared(planned(tmp_path), methods=["local"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"methods": ["tables/latice"]}, "there is no method 'tables/latice'; did you mean 'tables/lattice'"),
        ({"methods": ["mondrain"]}, "did you mean 'tables/mondrian'"),
        ({"methods": ["columns/noise"]}, "of the kind 'columns', not 'tables'"),
        ({"methods": ["mechanisms/laplace"]}, "of the kind 'mechanisms', not 'tables'"),
        ({"methods": []}, "no method is named"),
        ({"metrics": ["los"]}, "there is no metric 'los'; did you mean 'loss'"),
        ({"risk": ["lowest"]}, "risk figures are average, highest"),
        ({"risk": []}, "risk: it has 0 entries; it must have at least 1"),
        ({"utility": ["loses"]}, "there is no metric 'loses'"),
        ({"settings": {"k-anonymity.k": []}}, "no value is given for k-anonymity.k"),
        ({"settings": {"k-anonymity.k": [1]}}, "it must be at least 2"),
        ({"settings": {"k-anonymity.kk": [2]}}, "kk"),
        ({"settings": {"k-anonimity.k": [2]}}, "did you mean 'k-anonymity.k'"),
        ({"settings": {"t-closeness.t": [0.2]}}, "nothing that is compared has the setting 't-closeness.t'"),
        ({"settings": {"suppression": [2]}}, "suppression: it must be at most 1"),
        ({"settings": {"supression": [0]}}, "did you mean 'suppression'"),
        ({"settings": {"query-error.queries": [5, 6]}}, "a metric measures all candidates alike"),
        ({"settings": {"query-error.queries": [0]}}, "query-error: queries"),
        ({"settings": {"mondrian.labels": ["words"]}}, "tables/mondrian: labels"),
        ({"settings": {"suppression": list(np.linspace(0, 1, 501))}}, "more than 500 candidates"),
        ({"settings": {"mondrian.mode": ["strict"], "tables/mondrian.mode": ["relaxed"]}}, "are one setting"),
        ({"vary": True, "settings": {"k-anonymity.k": [2]}}, "k-anonymity.k is set already"),
        ({"colour": "red"}, "colour"),
    ],
    ids=str,
)
def test_what_cant_be_meant_is_refused(tmp_path: Path, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter) as refused:
        compared(planned(tmp_path), **{"methods": ["tables/mondrian"], **wanted})
    assert message in str(refused.value)
    assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


def test_nothing_to_vary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no guarantee of the plan has one whole number as its strength"):
        compared(planned(tmp_path, {"guarantees": [{"t-closeness": {"t": 0.5}}]}), vary=True)


@pytest.mark.slow
def test_metrics_take_their_settings_and_their_direction(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    once = compared(plan, methods=["lattice"], utility="precision", settings={"query-error.queries": 12}).rows[0]
    usual = compared(plan, methods=["lattice"]).rows[0]
    assert once.metrics["query-error"] != usual.metrics["query-error"]
    both = compared(plan, methods=["lattice", "mondrian"], utility=["precision"], risk=["highest"])
    assert both.utility[0].better == "higher"
    best = both.best()
    assert best is not None
    kept = [row.metrics["precision"] for row in both.rows if row.undominated]
    assert best.metrics["precision"] == max(kept)


@pytest.mark.slow
def test_metrics_about_secrets_are_those_of_the_release_though_rows_alike_are_dealt_out(tmp_path: Path) -> None:
    release = {
        "guarantees": [{"k-anonymity": {"k": 3}}],
        "parameters": {"mode": "relaxed"},
        "method": "tables/mondrian",
        "metrics": [{"success-rate": {"column": "ill"}}],
    }
    rows = [{**row, "zip": f"{1000 + i % 2}", "age": str(30 + (i % 7) // 3)} for i, row in enumerate(CROWD[:50])]
    plan = write_plan(tmp_path, form_of(release=release), rows)
    (row,) = compared(plan, methods=["mondrian"]).rows
    made = protected(plan).release
    assert "success-rate" in row.metrics
    require_same(row, made)


@pytest.mark.slow
def test_a_metric_that_cant_be_measured_is_noted_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.runs.tables.compare import compare

    def refuse(published: object, params: Params) -> Any:
        raise BadData("there is nothing to train on")

    card: Metric[Any] = replace(compare.find_metric("loss"), run=refuse)
    find = compare.find_metric
    monkeypatch.setattr(compare, "find_metric", lambda name, kind: card if name == "distortion" else find(name, kind))
    found = compared(planned(tmp_path), methods=["lattice"])
    assert "distortion" not in found.rows[0].metrics
    assert any("there is nothing to train on" in note for note in found.notes)
    assert found.rows[0].undominated
    with pytest.raises(BadParameter, match="distortion can't be measured here: there is nothing to train on"):
        compared(planned(tmp_path), methods=["lattice"], utility=["distortion"])


@pytest.mark.slow
def test_a_vault_is_left_alone(tmp_path: Path) -> None:
    def vault(column: str) -> Path:
        files = {"key_file": "k.key", "vault_file": "v.vault"}
        treatments = [{"method": "columns/vault", "columns": [column], "parameters": files}]
        return planned(tmp_path, {**SECRETS, "treatments": treatments})

    assert compared(vault("name"), methods=["lattice"]).made
    assert "v.vault" not in names_in(tmp_path)
    with pytest.raises(BadParameter, match="would write to its secret file"):
        compared(vault("ill"), methods=["lattice"])


def test_time_is_measured(tmp_path: Path) -> None:
    (row,) = compared(planned(tmp_path), methods=["lattice"]).rows
    assert row.seconds > 0


def test_progress_says_which_candidate_is_tried(tmp_path: Path) -> None:
    told: list[str] = []
    with DuckDB(threads=1) as engine:
        compare_plan(
            load_plan(planned(tmp_path)),
            engine,
            ComparisonRequest(methods=("lattice", "mondrian")),
            progress=told.append,
        )
    assert told.index("counting") < told.index("candidate 1 of 2: tables/lattice")
    assert "candidate 2 of 2: tables/mondrian" in told


@pytest.mark.slow
def test_the_verb_compares_a_data_frame() -> None:
    import polars

    frame = polars.DataFrame(CROWD).drop("name")
    roles = {name: role for name, role in ROLES.items() if name != "name"}
    people = tacit.read(frame, roles)
    found = tacit.compare(
        people, [tacit.KAnonymity(k=4)], methods=["lattice"], settings={"k-anonymity.k": [2, 4]}, suppression=0.1
    )
    made = tacit.protect(people, [tacit.KAnonymity(k=4)], method="tables/lattice", suppression=0.1)
    require_same(found.rows[1], made.release)
    assert repr(found).startswith("Comparison(2 of 2 candidates made")
    assert "srcdoc" in found._repr_html_()
    with pytest.raises(BadParameter, match="methd"):
        tacit.compare(people, [tacit.KAnonymity(k=4)], methd="lattice")


def test_small_plans_of_the_tests_can_be_compared(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, form_of(release=RELEASE), PEOPLE)
    found = compared(plan, methods=["lattice", "cluster"])
    assert len(found.made) == 2


@pytest.mark.slow
def test_a_release_without_classes_is_measured_by_candidates(tmp_path: Path) -> None:
    promises = {"guarantees": [{"k-concealment": {"k": 3}}]}
    found = compared(planned(tmp_path, promises), methods=["freeform", "lattice"])
    free, full = found.rows
    assert free.failed is None
    assert free.guarantees[0].measured >= 3
    assert free.keeps_plan
    assert free.risk is not None
    assert free.risk.prosecutor_highest <= 1 / 3
    assert full.guarantees[0].holds
    assert free.metrics["loss"] < full.metrics["loss"]


def test_a_republication_is_not_compared(tmp_path: Path) -> None:
    section = ReleaseSection.model_construct(guarantees=({"k-anonymity": {"k": 3}},), method="tables/republish")
    with pytest.raises(BadParameter, match="of the kind 'republication', not 'tables'"):
        candidates_of(section, ComparisonRequest())


def test_a_guarantee_that_is_promised_of_many_columns_is_named_once() -> None:
    promised = [{"l-diversity": {"l": 2, "column": f"c{number}"}} for number in range(20)]
    section = ReleaseSection.parse("test", {"guarantees": promised, "method": "tables/lattice"})
    found = candidates_of(section, ComparisonRequest())
    reasons = [reason for reason in found.skipped.values() if "l-diversity" in reason]
    assert reasons
    assert all(reason.count("l-diversity") == 1 for reason in reasons)

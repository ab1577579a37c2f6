"""The advice where much is lost: computed for changed tables, named in evidence, report and lines.

Covers runs/tables/advice.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.runs.planned import form_of, protected, write_plan

from tacit.evidence.tables.report import render_report
from tacit.evidence.tables.summary import summary_lines
from tacit.release.tables import Advice, TableRelease
from tacit.runs.tables.advice import THRESHOLD, time_for

NUMBERS = ("a", "b", "c", "d", "e", "f", "g", "h")


def people(columns: tuple[str, ...], rows: int = 40) -> list[dict[str, Any]]:
    """Rows whose values in a column do not depend on the other columns."""
    cells = {name: np.random.default_rng(list(name.encode())).integers(0, 1000, rows) for name in columns}
    return [
        {"name": f"name-{i}", "ill": "flu", **{name: str(values[i]) for name, values in cells.items()}}
        for i in range(rows)
    ]


def made(folder: Path, columns: tuple[str, ...] = NUMBERS, **release: Any) -> TableRelease:
    known = {name: {"role": "quasi-identifier", "hierarchy": {"intervals": [100, 500]}} for name in columns}
    roles = {"name": {"role": "identifier"}, "ill": {"role": "sensitive"}, **known}
    found: TableRelease = protected(write_plan(folder, form_of(roles, release), people(columns))).release
    return found


def advised(release: TableRelease) -> Advice:
    assert release.body.advice is not None
    return release.body.advice


def test_a_useful_release_needs_no_advice(tmp_path: Path) -> None:
    release = made(tmp_path, ("a",))
    assert release.body.metrics["loss"] < THRESHOLD
    assert release.body.advice is None


def test_a_column_left_out_loses_what_a_plan_without_it_loses(tmp_path: Path) -> None:
    method = "tables/mondrian"
    release = made(tmp_path, method=method)
    advice = advised(release)
    assert advice.loss == pytest.approx(release.body.metrics["loss"], abs=1e-12)
    for change in (change for change in advice.changes if change.left_out):
        kept = tuple(name for name in NUMBERS if name not in change.left_out)
        again = made(tmp_path, kept, method=method)
        assert change.loss == pytest.approx(again.body.metrics["loss"], abs=1e-12)
        own = {column.name: column.loss for column in release.body.columns}
        assert change.now == pytest.approx(np.mean([own[name] for name in kept]), abs=1e-12)
        assert change.loss < change.now
    several = [change for change in advice.changes if len(change.left_out) > 1]
    assert several
    assert [len(change.left_out) for change in several][:2] == [4, 6]
    assert several[-1].loss <= THRESHOLD


def with_least(folder: Path, least: dict[str, int], rows: int, release: dict[str, Any]) -> TableRelease:
    """A release of three columns with five levels, of which these are published at this level or a coarser one."""
    columns = NUMBERS[:3]
    known: dict[str, dict[str, Any]] = {
        name: {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 50, 250, 500]}} for name in columns
    }
    for name, level in least.items():
        known[name]["minimum"] = level
    roles = {"name": {"role": "identifier"}, "ill": {"role": "sensitive"}, **known}
    found: TableRelease = protected(write_plan(folder, form_of(roles, release), people(columns, rows))).release
    return found


@pytest.mark.parametrize(("method", "rows", "k"), [("tables/lattice", 100, 3), ("tables/mondrian", 60, 5)])
def test_a_coarser_column_brings_the_others_what_such_a_plan_brings(
    tmp_path: Path, method: str, rows: int, k: int
) -> None:
    section = {"method": method, "guarantees": [{"k-anonymity": {"k": k}}]}
    release = with_least(tmp_path, {}, rows, section)
    now = {column.name: column.loss for column in release.body.columns if column.loss is not None}
    found = [change for change in advised(release).changes if change.coarser]
    assert found
    for change in found:
        assert change.coarser is not None
        level = int(change.what.removeprefix("minimum: "))
        again = with_least(tmp_path, {change.coarser: level}, rows, section)
        then = {column.name: column.loss for column in again.body.columns if column.loss is not None}
        assert change.own == pytest.approx(then.pop(change.coarser), abs=1e-12)
        assert change.loss == pytest.approx(np.mean(list(then.values())), abs=1e-12)
        assert change.now == pytest.approx(np.mean([now[name] for name in then]), abs=1e-12)
        assert change.loss < change.now
        assert now[change.coarser] < change.own < 1
    assert f"{found[0].coarser} coarser ({found[0].what}, then loses " in render_report(release)


def test_a_column_that_is_gone_already_is_not_worth_leaving_out(tmp_path: Path) -> None:
    rows = [{"name": f"n{i}", "ill": "flu", "a": str(i), "b": str(i), "sex": "fm"[i % 2]} for i in range(40)]
    known = {name: {"role": "quasi-identifier", "hierarchy": {"intervals": [100]}} for name in ("a", "b")}
    roles = {"name": {"role": "identifier"}, "ill": {"role": "sensitive"}, **known, "sex": {"role": "quasi-identifier"}}
    release: TableRelease = protected(write_plan(tmp_path, form_of(roles, {}), rows)).release
    lost = {column.name: column.loss for column in release.body.columns if column.loss is not None}
    assert lost == {"a": 1, "b": 1, "sex": 0}
    # Without a and b the mean would be 0, but the sex of everybody is published as before.
    assert [change for change in advised(release).changes if change.left_out] == []


def test_less_strength_and_more_suppressed_rows_are_what_such_plans_lose(tmp_path: Path) -> None:
    changed = {
        "k-anonymity: {k: 6}": {"guarantees": [{"k-anonymity": {"k": 6}}]},
        "suppression: 0.05": {"guarantees": [{"k-anonymity": {"k": 12}}], "suppression": 0.05},
    }
    advice = advised(made(tmp_path, NUMBERS[:3], guarantees=[{"k-anonymity": {"k": 12}}]))
    found = {change.what: change.loss for change in advice.changes if not change.left_out}
    assert "k-anonymity: {k: 6}" in found
    for what, loss in found.items():
        assert loss == pytest.approx(made(tmp_path, NUMBERS[:3], **changed[what]).body.metrics["loss"], abs=1e-12)


def test_the_costliest_columns_and_the_changes_are_told(tmp_path: Path) -> None:
    release = made(tmp_path, method="tables/mondrian")
    advice = advised(release)
    losses = {column.name: column.loss for column in release.body.columns if column.loss is not None}
    assert [one.loss for one in advice.columns] == sorted(losses.values(), reverse=True)[:3]
    lines, page = "\n".join(summary_lines(release)), render_report(release)
    for text in (" ".join(lines.split()), page):
        assert "is of little use" in text
        assert "costliest columns left out" in text
        assert "role: identifier" in text
        assert "tacit compare" in text
    assert max(map(len, lines.splitlines())) <= 80


@pytest.mark.slow
def test_a_competition_is_advised_by_its_quickest_method(tmp_path: Path) -> None:
    release = made(tmp_path, method="auto", guarantees=[{"k-anonymity": {"k": 20}}])
    competition = release.body.competition
    assert competition is not None
    quickest = min(competition.entrants, key=lambda one: one.seconds)
    assert advised(release).method == quickest.method
    assert advised(release).loss == pytest.approx(quickest.loss, abs=1e-12)


@pytest.mark.parametrize(("decided", "seconds"), [(0.1, 1), (4, 1), (8, 2), (40, 10), (400, 10)])
def test_advice_takes_a_part_of_the_time_of_the_decision(decided: float, seconds: float) -> None:
    assert time_for(decided) == seconds


def test_a_search_that_was_cut_short_is_told(tmp_path: Path) -> None:
    wide = tuple(f"c{i}" for i in range(14))
    release = made(tmp_path, wide, parameters={"seconds": 1e-6})
    assert release.body.search.optimal is False
    lines = " ".join(line.strip() for line in summary_lines(release))
    assert "Not proved best: the search ended before it had a proof; no release of this kind has loss below" in lines

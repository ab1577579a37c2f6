"""Metrics that a plan asks for: measured on the release that was read back, and written into the evidence.

Covers peak_memory, tables/describe.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.runs.planned import PEOPLE, ROLES, form_of, names_in, protected, rows_in, write_plan

from tacit.errors import BadParameter
from tacit.evidence.tables.report import render_report
from tacit.plan.schema import plan_schema
from tacit.runs import peak_memory

STANDARD = {
    *("average-class-size", "discernibility", "distortion", "loss", "non-uniform-entropy", "precision"),
    *("query-error", "risk", "singling-out", "suppression"),
}
"""The figures that docs/reference/evidence.md promises of every release."""


def run(folder: Path, release: dict[str, Any], columns: dict[str, Any] = ROLES, **more: Any) -> Any:
    return protected(write_plan(folder, form_of(columns, release, **more), PEOPLE)).release


@pytest.mark.slow
def test_every_release_has_the_standard_metrics_and_no_more(tmp_path: Path) -> None:
    assert set(run(tmp_path, {}).body.metrics) == STANDARD


@pytest.mark.slow
def test_a_plan_may_ask_for_more(tmp_path: Path) -> None:
    asked = ["leaked-information", {"estimation-error": {"column": "ill"}}, {"total-variation": {"of": "pairs"}}]
    release = run(tmp_path, {"metrics": asked})
    assert set(release.body.metrics) > STANDARD
    assert {"leaked-information", "leaked-information[ill]", "leaked-information.share"} < set(release.body.metrics)
    assert release.body.metrics["leaked-information"] == release.body.metrics["leaked-information[ill]"]
    assert release.body.metrics["total-variation.pairs"] == 1
    assert release.body.metrics["estimation-error"] == release.body.metrics["estimation-error[ill]"]
    text = render_report(release)
    assert "Leaked information" in text
    assert "leaked-information.share" in text


@pytest.mark.slow
def test_a_standard_metric_may_be_asked_for_with_other_parameters(tmp_path: Path) -> None:
    plain = run(tmp_path, {})
    release = run(tmp_path, {"metrics": [{"average-class-size": {"k": 3}}]})
    assert release.body.metrics["average-class-size"] == pytest.approx(plain.body.metrics["average-class-size"] / 3)


@pytest.mark.slow
def test_the_secrets_of_a_split_combination_are_counted_in_the_release(tmp_path: Path) -> None:
    """Ten rows of one combination, two of another: some of the ten join the two, and take their secrets with them."""
    ills = ["flu", "cold", "hiv", "flu", "flu", "cold", "flu", "flu", "flu", "hiv", "cold", "cold"]
    ages = ["30"] * 10 + ["31"] * 2
    rows = [
        {"name": f"name-{i}", "zip": "1000", "age": age, "ill": ill, "n": str(i)}
        for i, (age, ill) in enumerate(zip(ages, ills, strict=True))
    ]
    relaxed = {"method": "tables/mondrian", "parameters": {"mode": "relaxed"}}
    form = form_of(ROLES, {**relaxed, "metrics": [{"success-rate": {"column": "ill"}}]})
    outcome = protected(write_plan(tmp_path, form, rows))
    classes: dict[tuple[str, str], Counter[str]] = {}
    labels = set()
    for row in rows_in(outcome.output):
        classes.setdefault((row["zip"], row["age"]), Counter())[row["ill"]] += 1
        if ages[int(row["n"])] == "30":
            labels.add(row["age"])
    assert len(labels) > 1, "the combination is split"
    hits = sum(max(counts.values()) for counts in classes.values())
    assert outcome.release.body.metrics["success-rate"] == pytest.approx(hits / len(rows))


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["leaked-informatoin"], "there is no metric 'leaked-informatoin'; did you mean 'leaked-information'"),
        ([{"total-variation": {"of": "rows"}}], "total-variation: of: it must be 'columns' or 'pairs'"),
        (["loss", "loss"], "each once"),
        ([{"loss": {}, "risk": {}}], "each once"),
        ([3], "metrics"),
    ],
)
def test_what_can_not_be_measured_is_refused_before_any_work(tmp_path: Path, asked: list[Any], reason: str) -> None:
    with pytest.raises(BadParameter, match=reason):
        run(tmp_path, {"metrics": asked})
    assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


def test_an_unknown_column_publishes_nothing(tmp_path: Path) -> None:
    path = write_plan(tmp_path, form_of(ROLES, {"metrics": [{"leaked-information": {"column": "zip"}}]}), PEOPLE)
    with pytest.raises(BadParameter, match="name one of the sensitive columns: 'ill'"):
        protected(path)
    assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


@pytest.mark.slow
def test_the_schema_takes_names_and_mappings() -> None:
    import jsonschema

    for asked in (["loss"], [{"loss": {}}], []):
        jsonschema.validate(form_of(ROLES, {"metrics": asked}), plan_schema())
    for wrong in ([3], [{"loss": 1}], [{"loss": {}, "risk": {}}], "loss"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(form_of(ROLES, {"metrics": wrong}), plan_schema())


@pytest.mark.slow
def test_the_evidence_tells_the_memory_of_the_run(tmp_path: Path) -> None:
    outcome = protected(write_plan(tmp_path))
    written = json.loads(outcome.evidence.read_text(encoding="utf-8"))["peak_memory_bytes"]
    # An interpreter with numpy and DuckDB holds more than ten megabytes; no machine that runs this has a terabyte.
    assert 10_000_000 < written < 10**12
    assert "<dt>memory</dt>" in render_report(outcome.release)
    assert "<dt>memory</dt>" not in render_report(outcome.release.model_copy(update={"peak_memory_bytes": None}))


def test_memory_is_unknown_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peak_memory, "STATUS", Path("no such file"))
    assert 10_000_000 < (peak_memory.peak_bytes() or 0) < 10**12
    monkeypatch.setitem(sys.modules, "resource", None)
    assert peak_memory.peak_bytes() is None

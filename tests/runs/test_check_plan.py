"""Checking a file against a plan: a release measures what its evidence says, raw data what it is.

Covers runs/tables/check.
"""

from pathlib import Path
from typing import Any

import pytest
from tests.runs.planned import PEOPLE, form_of, protected, write_data, write_plan

from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData
from tacit.plan.load import load_plan
from tacit.runs.tables.check import TableCheck, check_file

GUARANTEES: dict[str, list[dict[str, Any]]] = {
    "k": [{"k-anonymity": {"k": 4}}],
    "t": [{"k-anonymity": {"k": 3}}, {"t-closeness": {"t": 0.3, "distance": "equal"}}],
    "beta": [{"beta-likeness": {"beta": 1.0, "kind": "basic"}}],
    "k-map": [{"k-map": {"k": 13}}],
    "presence": [{"delta-presence": {"minimum": 0.0, "maximum": 0.3}}],
}


def checked(plan: Path, data: Path) -> TableCheck:
    with DuckDB(threads=2) as engine:
        return check_file(load_plan(plan), file_source(data), engine)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ending"), [*((name, ".csv") for name in GUARANTEES), ("t", ".parquet"), ("k-map", ".sqlite")]
)
def test_a_release_measures_what_its_evidence_says(tmp_path: Path, name: str, ending: str) -> None:
    release = {"guarantees": GUARANTEES[name], "suppression": 0.3}
    plan = write_plan(tmp_path, form_of(release=release, population={"path": "all.csv"}))
    others = [{"zip": f"{1000 + i % 3}", "age": str(29 + i % 6)} for i in range(60)]
    write_data(tmp_path / "all.csv", [*({"zip": row["zip"], "age": row["age"]} for row in PEOPLE), *others])
    outcome = protected(plan, tmp_path / f"out{ending}")
    found = checked(plan, outcome.output)
    assert found.holds
    assert [finding.measured for finding in found.promises] == [
        pytest.approx(finding.measured) for finding in outcome.release.promises
    ]
    assert (found.classes, found.suppressed_rows) == (
        outcome.release.body.classes,
        outcome.release.body.suppressed.rows,
    )
    before = checked(plan, tmp_path / "people.csv")
    assert [finding.measured for finding in before.promises] == [
        pytest.approx(finding.measured) for finding in outcome.release.promises_before
    ]


@pytest.mark.slow
def test_a_release_that_is_tampered_with_is_found_out(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    outcome = protected(plan)
    lines = outcome.output.read_text().splitlines()
    outcome.output.write_text("\n".join([*lines[:-1], "9999,99,flu,0"]) + "\n")
    found = checked(plan, outcome.output)
    assert not found.holds
    assert found.promises[0].measured == 1


@pytest.mark.slow
def test_without_the_unit_rows_are_counted_and_that_is_said(tmp_path: Path) -> None:
    rows = [{**row, "name": f"name-{i // 2}"} for i, row in enumerate(PEOPLE)]
    plan = write_plan(tmp_path, form_of(unit="name"), rows)
    outcome = protected(plan)
    assert (outcome.release.body.counted, checked(plan, tmp_path / "people.csv").counted) == ("people", "people")
    assert checked(plan, outcome.output).counted == "rows"


def test_labels_of_no_level_can_not_be_compared_with_a_population(tmp_path: Path) -> None:
    plan = write_plan(
        tmp_path, form_of(release={"guarantees": [{"k-map": {"k": 2}}]}, population={"path": "people.csv"})
    )
    other = write_data(tmp_path / "other.csv", [{"zip": "1000", "age": "thirty", "ill": "flu"}])
    with pytest.raises(BadData, match=r"column 'age' of other.csv.*can't be compared with the population") as caught:
        checked(plan, other)
    assert "thirty" not in str(caught.value)


@pytest.mark.slow
def test_one_is_told_in_the_singular(tmp_path: Path) -> None:
    """A class, a person, a suppressed row and a value of which there is one each."""
    columns = {"zip": {"role": "quasi-identifier", "maximum": 0}}
    rows = [{"zip": "1000"}] * 12
    release = {"guarantees": [{"k-anonymity": {"k": 3}}], "suppression": 0.1}
    plan = write_plan(tmp_path, form_of(columns, release), [*rows, {"zip": "1001"}])
    made = protected(plan)
    (column,) = made.release.body.columns
    assert [value.label for value in column.marginals] == ["1000", "(1 other value)"]
    head, *_, last = checked(plan, made.output).lines("it")
    assert head.startswith("it: 1 class, 1 suppressed row, ")
    assert last.endswith("0 people unique")
    _, promise, counted, last = checked(plan, tmp_path / "people.csv").lines("it")
    assert promise.startswith("  FAILS  1 of 2 classes breaks the promise")
    assert counted == "         1 class with 1 person fails"
    assert last.endswith(", 1 person unique")

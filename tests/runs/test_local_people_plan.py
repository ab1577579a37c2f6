"""Plans for local methods with a unit of privacy and with a population: what is written is counted again, in people.

Covers methods/tables/local, runs/tables/process.
"""

from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.runs.planned import form_of, protected, rows_in, write_data, write_plan

from tacit.errors import BadParameter

METHODS = ("tables/local", "tables/cluster")
DISTINCT = {"l-diversity": {"l": 2, "kind": "distinct"}}


def visits(seed: int, people: int) -> list[dict[str, str]]:
    """One to four visits of each person, with ages and, now and then, addresses that change."""
    random = Random(seed)
    rows = []
    for person in range(people):
        age, zip_ = random.randrange(30, 60), 1000 + random.randrange(30)
        for year in range(random.randrange(1, 5)):
            zip_ = 1000 + random.randrange(30) if random.random() < 0.2 else zip_
            ill = random.choice(["flu", "cold", "hiv"])
            row = {"name": f"name-{person}", "zip": str(zip_), "age": str(age + year), "ill": ill}
            rows.append({**row, "n": str(len(rows))})
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_plan_with_a_unit_counts_people(tmp_path: Path, method: str) -> None:
    rows = visits(1, 60)
    release = {"method": method, "guarantees": [{"k-anonymity": {"k": 4}}, DISTINCT]}
    made = protected(write_plan(tmp_path, form_of(release=release, unit="name"), rows))
    assert made.release.body.counted == "people"
    assert all(finding.holds for finding in made.release.promises)
    owner = {row["n"]: row["name"] for row in rows}
    people: dict[tuple[str, str], set[str]] = defaultdict(set)
    ill: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows_in(made.output):
        people[row["zip"], row["age"]].add(owner[row["n"]])
        ill[row["zip"], row["age"]].add(row["ill"])
    assert min(len(names) for names in people.values()) >= 4
    assert min(len(values) for values in ill.values()) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("unit", [None, "name"])
@pytest.mark.parametrize("method", METHODS)
def test_a_plan_with_a_population_maps_to_k_people(tmp_path: Path, method: str, unit: str | None) -> None:
    rows = visits(2, 40)
    others = [{"zip": row["zip"], "age": row["age"]} for row in visits(3, 200)]
    write_data(tmp_path / "all.csv", [{"zip": row["zip"], "age": row["age"]} for row in rows] + others)
    release: dict[str, Any] = {"method": method, "guarantees": [{"k-map": {"k": 6}}]}
    more = {"population": {"path": "all.csv"}} | ({"unit": unit} if unit else {})
    made = protected(write_plan(tmp_path, form_of(release=release, **more), rows))
    found = made.release.promises[0]
    assert found.holds
    assert found.measured >= 6
    assert made.release.body.metrics["loss"] < 1


def test_presence_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    release = {"method": "tables/local", "guarantees": [{"delta-presence": {"maximum": 0.5}}]}
    plan = write_plan(tmp_path, form_of(release=release, population={"path": "people.csv"}))
    with pytest.raises(BadParameter, match="tables/local can't give delta-presence"):
        protected(plan)

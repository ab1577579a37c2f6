"""The metrics of any two tables from Python: recoded, noisy, drawn and made-up ones, by the same call.

Covers tables/two_tables, verbs/datasets, release/synthesis.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

import tacit
from tacit.cards.metric import MetricValue
from tacit.errors import BadData, BadParameter
from tacit.runs.synthesis.process import strays

AGES = {"tree": {"*": {"young": ["20", "30"], "old": ["40", "50"]}}}
ROLES: dict[str, Any] = {
    "name": "identifier",
    "age": {"role": "quasi-identifier", "hierarchy": AGES, "weight": 3},
    "town": "quasi-identifier",
    "pay": "sensitive",
}
ROWS = [(f"p{i}", age, town, f"{age}0") for i, (age, town) in enumerate(zip("2345" * 2, "aabb" * 2, strict=True))]
PEOPLE = pa.table(
    {
        "name": [row[0] for row in ROWS],
        "age": [f"{row[1]}0" for row in ROWS],
        "town": [row[2] for row in ROWS],
        "pay": [row[3] for row in ROWS],
    }
)
BEFORE = tacit.read(PEOPLE, ROLES)


def ages(*cells: str) -> pa.Table:
    towns = ["a", "b"] * (len(cells) // 2)
    return pa.table({"age": list(cells), "town": towns, "pay": ["1"] * len(cells)})


@pytest.mark.slow
def test_a_recoded_table_has_the_metrics_of_its_evidence() -> None:
    made = tacit.protect(BEFORE, [tacit.KAnonymity(k=2)])
    told = made.release.body.metrics
    found = tacit.measure(BEFORE, made)
    shared = set(found) & set(told)
    assert shared >= {"loss", "precision", "risk", "suppression", "discernibility"}
    assert {name: found[name].value for name in shared} == {name: pytest.approx(told[name]) for name in shared}
    again = tacit.measure(
        BEFORE, tacit.read(made.data, {"age": ROLES["age"], "town": ROLES["town"], "pay": "sensitive"})
    )
    assert again == found


@pytest.mark.slow
@pytest.mark.parametrize("form", ["frame", "file"])
def test_noisy_and_made_up_tables_are_measured_by_the_same_call(form: str, tmp_path: Path) -> None:
    """Of 8 ages 2 each are 20, 30, 40 and 50. Made up are four of 20 and four of 60, which no hierarchy has."""
    after: Any = ages(*["20"] * 4, *["60"] * 4)
    if form == "file":
        csv.write_csv(after, tmp_path / "after.csv")
        after = tmp_path / "after.csv"
    found = tacit.measure(BEFORE, after, metrics=["loss", "total-variation"])
    assert list(found) == ["loss", "total-variation"]
    assert found["loss"].value == 0
    moved = found["total-variation"].per_column
    assert moved["age"] == pytest.approx((1 / 4 + 3 / 4 + 1 / 2) / 2)
    assert moved["town"] == 0
    # The age weighs three times as much as the town.
    assert found["total-variation"].value == pytest.approx(3 / 4 * moved["age"])
    pairs = tacit.measure(BEFORE, after, metrics={"total-variation": {"of": "pairs"}})
    assert isinstance(pairs["total-variation"], MetricValue)


@pytest.mark.slow
def test_what_can_not_be_compared_is_refused() -> None:
    with pytest.raises(BadData, match=r"has no column.* 'town'"):
        tacit.measure(BEFORE, pa.table({"age": ["20"]}))
    with pytest.raises(BadParameter, match=r"success-rate.* follows rows"):
        tacit.measure(BEFORE, ages("20", "30"), metrics=["success-rate"])
    with pytest.raises(BadParameter, match="metrics compare two tables"):
        tacit.measure(BEFORE, metrics=["loss"])  # type: ignore[call-overload]
    with pytest.raises(BadParameter, match="`threshold` is about the risk of one table"):
        tacit.measure(BEFORE, ages("20", "30"), threshold=0.1)  # type: ignore[call-overload]
    assert tacit.measure(BEFORE).people == 8


@pytest.mark.slow
def test_the_evidence_of_a_synthetic_table_tells_what_follows_from_its_noise_and_nothing_more() -> None:
    """The same noisy counts and rows would be told of any data; no field compares them with the data."""
    declared = {"age": {"role": "quasi-identifier", "categories": ["20", "30", "40", "50"]}}
    dataset = tacit.read(pa.concat_tables([PEOPLE.select(["age"])] * 50), declared)
    promised, budget = [tacit.DifferentialPrivacy(epsilon=1)], tacit.PrivacyBudget(epsilon=1)
    made = tacit.protect(dataset, promised, method="synthesize/independent", budget=budget, parameters={"rows": 300})
    (column,) = made.release.body.columns
    measured, written = np.maximum(np.array(column.measured), 0), np.array(column.written)
    assert column.strays == pytest.approx(np.abs(measured / measured.sum() - written / 300).sum() / 2)
    assert set(type(column).model_fields) == {"name", "cells", "measured", "written", "strays"}
    assert "metrics" not in type(made.release.body).model_fields
    told = tacit.measure(dataset, made, metrics=["total-variation"])["total-variation"]
    truth = dict.fromkeys(("20", "30", "40", "50"), 1 / 4)
    shares = {cell: rows / 300 for cell, rows in zip(column.cells, column.written, strict=True)}
    assert told.value == pytest.approx(sum(abs(shares[cell] - truth.get(cell, 0)) for cell in shares) / 2)
    page = made._repr_html_()
    assert "This report does not say how much the rows differ from the data" in page
    assert "would need another value for the column to match its measured counts" in page


@pytest.mark.parametrize(
    ("measured", "written", "share"),
    [
        ([2.0, 2.0], [1, 1], 0.0),
        ([3.0, -1.0], [3, 1], 0.25),
        ([0.0, 0.0], [5, 5], 1.0),
        ([1.0, 0.0, 0.0], [0, 1, 1], 1.0),
    ],
)
def test_how_far_rows_stray_from_noisy_counts(measured: list[float], written: list[int], share: float) -> None:
    assert strays(np.array(measured), np.array(written, dtype=np.float64)) == pytest.approx(share)

"""Means, correlations and a regression before and after, against plain NumPy over every row and every leaf.

Covers first_analysis, metrics/tables/means, runs/tables/analysis, release/analysis, analysis_figures.
"""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from tests.evidence.page import Page

import tacit
from tacit.evidence.tables.report import render_report
from tacit.release.analysis import Analysis

AGES = [21, 24, 27, 29, 33, 36, 38, 39, 41, 44, 47, 49]
YEARS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
PAYS = [10, 14, 11, 17, 22, 24, 21, 29, 33, 30, 38, 41]
STAYS = [1, 2, 1, 3, 2, 4, 3, 5, 4, 6, 5, 9]
SEXES = list("ffmmfmfmffmm")
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}, "minimum": 1, "maximum": 1},
    "years": {"role": "quasi-identifier", "hierarchy": {"intervals": [5]}, "minimum": 1, "maximum": 1},
    "sex": {"role": "quasi-identifier", "minimum": 1},
    "pay": "sensitive",
    "stay": "insensitive",
}


@pytest.fixture(scope="module")
def made() -> Any:
    frame = pyarrow.table({"age": AGES, "years": YEARS, "sex": SEXES, "pay": [str(pay) for pay in PAYS], "stay": STAYS})
    return tacit.protect(tacit.read(frame, COLUMNS), [tacit.KAnonymity(k=2)], suppression=0.3)


def found(made: Any) -> Analysis:
    analysis = made.release.body.analysis
    assert isinstance(analysis, Analysis)
    return analysis


def spread(made: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Age, years, pay and stay of each published row with every pair of leaves that its labels may stand for."""
    data = made.data.to_pydict()
    points, weights = [], []
    for age, years, pay, stay in zip(data["age"], data["years"], PAYS, STAYS, strict=True):
        if age == "*" and years == "*":
            continue
        boxes = [inside(age, AGES), inside(years, YEARS)]
        for pair in product(*boxes):
            points.append([*pair, pay, stay])
            weights.append(1 / (len(boxes[0]) * len(boxes[1])))
    return np.array(points, dtype=float), np.array(weights)


def inside(label: str, values: list[int]) -> list[int]:
    """The different values of the column within an interval that is written as `[20, 30)`."""
    low, high = (float(end) for end in label.strip("[)").split(","))
    return sorted({value for value in values if low <= value < high})


def test_some_rows_are_suppressed_and_the_others_generalised(made: Any) -> None:
    assert 0 < made.release.body.suppressed.rows < 4
    assert found(made).rows_before == 12
    assert found(made).rows_after == 12 - made.release.body.suppressed.rows


def test_means_and_deviations(made: Any) -> None:
    points, weights = spread(made)
    columns = {"age": AGES, "years": YEARS, "pay": PAYS, "stay": STAYS}
    assert [one.column for one in found(made).means] == list(columns)
    for i, one in enumerate(found(made).means):
        raw = np.array(columns[one.column], dtype=float)
        assert (one.before, one.deviation_before) == pytest.approx((raw.mean(), raw.std()))
        mean = np.average(points[:, i], weights=weights)
        deviation = np.sqrt(np.average((points[:, i] - mean) ** 2, weights=weights))
        assert (one.after, one.deviation_after) == pytest.approx((mean, deviation))


def test_correlations(made: Any) -> None:
    points, weights = spread(made)
    places = {"age": 0, "years": 1, "pay": 2, "stay": 3}
    raw = np.corrcoef(np.array([AGES, YEARS, PAYS, STAYS], dtype=float))
    centred = points - np.average(points, axis=0, weights=weights)
    joint = (centred * weights[:, None]).T @ centred
    after = joint / np.sqrt(np.outer(np.diag(joint), np.diag(joint)))
    told = {one.columns: one for one in found(made).correlations}
    assert set(told) == {("age", "years"), ("age", "pay"), ("years", "pay"), ("age", "stay"), ("years", "stay")}
    for (a, b), one in told.items():
        assert one.before == pytest.approx(raw[places[a], places[b]])
        assert one.after == pytest.approx(after[places[a], places[b]])


def test_the_regression_before_is_that_of_least_squares(made: Any) -> None:
    model = found(made).regression
    assert model is not None
    assert model.target == "pay"
    usual = max("fm", key=SEXES.count)
    other = "m" if usual == "f" else "f"
    design = np.column_stack([np.ones(12), AGES, YEARS, [sex == other for sex in SEXES]])
    wanted, *_ = np.linalg.lstsq(design.astype(float), np.array(PAYS, dtype=float), rcond=None)
    assert [one.name for one in model.coefficients] == ["age", "years", f"sex: {other}"]
    assert [one.before for one in model.coefficients] == pytest.approx(wanted[1:].tolist())
    left = np.array(PAYS) - design @ wanted
    assert model.explained_before == pytest.approx(1 - left.var() / np.var(PAYS))
    assert model.coefficients[2].after == 0, "nothing of a column is left that is published as *"


def test_the_metric_is_the_mean_change_in_deviations(made: Any) -> None:
    raw = pyarrow.table({"age": AGES, "years": YEARS, "sex": SEXES, "pay": [str(pay) for pay in PAYS], "stay": STAYS})
    value = tacit.measure(tacit.read(raw, COLUMNS), made, metrics=["means"])["means"]
    changes = {
        one.column: abs(one.after - one.before) / one.deviation_before
        for one in found(made).means
        if one.column in ("age", "years", "pay")
    }
    assert value.per_column == pytest.approx(changes)
    assert value.value == pytest.approx(sum(changes.values()) / 3)


def test_the_report_shows_it_and_the_page_for_recipients_does_not(made: Any) -> None:
    page = Page(render_report(made.release))
    assert "analysis" in page.values("id")
    for one in found(made).means:
        assert {str(one.before), str(one.after)} <= set(page.values("value"))
    assert "mean before" not in made.public_report()


def test_a_table_without_numbers_has_none(tmp_path: Path) -> None:
    frame = pyarrow.table({"town": list("aabb"), "zip": ["10", "11", "10", "11"]})
    roles = {"town": "quasi-identifier", "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 2}}}
    assert tacit.protect(tacit.read(frame, roles), [tacit.KAnonymity(k=2)]).release.body.analysis is None


def test_dates_count_as_years() -> None:
    frame = pyarrow.table({"born": ["1950-01-01", "1960-01-01", "1970-07-02", "1980-12-31"]})
    born = {"role": "quasi-identifier", "hierarchy": {"dates": ["year"]}}
    analysis = tacit.protect(tacit.read(frame, {"born": born}), [tacit.KAnonymity(k=2)]).release.body.analysis
    assert analysis.means[0].is_date
    assert analysis.means[0].before == pytest.approx((1950 + 1960 + 1970.5 + 1981) / 4, abs=0.01)

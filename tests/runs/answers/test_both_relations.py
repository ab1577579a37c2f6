"""Every statistic can be asked about a data frame, where rows come and go and where they are replaced.

Covers tacit/statistics, aggregates/rehearsal.
"""

from typing import Any

import pandas as pd
import pytest

import tacit
from tacit.catalogue import methods
from tacit.errors import BadData

FRAME = pd.DataFrame(
    {
        "person": ["a", "b", "c", "d"],
        "x": [1.0, 2.0, 3.0, 4.0],
        "y": [2.0, 2.5, 4.0, 4.5],
        "yes": [True, False, True, True],
        "sort": ["tea", "milk", "tea", "tea"],
    }
)
X, XY = {"of": "x", "bounds": (0, 10)}, {"of": ["x", "y"], "bounds": {"x": (0, 10), "y": (0, 10)}}
SORT = {"of": "sort", "categories": ["tea", "milk"]}
QUESTIONS: dict[str, dict[str, Any]] = {
    "adaptive-grid": {**XY, "guess": 10},
    "best-candidate": {**XY},
    "best-choice": {**XY},
    "clipping": {"of": "x", "bounds": [1, 5, 10]},
    "count": {"of": "yes"},
    "covariance": {**XY},
    "extremes": {**X},
    "histogram": {**SORT},
    "histogram-mean": {**X, "bins": 5},
    "itemsets": {"of": ["person", "sort"], "categories": {"sort": ["tea", "milk"]}, "k": 1},
    "k-means": {**XY, "k": 2, "guess": 10},
    "keywords": {**SORT, "k": 1, "most": 1},
    "linear-regression": {**XY},
    "logistic-regression": {"of": ["x", "yes"], "bounds": {"x": (0, 10)}},
    "mean": {**X},
    "mode": {**SORT},
    "partition-selection": {"of": "sort", "delta": 1e-6},
    "privtree": {**XY},
    "quantiles": {**X, "quantiles": [0.5]},
    "ranges": {**X, "bins": 5},
    "sum": {**X},
    "textbook-k-means": {**XY, "k": 2},
    "truncated-mean": {**X, "least_rows": 2},
    "uniform-grid": {**XY, "side": 2},
    "variance": {**X},
}
STATISTICS = sorted(name.removeprefix("statistics/") for name in methods() if name.startswith("statistics/"))


ABOUT_PEOPLE = {"partition-selection", "keywords"}


def budget_for(name: str, neighbours: str) -> tacit.PrivacyBudget:
    unit = {"unit": "person"} if name in ABOUT_PEOPLE else {}
    return tacit.PrivacyBudget(epsilon=10, delta=1e-3, neighbours=neighbours, **unit)


def ask(name: str, frame: pd.DataFrame, budget: tacit.PrivacyBudget) -> Any:
    return getattr(tacit.statistics, name.replace("-", "_"))(frame, epsilon=1, **QUESTIONS[name], budget=budget)


def test_every_statistic_is_asked_here() -> None:
    assert sorted(QUESTIONS) == STATISTICS


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("name", STATISTICS)
def test_each_is_answered_and_paid_for(name: str, neighbours: str) -> None:
    budget = budget_for(name, neighbours)
    answer = ask(name, FRAME, budget)
    assert answer.values is not None
    assert budget.spent["epsilon"] == pytest.approx(1)


@pytest.mark.parametrize("name", STATISTICS)
def test_that_there_are_no_rows_is_told_to_nobody_who_pays_for_rows(name: str) -> None:
    budget = budget_for(name, "add-remove")
    ask(name, FRAME[:0], budget)
    assert budget.spent["epsilon"] == pytest.approx(1)


@pytest.mark.parametrize("name", ["mean", "variance", "covariance", "linear-regression"])
def test_a_table_without_rows_is_refused_for_nothing_where_their_number_is_public(name: str) -> None:
    budget = budget_for(name, "replace")
    with pytest.raises(BadData, match="there are no rows, and their number is public"):
        ask(name, FRAME[:0], budget)
    assert budget.spent["epsilon"] == 0

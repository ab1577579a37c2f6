"""An answer that says nothing says so: in its remarks, in `intervals`, and as post-processing of what is published.

Covers noise/private_answer, statistics/linear_regression, statistics/covariance.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit.noise.private_answer import UNKNOWN

COLUMNS = ("one", "two")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["variance", "covariance", "linear_regression", "logistic_regression"])
def test_too_few_rows_are_remarked_and_many_are_not(name: str) -> None:
    """3 rows at epsilon 0.1 have noise of scale 10 and more; 20,000 at epsilon 1000 have next to none."""
    assert UNKNOWN in _answer(name, 3, 0.1).remarks
    assert UNKNOWN not in _answer(name, 20_000, 1000.0).remarks


@pytest.mark.slow
@pytest.mark.parametrize("name", ["linear_regression", "logistic_regression"])
def test_an_interval_of_the_whole_line_is_told_from_none(name: str) -> None:
    answer = _answer(name, 3, 0.1)
    assert set(answer.lower) == {None}
    assert answer.intervals
    spent: dict[str, Any] = {"epsilon": 1, "budget": tacit.PrivacyBudget(epsilon=1)}
    frame = pd.DataFrame({"one": [1.0, 2.0]})
    assert not tacit.statistics.quantiles(frame, of="one", bounds=(0, 9), **spent).release.body.answers[0].intervals


def _answer(name: str, rows: int, epsilon: float) -> Any:
    numbers = np.random.default_rng(1).uniform(-1, 1, size=(rows, 2))
    frame = pd.DataFrame({"one": numbers[:, 0], "two": numbers[:, 0] + numbers[:, 1] > 0})
    if name != "logistic_regression":
        frame["two"] = numbers[:, 1]
    of = "one" if name == "variance" else list(COLUMNS)
    bounds = dict.fromkeys(COLUMNS if name != "logistic_regression" else COLUMNS[:1], (-1, 1))
    asked = getattr(tacit.statistics, name)(
        frame, of=of, bounds=bounds, epsilon=epsilon, budget=tacit.PrivacyBudget(epsilon=epsilon)
    )
    return asked.release.body.answers[0]

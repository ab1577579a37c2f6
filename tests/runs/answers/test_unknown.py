"""An answer that says nothing says so: in its remarks, by bounds that are null, and in what is shown.

Covers answers/process, noise/private_answer, statistics/linear_regression, statistics/covariance.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit.evidence.answers.lines import lines_of
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
def test_an_interval_of_the_whole_line_is_shown_as_unknown_and_none_is_not(name: str) -> None:
    answer = _answer(name, 3, 0.1)
    assert (answer.lower, answer.upper, answer.intervals) == (None, None, False)
    assert all(line.unknown for line in lines_of(answer))
    assert not any(line.unknown for line in lines_of(_median(None)))


@pytest.mark.parametrize("by", [None, "group"])
def test_without_any_interval_bounds_are_null_with_and_without_groups(by: str | None) -> None:
    answer = _median(by)
    assert len(answer.values) == (1 if by is None else 2)
    assert (answer.lower, answer.upper, answer.intervals) == (None, None, False)


@pytest.mark.parametrize("by", [None, "group"])
def test_with_intervals_bounds_have_the_shape_of_the_values(by: str | None) -> None:
    answer = _median(by, interval_share=0.5)
    assert answer.intervals
    assert len(answer.lower) == len(answer.upper) == len(answer.values)


def _median(by: str | None, **given: Any) -> Any:
    frame = pd.DataFrame({"one": [1.0, 2.0] * 50, "group": ["a", "b"] * 50})
    asked: dict[str, Any] = {"of": "one", "bounds": (0, 9), "epsilon": 1, "budget": tacit.PrivacyBudget(epsilon=1)}
    grouped: dict[str, Any] = {} if by is None else {"by": by, "categories": ["a", "b"]}
    return tacit.statistics.quantiles(frame, **asked, **grouped, **given).release.body.answers[0]


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

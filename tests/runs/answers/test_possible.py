"""What is published is possible and lies in its own interval; what counts is said, and questions that miss it refused.

Covers runs/answers/kept_keys, cards/takes, noise/answer, statistics/ranges, statistics/covariance.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit.accounting.events import Pure
from tacit.errors import BadParameter
from tacit.evidence.answers.lines import lines_of
from tacit.methods.statistics._moments import Moments
from tacit.methods.statistics.covariance import CovarianceAnswer
from tacit.methods.statistics.logistic_regression import SCALED
from tacit.methods.statistics.truncated_mean import FILLED

FRAME = pd.DataFrame({"age": [1.0], "other": [2.0], "who": ["a"], "word": ["x"], "grade": ["0"], "yes": [True]})


def ask(name: str, epsilon: float = 0.1, **asked: Any) -> Any:
    book = tacit.PrivacyBudget(epsilon=epsilon, delta=0.5, unit=asked.pop("unit", None))
    return getattr(tacit.statistics, name)(FRAME, epsilon=epsilon, budget=book, **asked).release.body.answers[0]


def test_a_covariance_is_within_what_the_bounds_allow() -> None:
    """Between 0 and 10 no covariance is beyond 25, and no variance below 0, whatever noise does to the moments."""
    second = np.array([[50.0, -30.0], [-30.0, -5.0]])
    moments = Moments(10.0, np.zeros(2), second, 1.0, gaussian=False, rows_known=True, event=Pure(1))
    told = CovarianceAnswer(moments, (5.0, 5.0)).published()
    values, lower, upper = (np.array(told[name]) for name in ("values", "lower", "upper"))
    assert values.tolist() == [[25, -25], [-25, 0]]
    assert np.all((lower <= values) & (values <= upper))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("count", {}),
        ("ranges", {"of": "age", "bins": 16, "bounds": (0, 10)}),
        ("histogram", {"of": "age", "bounds": (0, 10)}),
        ("variance", {"of": "age", "bounds": (0, 10)}),
    ],
)
def test_no_answer_is_impossible_or_outside_its_interval(name: str, asked: dict[str, Any]) -> None:
    """About one row, with noise of scale 10: without limits half of the counts would be negative, 12 times over."""
    for _ in range(12):
        for line in lines_of(ask(name, **asked)):
            assert line.lower is not None
            assert line.upper is not None
            assert 0 <= line.lower <= line.value <= line.upper


@pytest.mark.slow
def test_no_variance_of_a_covariance_is_negative() -> None:
    for epsilon in (0.1, 3.0):
        answer = ask("covariance", epsilon=epsilon, of=["age", "other"], bounds={"age": (0, 10), "other": (0, 10)})
        for part in (answer.values, answer.lower, answer.upper):
            assert (np.diag(np.array(part)) >= 0).all()


@pytest.mark.parametrize("declared", [{"bounds": {"age": (0, 100)}}, {"categories": {"age": ["0", "1", "2"]}}])
def test_a_count_of_what_is_not_true_or_false_is_refused(declared: dict[str, Any]) -> None:
    book = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match="write `by: age`"):
        tacit.statistics.count(FRAME, of="age", epsilon=1, budget=book, **declared)
    assert book.spent["epsilon"] == 0


@pytest.mark.parametrize("declared", [{}, {"bounds": {"yes": (0, 1)}}, {"categories": {"yes": ["True", "False"]}}])
def test_a_count_of_truths_is_answered(declared: dict[str, Any]) -> None:
    assert ask("count", epsilon=100.0, of="yes", **declared).values == [1]


@pytest.mark.slow
def test_what_the_numbers_are_about_is_remarked() -> None:
    assert FILLED in ask("truncated_mean", of="age", bounds=(0, 10), least_rows=9).remarks
    assert SCALED in ask("logistic_regression", of=["age", "yes"], bounds={"age": (0, 10)}).remarks
    said = ask("partition_selection", of="word", unit="who", delta=0.1).remarks
    assert any("at most 1 key," in remark for remark in said)

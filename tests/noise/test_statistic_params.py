"""What every statistic is asked with."""

import pytest

from tacit.accounting.scope import Scope
from tacit.errors import BadParameter
from tacit.noise.statistic_params import BoundedQuestion, StatisticParams


def test_the_scope_says_who_is_protected() -> None:
    assert StatisticParams(epsilon=1.0, contributions=3).scope == Scope("add-remove", 3)
    assert StatisticParams(epsilon=1.0, neighbours="replace").scope == Scope("replace", 1)


def test_several_rows_of_a_person_are_not_replaced() -> None:
    with pytest.raises(BadParameter, match="may change the number of rows"):
        StatisticParams.parse("count", {"epsilon": 1.0, "neighbours": "replace", "contributions": 2})


def test_bounds_are_in_order() -> None:
    with pytest.raises(BadParameter, match="lower must be below upper"):
        BoundedQuestion.parse("mean", {"epsilon": 1.0, "lower": 5.0, "upper": 5.0})

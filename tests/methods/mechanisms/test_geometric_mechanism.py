"""Geometric noise: W25, W36, limits that pile up at their ends, accuracy first.

Covers mechanisms/geometric.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.methods.mechanisms.laws import divergence, laplace_law, shifted
from tests.randomness.tolerance import bernstein

from tacit.accounting.price import price
from tacit.errors import BadParameter
from tacit.methods.mechanisms.geometric import METHOD, Geometric, error, geometric, noise, spends
from tacit.randomness.stream import RandomBits


@pytest.mark.parametrize("sensitivity", [1, 2, 5])
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_w36_law_and_privacy(sensitivity, epsilon):
    rate = float(noise(Geometric(epsilon=epsilon, sensitivity=sensitivity)).rate)
    assert rate == pytest.approx(epsilon / sensitivity)
    law = laplace_law(rate, 500)
    assert divergence(law, shifted(law, sensitivity), epsilon) <= 1e-12
    assert divergence(law, shifted(law, sensitivity + 1), epsilon) > 1e-3
    params = Geometric(epsilon=epsilon, sensitivity=sensitivity)
    drawn = geometric(np.full(200_000, 7), params, RandomBits.from_seed(1)).values - 7
    for x in (-3, 0, 2):
        probability = float(law[500 + x])
        assert abs((drawn == x).mean() - probability) <= bernstein(probability, drawn.size)


def test_truncated_answers_pile_up_at_the_limits():
    params = Geometric(epsilon=0.5, lower=0, upper=10)
    drawn = geometric(np.full(200_000, 2), params, RandomBits.from_seed(2)).values
    law = laplace_law(0.5, 500)
    assert drawn.min() == 0
    assert drawn.max() == 10
    for limit, probability in ((0, law[: 500 - 1].sum()), (10, law[500 + 8 :].sum())):
        assert abs((drawn == limit).mean() - probability) <= bernstein(float(probability), drawn.size)


def test_the_interval_keeps_the_limits_and_the_truth():
    params = Geometric(epsilon=0.2, lower=0, upper=30)
    answer = geometric(np.full(20_000, 3), params, RandomBits.from_seed(3))
    interval = answer.interval(0.95)
    assert interval.lower.min() >= 0
    assert interval.upper.max() <= 30
    assert ((interval.lower <= 3) & (interval.upper >= 3)).mean() >= 0.95 - bernstein(0.95, 20_000)


def test_one_sided_limits():
    answer = geometric(np.zeros(1000, dtype=np.int64), Geometric(epsilon=1, lower=0), RandomBits.from_seed(4))
    assert answer.values.min() == 0
    assert answer.values.max() > 0


def test_the_price_is_epsilon():
    assert price(spends(Geometric(epsilon=0.1, sensitivity=3))).epsilon == Fraction(1, 10)


def test_w25_counts_of_ten_thousand_names():
    """Whole noise: with 95 % none of 10,000 counts is off by more than 12, the whole part of 12.206."""
    assert error(Geometric(epsilon=1), 0.95, 10_000) == math.floor(12.206)


def test_accuracy_first():
    params = METHOD.for_error(5.0, Geometric(epsilon=1), 0.99)
    assert error(params, 0.99) == 5
    assert error(params.model_copy(update={"epsilon": params.epsilon * 0.999}), 0.99) == 6


def test_reversed_limits_are_refused():
    with pytest.raises(BadParameter, match="lower must be below upper"):
        Geometric.parse("geometric", {"epsilon": 1, "lower": 5, "upper": 5})

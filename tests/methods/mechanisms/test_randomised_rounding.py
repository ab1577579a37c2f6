import math

import numpy as np
import pytest
from tests.methods.mechanisms.laws import divergence, laplace_law, shifted
from tests.randomness.tolerance import bernstein

from tacit.cards.mechanisms import AnswerShape
from tacit.methods.mechanisms.randomised_rounding import (
    RandomisedRounding,
    randomised_rounding,
    round_at_random,
    spends,
)
from tacit.noise.grid import Grid
from tacit.randomness.stream import RandomBits


@pytest.mark.parametrize(("value", "up"), [(2.25, 0.25), (-1.75, 0.25), (3.0, 0.0), (0.1, 0.1)])
def test_rounding_keeps_the_mean(value, up):
    drawn = round_at_random(np.full(100_000, value), Grid(0), RandomBits.from_seed(1))
    assert set(drawn.tolist()) <= {math.floor(value), math.floor(value) + 1}
    assert abs((drawn > math.floor(value)).mean() - up) <= bernstein(up, drawn.size)


def _law(value, rate):
    """The law of the answer: two shifted noises, mixed."""
    below, share = math.floor(value), value - math.floor(value)
    noise = laplace_law(rate, 300)
    return (1 - share) * shifted(noise, below) + share * shifted(noise, below + 1)


@pytest.mark.parametrize("sensitivity", [0.5, 1.0, 2.3])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_neighbours_are_as_close_as_promised(sensitivity, epsilon):
    rate = 1 / float(spends(RandomisedRounding(epsilon=epsilon, sensitivity=sensitivity)).scale)
    for start in np.linspace(0, 1, 11):
        for apart in np.linspace(-sensitivity, sensitivity, 9):
            assert divergence(_law(start, rate), _law(start + apart, rate), epsilon) <= 1e-12


def test_a_sensitivity_rounded_down_would_not_be_private():
    rate = 1.0 / 2  # for 2.3 rounded down to 2 steps at epsilon 1
    assert divergence(_law(0.0, rate), _law(3.0, rate), 1.0) > 1e-3


def test_the_answer_is_unbiased_and_on_the_grid():
    params = RandomisedRounding(epsilon=2, sensitivity=1, grid=1)
    answer = randomised_rounding(np.full(100_000, 4.7), params, RandomBits.from_seed(2))
    assert (answer.values % 2 == 0).all()
    # standard error: sqrt(variance of rounding (at most 1) + 2 q / (1 - q)**2 noise) steps of 2; 7 of them for 1e-9
    noise = (
        2
        * math.exp(-1 / float(spends(params, AnswerShape(100_000)).scale))
        / (1 - math.exp(-1 / float(spends(params, AnswerShape(100_000)).scale))) ** 2
    )
    assert abs(answer.values.mean() - 4.7) <= 7 * 2 * math.sqrt((1 + noise) / 100_000)

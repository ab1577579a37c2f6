import math
from fractions import Fraction

import numpy as np
import pytest
from tests.methods.mechanisms.laws import Law, laplace_law, largest_ratio
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.errors import BadData, BadParameter
from tacit.methods.mechanisms.bounded_laplace import (
    BoundedLaplace,
    BoundedNoise,
    bounded_laplace,
    bounded_loss,
    setting,
)
from tacit.methods.mechanisms.truncated_laplace import TruncatedLaplace, truncated_laplace
from tacit.randomness.enclosure import exp_minus
from tacit.randomness.stream import RandomBits

CASES = [(1.0, 1, 10), (0.3, 2, 6), (2.0, 3, 20), (0.5, 5, 5), (0.01, 1, 4)]


def _law(rate: float, truth: int, width: int) -> Law:
    """Redrawing until the answer lies in 0 … width."""
    weights = np.exp(-rate * np.abs(np.arange(width + 1) - truth))
    return weights / weights.sum()


def _loss(rate: float, sensitivity: int, width: int) -> float:
    """The largest log ratio over all pairs of neighbouring truths."""
    return max(
        largest_ratio(_law(rate, one, width), _law(rate, other, width))
        for one in range(width + 1)
        for other in range(one, min(width, one + sensitivity) + 1)
    )


@pytest.mark.parametrize(("epsilon", "sensitivity", "width"), CASES)
def test_w22_the_calibration_is_exact_over_all_neighbours(epsilon, sensitivity, width):
    params = BoundedLaplace(epsilon=epsilon, sensitivity=sensitivity, lower=0, upper=width, grid=0)
    rate = float(setting(params).noise.rate)
    assert bounded_loss(rate, sensitivity, width) == pytest.approx(_loss(rate, sensitivity, width), rel=1e-9)
    assert epsilon * (1 - 1e-6) <= _loss(rate, sensitivity, width) <= epsilon


@pytest.mark.parametrize(("epsilon", "sensitivity", "width"), CASES)
def test_w22_the_plain_calibration_is_not_private_except_over_the_whole_range(epsilon, sensitivity, width):
    plain = epsilon / sensitivity
    if sensitivity == width:
        assert _loss(plain, sensitivity, width) == pytest.approx(epsilon)
    else:
        assert _loss(plain, sensitivity, width) > epsilon * 1.05


@pytest.mark.parametrize(("epsilon", "sensitivity", "width"), CASES)
@pytest.mark.parametrize("truth", [0, 2, 4])
def test_answers_follow_the_law_by_either_proposal(epsilon, sensitivity, width, truth):
    noise = setting(BoundedLaplace(epsilon=epsilon, sensitivity=sensitivity, lower=0, upper=width, grid=0)).noise
    drawn = noise.around(np.full(100_000, truth), RandomBits.from_seed(1))
    assert frequencies_fit(drawn, _law(float(noise.rate), truth, width))
    if epsilon >= 0.3:
        assert not frequencies_fit(drawn, _law(2 * float(noise.rate), truth, width))


def test_a_doubtful_proposal_is_decided_by_exact_arithmetic():
    """Flat proposals on 0 … 3 around 0: the word 3 << 62 proposes 3, the next word is its coin."""
    noise = BoundedNoise(Fraction(1, 5), 0, 3)
    border = exp_minus(Fraction(3, 5), 64)
    assert noise.around(np.array([0]), ScriptedBits([3 << 62, border.low - 2])).tolist() == [3]
    assert noise.around(np.array([0]), ScriptedBits([3 << 62, border.high + 2, 0, 0])).tolist() == [0]


@pytest.mark.slow
def test_answers_stay_within_and_intervals_hold():
    params = BoundedLaplace(epsilon=1, sensitivity=1, lower=-2.5, upper=7.3)
    bits = RandomBits.from_seed(2)
    answers = [bounded_laplace(6.9, params, bits) for _ in range(2000)]
    assert all(-2.5 <= answer.value <= 7.3 for answer in answers)
    holds = np.mean([a.interval().lower[0] <= 6.9 <= a.interval().upper[0] for a in answers])
    assert holds >= 0.95 - bernstein(0.95, 2000)
    assert bounded_laplace(math.inf, params, bits).value <= 7.3


def test_vectors_and_useless_grids_are_refused():
    bits = RandomBits.from_seed(3)
    with pytest.raises(BadData, match="calibrated for one"):
        bounded_laplace([1.0, 2.0], BoundedLaplace(epsilon=1, sensitivity=1, lower=0, upper=10), bits)
    for limits, grid, match in (((0, 1), 5, "finer"), ((1e90, 2e90), 0, "coarser")):
        params = BoundedLaplace(epsilon=1, sensitivity=1, lower=limits[0], upper=limits[1], grid=grid)
        with pytest.raises(BadParameter, match=match):
            bounded_laplace(0.5, params, bits)


def test_truncated_answers_are_clamped_plain_noise():
    params = TruncatedLaplace(epsilon=0.5, sensitivity=1, lower=0.1, upper=4.9, grid=0)
    answer = truncated_laplace(np.full(100_000, 1), params, RandomBits.from_seed(4))
    law = laplace_law(0.5, 400)
    assert answer.values.min() == 0.1
    assert answer.values.max() == 4.9
    for value, probability in ((0.1, law[:400].sum()), (2.0, law[401]), (4.9, law[404:].sum())):
        assert abs((answer.values == value).mean() - probability) <= bernstein(float(probability), 100_000)


@pytest.mark.parametrize("model", [BoundedLaplace, TruncatedLaplace])
def test_reversed_limits_are_refused(model):
    with pytest.raises(BadParameter, match="lower must be below upper"):
        model.parse("laplace", {"epsilon": 1, "sensitivity": 1, "lower": 1, "upper": 0})

"""Gaussian noise, continuous on a grid and discrete: W28, delta against the divergence, the law, its error.

Covers mechanisms/gaussian, discrete_gaussian, noise/gaussian_setting.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.methods.mechanisms.laws import divergence, gaussian_law, shifted
from tests.randomness.tolerance import dkw

from tacit.accounting.account import account
from tacit.accounting.price import price
from tacit.errors import BadParameter
from tacit.methods.mechanisms import discrete_gaussian as discrete
from tacit.methods.mechanisms.discrete_gaussian import DiscreteGaussianMechanism, discrete_gaussian
from tacit.methods.mechanisms.gaussian import METHOD, GaussianMechanism, error, gaussian, multiplier, setting
from tacit.noise.gaussian_setting import discrete_gaussian_delta
from tacit.randomness.stream import RandomBits

PROMISES = [(0.5, 1e-3), (1.0, 1e-5), (4.0, 1e-4)]


def test_w28_classic_calibration():
    params = GaussianMechanism(epsilon=0.5, delta=1e-5, sensitivity=1, calibration="classic")
    assert multiplier(params) == pytest.approx(math.sqrt(2 * math.log(1.25 / 1e-5)) / 0.5, rel=1e-9)
    assert multiplier(params.model_copy(update={"calibration": "analytic"})) < multiplier(params)


def test_w28_classic_is_refused_above_one():
    params = GaussianMechanism(epsilon=1.5, delta=1e-5, sensitivity=1, calibration="classic")
    with pytest.raises(BadParameter, match="up to 1"):
        gaussian(0.0, params, RandomBits.from_seed(1))


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_one_number_on_a_coarse_grid_keeps_its_promise(epsilon, delta):
    """The sensitivity is 4 steps only, so the grid is far from continuous."""
    sigma = float(setting(GaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=4, grid=0)).noise.sigma)
    law = gaussian_law(sigma, 2000)
    for apart in range(1, 5):
        assert divergence(law, shifted(law, apart), epsilon) <= delta
    twin = gaussian_law(0.8 * sigma, 2000)
    assert divergence(twin, shifted(twin, 4), epsilon) > delta


@pytest.mark.parametrize("shift", [(4, 0), (3, 2), (2, 3), (1, 3)])
@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_vectors_on_a_coarse_grid_keep_their_promise(shift, epsilon, delta):
    sigma = float(
        setting(GaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=4, grid=0), 2, rounded=False).noise.sigma
    )
    assert _plane(sigma, shift, epsilon) <= delta
    if shift == (4, 0):
        assert _plane(0.8 * sigma, shift, epsilon) > delta


def _plane(sigma: float, shift: "tuple[int, int]", epsilon: float) -> float:
    law = gaussian_law(sigma, int(9 * sigma))
    return divergence(np.outer(law, law), np.outer(shifted(law, shift[0]), shifted(law, shift[1])), epsilon)


def test_the_fine_grid_costs_next_to_nothing():
    params = GaussianMechanism(epsilon=1, delta=1e-6, sensitivity=1)
    used = setting(params)
    assert float(used.noise.sigma * used.grid.step) == pytest.approx(multiplier(params), rel=1e-8)


@pytest.mark.parametrize(("factor", "fit"), [(1.0, True), (0.8, False), (1.2, False)])
def test_noise_fits_the_normal_law(factor, fit):
    params = GaussianMechanism(epsilon=1, delta=1e-3, sensitivity=1)
    answer = gaussian(np.full(50_000, 3), params, RandomBits.from_seed(1))
    noise = np.sort(answer.values - 3) / (factor * multiplier(params) * math.sqrt(2))
    law = np.array([(1 + math.erf(value)) / 2 for value in noise])
    assert bool(np.abs((np.arange(noise.size) + 1) / noise.size - law).max() <= dkw(noise.size) + 1e-4) is fit


def test_gaussian_errors_and_accuracy_first():
    params = GaussianMechanism(epsilon=1, delta=1e-5, sensitivity=1)
    assert error(params, 0.95) == pytest.approx(1.959964 * multiplier(params), rel=1e-3)
    found = METHOD.for_error(3.0, params)
    assert error(found) <= 3 < error(found.model_copy(update={"epsilon": found.epsilon * 0.999}))


@pytest.mark.parametrize(
    ("sigma", "sensitivity", "epsilon"), [(1.0, 1, 0.5), (3.3, 2, 1.0), (10.0, 7, 2.5), (0.6, 1, 0.1)]
)
def test_the_delta_of_discrete_noise_is_the_divergence(sigma, sensitivity, epsilon):
    law = gaussian_law(sigma, int(50 * sigma) + 50)
    direct = divergence(law, shifted(law, sensitivity), epsilon)
    assert discrete_gaussian_delta(sigma, sensitivity, epsilon) == pytest.approx(direct, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("sensitivity", [1, 3])
@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_discrete_calibration_is_tight(sensitivity, epsilon, delta):
    params = DiscreteGaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=sensitivity)
    sigma = float(discrete.setting(params).noise.sigma)
    law = gaussian_law(sigma, int(60 * sigma) + 60)
    found = [divergence(law, shifted(law, apart), epsilon) for apart in range(1, sensitivity + 1)]
    assert max(found) <= delta
    assert max(found) >= delta * (1 - 2e-5)


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
def test_discrete_vectors_keep_their_promise(epsilon, delta):
    params = DiscreteGaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=2)
    sigma = float(discrete.setting(params, 2).noise.sigma)
    assert _plane(sigma, (2, 0), epsilon) <= delta
    assert _plane(sigma, (1, 1), epsilon) <= delta
    assert _plane(0.7 * sigma, (2, 0), epsilon) > delta


def test_wide_noise_takes_the_smoothed_calibration():
    params = DiscreteGaussianMechanism(epsilon=0.1, delta=1e-6, sensitivity=500)
    used = discrete.setting(params)
    plain = setting(GaussianMechanism(epsilon=0.1, delta=1e-6, sensitivity=500)).event
    assert float(used.noise.sigma) == pytest.approx(float(plain.sigma / plain.sensitivity) * 500, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta"), PROMISES)
@pytest.mark.parametrize("coordinates", [1, 50])
def test_the_books_show_no_more_than_was_promised(epsilon, delta, coordinates):
    real = setting(GaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=0.3), coordinates).event
    assert epsilon * (1 - 1e-6) <= account(real, delta).epsilon <= epsilon
    wide = discrete.setting(
        DiscreteGaussianMechanism(epsilon=epsilon, delta=delta, sensitivity=5000), coordinates
    ).event
    assert epsilon * (1 - 1e-6) <= account(wide, delta).epsilon <= epsilon


def test_the_books_show_no_more_for_one_whole_number():
    event = discrete.setting(DiscreteGaussianMechanism(epsilon=1, delta=1e-6)).event
    assert 1 - 1e-3 <= account(event, 1e-6).epsilon <= 1


def test_rho_is_exact():
    used = discrete.setting(DiscreteGaussianMechanism(rho=0.02, sensitivity=3))
    assert float(used.noise.sigma) == pytest.approx(3 / math.sqrt(0.04), rel=1e-12)
    assert Fraction("0.02") * (1 - Fraction(1, 10**15)) <= price(used.event).rho <= Fraction("0.02")


@pytest.mark.parametrize(
    "values", [{}, {"rho": 1, "epsilon": 1, "delta": 0.1}, {"epsilon": 1}, {"delta": 0.1}, {"rho": 1, "delta": 0.1}]
)
def test_either_rho_or_epsilon_and_delta(values):
    with pytest.raises(BadParameter, match="either rho"):
        DiscreteGaussianMechanism.parse("discrete-gaussian", values)


def test_discrete_answers_are_whole_and_their_intervals_hold():
    truth = np.arange(50_000)
    answer = discrete_gaussian(truth, DiscreteGaussianMechanism(rho=0.01), RandomBits.from_seed(2))
    assert answer.values.dtype == np.int64
    interval = answer.interval(0.9)
    inside = ((interval.lower <= truth) & (truth <= interval.upper)).mean()
    assert 0.9 - dkw(truth.size) <= inside <= 0.93 + dkw(truth.size)

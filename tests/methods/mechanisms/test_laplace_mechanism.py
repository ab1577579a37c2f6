"""Laplace noise on a grid: W19, W20, W21, W25, privacy, law, intervals, accuracy first.

Covers mechanisms/laplace, mechanisms/_additive.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.methods.mechanisms.laws import divergence, laplace_law, shifted
from tests.randomness.tolerance import dkw

from tacit.accounting.price import price
from tacit.methods.mechanisms.laplace import METHOD, LaplaceMechanism, error, laplace, setting
from tacit.randomness.stream import RandomBits


def _scale(params: LaplaceMechanism) -> float:
    """The scale of the noise in the unit of the answer."""
    used = setting(params)
    return float(used.grid.step / used.noise.rate)


def test_w21_scale_with_a_delta():
    assert _scale(LaplaceMechanism(epsilon=0.5, delta=0.1, sensitivity=1)) == pytest.approx(1.651908, abs=1e-6)
    assert _scale(LaplaceMechanism(epsilon=0.5, sensitivity=1)) == 2


def test_w19_and_w20_scales():
    assert _scale(LaplaceMechanism(epsilon=1, sensitivity=19800)) == pytest.approx(19800, rel=1e-4)
    assert _scale(LaplaceMechanism(epsilon=0.4, sensitivity=2000)) == pytest.approx(5000, rel=1e-4)
    assert _scale(LaplaceMechanism(epsilon=2, sensitivity=2000)) == pytest.approx(1000, rel=1e-4)
    assert _scale(LaplaceMechanism(epsilon=1, sensitivity=0.099)) >= 0.099


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (1.0, 0.0), (0.5, 0.1), (2.0, 0.01)])
def test_neighbours_are_as_close_as_promised_and_no_closer_than_needed(epsilon, delta):
    used = setting(LaplaceMechanism(epsilon=epsilon, delta=delta, sensitivity=3, grid=0))
    law = laplace_law(float(used.noise.rate), 400)
    for apart in range(-3, 4):
        assert divergence(law, shifted(law, apart), epsilon) <= delta + 1e-12
    twin = laplace_law(1.2 * float(used.noise.rate) + delta, 400)
    assert divergence(twin, shifted(twin, 3), epsilon) > delta + 1e-6


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.7])
@pytest.mark.parametrize("coordinates", [1, 7])
def test_the_event_costs_epsilon_exactly(epsilon, coordinates):
    event = setting(LaplaceMechanism(epsilon=epsilon, sensitivity=0.3), coordinates).event
    assert price(event).epsilon == Fraction(repr(epsilon))
    assert event.sensitivity * setting(
        LaplaceMechanism(epsilon=epsilon, sensitivity=0.3), coordinates
    ).grid.step >= Fraction("0.3")


def test_answers_lie_on_the_grid_and_floats_would_not():
    answer = laplace(
        np.full(1000, 1 / 3), LaplaceMechanism(epsilon=1, sensitivity=1, grid=-10), RandomBits.from_seed(1)
    )
    assert (answer.values * 2**10 == np.rint(answer.values * 2**10)).all()
    naive = np.random.default_rng(1).laplace(1 / 3, 1, 1000)
    assert (naive * 2**10 != np.rint(naive * 2**10)).any()


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "fit"), [(2.0, True), (1.6, False), (2.4, False)])
def test_noise_fits_the_laplace_law(scale, fit):
    answer = laplace(np.full(200_000, 10), LaplaceMechanism(epsilon=0.5, sensitivity=1), RandomBits.from_seed(2))
    noise = np.sort(answer.values - 10) / scale
    law = np.where(noise < 0, np.exp(noise) / 2, 1 - np.exp(-noise) / 2)
    distance = np.abs((np.arange(noise.size) + 1) / noise.size - law).max()
    assert bool(distance <= dkw(noise.size) + 1e-4) is fit


def test_w25_no_count_of_ten_thousand_is_off_by_more():
    """Continuous noise of scale b exceeds b ln(n / (1 - level)) in none of n answers (union bound)."""
    assert math.log(10_000 / 0.05) == pytest.approx(12.206, abs=5e-4)
    assert error(LaplaceMechanism(epsilon=1, sensitivity=1), 0.95, 10_000) == pytest.approx(12.206, abs=0.03)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("count", [1, 20])
def test_the_error_is_the_exact_quantile(level, count):
    params = LaplaceMechanism(epsilon=0.7, sensitivity=2, grid=0)
    used = setting(params, count)
    law = laplace_law(float(used.noise.rate), 4000)
    steps = round(error(params, level, count) - 0.5)
    inside = [law[4000 - m : 4001 + m].sum() ** count for m in (steps, steps - 1)]
    assert inside[0] >= level > inside[1]


def test_accuracy_first_finds_the_least_epsilon():
    params = METHOD.for_error(10.0, LaplaceMechanism(epsilon=1, sensitivity=1), level=0.9)
    assert params.epsilon == pytest.approx(math.log(10) / 10, rel=1e-3)
    assert error(params, 0.9) <= 10 < error(params.model_copy(update={"epsilon": params.epsilon * 0.999}), 0.9)


def test_intervals_hold_the_truth_as_often_as_said():
    truth = np.linspace(-5, 5, 50_000)
    answer = laplace(truth, LaplaceMechanism(epsilon=1, sensitivity=1), RandomBits.from_seed(3))
    interval = answer.interval(0.95)
    inside = ((interval.lower <= truth) & (truth <= interval.upper)).mean()
    assert abs(inside - 0.95) <= dkw(truth.size)
    assert answer.error(0.95) < answer.error(0.95, together=True)

"""Propose-test-release and smooth sensitivity against brute force over all small datasets.

Covers propose_test_release, smooth_sensitivity, noise/smoothing.
"""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from tests.methods.mechanisms.laws import divergence, laplace_law, shifted

from tacit.errors import BadData, BadParameter
from tacit.methods.mechanisms import propose_test_release as ptr
from tacit.methods.mechanisms._robust import Limits, order_statistic
from tacit.methods.mechanisms.propose_test_release import ProposeTestRelease, Refusal, propose_test_release
from tacit.methods.mechanisms.smooth_sensitivity import (
    SmoothSensitivity,
    smooth_order_statistic,
    smooth_sensitivity,
    smoothing,
)
from tacit.noise.grid import Grid
from tacit.randomness.stream import RandomBits

TOP = 4
LIMITS = Limits(Grid(0), 0, TOP)
ROOM = 400


def _statistic(data, quantile):
    return sorted(data)[max(1, math.ceil(quantile * len(data))) - 1]


@cache
def _local(data, quantile):
    """The largest change of the statistic when one value is replaced."""
    others = ((*data[:i], value, *data[i + 1 :]) for i in range(len(data)) for value in range(TOP + 1))
    return max(abs(_statistic(other, quantile) - _statistic(data, quantile)) for other in others)


@cache
def _within(data, quantile, distance):
    """The largest local sensitivity among all datasets that differ in at most `distance` values."""
    everything = product(range(TOP + 1), repeat=len(data))
    near = (other for other in everything if sum(a != b for a, b in zip(other, data, strict=True)) <= distance)
    return max(_local(other, quantile) for other in near)


@pytest.mark.slow
@pytest.mark.parametrize("quantile", [0.0, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("size", [1, 3, 4])
def test_local_sensitivities_are_those_of_brute_force(quantile, size):
    for data in product(range(TOP + 1), repeat=size):
        found = order_statistic(np.array(data), quantile, LIMITS, 10)
        data = tuple(sorted(data))
        assert found.value == _statistic(data, quantile)
        assert found.local[:-1].tolist() == [_within(data, quantile, k) for k in range(size)]
        assert found.local[-1] == TOP


@pytest.mark.slow
def test_w29_the_distance_is_that_of_brute_force_and_has_sensitivity_one():
    for data in product(range(TOP + 1), repeat=3):
        found = ptr.distance(order_statistic(np.array(data), 0.5, LIMITS, 10), 1)
        exceeding = [k for k in range(3) if _within(tuple(sorted(data)), 0.5, k) > 1]
        assert found == min(exceeding, default=3)
        for i, value in product(range(3), range(TOP + 1)):
            other = np.array((*data[:i], value, *data[i + 1 :]))
            assert abs(ptr.distance(order_statistic(other, 0.5, LIMITS, 10), 1) - found) <= 1


def test_w29_the_threshold_is_the_least_that_keeps_delta():
    for half, delta in ((Fraction(1), 1e-3), (Fraction(1, 2), 0.01), (Fraction(3), 1e-6)):
        top = ptr.passing_threshold(half, delta)
        law = laplace_law(float(half), 200)
        assert law[200 + top + 1 :].sum() <= delta < law[200 + top :].sum()
        assert abs(top - math.log(1 / (2 * delta)) / float(half)) <= 1


def _ptr_law(data, half, bound, threshold):
    """The law of the outcome: each whole value, and at the end the refusal."""
    robust = order_statistic(np.array(data), 0.5, LIMITS, 10)
    passed = laplace_law(half, ROOM)[ROOM + threshold - ptr.distance(robust, bound) + 1 :].sum()
    return np.append(passed * shifted(laplace_law(half / bound, ROOM), robust.value), 1 - passed)


def _worst_pair(law, epsilon, size):
    """The largest divergence over all datasets and their neighbours."""
    worst = 0.0
    for data in product(range(TOP + 1), repeat=size):
        for value in range(TOP + 1):
            worst = max(worst, divergence(law(data), law((value, *data[1:])), epsilon))
    return worst


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.05), (3.0, 0.01)])
def test_w29_every_pair_of_neighbours_is_within_epsilon_and_delta(epsilon, delta):
    half = epsilon / 2
    threshold = ptr.passing_threshold(Fraction(half), delta)
    worst = _worst_pair(cache(lambda data: _ptr_law(data, half, 1, threshold)), epsilon, 3)
    assert worst <= delta


def test_w29_the_garbled_test_of_one_source_is_not_private():
    """Threshold ln(2 / delta) / (2 epsilon) with the noise of the test unscaled lets wrong bounds pass too often."""
    epsilon, delta = 2.0, 0.05
    threshold = math.floor(math.log(2 / delta) / (2 * 1.0))
    worst = _worst_pair(cache(lambda data: _ptr_law(data, 1.0, 1, threshold)), epsilon, 3)
    assert worst > delta


def test_propose_test_release_passes_concentrated_data_and_refuses_spread_data():
    params = ProposeTestRelease(epsilon=2, delta=1e-3, bound=2, lower=0, upper=100)
    bits = RandomBits.from_seed(1)
    near = np.full(400, 50.0)
    passed = propose_test_release(near, params, bits)
    assert not isinstance(passed, Refusal)
    assert abs(passed.value - 50) <= passed.error(1 - 1e-9)
    refused = propose_test_release(np.repeat([0.0, 100.0], 200), params, bits)
    assert isinstance(refused, Refusal)
    assert refused.event == passed.event


def test_a_test_that_could_never_pass_is_refused():
    params = ProposeTestRelease(epsilon=0.01, delta=1e-6, bound=2, lower=0, upper=100)
    with pytest.raises(BadParameter, match="reach"):
        propose_test_release([1.0, 2.0], params, RandomBits.from_seed(1))


def _smooth_law(data, epsilon, beta):
    robust = order_statistic(np.array(data), 0.5, LIMITS, 10)
    return shifted(laplace_law(epsilon / (2 * smooth_sensitivity(robust, beta)), ROOM), robust.value)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (1.0, 1e-3), (4.0, 1e-3)])
def test_w30_every_pair_of_neighbours_is_within_epsilon_and_delta(epsilon, delta):
    beta = smoothing(epsilon, delta)
    worst = _worst_pair(cache(lambda data: _smooth_law(data, epsilon, beta)), epsilon, 3)
    assert worst <= delta


def test_w30_local_sensitivity_instead_would_not_be_private():
    def law(data):
        local = max(_local(tuple(data), 0.5), 1e-3)
        return shifted(laplace_law(1.0 / (2 * local), ROOM), _statistic(data, 0.5))

    assert _worst_pair(cache(law), 1.0, 3) > 0.1


def test_w30_beta():
    assert smoothing(1.0, 1e-3) == pytest.approx(1 / (2 * math.log(2000)))
    assert smoothing(4.0, 1e-3) < 4 / (2 * math.log(2000))
    with pytest.raises(BadParameter, match="needs more"):
        smoothing(1e-8, 1e-3)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (4.0, 1e-3)])
def test_smooth_sensitivity_is_smooth_and_bounds_the_local_one(epsilon, delta):
    beta = smoothing(epsilon, delta)
    for data in product(range(TOP + 1), repeat=3):
        here = smooth_sensitivity(order_statistic(np.array(data), 0.5, LIMITS, 2), beta)
        assert here >= _local(tuple(sorted(data)), 0.5)
        for value in range(TOP + 1):
            other = order_statistic(np.array((value, *data[1:])), 0.5, LIMITS, 2)
            assert here <= math.exp(beta) * smooth_sensitivity(other, beta)


@pytest.mark.slow
def test_the_private_median_of_many_is_close():
    data = np.random.default_rng(1).normal(40, 5, 5000)
    params = SmoothSensitivity(epsilon=1, delta=1e-6, lower=0, upper=100)
    found = [smooth_order_statistic(data, params, RandomBits.from_seed(seed)).value for seed in range(20)]
    assert np.abs(np.array(found) - np.median(data)).max() < 5
    extreme = smooth_order_statistic(data, params.model_copy(update={"quantile": 1.0}), RandomBits.from_seed(1))
    assert np.isfinite(extreme.value)


def test_values_that_are_not_finite_are_clamped_and_none_are_refused():
    params = SmoothSensitivity(epsilon=1, delta=1e-6, lower=0, upper=100)
    data = np.array([math.nan, math.inf, -math.inf, 50.0])
    assert np.isfinite(smooth_order_statistic(data, params, RandomBits.from_seed(1)).value)
    with pytest.raises(BadData, match="no values"):
        smooth_order_statistic([], params, RandomBits.from_seed(1))


@pytest.mark.parametrize("values", [[0.0], [50.0] * 2001], ids=["one row", "many equal rows"])
def test_a_grid_too_fine_for_the_limits_is_refused_whatever_the_rows(values):
    """The noise of one row is as wide as the limits and that of equal rows far less; neither may decide."""
    params = SmoothSensitivity(epsilon=0.5, delta=1e-6, lower=0, upper=100, grid=-42)
    with pytest.raises(BadParameter, match="coarser grid"):
        smooth_order_statistic(values, params, RandomBits.from_seed(1))
    width = 100 * 2.0**40
    finest = SmoothSensitivity(epsilon=2 * width * 2.0**-48 / 0.85 * 1.01, delta=0.5, lower=0, upper=100, grid=-40)
    assert np.isfinite(smooth_order_statistic(values, finest, RandomBits.from_seed(1)).value)


@pytest.mark.parametrize("values", [[0.0], [50.0] * 2001], ids=["fails the test", "passes the test"])
def test_noise_that_can_not_be_drawn_is_refused_before_the_test(values):
    params = ProposeTestRelease(epsilon=2, delta=1e-3, bound=5, lower=0, upper=100, grid=-46)
    with pytest.raises(BadParameter, match="coarser grid"):
        propose_test_release(values, params, RandomBits.from_seed(1))


def test_limits_on_one_point_of_the_grid_are_refused():
    with pytest.raises(BadParameter, match="same point"):
        Limits.of(0.0, 0.1, Grid(3))

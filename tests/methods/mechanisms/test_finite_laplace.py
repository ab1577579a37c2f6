import numpy as np
import pytest
from tests.methods.mechanisms.laws import Law, divergence, shifted
from tests.randomness.tolerance import fits

from tacit.methods.mechanisms.finite_laplace import FiniteLaplace, edge_mass, finite_laplace, setting
from tacit.randomness.stream import RandomBits

CASES = [(1.0, 1e-3, 1), (0.5, 0.05, 3), (3.0, 1e-6, 2), (0.2, 0.3, 2)]


def _law(rate: float, most: int, room: int) -> Law:
    points = np.arange(-most - room, most + room + 1)
    weights = np.where(np.abs(points) <= most, np.exp(-rate * np.abs(points)), 0)
    return weights / weights.sum()


@pytest.mark.parametrize(("epsilon", "delta", "sensitivity"), CASES)
def test_delta_is_kept_by_the_least_size(epsilon, delta, sensitivity):
    noise = setting(FiniteLaplace(epsilon=epsilon, delta=delta, sensitivity=sensitivity, grid=0)).noise
    law = _law(float(noise.rate), noise.most, sensitivity)
    found = [divergence(law, shifted(law, apart), epsilon * (1 + 1e-12)) for apart in range(1, sensitivity + 1)]
    assert max(found) <= delta
    assert edge_mass(float(noise.rate), sensitivity, noise.most) == pytest.approx(max(found), rel=1e-6)
    if noise.most > sensitivity:
        twin = _law(float(noise.rate), noise.most - 1, sensitivity)
        assert divergence(twin, shifted(twin, sensitivity), epsilon * (1 + 1e-12)) > delta * (1 - 1e-6)


@pytest.mark.parametrize("shift", [(3, 0), (2, 1), (1, 1)])
def test_a_vector_keeps_delta_too(shift):
    noise = setting(FiniteLaplace(epsilon=1, delta=0.01, sensitivity=3, grid=0), 2, rounded=False).noise
    law = _law(float(noise.rate), noise.most, 3)
    plane = np.outer(law, law)
    other = np.outer(shifted(law, shift[0]), shifted(law, shift[1]))
    assert divergence(plane, other, 1 + 1e-12) <= 0.01


def test_noise_fits_its_law_and_keeps_its_size():
    params = FiniteLaplace(epsilon=0.5, delta=0.05, sensitivity=1, grid=0)
    noise = setting(params).noise
    drawn = finite_laplace(np.full(200_000, 5), params, RandomBits.from_seed(1)).values - 5
    assert np.abs(drawn).max() == noise.most
    assert fits(drawn.astype(np.int64), lambda x: np.where(np.abs(x) <= noise.most, np.exp(-np.abs(x) / 2), 0), 100)
    assert not fits(
        drawn.astype(np.int64), lambda x: np.where(np.abs(x) <= noise.most, np.exp(-np.abs(x) / 2.4), 0), 100
    )


def test_noise_far_wider_than_its_size_is_drawn_too():
    """At epsilon 1e-12 next to no plain draw would keep the size; flat proposals do, and fit the (nearly flat) law."""
    params = FiniteLaplace(epsilon=1e-12, delta=0.01, sensitivity=1, grid=0)
    noise = setting(params).noise
    assert edge_mass(float(noise.rate), 1, noise.most) <= 0.01 < edge_mass(float(noise.rate), 1, noise.most - 1)
    drawn = noise.draw(200_000, RandomBits.from_seed(2))
    assert fits(drawn, lambda x: np.where(np.abs(x) <= noise.most, 1.0, 0.0), 100)
    assert not fits(drawn, lambda x: np.where(np.abs(x) < noise.most, 1.0, 0.0), 100)


def test_the_error_is_the_exact_quantile():
    noise = setting(FiniteLaplace(epsilon=0.5, delta=0.05, sensitivity=1, grid=0)).noise
    law = _law(float(noise.rate), noise.most, 0)
    for steps in range(noise.most + 2):
        direct = law[np.abs(np.arange(-noise.most, noise.most + 1)) > steps].sum()
        assert noise.beyond(steps) == pytest.approx(direct, abs=1e-12)

"""Whole answers of any size on any grid: exact, never an error that rows decide.

Covers noise/grid.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.catalogue import find_method
from tacit.errors import BadParameter
from tacit.methods.mechanisms.finite_laplace import FiniteLaplace, edge_mass, setting
from tacit.noise.grid import MOST_STEPS, Grid, as_vector, as_whole
from tacit.randomness.stream import RandomBits

WHOLE = st.one_of(st.integers(), st.integers(-(2**63), 2**64), st.integers(-(10**400), 10**400))
POWERS = st.one_of(st.integers(-400, 400), st.integers(50, 70), st.integers(-70, 3))


def nearest(value: int, power: int) -> int:
    """Half up in fractions, within the range of exact steps."""
    if power > 0:
        return max(-MOST_STEPS, min(math.floor(Fraction(value, 2**power) + Fraction(1, 2)), MOST_STEPS))
    most = MOST_STEPS >> -power
    return max(-most, min(value, most)) << -power


@given(WHOLE, POWERS)
def test_whole_numbers_go_to_the_nearest_step_of_any_grid(value: int, power: int) -> None:
    expected = nearest(value, power)
    kinds = [kind for kind in (np.int64, np.uint64) if np.iinfo(kind).min <= value <= np.iinfo(kind).max]
    arrays = [np.array([value], dtype=kind) for kind in [*kinds, object]]
    forms: list[Any] = [value, [value], *arrays]
    for answer in forms:
        found = Grid(power).steps(answer)
        assert found.counts.tolist() == [expected]
        assert found.rounded == (power > 0)


@given(st.lists(WHOLE, min_size=1, max_size=3))
def test_integers_are_whole_numbers_however_large(values: list[int]) -> None:
    # numpy reads [2**63, 1] as floats and 2**64 as an object: then the size of a row would decide about its rounding.
    assert not Grid(-3).steps(values).rounded
    assert as_whole(values).tolist() == [nearest(value, 0) for value in values]
    assert as_vector([*values, 0.5]).dtype.kind == "f"
    assert Grid(-3).steps([*values, 0.5]).rounded


@pytest.mark.parametrize("small", [np.int8(-5), np.uint8(200), np.bool_(True)])
def test_small_types_fit_large_grids(small: np.generic) -> None:
    assert Grid(400).steps(small).counts.tolist() == [0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["laplace", "truncated-laplace", "finite-laplace", "gaussian"])
@pytest.mark.parametrize("changes", [{"sensitivity": 1e100}, {"grid": 62}, {"grid": 64}, {"grid": 400}])
@pytest.mark.parametrize("answer", [5, -(2**40), 2**63, 10**400, [2**63, -1]])
def test_no_whole_answer_is_too_large(name: str, changes: dict[str, float], answer: object) -> None:
    method = find_method(f"mechanisms/{name}")
    params = method.params.parse(name, {**method.example.model_dump(), **changes})
    assert np.isfinite(method.run(answer, params, RandomBits.from_seed(1)).values).all()


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 700.0, 1000.0, 1e6])
def test_bounded_noise_has_its_delta_at_any_epsilon(epsilon: float) -> None:
    params = FiniteLaplace(epsilon=epsilon, delta=1e-6, sensitivity=3.0, grid=0)
    noise = setting(params).noise
    assert edge_mass(float(noise.rate), 3, noise.most) <= 1e-6
    if noise.most > 3:
        assert edge_mass(float(noise.rate), 3, noise.most - 1) > 1e-6 * (1 - 1e-8)


@pytest.mark.parametrize(("rate", "sensitivity", "most"), [(200.0, 3, 3), (0.01, 100, 150), (1e-9, 7, 4000)])
def test_the_mass_of_the_edge_is_the_sum_over_its_points(rate: float, sensitivity: int, most: int) -> None:
    weights = [math.exp(-rate * abs(point)) for point in range(-most, most + 1)]
    assert edge_mass(rate, sensitivity, most) == pytest.approx(sum(weights[-sensitivity:]) / sum(weights), rel=1e-9)


def test_an_epsilon_that_no_float_can_spread_is_refused() -> None:
    with pytest.raises(BadParameter, match="larger epsilon or a coarser grid"):
        setting(FiniteLaplace(epsilon=1e-300, delta=1e-6, sensitivity=1e100, grid=-400))

"""Rounding to the grid moves no two numbers further apart than the sensitivity; floats on it are exact.

Covers noise/grid.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import BadData
from tacit.noise.grid import MOST_STEPS, Grid, as_whole, clamped_sum, grid_for

reals = st.floats(-1e6, 1e6)
powers = st.integers(-20, 10)


@given(reals, reals, powers)
def test_rounding_moves_two_numbers_no_further_apart_than_the_sensitivity_in_steps(one, other, power):
    grid = Grid(power)
    moved = np.ptp(grid.steps(np.array([one, other])).counts)
    assert moved <= grid.l1(abs(Fraction(one) - Fraction(other)), 1)


@given(st.lists(st.tuples(reals, reals), min_size=1, max_size=6), powers)
def test_rounding_of_vectors_by_both_norms(pairs, power):
    grid = Grid(power)
    one, other = (grid.steps(np.array(side)).counts for side in zip(*pairs, strict=True))
    apart = [abs(Fraction(a) - Fraction(b)) for a, b in pairs]
    assert np.abs(one - other).sum() <= grid.l1(sum(apart, Fraction(0)), len(pairs))
    square = sum((gap * gap for gap in apart), Fraction(0))
    length = Fraction(math.isqrt(square.numerator * 10**40 // square.denominator) + 1, 10**20)
    assert sum(int(gap) ** 2 for gap in one - other) <= grid.l2(length, len(pairs)) ** 2


def test_half_to_even_would_break_the_sensitivity():
    """0.5 and 1.5 are one step apart; rounding half to even would move them to 0 and 2."""
    assert list(np.rint([0.5, 1.5])) == [0, 2]
    assert list(Grid(0).steps(np.array([0.5, 1.5])).counts) == [1, 2]
    assert Grid(0).steps(np.nextafter(0.5, 0)).counts[0] == 0


@given(reals, powers)
def test_the_nearest_multiple_is_taken_and_is_an_exact_float(value, power):
    grid = Grid(power)
    counts = grid.steps(value).counts
    published = Fraction(float(grid.values(counts)[0]))
    assert published == int(counts[0]) * grid.step
    assert abs(published - Fraction(value)) <= grid.step / 2


@given(st.integers(-(2**40), 2**40), st.integers(-20, 20))
def test_whole_numbers_are_exact_on_a_fine_grid(value, power):
    steps = Grid(power).steps(value)
    assert steps.rounded == (power > 0)
    assert abs(int(steps.counts[0]) * Grid(power).step - value) <= (Grid(power).step / 2 if power > 0 else 0)


def test_what_is_not_finite_follows_a_fixed_rule():
    found = Grid(-3).steps(np.array([math.nan, math.inf, -math.inf, 1e300])).counts
    assert list(found) == [0, 2**52, -(2**52), 2**52]


def test_large_whole_numbers_are_clamped():
    assert as_whole(np.array([2**64 - 1], dtype=np.uint64))[0] == MOST_STEPS
    assert as_whole(np.array([-(2**63)]))[0] == -MOST_STEPS
    assert clamped_sum(np.array([MOST_STEPS]), np.array([2**61]))[0] == MOST_STEPS
    assert as_whole([True, False]).tolist() == [1, 0]


@pytest.mark.parametrize("answer", [[], [[1, 2]], "one", [None], np.array(["2020-01-01"], dtype="M8[D]")])
def test_what_is_no_vector_of_numbers_is_refused(answer):
    with pytest.raises(BadData, match="the answer is"):
        Grid(0).steps(answer)


def test_a_whole_number_mechanism_refuses_reals_by_type():
    with pytest.raises(BadData, match="whole numbers"):
        as_whole(1.0)


@pytest.mark.parametrize("sensitivity", [Fraction(1), Fraction(19800), Fraction("0.099"), Fraction(1, 3)])
@pytest.mark.parametrize("coordinates", [1, 10, 1000])
def test_the_default_grid_costs_less_than_one_part_in_thirty_thousand(sensitivity, coordinates):
    grid = grid_for(None, sensitivity, coordinates)
    assert 1 <= grid.l1(sensitivity, coordinates) * grid.step / sensitivity <= 1 + Fraction(2, 2**15)

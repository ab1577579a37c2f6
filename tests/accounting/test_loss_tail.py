"""The least epsilon of a loss distribution, against exact fractions and against the library that made it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from hypothesis import given
from hypothesis import strategies as st

from tacit.accounting.loss_tail import LossTail, tails_of

GRID = 0.25


@st.composite
def tails(draw):
    """A few losses on a grid with chances that are whole thousandths, and a rest beyond."""
    points = sorted(draw(st.sets(st.integers(1, 200), min_size=1, max_size=8)))
    weights = [draw(st.integers(0, 100)) for _ in points]
    return LossTail(np.array(points) * GRID, np.array(weights) / 1000, draw(st.sampled_from([0.0, 1e-9, 0.01, 0.1])))


def exact_divergence(tail: LossTail, epsilon: float) -> float:
    """The definition, term by term, added up without rounding."""
    terms = [
        Fraction(chance) * Fraction(-math.expm1(epsilon - loss))
        for loss, chance in zip(tail.losses, tail.chances, strict=True)
        if loss > epsilon
    ]
    return float(Fraction(tail.beyond) + sum(terms, Fraction(0)))


@given(tails(), st.floats(0, 60))
def test_the_divergence_is_the_definition(tail, epsilon):
    assert tail.divergence(epsilon) == pytest.approx(exact_divergence(tail, epsilon), rel=1e-13, abs=0)


@given(tails(), st.sampled_from([1e-12, 1e-9, 1e-6, 0.001, 0.01, 0.05, 0.2, 0.9]))
def test_the_least_epsilon_keeps_delta_and_no_lesser_one_does(tail, delta):
    found = tail.least_epsilon(delta)
    if math.isinf(found):
        assert tail.beyond > delta
        return
    assert tail.divergence(found) <= delta
    assert found == 0 or exact_divergence(tail, found * (1 - 1e-9) - 1e-12) > delta * (1 - 1e-12)


def test_losses_far_beyond_the_range_of_powers_have_an_epsilon():
    """The library's own loop gives up on such losses, since e to the minus 800 is no number."""
    tail = LossTail(np.array([790.0, 800.0]), np.array([0.5, 0.5]), 0.0)
    found = tail.least_epsilon(0.25)
    assert exact_divergence(tail, found) == pytest.approx(0.25, rel=1e-9)
    assert 790 < found < 800


@pytest.mark.parametrize("copies", [1, 3, 500])
@pytest.mark.parametrize("sampled", [1.0, 0.1])
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_the_library_finds_the_same(copies, sampled, delta):
    """Dense and sparse masses, the same or not in both orders of the datasets."""
    grid = {"value_discretization_interval": 1e-3, "sampling_prob": sampled, "use_connect_dots": True}
    for made in (pld.from_gaussian_mechanism(3.0, **grid), pld.from_laplace_mechanism(4.0, **grid)):
        whole = made.self_compose(copies)
        found = max(tail.least_epsilon(delta) for tail in tails_of(whole))
        assert found == pytest.approx(whole.get_epsilon_for_delta(delta), rel=1e-9, abs=1e-12)
        assert len(tails_of(whole)) == (1 if sampled == 1 else 2)


def test_a_few_masses_far_apart_take_no_space():
    """Randomised response at epsilon 600 has two losses, not twelve million."""
    whole = pld.PrivacyLossDistribution.create_from_rounded_probability({6_000_000: 0.5, -6_000_000: 0.5}, 0.0, 1e-4)
    (tail,) = tails_of(whole)
    assert tail.losses.tolist() == [pytest.approx(600)]
    assert tail.least_epsilon(0.1) == pytest.approx(600 + math.log(0.8))

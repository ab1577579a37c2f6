"""Noise for a budget: Laplace by L1 or Gaussian by L2, and what an answer with it costs."""

from fractions import Fraction

import numpy as np

from tacit.accounting.account import account
from tacit.accounting.events import Composed, DiscreteLaplace
from tacit.noise.grid import MOST_STEPS
from tacit.noise.noise import GaussianNoise, LaplaceNoise
from tacit.noise.setting import WHOLE, Allowance, Moves, add_noise, as_steps, setting
from tacit.randomness.stream import RandomBits


def test_without_a_delta_the_noise_is_laplace_noise_of_the_budget_over_the_move() -> None:
    used = setting(Moves(3, Fraction(3)), Allowance.of(0.5))
    assert used.noise == LaplaceNoise(Fraction(1, 6))
    assert used.event == DiscreteLaplace(Fraction(6), 3)


def test_with_a_delta_the_noise_is_gaussian_and_keeps_it() -> None:
    used = setting(Moves(40, Fraction(2), 40), Allowance.of(1.0, 1e-6))
    assert isinstance(used.noise, GaussianNoise)
    assert account(used.event, 1e-6).epsilon <= 1.0 + 1e-9


def test_shares_of_an_allowance_spend_no_more_than_the_whole() -> None:
    whole = Allowance.of(0.1, 1e-6)
    third = whole.share(Fraction(1, 3))
    assert 3 * third.epsilon == whole.epsilon == Fraction(1, 10)
    assert 3 * Fraction(third.delta) <= Fraction(whole.delta)
    moves = Moves(1, Fraction(1))
    assert account(Composed((setting(moves, whole.share(Fraction(1, 3))).event,) * 3), 1e-6).epsilon <= 0.1 + 1e-9


def test_numbers_beyond_the_exact_range_are_clamped_before_the_noise() -> None:
    assert as_steps(1 << 80, -(1 << 80), 5).tolist() == [MOST_STEPS, -MOST_STEPS, 5]
    used = setting(Moves(1, Fraction(1)), Allowance.of(1e6))
    answer = add_noise(np.array([7, -7]), used, WHOLE, RandomBits.from_seed(1))
    assert answer.values.tolist() == [7, -7]
    assert answer.event == used.event

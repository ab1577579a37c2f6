"""Exponential mechanism, noisy maximum, permute and flip, top k: W24, exact laws, privacy, regret.

Covers exponential, noisy_max, permute_and_flip, top_k, noise/scores.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.methods.mechanisms.laws import argmax_law
from tests.randomness.test_selection import flip_law
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.accounting.price import price
from tacit.errors import BadParameter
from tacit.methods.mechanisms import exponential, noisy_max, permute_and_flip, top_k
from tacit.methods.mechanisms.exponential import ExponentialMechanism
from tacit.methods.mechanisms.noisy_max import NoisyMax
from tacit.methods.mechanisms.permute_and_flip import PermuteAndFlip
from tacit.methods.mechanisms.top_k import TopK
from tacit.noise.scores import regrets, score_rate, score_steps
from tacit.randomness.selection import exponential_choice
from tacit.randomness.stream import RandomBits

NATIONALITIES = [2, 6, 2, 2]  # Russian, American, Japanese, Indian


def _weights(scores, rate):
    weights = np.exp(np.asarray(scores, dtype=float) * float(rate))
    return weights / weights.sum()


def test_w24_probabilities_of_the_nationalities():
    params = ExponentialMechanism(epsilon=0.5, sensitivity=1)
    steps = score_steps(NATIONALITIES, params)
    drawn = exponential_choice(regrets(steps), score_rate(params), 200_000, RandomBits.from_seed(1))
    law = np.array([0.17488, 0.47537, 0.17488, 0.17488])
    assert _weights(NATIONALITIES, 0.25) == pytest.approx(law, abs=5e-6)
    assert frequencies_fit(drawn, _weights(NATIONALITIES, 0.25))
    assert not frequencies_fit(drawn, _weights(NATIONALITIES, 0.3))


@pytest.mark.slow
def test_w24_the_auction_price_is_chosen_by_score():
    prices = np.array([1.00, 3.01, 3.02])
    bids = np.array([1, 1, 1, 3.01])
    revenue = np.array([price * (bids >= price).sum() for price in prices])
    assert revenue == pytest.approx([4.0, 3.01, 0.0])
    three = np.array([price * (bids[:3] >= price).sum() for price in prices])
    assert three == pytest.approx([3.0, 0.0, 0.0])
    params = ExponentialMechanism(epsilon=4, sensitivity=3.02)
    bits = RandomBits.from_seed(2)
    chosen = np.array([exponential.choose(revenue, params, bits).index for _ in range(3000)])
    assert frequencies_fit(chosen, _weights(revenue, 4 / 6.04))


def _neighbours(scores, most=1):
    """Every vector in which each score moved by at most `most`."""
    return [
        tuple(a + b for a, b in zip(scores, move, strict=True)) for move in product(range(-most, most + 1), repeat=3)
    ]


def _up(scores):
    return [tuple(a + b for a, b in zip(scores, move, strict=True)) for move in product((0, 1), repeat=3)]


@pytest.mark.parametrize("monotonic", [False, True])
def test_exponential_and_flip_laws_are_epsilon_private(monotonic):
    params = ExponentialMechanism(epsilon=1, sensitivity=1, monotonic=monotonic, grid=0)
    rate = score_rate(params)
    assert rate == (1 if monotonic else Fraction(1, 2))
    for scores in ((0, 0, 0), (3, 1, 0), (0, 5, 5)):
        for other in _up(scores) if monotonic else _neighbours(scores):
            for law in (lambda s: _weights(s, rate), lambda s: flip_law(max(s) - np.array(s), rate)):
                ratio = np.abs(np.log(law(scores)) - np.log(law(other))).max()
                assert ratio <= 1 + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("monotonic", [False, True])
def test_noisy_max_is_epsilon_private_ties_included(monotonic):
    """By sums over all noises up to 40 in size, against every neighbour."""
    params = NoisyMax(epsilon=2, sensitivity=1, monotonic=monotonic, grid=0)
    rate = float(score_rate(params))
    found = []
    for scores in ((0, 0), (1, 0), (0, 2)):
        law = argmax_law(scores, rate, 40)
        moves = product((0, 1) if monotonic else (-1, 0, 1), repeat=2)
        for other in (tuple(a + b for a, b in zip(scores, move, strict=True)) for move in moves):
            there = argmax_law(other, rate, 40)
            found += [abs(math.log(law[key] / there[key])) for key in law]
    assert 1.0 <= max(found) <= 2 + 1e-9


def test_noisy_max_without_the_factor_two_would_not_be_private():
    """Counts that move against each other need noise of scale 2s / epsilon."""
    law, there = argmax_law((0, 2), 2.0, 40), argmax_law((1, 1), 2.0, 40)
    assert max(abs(math.log(law[key] / there[key])) for key in law) > 2


@pytest.mark.slow
def test_noisy_max_follows_its_law():
    params = NoisyMax(epsilon=1, sensitivity=1, grid=0)
    bits = RandomBits.from_seed(3)
    chosen = np.array([noisy_max.choose([3, 5, 4], params, bits).index for _ in range(5_000)])
    law = argmax_law((3, 5, 4), 0.5, 25)
    assert frequencies_fit(chosen, np.array([law[(0,)], law[(1,)], law[(2,)]]))
    twin = argmax_law((3, 5, 4), 1.0, 25)
    assert not frequencies_fit(chosen, np.array([twin[(0,)], twin[(1,)], twin[(2,)]]))


@pytest.mark.slow
def test_permute_and_flip_follows_its_law():
    params = PermuteAndFlip(epsilon=1, sensitivity=1)
    bits = RandomBits.from_seed(4)
    chosen = np.array([permute_and_flip.choose([3, 5, 4], params, bits).index for _ in range(5_000)])
    assert frequencies_fit(chosen, flip_law(np.array([2, 0, 1]), 0.5))
    assert not frequencies_fit(chosen, flip_law(np.array([2, 0, 1]), 1.0))


@pytest.mark.slow
def test_top_k_in_one_shot_is_epsilon_private():
    params = TopK(epsilon=2, sensitivity=1, k=2, way="one-shot", grid=0)
    rate = float(score_rate(params, 2))
    assert rate == 0.5
    law = argmax_law((1, 0, 1), rate, 20, places=2)
    for other in ((0, 1, 0), (2, 1, 0), (1, 1, 2), (0, 0, 0)):
        there = argmax_law(other, rate, 20, places=2)
        assert max(abs(math.log(law[key] / there[key])) for key in law) <= 2 + 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("way", ["peeling", "one-shot"])
def test_top_k_follows_its_law(way):
    params = TopK(epsilon=2, sensitivity=1, k=2, way=way, grid=0)
    scores = (4, 2, 3)
    bits = RandomBits.from_seed(5)
    chosen = [tuple(top_k.choose(scores, params, bits).chosen.tolist()) for _ in range(3000)]
    for factor, fit in ((1, True), (2, False)):
        law = argmax_law(scores, factor / 2, 20, places=2) if way == "one-shot" else _peeling(scores, factor / 2)
        gaps = [abs(chosen.count(pair) / 3000 - chance) - bernstein(chance, 3000) for pair, chance in law.items()]
        assert bool(max(gaps) <= 0) is fit


def _peeling(scores, rate):
    first = _weights(scores, rate)
    return {
        (i, j): first[i] * math.exp(scores[j] * rate) / sum(math.exp(scores[m] * rate) for m in range(3) if m != i)
        for i in range(3)
        for j in range(3)
        if i != j
    }


def test_prices():
    assert price(exponential.spends(ExponentialMechanism(epsilon=0.1, sensitivity=1))).epsilon == Fraction(1, 10)
    assert price(top_k.spends(TopK(epsilon=1, sensitivity=1, k=10))).epsilon == 1
    assert price(top_k.spends(TopK(epsilon=1, sensitivity=1, k=10))).rho == Fraction(10, 8) / 100


def test_more_than_there_are_is_refused():
    with pytest.raises(BadParameter, match="only 2 candidates"):
        top_k.choose([1, 2], TopK(epsilon=1, sensitivity=1, k=3), RandomBits.from_seed(1))


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [exponential, permute_and_flip, noisy_max])
def test_the_regret_stays_below_its_bound(mechanism):
    scores = np.arange(50.0)
    params = mechanism.METHOD.params(epsilon=1, sensitivity=1)
    bound = mechanism.error(params, 50, 0.9)
    bits = RandomBits.from_seed(6)
    kept = np.mean([49 - scores[mechanism.choose(scores, params, bits).index] <= bound for _ in range(1000)])
    assert kept >= 0.9 - bernstein(0.9, 1000)


@pytest.mark.parametrize("mechanism", [exponential, permute_and_flip, noisy_max])
def test_scores_that_are_not_finite_are_no_error(mechanism):
    params = mechanism.METHOD.params(epsilon=1, sensitivity=1)
    assert mechanism.choose([math.nan, math.inf, 0.0], params, RandomBits.from_seed(7)).index == 1

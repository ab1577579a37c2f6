import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import frequencies_fit

from tacit.errors import BadParameter
from tacit.randomness.enclosure import exp_minus
from tacit.randomness.selection import _flips, exponential_choice, permute_and_flip
from tacit.randomness.stream import RandomBits

REGRETS = np.array([0, 1, 3, 10])


def _exponential_law(regrets, rate):
    weights = np.exp(-np.asarray(regrets) * float(rate))
    return weights / weights.sum()


def flip_law(regrets, rate):
    """Over all orders: the candidates before lose their coins, the candidate wins its own."""
    law = np.zeros(len(regrets))
    for order in permutations(range(len(regrets))):
        miss = 1.0
        for candidate in order:
            law[candidate] += miss * math.exp(-regrets[candidate] * float(rate))
            miss *= -math.expm1(-regrets[candidate] * float(rate))
    return law / math.factorial(len(regrets))


@pytest.mark.parametrize(("factor", "fit"), [(Fraction(1), True), (Fraction(4, 5), False), (Fraction(6, 5), False)])
def test_exponential_weights(factor, fit):
    rate = Fraction(1, 2)
    drawn = exponential_choice(REGRETS, rate * factor, 200_000, RandomBits.from_seed(31))
    assert frequencies_fit(drawn, _exponential_law(REGRETS, rate)) is fit


@pytest.mark.slow
def test_many_candidates_in_blocks():
    regrets = np.arange(3000)
    drawn = exponential_choice(regrets, Fraction(1, 2), 2000, RandomBits.from_seed(32))
    assert frequencies_fit(np.minimum(drawn, 3), np.append(_exponential_law(regrets, 0.5)[:3], math.exp(-1.5)))


@pytest.mark.parametrize(("factor", "fit"), [(Fraction(1), True), (Fraction(4, 5), False), (Fraction(6, 5), False)])
def test_a_regret_may_stand_for_several_candidates(factor, fit):
    regrets, times = np.array([5, 0, 2, 9, 0, 40]), np.array([3, 1, 0, 60, 2, 500_000])
    drawn = exponential_choice(regrets, factor / 3, 200_000, RandomBits.from_seed(34), times)
    cells = np.searchsorted(np.cumsum(times), drawn, side="right")
    weights = times * np.exp(-regrets / 3)
    assert frequencies_fit(cells, weights / weights.sum()) is fit


def test_candidates_of_one_regret_are_equally_likely():
    drawn = exponential_choice(np.array([7, 0]), Fraction(1, 9), 200_000, RandomBits.from_seed(35), np.array([6, 4]))
    weights = np.repeat(np.exp(-np.array([7, 0]) / 9), [6, 4])
    assert frequencies_fit(drawn, weights / weights.sum())


class CountingBits(RandomBits):
    """Bits of a seed that count the words they gave."""

    def __init__(self) -> None:
        super().__init__(bytes(32), seeded=True)
        self.given = 0

    def words(self, number):
        self.given += number
        return super().words(number)


@pytest.mark.parametrize(
    "regrets", [np.zeros(1 << 17, np.int64), np.arange(1 << 17), np.minimum(np.arange(1 << 17), 1)]
)
def test_a_choice_takes_as_many_coins_however_many_candidates_there_are(regrets):
    """64 proposals and a coin for each; that none of them is kept has probability below 2**-63, and a proposal that is
    drawn again, of probability a half at most, happens to all 64 of them 64 times in a row as seldom."""
    bits = CountingBits()
    exponential_choice(regrets, Fraction(1, 2), 1, bits)
    assert bits.given <= 64 * (64 + 2)


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "fit"), [(Fraction(1), True), (Fraction(4, 5), False), (Fraction(6, 5), False)])
def test_permute_and_flip(factor, fit):
    drawn = permute_and_flip(REGRETS, Fraction(1, 2) * factor, 200_000, RandomBits.from_seed(33))
    assert frequencies_fit(drawn, flip_law(REGRETS, Fraction(1, 2))) is fit


def test_a_doubtful_flip_is_decided_by_exact_arithmetic():
    rate = Fraction(1, 7)
    for regret in (1, 5, 30):
        border = exp_minus(regret * rate, 64)
        found = _flips(np.array([regret, regret]), rate, ScriptedBits([border.low - 2, border.high + 2]))
        assert found.tolist() == [True, False]


def test_a_doubtful_flip_after_halvings_is_decided_by_exact_arithmetic():
    """The word follows so many zeros that are known."""
    rate, regret = Fraction(1, 7), 30
    for known in (1, 3, 6):
        border = exp_minus(regret * rate, 64 + known)
        words = ScriptedBits([border.low - 2, border.high + 2])
        found = _flips(np.array([regret, regret]), rate, words, np.array([known, known]))
        assert found.tolist() == [True, False]


def test_permute_and_flip_is_not_worse_than_exponential_weights():
    flip, weights = flip_law(REGRETS, 0.5), _exponential_law(REGRETS, 0.5)
    assert flip @ REGRETS <= weights @ REGRETS


def test_bad_regrets_are_refused():
    bits = RandomBits.from_seed(1)
    with pytest.raises(BadParameter, match="candidates"):
        exponential_choice(np.empty(0, dtype=np.int64), Fraction(1), 1, bits)
    with pytest.raises(BadParameter, match="least regret"):
        permute_and_flip(np.array([1, 2]), Fraction(1), 1, bits)
    with pytest.raises(BadParameter, match="rate"):
        permute_and_flip(np.array([0, 2]), Fraction(0), 1, bits)

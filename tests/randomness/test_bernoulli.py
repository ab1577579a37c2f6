import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import bernstein

from tacit.errors import BadParameter
from tacit.randomness.bernoulli import bernoulli, bernoulli_each, bernoulli_exp_each
from tacit.randomness.enclosure import exp_minus
from tacit.randomness.stream import RandomBits

SIZE = 200_000


@pytest.mark.parametrize("probability", [Fraction(1, 3), Fraction(1, 2), Fraction(99, 100), Fraction(1, 1000)])
def test_rational(probability):
    share = bernoulli(probability, SIZE, RandomBits.from_seed(1)).mean()
    assert abs(share - float(probability)) <= bernstein(float(probability), SIZE)


def test_certainties():
    assert bernoulli(Fraction(1), 100, RandomBits.from_seed(1)).all()
    assert not bernoulli(Fraction(0), 100, RandomBits.from_seed(1)).any()
    assert list(bernoulli_each(np.array([0.0, 1.0, 0.0, 1.0]), RandomBits.from_seed(1))) == [False, True, False, True]


def coins(exponent):
    return bernoulli_exp_each(np.full(SIZE, float(exponent)), lambda _: exponent, RandomBits.from_seed(2))


@pytest.mark.parametrize("exponent", [Fraction(1, 10), Fraction(1), Fraction(5), Fraction(7, 3)])
def test_exponential(exponent):
    probability = math.exp(-exponent)
    share = coins(exponent).mean()
    assert abs(share - probability) <= bernstein(probability, SIZE)
    wrong = coins(exponent * Fraction(5, 4)).mean()
    assert abs(wrong - probability) > bernstein(probability, SIZE)


def test_each_has_its_own_exponent():
    exponents = [Fraction(k, 7) for k in range(20)]
    many = np.repeat(np.arange(20), 20_000)
    heads = bernoulli_exp_each(many / 7.0, lambda i: exponents[many[i]], RandomBits.from_seed(3))
    for k, exponent in enumerate(exponents):
        share = heads[many == k].mean()
        assert abs(share - math.exp(-exponent)) <= bernstein(math.exp(-exponent), 20_000)


@given(st.fractions(0, 80, max_denominator=10**6), st.integers(-3, 3), st.lists(st.integers(0, 2**64 - 1), min_size=3))
def test_a_doubtful_coin_is_decided_by_exact_arithmetic(exponent, offset, following):
    border = exp_minus(exponent, 64).low
    first = min(2**64 - 1, max(0, border + offset))
    found = bernoulli_exp_each(np.array([float(exponent)]), lambda _: exponent, ScriptedBits([first, *following]))[0]
    precision = 64 * (1 + len(following))
    uniform = first
    for word in following:
        uniform = uniform << 64 | word
    assert found == (uniform < exp_minus(exponent, precision).low)


def test_the_slack_of_the_exponent_does_not_matter():
    """The floats may be wrong by SLACK: coins are still those of the exact exponent."""
    exponent = Fraction(1, 3)
    words = [exp_minus(exponent, 64).low + step for step in (-(2**33), -1, 1, 2**33)]
    for shift in (-(2.0**-33), 0.0, 2.0**-33):
        found = bernoulli_exp_each(np.full(4, 1 / 3 + shift), lambda _: exponent, ScriptedBits(words))
        assert list(found) == [True, True, False, False]


@given(st.floats(0, 1), st.integers(-1, 1), st.integers(0, 2**64 - 1))
def test_a_float_is_its_own_exact_probability(probability, offset, following):
    scaled = Fraction(probability) * 2**64
    first = min(2**64 - 1, max(0, int(scaled) + offset))
    bits = ScriptedBits([first, following, *[0] * 20])
    uniform = Fraction(first, 2**64) + Fraction(following, 2**128)
    assert bernoulli_each(np.array([probability]), bits)[0] == (uniform < Fraction(probability))


def test_what_is_no_probability_is_refused():
    bits = RandomBits.from_seed(1)
    for wrong in (Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(BadParameter, match="probability"):
            bernoulli(wrong, 1, bits)
    for value in (-0.1, 1.1, math.nan):
        with pytest.raises(BadParameter, match="probability"):
            bernoulli_each(np.array([value]), bits)

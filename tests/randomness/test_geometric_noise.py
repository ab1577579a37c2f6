"""Discrete Laplace and geometric noise: W36, its law, digits, borders in exact arithmetic, saturation.

Covers randomness/geometric.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import bernstein, dkw, fits, laplace_mass

from tacit.errors import BadParameter
from tacit.randomness.geometric import LARGEST, _digit, _head, _layout, discrete_laplace, geometric
from tacit.randomness.stream import RandomBits

SIZE = 200_000
RATES = [Fraction(3), Fraction(1), Fraction(1, 10), Fraction(1, 63), Fraction(1, 65), Fraction(7, 1000)]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("factor", "fit"), [(Fraction(1), True), (Fraction(5, 6), False), (Fraction(5, 4), False)])
def test_discrete_laplace_fits_its_law_and_a_fifth_more_or_less_noise_does_not(rate, factor, fit):
    drawn = discrete_laplace(rate * factor, SIZE, RandomBits.from_seed(11))
    assert fits(drawn, laplace_mass(float(1 / rate)), int(60 / rate) + 60) is fit


@pytest.mark.slow
@pytest.mark.parametrize("scale", [10**6, 10**10, 2**47])
def test_large_scales_follow_the_continuous_law(scale):
    drawn = np.sort(discrete_laplace(Fraction(1, scale), SIZE, RandomBits.from_seed(12))) / scale
    law = np.where(drawn < 0, np.exp(drawn) / 2, 1 - np.exp(-drawn) / 2)
    found = (np.arange(SIZE) + 1) / SIZE
    assert np.abs(found - law).max() <= dkw(SIZE) + 1e-5
    for factor in (0.8, 1.2):
        law = np.where(drawn < 0, np.exp(drawn / factor) / 2, 1 - np.exp(-drawn / factor) / 2)
        assert np.abs(found - law).max() > dkw(SIZE) + 1e-5


def test_low_digits_of_a_large_scale_are_even():
    drawn = geometric(Fraction(1, 10**9), SIZE, RandomBits.from_seed(13))
    for modulus in (2, 3, 1024):
        share = (drawn % modulus == 0).mean()
        assert abs(share - 1 / modulus) <= bernstein(1 / modulus, SIZE)


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_w36_probabilities_of_the_geometric_mechanism(scale):
    drawn = discrete_laplace(Fraction(1, scale), SIZE, RandomBits.from_seed(14))
    q = math.exp(-1 / scale)
    for x in range(-4, 5):
        probability = (1 - q) / (1 + q) * q ** abs(x)
        assert abs((drawn == x).mean() - probability) <= bernstein(probability, SIZE)


def _exp(value: Fraction) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).exp()


@pytest.mark.parametrize("rate", [Fraction(1, 64), Fraction(1), Fraction("0.1")])
def test_borders_of_the_leading_table_are_those_of_exact_arithmetic(rate):
    """64-bit borders are 1 - exp(-rate k) rounded up and down, computed here with 60 digits."""
    table = _head(rate)
    with localcontext() as context:
        context.prec = 60
        exact = [(1 - _exp(-rate * (k + 1))) * 2**64 for k in range(table._high.size)]
        assert [int(high) for high in table._high] == [math.ceil(border) for border in exact]
        assert [int(low) for low in table._low[: len(exact)]] == [math.floor(border) for border in exact]


@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(1, 10**7)])
def test_borders_of_a_digit_are_those_of_exact_arithmetic(rate):
    table = _digit(rate)
    with localcontext() as context:
        context.prec = 80
        total = (1 - _exp(-rate * 1024)) / (1 - _exp(-rate))
        exact = [(1 - _exp(-rate * (k + 1))) / (1 - _exp(-rate)) / total * 2**64 for k in range(1023)]
        assert [int(high) for high in table._high] == [math.ceil(border) for border in exact]


def test_digits_multiply_to_the_geometric_law():
    """The weight of x is the product of its digits' weights and the head's: exp(-rate x) for every x."""
    rate = Fraction(1, 1000)
    layout = _layout(rate)
    assert layout.weight == 1024
    for x in (0, 1, 1023, 1024, 5000, 123_456):
        head, digit = divmod(x, 1024)
        assert rate * digit + rate * 1024 * head == rate * x


def test_what_lies_beyond_the_table_is_added_up():
    """At rate 1 the table ends at 16; words in its last cell, of mass exp(-16), add 16 and draw again."""
    beyond = 2**64 - 2**32
    three = int((1 - math.exp(-3.5)) * 2**64)  # between 1 - exp(-3) and 1 - exp(-4)
    assert geometric(Fraction(1), 2, ScriptedBits([three, beyond, beyond, three])).tolist() == [3, 35]


def test_digits_are_put_together():
    """At rate 1/1000: the head counts 1024s, then comes a digit; the word 0 is the first cell of each table."""
    assert geometric(Fraction(1, 1000), 1, ScriptedBits([0, 0])).tolist() == [0]
    head = int((1 - math.exp(-1.5 * 1.024)) * 2**64)
    digit = int(-math.expm1(-0.7005) / -math.expm1(-1.024) * 2**64)  # between cells 700 and 701
    assert geometric(Fraction(1, 1000), 1, ScriptedBits([head, digit])).tolist() == [1024 + 700]


def test_noise_saturates():
    drawn = geometric(Fraction(1, 2**48), 1000, RandomBits.from_seed(1))
    assert 0 <= drawn.min() <= drawn.max() <= LARGEST


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(-1), Fraction(1, 2**49)])
def test_a_rate_out_of_range_is_refused(rate):
    with pytest.raises(BadParameter, match="rate"):
        discrete_laplace(rate, 1, RandomBits.from_seed(1))


def test_no_draws():
    assert discrete_laplace(Fraction(1), 0, RandomBits.from_seed(1)).size == 0

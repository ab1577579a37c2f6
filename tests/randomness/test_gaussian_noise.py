"""Discrete Gaussian noise: its law, a fifth more or less noise that is noticed, borders in exact arithmetic.

Covers randomness/gaussian.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from tests.randomness.scripted import ScriptedBits
from tests.randomness.tolerance import dkw, fits, gaussian_mass

from tacit.errors import BadParameter
from tacit.randomness.enclosure import exp_minus
from tacit.randomness.gaussian import _accepted, _table, discrete_gaussian
from tacit.randomness.stream import RandomBits

SIZE = 200_000


@pytest.mark.parametrize(
    "sigma", [Fraction(1, 2), Fraction(1), Fraction(17, 3), Fraction(64), Fraction(65), Fraction(500)]
)
@pytest.mark.parametrize(("factor", "fit"), [(Fraction(1), True), (Fraction(4, 5), False), (Fraction(6, 5), False)])
def test_it_fits_its_law_and_a_fifth_more_or_less_noise_does_not(sigma, factor, fit):
    drawn = discrete_gaussian((sigma * factor) ** 2, SIZE, RandomBits.from_seed(21))
    assert fits(drawn, gaussian_mass(float(sigma)), int(40 * sigma) + 2) is fit


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [10**6, 2**39])
def test_large_scales_follow_the_continuous_law(sigma):
    drawn = np.sort(discrete_gaussian(Fraction(sigma) ** 2, 50_000, RandomBits.from_seed(22))) / sigma
    found = (np.arange(drawn.size) + 1) / drawn.size
    for factor, fit in ((1.0, True), (0.8, False), (1.2, False)):
        law = np.array([NormalDist(0, factor).cdf(value) for value in drawn])
        assert bool(np.abs(found - law).max() <= dkw(drawn.size) + 1e-5) is fit


@pytest.mark.parametrize("square", [Fraction(1), Fraction(2, 3), Fraction(50)])
def test_borders_are_those_of_exact_arithmetic(square):
    """Cells 0, 1, -1, 2, -2, …: their cumulated shares, computed here with 80 digits, rounded up."""
    table = _table(square)
    with localcontext() as context:
        context.prec = 80
        weights = [(-Decimal(k * k * square.denominator) / Decimal(2 * square.numerator)).exp() for k in range(200)]
        total = weights[0] + 2 * sum(weights[1:])
        sums, part = [], Decimal(0)
        for cell in range(2 * len(weights) - 1):
            part += weights[(cell + 1) // 2]
            sums.append(math.ceil(part / total * 2**64))
    assert [int(high) for high in table._high] == sums[: table._high.size]


@pytest.mark.parametrize("square", [Fraction(5000), Fraction(10**12), Fraction(98765, 7)])
@pytest.mark.parametrize("steps", [0.0, 0.3, 1.0, 2.5])
def test_a_doubtful_acceptance_is_decided_by_exact_arithmetic(square, steps):
    scale = math.isqrt(math.floor(square)) + 1
    size = int(steps * scale)
    exponent = (size - square / scale) ** 2 / (2 * square)
    border = exp_minus(exponent, 64)
    words = [border.low - 2, min(border.high + 2, 2**64 - 1)]
    found = _accepted(np.array([size, size]), square, scale, ScriptedBits(words))
    assert found.tolist() == [True, border.high + 2 >= 2**64]


def test_the_far_tail_is_listed_when_it_is_needed():
    """A uniform number of 1 - 2**-192 lies in the last 2**-192 of the law: about 16 sigma out."""
    top = 2**64 - 1
    found = discrete_gaussian(Fraction(1), 1, ScriptedBits([top, top, top, *[0] * 6]))[0]
    tail = 2 * sum(math.exp(-k * k / 2) for k in range(abs(int(found)), 60)) / math.sqrt(2 * math.pi)
    nearer = 2 * sum(math.exp(-k * k / 2) for k in range(abs(int(found)) + 1, 60)) / math.sqrt(2 * math.pi)
    assert nearer <= 2.0**-192 <= tail


@pytest.mark.parametrize("square", [Fraction(0), Fraction(-1), Fraction(2**81)])
def test_a_sigma_out_of_range_is_refused(square):
    with pytest.raises(BadParameter, match="sigma"):
        discrete_gaussian(square, 1, RandomBits.from_seed(1))

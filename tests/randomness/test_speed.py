"""The promised rates on one core: a million discrete Laplace and 300,000 discrete Gaussian draws a second."""

import time
from fractions import Fraction

import pytest

from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "parameter", "rate"),
    [
        (discrete_laplace, Fraction(1), 1e6),
        (discrete_laplace, Fraction(1, 2**20), 1e6),
        (discrete_gaussian, Fraction(100), 3e5),
        (discrete_gaussian, Fraction(2**40), 3e5),
    ],
)
def test_draws_a_second(draw, parameter, rate):
    bits = RandomBits.from_seed(1)
    draw(parameter, 10, bits)
    seconds = []
    for _ in range(3):
        start = time.process_time()
        draw(parameter, 300_000, bits)
        seconds.append(time.process_time() - start)
    assert 300_000 / min(seconds) >= rate

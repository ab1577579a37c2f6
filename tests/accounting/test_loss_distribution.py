"""Loss distributions never say too little, to the last digit: against a law that can be written down."""

import math
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pytest

from tacit.accounting import loss_distribution
from tacit.accounting.cases import cases
from tacit.accounting.events import DiscreteGaussian, Repeated
from tacit.accounting.loss_distribution import LossDistribution

SIGMA, COPIES = Fraction(3, 10), 3
FAR = range(-8, 9)
"""Noise beyond has a probability below e**(-64 / (2 sigma**2)) < 1e-150."""


def divergence(epsilon: float) -> float:
    """How far three answers with discrete Gaussian noise that a unit moves by 1 lie apart, outcome by outcome."""
    weights = {x: math.exp(-x * x / (2 * float(SIGMA) ** 2)) for x in FAR}
    whole = math.fsum(weights.values())
    losses = {x: (1 - 2 * x) / (2 * float(SIGMA) ** 2) for x in FAR}
    return math.fsum(
        math.prod(weights[x] / whole for x in one) * -math.expm1(epsilon - loss)
        for one in product(FAR, repeat=COPIES)
        if (loss := math.fsum(losses[x] for x in one)) > epsilon
    )


def told(delta: Fraction) -> float:
    (case,) = cases(Repeated(DiscreteGaussian(SIGMA, 1), COPIES))
    return LossDistribution().curve(case)(delta)


@pytest.mark.slow
@pytest.mark.parametrize("delta", [Fraction(1, 20), Fraction(1, 1000)])
def test_no_less_is_told_than_is_spent(delta):
    found = told(delta)
    assert divergence(found) <= delta < divergence(found - 1e-3)


@pytest.mark.slow
def test_the_library_alone_says_too_little(monkeypatch):
    """The twin: what it finds by adding up intervals one after the other."""
    monkeypatch.setattr(
        loss_distribution, "tails_of", lambda whole: [SimpleNamespace(least_epsilon=whole.get_epsilon_for_delta)]
    )
    assert divergence(told(Fraction(1, 20))) > Fraction(1, 20)

"""OpenDP 0.16 as the oracle of laws: two samples at most the sum of their DKW distances apart.

Covers randomness/gaussian, randomness/geometric.
"""

from fractions import Fraction

import numpy as np
import pytest
from tests.randomness.tolerance import dkw

from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits

dp = pytest.importorskip("opendp.prelude")
SIZE = 30_000


@pytest.fixture(autouse=True)
def _contrib():
    dp.enable_features("contrib")


def _distance(first, second):
    points = np.arange(min(first.min(), second.min()), max(first.max(), second.max()) + 1)
    one = np.searchsorted(np.sort(first), points, side="right") / first.size
    two = np.searchsorted(np.sort(second), points, side="right") / second.size
    return np.abs(one - two).max()


def _theirs(make, scale):
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    if make is dp.m.make_gaussian:
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    return np.array(make(*space, scale)([0] * SIZE))


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1.0, 20.0])
def test_discrete_laplace(scale):
    theirs = _theirs(dp.m.make_laplace, scale)
    ours = discrete_laplace(1 / Fraction(scale), 200_000, RandomBits.from_seed(41))
    twin = discrete_laplace(1 / Fraction(2 * scale), 200_000, RandomBits.from_seed(41))
    tolerance = dkw(SIZE) + dkw(200_000)
    assert _distance(ours, theirs) <= tolerance < _distance(twin, theirs)


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [1.0, 20.0, 100.0])
def test_discrete_gaussian(sigma):
    theirs = _theirs(dp.m.make_gaussian, sigma)
    ours = discrete_gaussian(Fraction(sigma) ** 2, 200_000, RandomBits.from_seed(42))
    twin = discrete_gaussian(Fraction(2 * sigma) ** 2, 200_000, RandomBits.from_seed(42))
    tolerance = dkw(SIZE) + dkw(200_000)
    assert _distance(ours, theirs) <= tolerance < _distance(twin, theirs)

"""OpenDP 0.16 as the oracle of privacy maps: the same noise costs the same.

Covers mechanisms/geometric, discrete_gaussian, permute_and_flip, top_k, noise/scores.
"""

import pytest

from tacit.accounting.price import price
from tacit.methods.mechanisms import discrete_gaussian as discrete
from tacit.methods.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from tacit.methods.mechanisms.geometric import Geometric, spends
from tacit.methods.mechanisms.permute_and_flip import PermuteAndFlip
from tacit.methods.mechanisms.top_k import TopK
from tacit.noise.scores import score_rate

dp = pytest.importorskip("opendp.prelude")


@pytest.fixture(autouse=True)
def _contrib():
    dp.enable_features("contrib")


def _whole():
    return dp.atom_domain(T=int), dp.absolute_distance(T=int)


@pytest.mark.parametrize("sensitivity", [1, 4])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5])
def test_geometric(epsilon, sensitivity):
    event = spends(Geometric(epsilon=epsilon, sensitivity=sensitivity))
    theirs = dp.m.make_laplace(*_whole(), float(event.scale)).map(sensitivity)
    assert float(price(event).epsilon) == pytest.approx(theirs, rel=1e-12)
    half = dp.m.make_laplace(*_whole(), float(event.scale) / 2).map(sensitivity)
    assert float(price(event).epsilon) != pytest.approx(half, rel=0.1)


@pytest.mark.parametrize("rho", [0.01, 0.5])
def test_discrete_gaussian(rho):
    event = discrete.setting(DiscreteGaussianMechanism(rho=rho, sensitivity=3)).event
    theirs = dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=float), float(event.sigma)).map(3.0)
    assert theirs == pytest.approx(rho, rel=1e-9)
    assert float(price(event).rho) == pytest.approx(theirs, rel=1e-9)


def _scores():
    return dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_selection(epsilon):
    rate = score_rate(PermuteAndFlip(epsilon=epsilon, sensitivity=3, grid=0))
    theirs = dp.m.make_noisy_max(*_scores(), dp.max_divergence(), float(1 / rate))
    assert theirs.map(3) == pytest.approx(epsilon, rel=1e-9)
    rate = score_rate(TopK(epsilon=epsilon, sensitivity=1, k=2, grid=0), 2)
    theirs = dp.m.make_noisy_top_k(*_scores(), dp.max_divergence(), k=2, scale=float(1 / rate))
    assert theirs.map(1) == pytest.approx(epsilon, rel=1e-9)

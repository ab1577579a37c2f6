"""OpenDP as an oracle: its privacy maps against prices and conversions.

Covers price, conversion.
"""

import pytest

from tacit.accounting.account import account
from tacit.accounting.conversion import zcdp_epsilon
from tacit.accounting.events import DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace
from tacit.accounting.price import price

dp = pytest.importorskip("opendp.prelude")


@pytest.fixture(scope="module", autouse=True)
def _features() -> None:
    dp.enable_features("contrib")


WHOLE = [(10.0, 1), (2.5, 4), (0.75, 2)]


def whole_numbers() -> tuple[object, object]:
    return dp.atom_domain(T=int), dp.absolute_distance(T=int)


def real_numbers() -> tuple[object, object]:
    return dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


@pytest.mark.parametrize(("scale", "sensitivity"), WHOLE)
def test_laplace_epsilon(scale: float, sensitivity: int) -> None:
    discrete = dp.m.make_laplace(*whole_numbers(), scale).map(sensitivity)
    assert account(DiscreteLaplace(scale, sensitivity)).epsilon == pytest.approx(discrete, rel=1e-12)
    assert account(Laplace(scale, sensitivity)).epsilon == pytest.approx(discrete, rel=1e-12)


@pytest.mark.parametrize(("sigma", "sensitivity"), WHOLE)
def test_gaussian_rho(sigma: float, sensitivity: int) -> None:
    discrete = dp.m.make_gaussian(*whole_numbers(), sigma).map(sensitivity)
    assert float(price(DiscreteGaussian(sigma, sensitivity)).rho) == pytest.approx(discrete, rel=1e-12)
    assert float(price(Gaussian(sigma, sensitivity)).rho) == pytest.approx(discrete, rel=1e-12)


@pytest.mark.parametrize("sigma", [1.0, 10.0, 200.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9])
def test_conversion_of_rho(sigma: float, delta: float) -> None:
    measurement = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*real_numbers(), sigma)), delta)
    epsilon, _ = measurement.map(1.0)
    assert zcdp_epsilon(price(Gaussian(sigma)).rho, delta) == pytest.approx(epsilon, rel=1e-4)

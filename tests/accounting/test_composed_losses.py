"""Delta leaves room for the rounding of convolutions, however many events are composed.

Covers accounting/composed_losses, accounting/loss_distribution.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from tacit.accounting import composed_losses
from tacit.accounting.account import account, smallest_delta
from tacit.accounting.composed_losses import ComposedLosses
from tacit.accounting.events import Pure, Repeated

MANY = [(0.00577, 30_000, 1.05e-12), (0.00316, 100_000, 1.05e-12), (0.0001, 1_000_000, 1.1e-12)]
MANY += [(0.0003, 1_000_000, 1e-10)]


def true_delta(each: float, times: int, epsilon: float) -> float:
    """The delta of randomised response, asked so often: a binomial tail under one answer, less that under the other.

    The loss is (2 k − times) each where the truth was told k times, with the chance e^each / (1 + e^each) each time.
    """
    first = math.floor((epsilon / each + times) / 2) + 1
    truth = 1 / (1 + math.exp(-each))
    return float(binom.sf(first - 1, times, truth) - math.exp(epsilon) * binom.sf(first - 1, times, 1 - truth))


@pytest.mark.slow
@pytest.mark.parametrize(("each", "times", "delta"), MANY)
def test_many_events_at_a_tiny_delta_are_not_told_too_low(each: float, times: int, delta: float) -> None:
    found = account(Repeated(Pure(each), times), delta).epsilon
    assert true_delta(each, times, found) <= delta


@pytest.mark.slow
def test_the_delta_of_many_events_is_not_told_too_low() -> None:
    each, times = MANY[0][:2]
    assert true_delta(each, times, 7.2) <= smallest_delta(Repeated(Pure(each), times), 7.2) <= 1e-9


@pytest.mark.slow
def test_without_that_room_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composed_losses, "COEFFICIENT", 0.0)
    wrong = [
        true_delta(each, times, account(Repeated(Pure(each), times), delta).epsilon) for each, times, delta in MANY
    ]
    assert any(found > delta * 1.1 for found, (*_, delta) in zip(wrong, MANY, strict=True))


def exact_power(chances: np.ndarray, times: int) -> list[Fraction]:
    """The chances of so many losses together, exactly: one power of a large number whose digits are the chances."""
    whole = [int(chance * 2**60) for chance in chances]
    width = 61 * times + times.bit_length() * 8 + 8
    power = sum(number << (width * place) for place, number in enumerate(whole)) ** times
    digits = (power >> (width * place) & ((1 << width) - 1) for place in range((len(whole) - 1) * times + 1))
    return [Fraction(digit, 2 ** (60 * times)) for digit in digits]


def distribution_of(chances: np.ndarray) -> ComposedLosses:
    """Losses from 0 on, one grid point apart."""
    from dp_accounting.pld.pld_pmf import DensePLDPmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    return ComposedLosses(PrivacyLossDistribution(DensePLDPmf(1e-4, 0, chances, 0.0, True)))


def laws() -> dict[str, np.ndarray]:
    """Chances that are whole multiples of 2^-60: spread, at both ends, nearly all in one place, far apart."""
    ends, alone, apart = np.zeros(41), np.full(32, 2.0**-30), np.zeros(60)
    ends[[0, -1]], alone[3], apart[[0, 1, 4, 9, 15, 59]] = 0.5, 1 - 31 * 2.0**-30, 1 / 8
    apart[30] = 0.25
    return {"spread": np.full(32, 1 / 32), "ends": ends, "alone": alone, "apart": apart}


@pytest.mark.parametrize("times", [2, 3, 10, 40])
@pytest.mark.parametrize("law", laws())
def test_the_rounding_of_a_power_stays_within_its_bound(law: str, times: int) -> None:
    chances = laws()[law]
    made = distribution_of(chances).times(times)
    exact = exact_power(chances, times)
    masses = made.distribution._pmf_remove
    shown = dict(enumerate(masses._probs, masses._lower_loss))
    off = sum(abs(Fraction(shown.get(place, 0.0)) - chance) for place, chance in enumerate(exact))
    cut = sum(chance for place, chance in enumerate(exact) if place not in shown)
    assert 0 < float(off - cut) <= made.rounding <= 1e-11


@pytest.mark.parametrize("law", laws())
def test_the_rounding_of_two_together_stays_within_its_bound(law: str) -> None:
    first, second = laws()[law], laws()["spread"]
    made = distribution_of(first).beside(distribution_of(second))
    exact = np.convolve(first.astype(object), second.astype(object))
    off = sum(
        abs(Fraction(float(found)) - Fraction(float(true)))
        for found, true in zip(made.distribution._pmf_remove._probs, exact, strict=True)
    )
    assert 0 <= float(off) <= made.rounding <= 1e-13


def test_errors_add_up() -> None:
    one = distribution_of(laws()["spread"])
    off = ComposedLosses(one.distribution, 1e-9)
    assert off.times(5).rounding == pytest.approx(5e-9, rel=1e-3)
    assert off.beside(off).rounding == pytest.approx(2e-9, rel=1e-3)
    assert one.times(1) is one

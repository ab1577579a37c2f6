"""Budgets, filters and odometers: exact sums that can't be overdrawn.

Covers accounting/budget, filters, odometer, exact.
"""

import math
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.accounting.loss_oracle import classic_epsilon
from tests.examples import examples

from tacit.accounting.account import account
from tacit.accounting.budget import Budget, budget, geometric_shares, split_by_weight, split_evenly
from tacit.accounting.events import NOTHING, Approximate, Concentrated, Exponential, Gaussian, Laplace, Pure
from tacit.accounting.exact import exact, root_down, root_up, rounded_down, rounded_up
from tacit.accounting.filters import rho_filter, sum_filter
from tacit.accounting.odometer import SCALES, odometer
from tacit.accounting.price import price
from tacit.errors import BadParameter, BudgetExceeded

fractions = st.fractions(min_value=Fraction(1, 10**9), max_value=1000, max_denominator=10**12)


@given(value=fractions)
def test_rounding_goes_the_way_its_name_says(value: Fraction) -> None:
    assert exact(rounded_down(value)) <= value <= exact(rounded_up(value))
    assert rounded_up(value) <= math.nextafter(math.nextafter(rounded_down(value), math.inf), math.inf)
    assert root_down(value) ** 2 <= value <= root_up(value) ** 2
    assert root_up(value) - root_down(value) < Fraction(1, 10**18)


@given(number=st.floats(1e-300, 1e300))
def test_a_float_stands_for_the_decimal_it_prints_as(number: float) -> None:
    assert exact(number) == Fraction(repr(number))
    assert rounded_up(exact(number)) == rounded_down(exact(number)) == number


def test_numbers_of_numpy_are_numbers() -> None:
    assert exact(np.float64(0.1)) == Fraction(1, 10)
    assert exact(np.int64(3)) == 3  # type: ignore[arg-type]
    assert price(Pure(np.float64(0.1))).epsilon == Fraction(1, 10)


def test_long_sums_stay_short_and_err_upwards() -> None:
    """A ledger of unlike fractions: the sum never falls below the exact one, and its text stays short."""
    spent, whole = rho_filter(budget(50, 1e-6)), Fraction(0)
    for i in range(1, 400):
        event = Gaussian(100 + Fraction(1, 2 * i + 1))
        spent, whole = spent.admit(event), whole + price(event).rho
    assert whole <= spent.rho <= whole + Fraction(400, 2**200)
    assert spent.rho.denominator.bit_length() <= 300
    assert whole.denominator.bit_length() > 1000


# Splits (W26).


@given(epsilon=fractions, parts=st.integers(1, 1000))
def test_w26_equal_shares_add_up_to_the_whole(epsilon: Fraction, parts: int) -> None:
    shares = split_evenly(Budget(epsilon, Fraction(1, 7)), parts)
    assert sum(share.epsilon for share in shares) == epsilon
    assert sum(share.delta for share in shares) == Fraction(1, 7)


@pytest.mark.slow
@given(epsilon=fractions, weights=st.lists(fractions, min_size=1, max_size=9))
def test_weighted_shares_add_up_to_the_whole(epsilon: Fraction, weights: list[Fraction]) -> None:
    shares = split_by_weight(Budget(epsilon), weights)
    assert sum(share.epsilon for share in shares) == epsilon
    assert all(a.epsilon * weights[0] == shares[0].epsilon * w for a, w in zip(shares, weights, strict=True))


@given(epsilon=fractions, first=st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
def test_w26_geometric_shares_never_run_out(epsilon: Fraction, first: Fraction) -> None:
    shares = [share.epsilon for share in islice(geometric_shares(Budget(epsilon), first), 60)]
    assert all(share > 0 for share in shares)
    assert sum(shares) == epsilon * (1 - (1 - first) ** 60) < epsilon


def test_w26_halves() -> None:
    assert [share.epsilon for share in islice(geometric_shares(budget(1)), 3)] == [
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1, 8),
    ]


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0, 0), (-1, 0), (math.nan, 0), (math.inf, 0), (1, 1), (1, -0.1), (1, math.nan)]
)
def test_bad_budgets_are_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(BadParameter):
        budget(epsilon, delta)


def test_bad_splits_are_refused() -> None:
    with pytest.raises(BadParameter):
        split_evenly(budget(1), 0)
    with pytest.raises(BadParameter):
        split_by_weight(budget(1), [])
    with pytest.raises(BadParameter):
        next(geometric_shares(budget(1), 1))


# Filters.


def test_ten_tenths_are_one_and_not_a_grain_more() -> None:
    spent = sum_filter(budget(1))
    for _ in range(10):
        spent = spent.admit(Pure(0.1))
    assert spent.left.epsilon == 0
    assert spent.promise == budget(1)
    assert not spent.may_admit(Pure(Fraction(1, 10**40)))
    assert spent.may_admit(NOTHING)


prices = st.sampled_from([0.1, 0.3, 1e-9, Fraction(1, 3), 0.7])


@given(asked=st.lists(prices, max_size=40), delta=st.sampled_from([0, 1e-6]))
def test_a_sum_filter_is_never_overdrawn(asked: list[float], delta: float) -> None:
    spent, paid = sum_filter(budget(2, 5e-6)), []
    for epsilon in asked:
        event = Approximate(epsilon, delta)
        if spent.may_admit(event):
            spent = spent.admit(event)
            paid.append(event)
        else:
            with pytest.raises(BudgetExceeded):
                spent.admit(event)
    assert sum(exact(event.epsilon) for event in paid) == spent.epsilon <= 2
    assert sum(exact(event.delta) for event in paid) <= Fraction(5, 10**6)


@given(epsilon=st.floats(0.01, 20), delta=st.floats(1e-12, 0.1))
def test_a_rho_filter_keeps_its_cap(epsilon: float, delta: float) -> None:
    spent = rho_filter(budget(epsilon, delta))
    slack = exact(delta) / 2
    assert classic_epsilon(spent.cap_rho, slack) <= epsilon
    assert spent.cap_delta + slack == exact(delta)


def test_a_rho_filter_admits_many_small_events() -> None:
    """At rho = epsilon²/2 each, 200 events of 0.01 fit into epsilon 1: a plain sum admits 100."""
    spent = rho_filter(budget(1, 1e-6))
    for _ in range(200):
        spent = spent.admit(Laplace(100))
    assert spent.rho == Fraction(200, 20000)
    assert spent.promise == budget(1, 1e-6)
    assert account([Laplace(100)] * 200, 1e-6, ["zcdp"]).epsilon <= 1


def test_filters_refuse_in_words_and_spend_nothing() -> None:
    spent = sum_filter(budget(1)).admit(Pure(0.75))
    with pytest.raises(BudgetExceeded, match=r"costs epsilon 0\.5.*epsilon 0\.25, delta 0 is left of epsilon 1"):
        spent.admit(Pure(0.5))
    assert spent.epsilon == Fraction(3, 4)
    with pytest.raises(BadParameter, match="no epsilon of its own"):
        spent.admit(Gaussian(10))
    with pytest.raises(BudgetExceeded, match="rho"):
        rho_filter(budget(1, 1e-6)).admit(Gaussian(1))
    with pytest.raises(BadParameter, match="delta"):
        rho_filter(budget(1))


def test_a_fresh_filter_promises_no_loss() -> None:
    assert rho_filter(budget(1, 1e-6)).promise.epsilon == 0
    assert sum_filter(budget(1)).promise.epsilon == 0


# The odometer.


@pytest.mark.slow
def test_an_odometer_reads_the_lesser_of_sum_and_curve() -> None:
    wheel = odometer(1e-6)
    assert wheel.reading.epsilon == 0
    assert wheel.drive(Pure(0.1)).reading == Budget(Fraction(1, 10), Fraction(1, 10**6))
    for _ in range(2000):
        wheel = wheel.drive(Pure(0.1))
    assert wheel.reading.epsilon < wheel.epsilon  # type: ignore[operator]
    assert wheel.reading.epsilon > classic_epsilon(wheel.rho, 1e-6)
    gaussian = odometer(1e-6).drive(Gaussian(10)).drive(Pure(1))
    assert gaussian.epsilon is None


@pytest.mark.parametrize("scale", [-3, 0, 2])
def test_an_odometer_shares_its_delta_among_its_lines(scale: int) -> None:
    """At rho = 4^j the line for j is the best: rho + 2 sqrt(rho ln(lines/delta))."""
    rho = Fraction(4) ** scale
    expected = float(rho) + 2 * math.sqrt(float(rho) * math.log(len(SCALES) / 0.01))
    assert float(odometer(0.01).drive(Concentrated(rho)).reading.epsilon) == pytest.approx(expected, rel=1e-9)


def test_an_odometer_sets_deltas_aside() -> None:
    wheel = odometer(1e-6, events_delta=1e-6).drive(Approximate(0.1, 1e-6))
    assert wheel.reading.delta == Fraction(2, 10**6)
    with pytest.raises(BudgetExceeded, match="set aside"):
        wheel.drive(Approximate(0.1, 1e-9))
    with pytest.raises(BadParameter):
        odometer(0)


@examples(30)
@given(steps=st.lists(st.sampled_from([Pure(0.1), Exponential(0.3), Gaussian(5), Laplace(3)]), max_size=12))
def test_an_odometer_never_turns_back(steps: list[Pure]) -> None:
    wheel, before = odometer(1e-5), Fraction(0)
    for event in steps:
        wheel = wheel.drive(event)
        assert wheel.reading.epsilon >= before
        before = wheel.reading.epsilon


def losses(runs: int, steps: int, rho: float) -> np.ndarray:
    """Privacy losses of Gaussian mechanisms, which are N(rho, 2 rho) a step, summed up."""
    generator = np.random.default_rng(7)
    return np.cumsum(generator.normal(rho, math.sqrt(2 * rho), (runs, steps)), axis=1)


def ever_above(bound: np.ndarray, runs: int = 40_000, rho: float = 0.005) -> float:
    return float((losses(runs, bound.size, rho) > bound).any(axis=1).mean())


@pytest.mark.slow
def test_an_analyst_who_stops_at_the_worst_moment_does_not_beat_the_odometer() -> None:
    """Whoever may stop at any time passes the reading with probability at most delta.

    The tolerance is Hoeffding's for 40,000 runs at an error rate of 1e-9: sqrt(ln(1e9) / 80,000) = 0.0161.
    """
    delta, steps, tolerance = 0.05, 100, math.sqrt(math.log(1e9) / 80_000)
    wheel, readings = odometer(delta), []
    for _ in range(steps):
        wheel = wheel.drive(Gaussian(10))
        readings.append(float(wheel.reading.epsilon))
    assert ever_above(np.array(readings)) <= delta + tolerance


@pytest.mark.slow
def test_the_bound_for_one_moment_is_beaten() -> None:
    """The twin that must fail: the exact quantile of each single moment is passed at some moment far more often."""
    delta, tolerance = 0.05, math.sqrt(math.log(1e9) / 80_000)
    spent = 0.005 * np.arange(1, 101)
    pointwise = spent + np.sqrt(2 * spent) * stats.norm.isf(delta)
    assert ever_above(pointwise) > delta + tolerance


def test_the_scales_of_the_odometer_cover_what_people_spend() -> None:
    assert 4.0 ** SCALES[0] < 1e-4
    assert 4.0 ** SCALES[-1] > 100

"""The tightest answer, reference figures, conversions against oracles, calibration.

Covers atoms, calibration, case_price, cases, conversion, accounting/gaussian, renyi.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from tests.accounting.loss_oracle import classic_epsilon
from tests.examples import examples

from tacit.accounting.account import METHODS, AccountingMethod, account, smallest_delta
from tacit.accounting.calibration import calibrate, concentrated_sigma, laplace_scale
from tacit.accounting.case_price import amplify
from tacit.accounting.cases import MOST_CASES, cases
from tacit.accounting.conversion import (
    renyi_epsilon,
    zcdp_epsilon,
    zcdp_rho,
)
from tacit.accounting.events import (
    NOTHING,
    Approximate,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSampled,
    Gaussian,
    Group,
    Laplace,
    Parallel,
    PoissonSampled,
    Pure,
    Repeated,
    as_replace,
    from_json,
    to_json,
)
from tacit.accounting.gaussian import (
    classic_gaussian_sigma,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
    gaussian_sigma,
)
from tacit.accounting.price import price
from tacit.accounting.renyi import ORDERS, renyi_losses
from tacit.errors import BadParameter, CannotGuarantee

DELTA = 1e-5


# Reference figures: Google's dp-accounting 0.6 at an interval of 1e-4, and the exact Gaussian curve.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "epsilon", "digits"),
    [
        (Repeated(Laplace(10), 100), 4.2203, 5e-5),
        (Repeated(Gaussian(20), 1000), 7.5113, 5e-5),
        (Repeated(PoissonSampled(Gaussian(1), 0.01), 10_000), 6.188, 5e-4),
    ],
    ids=["laplace", "gaussian", "sgd"],
)
def test_reference_figures(event: Event, epsilon: float, digits: float) -> None:
    found = account(event, DELTA)
    assert found.epsilon == pytest.approx(epsilon, abs=digits)
    assert found.epsilon == min(found.by_method.values()) == found.by_method[found.method]


@pytest.mark.slow
def test_w27_the_best_is_reported_and_the_standard_bound_is_the_standard_one() -> None:
    found = account(Repeated(Laplace(10), 100), DELTA)
    standard = 0.1 * math.sqrt(2 * 100 * math.log(1 / DELTA)) + 100 * 0.1 * math.expm1(0.1)
    assert found.by_method["advanced"] == pytest.approx(standard, rel=1e-9)
    assert found.by_method["sequential"] == 10
    assert found.method == "pld"
    assert found.epsilon < found.by_method["rdp"] < found.by_method["zcdp"] < standard < 10
    garbled = 2 * 0.1 * math.sqrt(2 * 100 * math.log(1 / DELTA))
    assert found.epsilon < garbled


def test_w26_sequential_parallel_post_processing_group_and_replace() -> None:
    assert account([Pure(0.1), Pure(0.2), Laplace(2)]).epsilon == 0.8
    assert account(Parallel((Pure(0.1), Pure(0.2), Laplace(2)))).epsilon == 0.5
    assert account([Pure(0.1), NOTHING]).epsilon == 0.1
    assert account(Group(Pure(0.1), 7)).epsilon == 0.7
    assert account(as_replace(Pure(0.1))).epsilon == 0.2
    assert account(Parallel((Pure(0.1), Pure(0.2), Pure(0.25)), neighbours="replace")).epsilon == 0.5


def test_w35_a_family_of_ten_is_promised_ten_epsilon() -> None:
    assert account(Group(Laplace(20), 10)).epsilon == 0.5
    assert price(Group(Gaussian(3), 10)).rho == 100 * price(Gaussian(3)).rho


def test_w28_gaussian_renyi_and_concentrated_forms() -> None:
    assert classic_gaussian_sigma(1, DELTA) == pytest.approx(math.sqrt(2 * math.log(1.25e5)), rel=1e-9)
    for epsilon in (0.1, 0.5, 1.0):
        assert gaussian_sigma(epsilon, DELTA) < classic_gaussian_sigma(epsilon, DELTA)
    with pytest.raises(BadParameter, match="only up to 1"):
        classic_gaussian_sigma(1.5, DELTA)
    assert price(Gaussian(4, 3)).rho == Fraction(9, 32)
    whole = int(np.flatnonzero(ORDERS == 8)[0])
    assert renyi_losses(cases(Gaussian(4, 3))[0])[whole] == pytest.approx(8 * 9 / 32)
    assert renyi_epsilon(np.array([8.0]), np.array([2.25]), DELTA) < 2.25 + math.log(1e5) / 7
    assert zcdp_epsilon(0.5, DELTA) < 0.5 + 2 * math.sqrt(0.5 * math.log(1e5))


@pytest.mark.parametrize("sigma", [0.3, 1.0, 20.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.7, 3.0])
def test_the_gaussian_curve_is_the_integral(sigma: float, epsilon: float) -> None:
    """delta = the integral of max(p − e^epsilon q, 0), whose positive part is the half-line above the crossing."""
    crossing = epsilon * sigma**2 + 0.5
    excess = stats.norm.sf(crossing, 1, sigma) - math.exp(epsilon) * stats.norm.sf(crossing, 0, sigma)
    assert gaussian_delta(1 / sigma, epsilon) == pytest.approx(excess, rel=1e-7, abs=1e-15)


@examples(60)
@given(epsilon=st.floats(1e-3, 30), delta=st.floats(1e-12, 0.4))
def test_gaussian_calibration_is_tight_and_safe(epsilon: float, delta: float) -> None:
    mu = gaussian_mu(epsilon, delta)
    assert gaussian_delta(mu, epsilon) <= delta
    assert gaussian_delta(mu * 1.0001, epsilon) > delta
    assert gaussian_epsilon(mu, delta) <= epsilon * (1 + 1e-9)
    assert 1 / gaussian_sigma(epsilon, delta, 3) * 3 <= mu


RENYI_ORDERS = (1.5, 2.0, 5.0, 17.0)


def at(order: float, event: Event) -> float:
    """The loss at an order, by interpolation between the grid's orders where it is none of them."""
    return float(np.interp(order, ORDERS, renyi_losses(cases(event)[0])))


@pytest.mark.parametrize("order", [2, 5, 17])
@pytest.mark.parametrize("scale", [0.5, 1.0, 6.0])
def test_laplace_renyi_loss_is_the_integral(order: int, scale: float) -> None:
    def integrand(x: float) -> float:
        return math.exp((-order * abs(x) + (order - 1) * abs(x - 1)) / scale) / (2 * scale)

    total = sum(integrate.quad(integrand, a, b)[0] for a, b in pairwise([-60 * scale, 0, 1, 1 + 60 * scale]))
    assert at(order, Laplace(scale)) == pytest.approx(math.log(total) / (order - 1), rel=1e-6)


@pytest.mark.parametrize("order", [2, 5, 17])
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1), (2.5, 4), (10.0, 3)])
def test_discrete_laplace_renyi_loss_is_the_sum(order: int, scale: float, shift: int) -> None:
    x = np.arange(-int(80 * scale), int(80 * scale) + shift + 1)
    log_p = math.log(math.tanh(0.5 / scale)) - np.abs(x) / scale
    log_q = math.log(math.tanh(0.5 / scale)) - np.abs(x - shift) / scale
    loss = float(np.logaddexp.reduce(order * log_p + (1 - order) * log_q)) / (order - 1)
    assert at(order, DiscreteLaplace(scale, shift)) == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("order", [2, 5, 17])
@pytest.mark.parametrize("q", [0.01, 0.3])
def test_sampled_gaussian_renyi_loss_is_the_integral(order: int, q: float) -> None:
    """E over N(0, s²) of (1 − q + q N(1)/N(0))^order."""
    sigma = 2.0
    x = np.linspace(-60, 80, 400_001)
    log_ratio = np.logaddexp(math.log1p(-q), math.log(q) + (2 * x - 1) / (2 * sigma**2))
    log_moment = np.logaddexp.reduce(order * log_ratio + stats.norm.logpdf(x, 0, sigma)) + math.log(x[1] - x[0])
    assert at(order, PoissonSampled(Gaussian(sigma), q)) == pytest.approx(log_moment / (order - 1), rel=1e-6)


@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.5, 20.0])
def test_zcdp_conversion_is_the_minimum_over_orders(rho: float) -> None:
    alphas = 1 + np.geomspace(1e-3, 1e5, 200_000)
    best = float(np.min(rho * alphas + np.log1p(-1 / alphas) - np.log(DELTA * alphas) / (alphas - 1)))
    assert max(best, 0) <= zcdp_epsilon(rho, DELTA) * (1 + 1e-9)
    assert zcdp_epsilon(rho, DELTA) == pytest.approx(max(best, 0.0), rel=1e-4, abs=1e-9)
    assert zcdp_epsilon(rho, DELTA) <= classic_epsilon(rho, DELTA)


@given(epsilon=st.floats(1e-6, 100), delta=st.floats(1e-15, 0.5))
def test_zcdp_rho_inverts_the_classic_conversion(epsilon: float, delta: float) -> None:
    rho = zcdp_rho(epsilon, delta)
    assert classic_epsilon(rho, delta) <= epsilon
    assert classic_epsilon(rho * Fraction(100001, 100000), delta) > epsilon


def test_a_renyi_curve_of_infinities_promises_nothing() -> None:
    assert math.isinf(renyi_epsilon(np.array([2.0]), np.array([np.inf]), DELTA))


# Cases: parallel blocks, groups, samples.


def test_the_worst_block_depends_on_what_else_was_spent() -> None:
    """A Gaussian block and a Laplace block: the whole costs the worse of the two totals, less than their sum."""
    blocks, rest = (Gaussian(2), Laplace(2)), Repeated(Gaussian(4), 3)
    both = account([rest, Parallel(blocks)], DELTA, ["rdp"]).epsilon
    each = [account([rest, block], DELTA, ["rdp"]).epsilon for block in blocks]
    assert both == max(each) < account([rest, *blocks], DELTA, ["rdp"]).epsilon


def test_repeated_blocks_may_be_hit_in_any_mix() -> None:
    """A person may stand in the first block one time and in the second the other time."""
    twice = Repeated(Parallel((Laplace(2), Gaussian(3))), 2)
    assert set(cases(twice)) == set(cases(Composed((twice.event, twice.event))))


def test_many_unlike_blocks_fall_back_to_a_bound_that_is_no_less() -> None:
    spread = [Parallel((Laplace(2 + i), Gaussian(3 + i), Pure(Fraction(1, 5 + i)))) for i in range(6)]
    assert MOST_CASES < 3**6
    assert len(cases(Composed(tuple(spread)))) == 1
    few = account(spread[:5], DELTA, ["zcdp"]).epsilon
    assert account(spread, DELTA, ["zcdp"]).epsilon >= few


def test_a_group_spread_over_blocks_pays_for_the_worst_spread() -> None:
    found = cases(Group(Parallel((Laplace(2), Gaussian(3))), 2))
    assert set(found) == {
        *cases(Laplace(1)),
        *cases(Gaussian(Fraction(3, 2))),
        *cases(Composed((Laplace(2), Gaussian(3)))),
    }


@pytest.mark.slow
def test_one_sample_for_several_events_is_not_several_samples() -> None:
    together = PoissonSampled(Composed((Gaussian(2), Gaussian(2))), 0.1)
    joint = PoissonSampled(Gaussian(math.sqrt(2)), 0.1)
    for method in ("rdp", "pld"):
        assert account(together, DELTA, [method]).epsilon == pytest.approx(account(joint, DELTA, [method]).epsilon)


def test_amplification_by_sampling() -> None:
    assert float(amplify(1, Fraction(1, 10))) == pytest.approx(math.log(1 + 0.1 * (math.e - 1)))
    assert amplify(1, 1) == 1
    sampled = price(PoissonSampled(Approximate(1, 1e-6), 0.1))
    assert sampled.delta == Fraction(1, 10**7)
    nested = price(PoissonSampled(PoissonSampled(Pure(1), 0.5), 0.5))
    assert nested == price(PoissonSampled(Pure(1), 0.25))
    assert price(FixedSampled(Pure(1), 1, 4)) == price(PoissonSampled(Pure(1), 0.25))


def test_group_of_approximate_events() -> None:
    """delta grows by the sum of e^(i epsilon), i < k (Vadhan 2017)."""
    grown = price(Group(Approximate(0.5, 1e-6), 3))
    assert grown.epsilon == Fraction(3, 2)
    assert float(grown.delta) == pytest.approx(1e-6 * (1 + math.exp(0.5) + math.e), rel=1e-9)
    with pytest.raises(CannotGuarantee):
        account(Group(Approximate(1, 0.01), 20), DELTA)


@pytest.mark.parametrize("method", ["zcdp", "rdp", "advanced"])
def test_deltas_of_events_are_taken_off_first(method: AccountingMethod) -> None:
    carried = [Approximate(0.5, 0.001), Pure(0.3)]
    plain = [Pure(0.5), Pure(0.3)]
    assert account(carried, Fraction(3, 1000), [method]).epsilon == account(plain, Fraction(2, 1000), [method]).epsilon
    assert math.isinf(account(carried, Fraction(1, 1000), [method]).epsilon)


def test_schemes_of_different_neighbours_do_not_mix() -> None:
    with pytest.raises(BadParameter, match="neighbours"):
        account([PoissonSampled(Gaussian(1), 0.1), FixedSampled(Gaussian(1), 1, 10)], DELTA)


def test_an_exponential_mechanism_costs_a_quarter_of_a_pure_one_in_rho() -> None:
    assert price(Exponential(1)).rho * 4 == price(Pure(1)).rho


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", [1, 5])
def test_discrete_gaussian_vectors_are_not_given_a_loss_distribution(coordinates: int) -> None:
    event = DiscreteGaussian(4, 2, coordinates)
    found = account(event, DELTA, METHODS).by_method
    assert math.isinf(found["pld"]) == (coordinates > 1)
    assert found["zcdp"] == account(Concentrated(Fraction(1, 8)), DELTA, ["zcdp"]).epsilon


@pytest.mark.slow
def test_vector_laplace_is_dominated_by_one_number() -> None:
    """Two coordinates that move by half each lose no more than one that moves by one, at every delta."""
    one, halves = Laplace(1), Repeated(Laplace(1, Fraction(1, 2)), 2)
    for delta in (1e-6, 1e-3, 0.05, 0.3):
        assert account(halves, delta, ["pld"]).epsilon <= account(one, delta, ["pld"]).epsilon + 1e-9


# Asking.


@pytest.mark.slow
def test_smallest_delta_inverts_account() -> None:
    assert smallest_delta(Laplace(1), 1) == 0
    assert smallest_delta(Gaussian(1), 1.0) == pytest.approx(gaussian_delta(1, 1), rel=1e-6)
    # Laplace: delta(epsilon) = 1 − e^((epsilon − 1/b)/2)
    assert smallest_delta(Laplace(1), 0.5) == pytest.approx(-math.expm1(-0.25), rel=1e-6)
    assert smallest_delta(Approximate(1, 0.01), 0.5, ["sequential"]) == 1


@pytest.mark.parametrize("delta", [-0.1, 1, 2, math.nan, math.inf])
def test_a_delta_out_of_range_is_refused(delta: float) -> None:
    with pytest.raises(BadParameter, match="delta"):
        account(Pure(1), delta)


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(BadParameter, match="known ones"):
        account(Pure(1), 0, ["moments"])  # type: ignore[list-item]
    with pytest.raises(BadParameter, match="empty"):
        account(Pure(1), 0, [])
    with pytest.raises(BadParameter, match="known ones"):
        smallest_delta(Pure(1), 1, ["moments"])  # type: ignore[list-item]
    with pytest.raises(BadParameter, match="empty"):
        smallest_delta(Pure(1), 1, [])


def test_gaussian_noise_without_delta_promises_nothing() -> None:
    assert math.isinf(account(Gaussian(100)).epsilon)


# Calibration.


@examples(40)
@given(epsilon=st.floats(1e-6, 100), sensitivity=st.floats(1e-6, 1e6))
def test_laplace_scale_is_exact(epsilon: float, sensitivity: float) -> None:
    scale = laplace_scale(epsilon, sensitivity)
    assert price(Laplace(scale, sensitivity)).epsilon == Fraction(repr(epsilon))


def test_concentrated_sigma() -> None:
    assert concentrated_sigma(0.5, 3) == pytest.approx(3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "methods"),
    [
        (lambda noise: Gaussian(noise), None),
        (lambda noise: Repeated(Laplace(noise), 20), None),
        (lambda noise: Repeated(PoissonSampled(Gaussian(noise), 0.05), 50), ("rdp",)),
    ],
    ids=["gaussian", "laplace", "sgd"],
)
def test_calibration_keeps_the_target_and_hardly_more(
    event: Callable[[float], Event], methods: tuple[AccountingMethod, ...] | None
) -> None:
    noise = calibrate(event, 1.5, DELTA, methods)
    assert account(event(noise), DELTA, methods).epsilon <= 1.5
    assert account(event(noise * 0.999), DELTA, methods).epsilon > 1.5


def test_calibration_agrees_with_closed_forms() -> None:
    assert calibrate(lambda noise: Laplace(noise), 0.3, 0) == pytest.approx(1 / 0.3, rel=1e-4)
    assert calibrate(lambda noise: Gaussian(noise), 0.3, DELTA) == pytest.approx(gaussian_sigma(0.3, DELTA), rel=1e-4)


def test_an_impossible_target_is_refused() -> None:
    with pytest.raises(CannotGuarantee):
        calibrate(lambda noise: Composed((Laplace(noise), Pure(1))), 0.5, 0)
    with pytest.raises(BadParameter):
        calibrate(lambda noise: Laplace(noise), 0, 0)


# Events as data.

SOME = Composed(
    (
        Laplace(Fraction(10, 3)),
        DiscreteLaplace(2.5, 3),
        Repeated(Gaussian(0.1), 5),
        Group(Parallel((Pure(0.1), Approximate(1, 1e-6)), neighbours="replace"), 3),
        PoissonSampled(Gaussian(1), 0.01),
        FixedSampled(Exponential(1), 2, 7),
        DiscreteGaussian(Fraction(7, 2), 3, 4),
        Concentrated(0.1),
    )
)


def test_events_survive_json_exactly() -> None:
    assert from_json(to_json(SOME)) == SOME
    assert hash(from_json(to_json(SOME))) == hash(SOME)


@pytest.mark.parametrize(
    "text", ["", "{}", '{"kind": "pure"}', '{"kind": "laplas", "scale": 1}', '{"kind": "pure", "epsilon": -1}']
)
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(BadParameter):
        from_json(text)


@pytest.mark.parametrize("wrong", [0, -1, math.nan, math.inf, "1", None, True])
def test_bad_numbers_are_refused(wrong: object) -> None:
    for make in (Laplace, Gaussian, Pure, Exponential, Concentrated, DiscreteLaplace, DiscreteGaussian):
        with pytest.raises(BadParameter):
            make(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadParameter):
        Laplace(1, wrong)  # type: ignore[arg-type]
    with pytest.raises(BadParameter):
        PoissonSampled(Pure(1), wrong if wrong is not True else 1.5)  # type: ignore[arg-type]
    with pytest.raises(BadParameter):
        Group(Pure(1), wrong if wrong is not True else 1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Approximate(1, 1),
        lambda: Approximate(-1, 0.1),
        lambda: FixedSampled(Pure(1), 3, 2),
        lambda: DiscreteLaplace(1, 0),
        lambda: DiscreteGaussian(1, 0.5),
        lambda: Repeated(Pure(1), -1),
        lambda: Parallel((), neighbours="other"),  # type: ignore[arg-type]
    ],
)
def test_bad_events_are_refused(make: object) -> None:
    with pytest.raises(BadParameter):
        make()  # type: ignore[operator]

"""One contract for all accountants, against brute force on small cases.

Covers accountant, advanced, concentrated, renyi, sequential, loss_distribution, cases.
"""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.accounting.loss_oracle import exact_epsilon
from tests.examples import examples

from tacit.accounting.account import CLOSED
from tacit.accounting.accountant import Accountant
from tacit.accounting.cases import cases
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
)
from tacit.accounting.loss_distribution import LossDistribution

DELTAS = (Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10))
# A convolution errs by less than 1e-12 in delta; where curves fall by more than 1e-6 a unit that is 1e-6 in epsilon.
NUMERICAL = 1e-6

LEAVES: tuple[Event, ...] = (
    Laplace(1),
    Laplace(Fraction(7, 3), 2),
    Gaussian(2),
    Gaussian(3, Fraction(5, 2)),
    DiscreteLaplace(2),
    DiscreteLaplace(4, 3),
    DiscreteGaussian(2),
    DiscreteGaussian(5, 3),
    Exponential(1),
    Pure(0.7),
    Approximate(0.5, 0.0005),
    Concentrated(0.1),
)
SMALL: tuple[Event, ...] = (
    *LEAVES,
    *(Repeated(leaf, 3) for leaf in LEAVES if leaf != Approximate(0.5, 0.0005)),
    Composed((Laplace(2), Gaussian(2), Pure(0.3))),
    Composed((DiscreteLaplace(2), Concentrated(0.05), Exponential(0.5))),
    Parallel((Laplace(2), Gaussian(1), Pure(0.2))),
    Composed((Parallel((Laplace(2), Laplace(3))), Parallel((Gaussian(2), Pure(0.2))))),
    *(Group(leaf, 2) for leaf in LEAVES if not isinstance(leaf, Approximate)),
    Group(Repeated(Pure(0.3), 2), 3),
    *(PoissonSampled(leaf, 0.3) for leaf in LEAVES),
    Repeated(PoissonSampled(Gaussian(1), 0.2), 3),
    Repeated(PoissonSampled(Laplace(1), 0.2), 3),
    PoissonSampled(Composed((Gaussian(1), Gaussian(2))), 0.2),
    PoissonSampled(Composed((Laplace(1), Gaussian(2))), 0.2),
    Group(PoissonSampled(Gaussian(2), 0.2), 2),
    *(FixedSampled(leaf, 1, 4) for leaf in LEAVES),
    Repeated(FixedSampled(Gaussian(1), 1, 5), 3),
)


def worst(accountant: Accountant, event: Event, delta: Fraction) -> float:
    return max(accountant.curve(case)(delta) for case in cases(event))


@pytest.fixture(params=[*CLOSED.values(), LossDistribution(1e-3)], ids=lambda accountant: accountant.name)
def accountant(request: pytest.FixtureRequest) -> Accountant:
    found: Accountant = request.param
    return found


events = st.sampled_from(LEAVES)
lists = st.lists(events, min_size=1, max_size=3)
deltas = st.sampled_from(DELTAS)
quick = settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])


class TestContract:
    @pytest.mark.parametrize("event", [NOTHING, Repeated(Pure(1), 0), Parallel(()), Composed((NOTHING, NOTHING))])
    def test_nothing_costs_nothing(self, accountant: Accountant, event: Event) -> None:
        assert worst(accountant, event, Fraction(0)) == 0
        assert worst(accountant, event, Fraction(1, 10)) == 0

    @pytest.mark.slow
    @pytest.mark.parametrize("event", SMALL, ids=repr)
    def test_never_below_brute_force(self, accountant: Accountant, event: Event) -> None:
        for delta in DELTAS:
            assert worst(accountant, event, delta) >= exact_epsilon(event, float(delta)) - 1e-12

    @quick
    @given(first=lists, more=events, delta=deltas)
    def test_an_event_more_never_costs_less(
        self, accountant: Accountant, first: list[Event], more: Event, delta: Fraction
    ) -> None:
        before = worst(accountant, Composed(tuple(first)), delta)
        after = worst(accountant, Composed((*first, more)), delta)
        assert after >= before - NUMERICAL

    @quick
    @given(some=lists)
    def test_more_delta_never_costs_more(self, accountant: Accountant, some: list[Event]) -> None:
        found = [
            worst(accountant, Composed(tuple(some)), delta) for delta in (Fraction(0), Fraction(1, 10**6), *DELTAS)
        ]
        assert found == sorted(found, reverse=True)

    @quick
    @given(some=lists, delta=deltas)
    def test_order_does_not_matter(self, accountant: Accountant, some: list[Event], delta: Fraction) -> None:
        assert len({worst(accountant, Composed(tuple(order)), delta) for order in permutations(some)}) == 1

    @quick
    @given(some=lists, delta=deltas)
    def test_nesting_does_not_matter(self, accountant: Accountant, some: list[Event], delta: Fraction) -> None:
        flat = worst(accountant, Composed((*some, *some)), delta)
        assert worst(accountant, Repeated(Composed(tuple(some)), 2), delta) == flat

    @quick
    @given(event=events, delta=deltas)
    def test_blocks_of_one_kind_cost_one(self, accountant: Accountant, event: Event, delta: Fraction) -> None:
        assert worst(accountant, Parallel((event,) * 5), delta) == worst(accountant, event, delta)

    @quick
    @given(event=events, delta=deltas)
    def test_a_group_costs_at_least_as_much(self, accountant: Accountant, event: Event, delta: Fraction) -> None:
        assert worst(accountant, Group(event, 2), delta) >= worst(accountant, event, delta) - NUMERICAL

    @quick
    @given(event=events, delta=deltas, share=st.sampled_from([0.01, 0.3, 0.9]))
    def test_a_sample_costs_at_most_as_much(
        self, accountant: Accountant, event: Event, delta: Fraction, share: float
    ) -> None:
        plain, sampled = worst(accountant, event, delta), worst(accountant, PoissonSampled(event, share), delta)
        assert sampled <= plain + NUMERICAL or accountant.name == "gaussian"


def test_the_contract_catches_an_accountant_that_forgets_half() -> None:
    """The twin that must fail: an accountant that claims half of the truth lies below brute force somewhere."""
    true = CLOSED["sequential"]
    assert any(worst(true, event, DELTAS[0]) / 2 < exact_epsilon(event, float(DELTAS[0])) for event in SMALL)


@pytest.mark.parametrize("leaf", [Laplace(1), DiscreteLaplace(2), Gaussian(2), Pure(0.7)], ids=repr)
def test_brute_force_comes_near_the_best_accountant(leaf: Event) -> None:
    """The oracle is no empty threat: binning to a few outputs loses at most a quarter of epsilon."""
    best = LossDistribution(1e-3).curve(cases(Repeated(leaf, 3))[0])(DELTAS[1])
    assert exact_epsilon(Repeated(leaf, 3), float(DELTAS[1])) >= 0.75 * best

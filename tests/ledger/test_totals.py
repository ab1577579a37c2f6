"""How questions add up under a budget: exact, never beyond it, and valid for questions chosen after seeing answers."""

import math
from fractions import Fraction
from itertools import count, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.accounting.budget import Budget, budget
from tacit.accounting.events import NOTHING, Approximate, Concentrated, Event, Exponential, Gaussian, Pure
from tacit.accounting.filters import rho_filter, sum_filter
from tacit.accounting.price import price
from tacit.errors import BadParameter, BudgetExceeded
from tacit.ledger.terms import LEAST, MOST, Terms
from tacit.ledger.totals import Total, charged, left, spent


def after(events: list[Event], cap: Budget) -> Total:
    """The total after the events that are covered."""
    total = Total()
    for event in events:
        try:
            total = charged(total, price(event), cap)
        except BudgetExceeded:
            continue
    return total


def covered(event: Event, cap: Budget) -> int:
    """How many such questions are covered."""
    total = Total()
    for number in count():
        try:
            total = charged(total, price(event), cap)
        except BudgetExceeded:
            return number
    raise AssertionError


events = st.one_of(
    st.sampled_from([0.1, 0.3, 1e-9, Fraction(1, 3), 0.7]).map(Pure),
    st.sampled_from([0.5, 0.01]).map(Exponential),
    st.sampled_from([3, 10, 77.7]).map(Gaussian),
    st.sampled_from([1e-4, 0.01]).map(Concentrated),
    st.tuples(st.sampled_from([0.1, 0.4]), st.sampled_from([1e-7, 3e-7, 9e-7])).map(lambda both: Approximate(*both)),
)
caps = st.sampled_from([budget(1), budget(1, 1e-6), budget(3, 1e-6), budget(0.2, 1e-3), budget(20, 1e-9)])


def test_ten_tenths_are_one_and_not_a_grain_more() -> None:
    total = after([Pure(0.1)] * 10, budget(1))
    assert spent(total, budget(1)) == budget(1)
    assert left(total, budget(1)) == Budget(Fraction(0))
    assert charged(total, price(NOTHING), budget(1)) == total
    with pytest.raises(BudgetExceeded, match="epsilon 0, delta 0 is left of epsilon 1"):
        charged(total, price(Pure(Fraction(1, 10**40))), budget(1))


@settings(deadline=None)
@given(asked=st.lists(st.sampled_from([0.1, 0.3, 1e-9, Fraction(1, 3), 0.7]).map(Pure), max_size=30))
def test_without_delta_it_is_the_filter_of_sums(asked: list[Event]) -> None:
    total, oracle = Total(), sum_filter(budget(1))
    for event in asked:
        if oracle.may_admit(event):
            oracle = oracle.admit(event)
            total = charged(total, price(event), budget(1))
        else:
            with pytest.raises(BudgetExceeded):
                charged(total, price(event), budget(1))
    assert spent(total, budget(1)).epsilon == oracle.epsilon
    assert left(total, budget(1)) == oracle.left


@pytest.mark.slow
@settings(deadline=None)
@given(asked=st.lists(events, max_size=25), cap=caps)
def test_what_is_covered_keeps_one_of_the_two_sums(asked: list[Event], cap: Budget) -> None:
    """Held against the definition, over the list of all that was covered, in floats with a little slack."""
    total, taken = Total(), list[Event]()
    for event in asked:
        try:
            total = charged(total, price(event), cap)
        except BudgetExceeded:
            continue
        taken.append(event)
    prices = [price(event) for event in taken]
    deltas = sum(float(cost.delta) for cost in prices)
    plain = sum(math.inf if cost.epsilon is None else float(cost.epsilon) for cost in prices)
    first_takes_much = bool(prices) and prices[0].delta > cap.delta / 2
    share = float(cap.delta) * (1 if first_takes_much else 0.5)
    assert deltas <= share * (1 + 1e-9)
    if plain > float(cap.epsilon) * (1 + 1e-9):
        assert cap.delta > 0
        assert not first_takes_much
        order = float(total.order)
        curved = sum(min(float(cost.epsilon or math.inf), order * float(cost.rho)) for cost in prices)
        assert curved + math.log(2 / float(cap.delta)) / (order - 1) <= float(cap.epsilon) * (1 + 1e-9)


@settings(deadline=None)
@given(asked=st.lists(events, max_size=25), cap=caps)
def test_what_is_told_to_be_left_is_covered_and_spent_is_within_the_budget(asked: list[Event], cap: Budget) -> None:
    total = after(asked, cap)
    rest, gone = left(total, cap), spent(total, cap)
    assert gone.epsilon <= cap.epsilon
    assert gone.delta <= cap.delta
    if rest.epsilon:
        charged(total, price(Pure(rest.epsilon)), cap)
        charged(total, price(Approximate(rest.epsilon, rest.delta)), cap)


@pytest.mark.slow
@settings(deadline=None)
@given(asked=st.lists(events, max_size=25), cap=caps)
def test_spent_never_falls_and_left_never_rises(asked: list[Event], cap: Budget) -> None:
    totals = [after(asked[:length], cap) for length in range(len(asked) + 1)]
    gone, rest = [spent(total, cap) for total in totals], [left(total, cap) for total in totals]
    for earlier, later in pairwise(gone):
        assert earlier.epsilon <= later.epsilon
        assert earlier.delta <= later.delta
    for earlier, later in pairwise(rest):
        assert earlier.epsilon >= later.epsilon
        assert earlier.delta >= later.delta


@pytest.mark.slow
@pytest.mark.parametrize("cap", [budget(1, 1e-6), budget(5, 1e-9), budget(0.1, 1e-3)])
def test_gaussian_noise_has_what_the_filter_of_rhos_admits(cap: Budget) -> None:
    """The order is a fraction near the best one, which costs less than one in a thousand."""
    event = Concentrated(rho_filter(cap).cap_rho / 1000)
    assert 999 <= covered(event, cap) <= 1000


def test_few_large_questions_have_the_sum_and_many_small_ones_the_curve() -> None:
    cap = budget(1, 1e-6)
    assert covered(Pure(0.5), cap) == 2
    assert covered(Pure(0.01), budget(1)) == 100
    assert covered(Pure(0.01), cap) > 300


@pytest.mark.parametrize(("rest", "told"), [(Fraction(2, 10**16), 0), (Fraction(1, 10**9), Fraction(1, 10**9))])
def test_what_rounding_leaves_of_a_budget_is_nothing(rest: Fraction, told: Fraction) -> None:
    """Three rows at a third of an epsilon each cost a grain less than it; a small rest that was meant is told."""
    cap = budget(2)
    total = charged(Total(), price(Pure(2 - rest)), cap)
    assert left(total, cap) == Budget(told)
    assert spent(total, cap) == Budget(2 - rest)


def test_the_first_question_may_take_all_of_delta() -> None:
    cap = budget(1, 1e-6)
    total = charged(Total(), price(Approximate(0.25, 1e-6)), cap)
    assert spent(total, cap) == Budget(Fraction(1, 4), cap.delta)
    assert left(total, cap) == Budget(Fraction(3, 4))
    with pytest.raises(BudgetExceeded, match="counts epsilons only"):
        charged(total, price(Gaussian(100)), cap)


def test_a_later_question_may_take_half_of_delta_only() -> None:
    cap = budget(1, 1e-6)
    total = charged(Total(), price(Pure(0.1)), cap)
    assert left(total, cap) == Budget(Fraction(9, 10), cap.delta / 2)
    with pytest.raises(BudgetExceeded):
        charged(total, price(Approximate(0.1, 6e-7)), cap)


def ever_above(bound: np.ndarray, losses: np.ndarray) -> float:
    return float((losses > bound).any(axis=1).mean())


def test_an_analyst_who_stops_at_the_worst_moment_does_not_beat_what_is_told() -> None:
    """Gaussian noise and pure answers in turn; the loss passes what is told with probability at most delta/2.

    The loss of Gaussian noise is N(rho, 2 rho); of a pure answer, at worst, epsilon or -epsilon (randomised response).
    The tolerance is Hoeffding's for 20,000 runs at an error rate of 1e-9. The twin, which keeps nothing for the
    conversion, is passed far more often.
    """
    cap, steps, runs, epsilon, rho = budget(8, 0.1), 60, 20_000, 0.1, 0.02
    generator = np.random.default_rng(11)
    noise = generator.normal(rho, math.sqrt(2 * rho), (runs, steps))
    truth = np.where(generator.random((runs, steps)) < 1 / (1 + math.exp(-epsilon)), epsilon, -epsilon)
    losses = np.cumsum(np.where(np.arange(steps) % 2, truth, noise), axis=1)
    total, told = Total(), []
    for step in range(steps):
        total = charged(total, price(Pure(epsilon) if step % 2 else Concentrated(rho)), cap)
        told.append(float(spent(total, cap).epsilon))
    tolerance = math.sqrt(math.log(1e9) / (2 * runs))
    kept = math.log(2 / 0.1) / float(total.order - 1)
    assert ever_above(np.array(told), losses) <= 0.05 + tolerance
    assert ever_above(np.array(told) - kept, losses) > 0.05 + tolerance


def test_long_sums_stay_short_and_err_upwards() -> None:
    cap, total, whole = budget(50, 1e-6), Total(), Fraction(0)
    for i in range(1, 200):
        cost = price(Gaussian(100 + Fraction(1, 2 * i + 1)))
        total, whole = charged(total, cost, cap), whole + cost.rho
    assert total.order * whole <= total.curved <= total.order * whole + Fraction(200, 2**200)
    assert total.curved.denominator.bit_length() <= 300


@pytest.mark.parametrize("epsilon", [LEAST, Fraction(1, 10**20), Fraction(1), MOST])
@pytest.mark.parametrize("delta", [Fraction(0), LEAST, Fraction(1, 10**20), Fraction(999, 1000)])
def test_every_budget_that_a_ledger_takes_can_be_spent_to_its_end(epsilon: Fraction, delta: Fraction) -> None:
    """A third of it three times, with a third of the deltas that questions may have, and nothing is left over."""
    cap = Terms(Budget(epsilon, delta)).budget
    third = price(Approximate(epsilon / 3, delta / 6))
    total = Total()
    for _ in range(3):
        total = charged(total, third, cap)
    assert total.epsilon == epsilon >= spent(total, cap).epsilon
    assert left(total, cap).delta == 0
    with pytest.raises(BudgetExceeded):
        charged(total, third, cap)


@pytest.mark.parametrize(
    ("epsilon", "delta", "name"),
    [
        (Fraction(1), Fraction(1, 10**300), "delta"),
        (Fraction(1), Fraction(1, 10**400), "delta"),
        (Fraction(1, 10**160), Fraction(1, 10**6), "epsilon"),
        (Fraction(1, 10**100), Fraction(0), "epsilon"),
        (Fraction(10**100), Fraction(1, 10**6), "epsilon"),
    ],
)
def test_a_budget_beyond_what_can_be_added_up_is_refused(epsilon: Fraction, delta: Fraction, name: str) -> None:
    with pytest.raises(BadParameter, match=rf"{name} of the budget is .*; a ledger .* from 1e-40 to 1e12"):
        Terms(Budget(epsilon, delta))
    with pytest.raises(BadParameter, match=f"{name} of the budget"):
        Terms(budget(1), slices={"anna": Budget(epsilon, delta)})

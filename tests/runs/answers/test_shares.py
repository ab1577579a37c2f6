"""Shares of a price (runs/answers/shares): the greatest that fits, whatever shape the loss has."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.accounting.account import account
from tacit.accounting.events import Approximate, Gaussian, Group, Pure
from tacit.accounting.price import price
from tacit.runs.answers.shares import NEAR, AskedPrice, delta_share, greatest_share

TIGHT = float(NEAR)


@given(st.floats(0.3, 3), st.floats(0.01, 50), st.integers(1, 12))
def test_the_greatest_share_that_fits_is_found(power: float, factor: float, parts: int) -> None:
    """Of used = factor share**power it is factor**(-1/power), or all where that fits."""
    share = greatest_share(lambda share: Fraction(factor * float(share) ** power), parts)
    assert share is not None
    assert Fraction(factor * float(share) ** power) <= 1
    best = min(factor ** (-1 / power), 1.0)
    assert float(share) == pytest.approx(best, rel=4 * TIGHT / power + 4 * TIGHT)


@given(st.floats(0.01, 0.9), st.integers(1, 12))
def test_a_loss_that_jumps_over_the_price_ends_below_the_jump(jump: float, parts: int) -> None:
    share = greatest_share(lambda share: Fraction(4) if share > jump else share / 2, parts)
    assert share is not None
    assert jump * (1 - 2 * TIGHT) <= share <= jump


def test_sums_are_shared_exactly() -> None:
    """Nothing is sought where 1/parts is the answer."""
    tried: list[Fraction] = []
    share = greatest_share(lambda share: tried.append(share) or 3 * share, 3)  # type: ignore[func-returns-value]
    assert share == Fraction(1, 3)
    assert tried == [Fraction(1, 3)]


def test_where_nothing_fits_nothing_is_given() -> None:
    assert greatest_share(lambda share: Fraction(2), 2) is None


def test_what_is_used_is_what_will_be_told() -> None:
    asked = AskedPrice(Fraction(1), Fraction(1, 1000))
    assert asked.used(Pure(Fraction(1, 4))) == Fraction(1, 4)
    assert asked.used(Approximate(Fraction(1, 4), Fraction(1, 500))) == 2
    assert float(asked.used(Gaussian(2.0))) == account(Gaussian(2.0), Fraction(1, 1000)).epsilon
    assert AskedPrice(Fraction(1)).used(Gaussian(2.0)) > 1
    assert AskedPrice(Fraction(1)).used(Approximate(Fraction(1, 4), Fraction(1, 500))) > 1


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(3), Fraction(40)])
@pytest.mark.parametrize("answers", [1, 3])
def test_two_people_have_all_of_delta_and_no_more(epsilon: Fraction, answers: int) -> None:
    """A group of two has d (1 + e**e) of d (Vadhan 2017)."""
    delta, share = Fraction(1, 10**6), delta_share(epsilon, answers, 2)
    each = Approximate(epsilon / (2 * answers), delta * share)
    spent = answers * price(Group(each, 2)).delta
    assert delta * (1 - Fraction(1, 10**8)) <= spent <= delta
    assert float(share) == pytest.approx(1 / (answers * (1 + math.exp(epsilon / (2 * answers)))), rel=1e-8)
    assert delta_share(epsilon, answers, 1) == Fraction(1, answers)

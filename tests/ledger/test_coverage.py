"""Several questions under one budget (ledger/coverage): what the refusal tells is true."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.accounting.budget import Budget, budget
from tacit.accounting.events import Approximate, Gaussian, Pure
from tacit.accounting.price import price
from tacit.errors import BudgetExceeded
from tacit.ledger.coverage import FINENESS, covered
from tacit.ledger.ledger import open_ledger
from tacit.ledger.memory import MemoryLedger
from tacit.ledger.terms import Terms
from tacit.ledger.totals import Total, charged

QUESTIONS = [(Pure(0.5), "mean of age"), (Pure(0.75), "count by sex"), (Pure(0.25), "median")]


def test_the_refusal_says_what_all_cost_what_fits_and_what_would() -> None:
    costs = [(price(event), question) for event, question in QUESTIONS]
    with pytest.raises(BudgetExceeded) as refusal:
        covered(Total(), costs, budget(1))
    assert str(refusal.value) == (
        "the 3 questions cost epsilon 1.5, delta 0 together; epsilon 1, delta 0 is left of epsilon 1, delta 0. It "
        "covers mean of age; median; or all of them at 0.666 of their epsilon (mean of age 0.333; count by sex 0.4995; "
        "median 0.1665): ask fewer questions, spend less on each, or ask the owner of the budget to raise it "
        "(with `raise_budget` of the ledger, in Python)"
    )


@pytest.mark.slow
@given(
    st.lists(st.fractions(Fraction(1, 20), 2, max_denominator=50), min_size=2, max_size=6),
    st.sampled_from([budget(1), budget(1, 1e-6)]),
)
def test_the_share_that_is_told_fits_and_a_thousandth_more_does_not(epsilons: list[Fraction], cap) -> None:
    costs = [(price(Pure(epsilon)), f"q{place}") for place, epsilon in enumerate(epsilons)]
    try:
        covered(Total(), costs, cap)
    except BudgetExceeded as refusal:
        found = re.search(r"all of them at ([0-9.]+) of", str(refusal))
        share = Fraction(found.group(1)) if found else Fraction(0)
        assert share < 1
        assert fits([epsilon * share for epsilon in epsilons if share], cap)
        assert not fits([epsilon * (share + Fraction(1, FINENESS)) for epsilon in epsilons], cap)
    else:
        assert fits(epsilons, cap)


def fits(epsilons: list[Fraction], cap) -> bool:
    total = Total()
    try:
        for epsilon in epsilons:
            total = charged(total, price(Pure(epsilon)), cap)
    except BudgetExceeded:
        return False
    return True


def test_noise_without_an_epsilon_is_told_by_its_rho() -> None:
    costs = [(price(Gaussian(1)), "sums"), (price(Gaussian(100)), "counts")]
    with pytest.raises(BudgetExceeded, match=r"cost rho 0.50005 of noise .* together.*It covers counts: ask fewer"):
        covered(Total(), costs, budget(1, 1e-6))
    mixed = [*costs, (price(Pure(0.5)), "mean")]
    with pytest.raises(
        BudgetExceeded, match=r"cost epsilon 0.5 and rho 0.50005 of noise that has no epsilon, delta 0 tog"
    ):
        covered(Total(), mixed, budget(1, 1e-6))
    with pytest.raises(BudgetExceeded, match="It covers none of them: ask fewer"):
        covered(Total(), costs[:1] * 2, budget(1, 1e-6))


@pytest.mark.parametrize("in_file", [True, False])
def test_asking_whether_questions_fit_charges_nothing(tmp_path: Path, in_file: bool) -> None:
    terms = Terms(budget(1))
    ledger = open_ledger(tmp_path / "people.ledger", terms) if in_file else MemoryLedger(terms)
    ledger.require_covered(QUESTIONS[:1])
    for ask in (ledger.require_covered, ledger.charge_all):
        with pytest.raises(BudgetExceeded, match="the 3 questions cost"):
            ask(QUESTIONS)
    assert ledger.spent() == Budget(Fraction(0))
    ledger.charge_all(QUESTIONS[:1])
    with pytest.raises(BudgetExceeded, match=r"the question costs epsilon 0\.75"):
        ledger.require_covered(QUESTIONS[1:2])
    assert ledger.spent() == budget(0.5)


def test_a_slice_covers_questions_together(tmp_path: Path) -> None:
    terms = Terms(budget(2), slices={"ann": budget(1)})
    ledger = open_ledger(tmp_path / "people.ledger", terms)
    with pytest.raises(BudgetExceeded, match="slice of 'ann': the 3 questions cost"):
        ledger.require_covered(QUESTIONS, "ann")
    with pytest.raises(BudgetExceeded, match="no slice"):
        ledger.require_covered(QUESTIONS[:1], "eve")


def test_what_was_spent_has_the_deltas_of_the_questions() -> None:
    ledger = MemoryLedger(Terms(budget(2, 1e-6)))
    ledger.charge_all([(Approximate(0.25, 1e-7), "keys"), (Approximate(0.25, 2e-7), "more keys")])
    assert ledger.spent() == budget(0.5, 3e-7)
    assert ledger.left().delta == Fraction(2, 10**7)

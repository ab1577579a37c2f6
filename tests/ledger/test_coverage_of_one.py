"""One question that takes a whole budget: Gaussian noise has an epsilon at all of delta, and no room is left after it.

Covers ledger/coverage.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from tacit.accounting.account import account
from tacit.accounting.budget import budget
from tacit.accounting.events import Gaussian, Pure, Repeated
from tacit.accounting.gaussian import gaussian_sigma
from tacit.errors import BudgetExceeded
from tacit.ledger.ledger import open_ledger
from tacit.ledger.memory import MemoryLedger
from tacit.ledger.terms import Terms

DELTA = 1e-6
NOISE = Gaussian(Fraction(gaussian_sigma(1.0, DELTA)) * (1 + Fraction(1, 10**9)), Fraction(1))
"""As little as keeps epsilon 1 at this delta."""


@pytest.fixture(params=["file", "memory"])
def ledger(request, tmp_path: Path):
    terms = Terms(budget(1, DELTA))
    return MemoryLedger(terms) if request.param == "memory" else open_ledger(tmp_path / "own.ledger", terms)


def test_noise_that_just_keeps_the_budget_is_covered_by_it(ledger):
    ledger.charge_all([(NOISE, "all")])
    assert account(NOISE, DELTA).epsilon <= float(ledger.spent().epsilon) <= 1
    assert float(ledger.spent().delta) == DELTA
    ledger.verify()
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(Pure(Fraction(1, 1000)), "one more")])
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(NOISE, "once more")])


def test_noise_that_is_a_little_less_is_not(ledger):
    """The twin: noise that spends epsilon 1.001 at this delta."""
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(Gaussian(NOISE.sigma * Fraction(999, 1000), Fraction(1)), "all")])
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(Repeated(NOISE, 2), "twice")])
    with pytest.raises(BudgetExceeded):
        ledger.charge_all([(NOISE, "one"), (NOISE, "two")])
    ledger.require_covered([(NOISE, "all")])
    assert ledger.spent().epsilon == 0


def test_where_there_is_room_for_more_it_is_kept(ledger):
    """Little of the budget: the price is rho, so that many such questions fit."""
    little = Gaussian(NOISE.sigma * 20, Fraction(1))
    for number in range(5):
        ledger.charge_all([(little, str(number))])
    assert float(ledger.spent().epsilon) < 1

"""A ledger that lasts as long as the process, with the same rules as one in a file, for work that ends with it.

It must not exist twice: a forked process, or a copy, could spend all of it again. So it charges nothing in a forked
process and can't be copied; a ledger in a file can be shared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import NoReturn

from tacit.accounting.budget import Budget
from tacit.accounting.events import Event
from tacit.accounting.price import price
from tacit.errors import BadData, PolicyRefused
from tacit.forks import forks
from tacit.ledger import totals
from tacit.ledger.chain import Receipt
from tacit.ledger.coverage import covered, price_within
from tacit.ledger.terms import Terms
from tacit.ledger.totals import Total

_IN_A_FILE = "keep it in a file that processes share, as in `PrivacyBudget(..., ledger='people.ledger')`"


@dataclass(eq=False)
class MemoryLedger:
    """Terms, and what was charged so far."""

    terms: Terms
    _total: Total = field(default_factory=Total)
    _charges: int = 0
    _data: str = ""
    _lock: Lock = field(default_factory=Lock, repr=False)
    _forks: int = field(default_factory=forks, repr=False)

    def charge_all(
        self, charges: Sequence[tuple[Event, str]], purpose: str = "", data: str = ""
    ) -> tuple[Receipt, ...]:
        """All questions are paid for; BudgetExceeded, and none is, if the budget does not cover them together."""
        self._require_original()
        with self._lock:
            self._total, first = self._covered(charges), self._charges + 1
            self._charges, self._data = self._charges + len(charges), data
        return tuple(Receipt(first + place, "") for place in range(len(charges)))

    def has_seen(self, data: str) -> bool:
        """Whether the last question was about the same rows, or there was none yet."""
        return self._data in ("", data)

    def require_covered(self, charges: Sequence[tuple[Event, str]]) -> None:
        """BudgetExceeded if the budget does not cover these questions together; nothing is charged."""
        self._require_original()
        with self._lock:
            self._covered(charges)

    def __reduce__(self) -> NoReturn:
        """Refused: a copy would be spent beside the original."""
        raise PolicyRefused(f"a budget in memory can't be copied or pickled; {_IN_A_FILE}")

    def _require_original(self) -> None:
        """Refuse in a process that has this ledger from a fork."""
        if self._forks != forks():
            raise PolicyRefused(
                "this budget is kept in memory and was copied by a fork, so both processes would spend all of it; "
                f"{_IN_A_FILE}"
            )

    def _covered(self, charges: Sequence[tuple[Event, str]]) -> Total:
        budget, alone = self.terms.budget, len(charges) == 1
        for event, _ in charges:
            self.terms.require_in_scope(event)
        costs = [
            (price_within(event, self._total, budget) if alone else price(event), question)
            for event, question in charges
        ]
        return covered(self._total, costs, budget)

    def answered(self, receipt: Receipt) -> None:
        """Note nothing: this ledger ends with the process, so nobody can come back to a charge without an answer."""

    def spent(self) -> Budget:
        """What was charged so far; as a promise it has the delta of the budget."""
        return totals.spent(self._total, self.terms.budget)

    def left(self) -> Budget:
        """What one more question may cost."""
        return totals.left(self._total, self.terms.budget)

    def verify(self, receipts: Sequence[Receipt] = ()) -> None:
        """Every receipt is of a charge."""
        if any(not 1 <= receipt.number <= self._charges for receipt in receipts):
            raise BadData("there is no such charge in this budget")

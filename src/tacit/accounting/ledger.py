"""A ledger: who spent what, under one cap for all and a slice for each analyst.
The cap protects against analysts who put their answers together; slices keep one from using up what others need.
Slices may add up to more than the cap (first come, first served) or be divided so that they can't. A ledger is a
value: `charge` returns the next one, so whoever stores it can compare and swap, and a refused charge leaves no trace
in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tacit.accounting.budget import Budget
from tacit.accounting.events import Event
from tacit.accounting.filters import Filter
from tacit.errors import BudgetExceeded


@dataclass(frozen=True)
class Entry:
    """One expense."""

    analyst: str
    event: Event
    purpose: str = ""


@dataclass(frozen=True)
class Ledger:
    """The filter for all, a filter for each analyst, and the expenses in order."""

    cap: Filter
    slices: Mapping[str, Filter] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()

    def charge(self, event: Event, analyst: str, purpose: str = "") -> "Ledger":
        """The ledger after the expense; refused if it would pass the analyst's slice or the cap for all."""
        if analyst not in self.slices:
            raise BudgetExceeded(f"analyst {analyst!r} has no slice of this budget; the data's owner must grant one")
        try:
            mine = self.slices[analyst].admit(event)
        except BudgetExceeded as refusal:
            raise BudgetExceeded(f"slice of {analyst!r}: {refusal}") from None
        try:
            cap = self.cap.admit(event)
        except BudgetExceeded as refusal:
            raise BudgetExceeded(f"cap for all analysts: {refusal}") from None
        entry = Entry(analyst, event, purpose)
        return replace(self, cap=cap, slices={**self.slices, analyst: mine}, entries=(*self.entries, entry))

    def promise(self, analyst: str | None = None) -> Budget:
        """What one analyst's answers, or all answers together, do not exceed."""
        return (self.cap if analyst is None else self.slices[analyst]).promise

    def events(self, analyst: str | None = None) -> tuple[Event, ...]:
        """The expenses of one analyst, or of all."""
        return tuple(entry.event for entry in self.entries if analyst in (None, entry.analyst))

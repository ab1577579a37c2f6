"""The chain: each entry holds a hash of itself and the one before, so that none can be changed, removed or reordered.

The hash is SHA-256 over canonical JSON (keys in order, no spaces, ASCII). Somebody who can write to the file can
rewrite all hashes, and an old copy has a complete chain. A receipt protects against both: the number and hash of an
entry, kept elsewhere, such as in the evidence of an answer.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any, Literal

from tacit.accounting.events import Event, from_json
from tacit.accounting.price import Price
from tacit.ledger.terms import terms_from
from tacit.ledger.totals import Total

EntryKind = Literal["opened", "raised", "charged", "answered"]
BEFORE_ALL = "0" * 64


@dataclass(frozen=True)
class Receipt:
    """The proof of an entry: its number and hash."""

    number: int
    hash: str


@dataclass(frozen=True)
class Entry:
    """One line of the ledger; `about` is the number of the charge that was answered, `body` canonical JSON."""

    number: int
    time: str
    kind: EntryKind
    analyst: str
    about: int | None
    body: str

    @property
    def content(self) -> dict[str, Any]:
        """What the body says."""
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def moment(self) -> datetime:
        """When it was written, by the clock of the writer."""
        return datetime.fromisoformat(self.time)

    @property
    def event(self) -> Event:
        """What a charge was for."""
        return from_json(self.content["event"])

    def hash_after(self, previous: str) -> str:
        """The hash of the entry after one with the hash `previous`."""
        parts = [previous, self.number, self.time, self.kind, self.analyst, self.about, self.body]
        return sha256(canonical(parts).encode("ascii")).hexdigest()


def canonical(value: object) -> str:
    """The one JSON text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def cost_json(cost: Price) -> dict[str, str | None]:
    """The price as fractions."""
    epsilon = None if cost.epsilon is None else str(cost.epsilon)
    return {"epsilon": epsilon, "delta": str(cost.delta), "rho": str(cost.rho)}


def total_json(total: Total) -> dict[str, Any]:
    """The total as fractions."""
    epsilon = None if total.epsilon is None else str(total.epsilon)
    return {
        "epsilon": epsilon,
        "delta": str(total.delta),
        "curved": str(total.curved),
        "order": str(total.order),
    }


def total_from(found: Mapping[str, Any]) -> Total:
    """The total that `total_json` wrote."""
    exact = (Fraction(found[name]) for name in ("delta", "curved", "order"))
    return Total(_fraction(found["epsilon"]), *exact)


def first_fault(entries: Iterable[tuple[Entry, str]], receipts: Sequence[Receipt] = ()) -> str | None:
    """What is wrong with entries and their hashes, in words; None where all is as it was written.

    Costs are taken as they were written, since a later version may price an event differently; their sums are not.
    """
    hashes = [BEFORE_ALL]
    book = _Book()
    for number, (entry, hash_) in enumerate(entries, start=1):
        if entry.number != number:
            return f"entry {number} is missing"
        if entry.hash_after(hashes[-1]) != hash_:
            return f"entry {number} is not what was written"
        if not book.takes(entry):
            return f"entry {number} does not follow from those before it"
        hashes.append(hash_)
    if len(hashes) == 1:
        return "there are no entries"
    for receipt in receipts:
        if not 1 <= receipt.number < len(hashes) or hashes[receipt.number] != receipt.hash:
            return f"entry {receipt.number} does not match its receipt: is this an old copy?"
    return None


class _Book:
    """The state while the chain is read from its beginning."""

    def __init__(self) -> None:
        self.is_open = False
        self.slices: frozenset[str] = frozenset()
        self.totals: dict[str | None, Total] = {}
        self.waiting: set[int] = set()

    def takes(self, entry: Entry) -> bool:
        """Whether the entry may come next; if so, it did."""
        content = entry.content
        if self.is_open == (entry.kind == "opened"):
            return False
        if entry.kind in ("opened", "raised"):
            self.is_open, self.slices = True, frozenset(terms_from(content["terms"]).slices)
            return True
        if entry.kind == "answered":
            known = entry.about in self.waiting
            self.waiting -= {entry.about}
            return known
        self.waiting.add(entry.number)
        return self._adds_up(content, None, "total") and self._adds_up(content, entry.analyst, "slice")

    def _adds_up(self, content: Mapping[str, Any], whose: str | None, name: str) -> bool:
        if whose is not None and whose not in self.slices:
            return content[name] is None
        cost, stated = content["cost"], total_from(content[name])
        price = Price(_fraction(cost["epsilon"]), Fraction(cost["delta"]), Fraction(cost["rho"]))
        after = self.totals.get(whose, Total()).plus(price, stated.order)
        self.totals[whose] = after
        return stated == after


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)

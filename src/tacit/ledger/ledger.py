"""A ledger in a file: a question is charged, durably, before it is asked; an answer is noted, and nothing is refunded.

`charge` returns when the charge is on disk, so neither a crash nor a concurrent process can leave an answer unpaid. A
question that was charged and never answered stays charged: nobody can know whether its answer was seen. `totals` says
how questions add up, and why that holds for questions chosen after seeing answers.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hmac import new
from pathlib import Path
from secrets import token_hex
from typing import Any

from tacit.accounting.budget import Budget
from tacit.accounting.events import Event, to_json
from tacit.accounting.price import Price, price
from tacit.errors import BadData, BadParameter, BudgetExceeded, PolicyRefused
from tacit.ledger import totals
from tacit.ledger.chain import Entry, EntryKind, Receipt, canonical, cost_json, first_fault, total_from, total_json
from tacit.ledger.coverage import PricedCharge, covered, price_within
from tacit.ledger.store import AlreadyAnswered, Page, Store
from tacit.ledger.terms import Terms, require_no_less, require_same, require_same_scope, terms_from
from tacit.ledger.totals import Total
from tacit.publication import discard

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Ledger:
    """A ledger under its terms; it keeps no file open, so that threads and processes may share it.

    A `new` ledger is created with its first charge: until then it has no file and no binding terms.
    """

    path: Path
    terms: Terms
    clock: Clock = utc_now
    new: bool = False
    _made: set[Path] = field(default_factory=set, compare=False, repr=False)

    def charge(self, event: Event, question: str, analyst: str = "", purpose: str = "") -> Receipt:
        """The question is paid for, on disk; BudgetExceeded, and nothing written, if the budget does not cover it."""
        (receipt,) = self.charge_all([(event, question)], analyst, purpose)
        return receipt

    def charge_all(
        self, charges: Sequence[tuple[Event, str]], analyst: str = "", purpose: str = "", data: str = ""
    ) -> tuple[Receipt, ...]:
        """All questions are paid for, on disk; BudgetExceeded, and nothing written, if one is not covered.

        `data` is a fingerprint of the rows that are asked about; the ledger keeps a mark of it (`marked`).
        """
        told = [
            {"event": to_json(event), "question": question, "purpose": _text(purpose)} for event, question in charges
        ]
        _text(analyst)
        if self._is_unmade:
            self.require_covered(charges, analyst)
            Store(self.path).create(self._first)
            self._made.add(self.path)
        with Store(self.path).writing() as page:
            self._require_same_terms(page)
            costs = self._costs(page, charges)
            self._require_covered(page, costs, analyst)
            mark = {"data": marked(page.first().content["key"], data)}
            pairs = zip(costs, told, strict=True)
            return tuple(self._charge(page, cost, {**said, **mark}, analyst) for (cost, _), said in pairs)

    def has_seen(self, data: str) -> bool:
        """Whether the last question was about the same rows, or there was none yet."""
        with self._reading() as page:
            last = page.last("charged")
            return last is None or last.content["data"] in (None, marked(page.first().content["key"], data))

    def has_charged(self, data: str) -> bool:
        """Whether a question about these rows was charged."""
        with self._reading() as page:
            mark = marked(page.first().content["key"], data)
            return any(entry.kind == "charged" and entry.content["data"] == mark for entry, _ in page.all())

    def require_covered(self, charges: Sequence[tuple[Event, str]], analyst: str = "") -> None:
        """BudgetExceeded if the budget does not cover these questions together; nothing is written."""
        with self._reading() as page:
            self._require_same_terms(page)
            self._require_covered(page, self._costs(page, charges), analyst)

    def _costs(self, page: Page, charges: Sequence[tuple[Event, str]]) -> list[PricedCharge]:
        total, alone = _total_in(page, None), len(charges) == 1 and not self.terms.slices
        asked = [(self.terms.require_in_scope(event), _text(question)) for event, question in charges]
        return [
            (price_within(event, total, self.terms.budget) if alone else price(event), question)
            for event, question in asked
        ]

    def _require_covered(self, page: Page, costs: Sequence[PricedCharge], analyst: str) -> None:
        """Slice and budget cover the questions together."""
        slice_ = self.terms.slice_of(analyst)
        try:
            if slice_ is not None:
                covered(_total_in(page, analyst), costs, slice_)
        except BudgetExceeded as refusal:
            raise BudgetExceeded(f"slice of {analyst!r}: {refusal}") from None
        covered(_total_in(page, None), costs, self.terms.budget)

    def _charge(self, page: Page, cost: Price, told: dict[str, Any], analyst: str) -> Receipt:
        sums = {"slice": self._charged(page, cost, analyst), "total": self._charged(page, cost, None)}
        return page.add(self._entry(page, "charged", {**told, "cost": cost_json(cost), **sums}, analyst))

    def answered(self, receipt: Receipt) -> Receipt:
        """It is noted that the answer to the charged question was given; once only."""
        with Store(self.path).writing() as page:
            if not page.has_charge(receipt):
                raise BadData(f"the ledger {self.path} has no such charge; is it an old copy?")
            try:
                return page.add(self._entry(page, "answered", {}, about=receipt.number))
            except AlreadyAnswered:
                raise PolicyRefused(
                    f"charge {receipt.number} has already been answered; ask again, at a new charge"
                ) from None

    def raise_budget(self, terms: Terms, reason: str) -> "Ledger":
        """The ledger under terms with a larger budget or further slices, which is an entry of its own.

        A raised budget is another promise to the same people. It holds for questions chosen after seeing answers only
        if the new amount was not.
        """
        if not _text(reason).strip():
            raise BadParameter("raising a budget needs a reason; give one")
        terms = replace(terms, dataset=terms.dataset or self.terms.dataset)
        require_same_scope(terms, self.terms, str(self.path))
        require_no_less(terms, self.terms)
        with Store(self.path).writing() as page:
            self._require_same_terms(page)
            page.add(self._entry(page, "raised", {"terms": terms.to_json(), "reason": reason}))
        return replace(self, terms=terms)

    def spent(self, analyst: str | None = None) -> Budget:
        """What was charged so far, to all or to one analyst; as a promise it has the delta of the budget."""
        return totals.spent(self._total(analyst), self._cap(analyst))

    def left(self, analyst: str | None = None) -> Budget:
        """What one more question may cost; for an analyst, as far as both slice and budget cover it."""
        whole = totals.left(self._total(None), self.terms.budget)
        if analyst is None or not self.terms.slices:
            return whole
        mine = totals.left(self._total(analyst), self._cap(analyst))
        return Budget(min(whole.epsilon, mine.epsilon), min(whole.delta, mine.delta))

    def entries(self) -> tuple[Entry, ...]:
        """All that was written, in order."""
        with self._reading() as page:
            return tuple(entry for entry, _ in page.all())

    def unanswered(self) -> tuple[Entry, ...]:
        """Charges without a note that they were answered: questions at work, or cut off."""
        entries = self.entries()
        done = {entry.about for entry in entries}
        return tuple(entry for entry in entries if entry.kind == "charged" and entry.number not in done)

    def verify(self, receipts: Sequence[Receipt] = ()) -> None:
        """Nothing was changed, removed or reordered, and what there is a receipt of is there; else BadData."""
        with self._reading() as page:
            _require_sound(page, self.path, receipts)

    @contextmanager
    def _reading(self) -> Iterator[Page]:
        """The entries as they are now; those of a ledger that is to be made where it is not made yet."""
        store = Store(self.path)
        with store.unmade(self._first) if self._is_unmade and not self.path.exists() else store.reading() as page:
            yield page

    @property
    def _is_unmade(self) -> bool:
        """Whether it is to be made with the next charge; one that was made and is gone is not made again."""
        return self.new and self.path not in self._made

    @property
    def _first(self) -> Entry:
        """The entry that opens the ledger, with a key of its own."""
        return Entry(
            1, _stamp(self.clock), "opened", "", None, canonical({"terms": self.terms.to_json(), "key": token_hex(32)})
        )

    def _require_same_terms(self, page: Page) -> None:
        require_same(self.terms, _terms_in(page, self.path), str(self.path))

    def _charged(self, page: Page, cost: Price, analyst: str | None) -> dict[str, Any] | None:
        """The total of all, or of one analyst, after the charge; None where the ledger has no slices."""
        cap = self.terms.budget if analyst is None else self.terms.slice_of(analyst)
        return None if cap is None else total_json(totals.charged(_total_in(page, analyst), cost, cap))

    def _total(self, analyst: str | None) -> Total:
        with self._reading() as page:
            self._require_same_terms(page)
            return _total_in(page, analyst)

    def _cap(self, analyst: str | None) -> Budget:
        """The budget, or the analyst's slice of it; a ledger without slices has none to tell of."""
        slice_ = None if analyst is None else self.terms.slice_of(analyst)
        if analyst is not None and slice_ is None:
            raise BadParameter(f"the ledger {self.path} has no slices; ask for what all analysts spent together")
        return slice_ or self.terms.budget

    def _entry(
        self, page: Page, kind: EntryKind, body: dict[str, Any], analyst: str = "", about: int | None = None
    ) -> Entry:
        return Entry(page.next_number(), _stamp(self.clock), kind, analyst, about, canonical(body))


def open_ledger(path: Path, terms: Terms, clock: Clock = utc_now) -> Ledger:
    """The ledger at the path, which is made if there is none; its terms must be these, and its entries sound."""
    found = ledger_at(path, terms, clock)
    if found.new:
        Store(path).create(found._first)
        found = ledger_at(path, terms, clock)
    return found


def ledger_at(path: Path, terms: Terms, clock: Clock = utc_now) -> Ledger:
    """The ledger at the path, or a new one, which is made with its first charge; terms as for `open_ledger`."""
    if path.exists():
        discard(path)
        require_same(terms, read_ledger(path).terms, str(path))
        return Ledger(path, terms, clock)
    if path.is_symlink():
        raise BadData(f"the ledger {path} is a link to a file that is not there; a new one would forget what was spent")
    return Ledger(path, terms, clock, new=True)


def read_ledger(path: Path) -> Ledger:
    """The ledger at the path under its own terms; its entries are sound."""
    if not path.exists():
        raise BadData(f"there is no ledger {path}")
    with Store(path).reading() as page:
        _require_sound(page, path)
        return Ledger(path, _terms_in(page, path))


def _require_sound(page: Page, path: Path, receipts: Sequence[Receipt] = ()) -> None:
    try:
        fault = page.fault() or first_fault(page.all(), receipts)
    except (ValueError, KeyError, TypeError, AttributeError):
        fault = "an entry can't be read"
    if fault:
        raise BadData(
            f"the ledger {path} is not what was written: {fault}; ask nothing more, restore its latest copy, and "
            "remember that charges made since that copy are missing from it"
        )


def _terms_in(page: Page, path: Path) -> Terms:
    entry = page.last("opened", "raised")
    if entry is None:
        raise BadData(f"the ledger {path} has no first entry; restore its latest copy")
    return terms_from(entry.content["terms"])


def _total_in(page: Page, analyst: str | None) -> Total:
    """What all, or one analyst, were charged so far."""
    entry = page.last("charged", analyst=analyst)
    found = entry.content["total" if analyst is None else "slice"] if entry else None
    return total_from(found) if found else Total()


def marked(key: str, data: str) -> str | None:
    """What is kept of a fingerprint of the data; None where there is none.

    Hashes of entries are published as receipts, and whoever knows all rows but one could try which row gives the hash.
    So the fingerprint goes in under a key of the ledger that nobody else has.
    """
    return new(bytes.fromhex(key), data.encode(), "sha256").hexdigest() if data else None


def _stamp(clock: Clock) -> str:
    """The time in UTC, to the microsecond."""
    now = clock()
    if now.tzinfo is None:
        raise BadParameter("the clock gives a time without a zone; use one with a zone, such as UTC")
    return now.astimezone(UTC).isoformat(timespec="microseconds")


def _text(value: str) -> str:
    """The text, refused where it could not be written to a file."""
    try:
        value.encode()
    except (UnicodeEncodeError, AttributeError):
        raise BadParameter("question, analyst, purpose and reason must be text that can be written as UTF-8") from None
    return value

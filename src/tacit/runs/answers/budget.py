"""A privacy budget in Python: who is protected and what may be spent, with a ledger behind it.

Without a file the ledger lasts as long as the object; with one it is shared with every plan and process that names the
same file, and a crash loses nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.accounting.budget import Budget
from tacit.accounting.exact import positive, probability, rounded_down, rounded_up
from tacit.accounting.scope import Neighbours
from tacit.data.dataset import ROW, Dataset, UnitColumn, unit_column, unit_is_exact
from tacit.errors import BadParameter
from tacit.ledger.ledger import Ledger, ledger_at
from tacit.ledger.memory import MemoryLedger
from tacit.ledger.terms import Terms
from tacit.runs.answers.protection import Protection
from tacit.spelling import did_you_mean


@dataclass(frozen=True, eq=False, repr=False)
class PrivacyBudget:
    """At most this much is spent on all questions together.

    `unit` is the column that tells people apart, or `row` if each row is one person; a column that is called row is
    `{"column": "row"}`. Where it is left out, rows are protected, and data in which a column that seems to tell people
    apart repeats is refused. At most `rows` rows of a person count, in at most `groups` groups. `ledger` is a file that
    remembers what was spent, on the data that `dataset` names.
    """

    epsilon: float
    delta: float = 0.0
    unit: str | Mapping[str, Any] | UnitColumn | None = None
    neighbours: Neighbours = "add-remove"
    rows: int = 1
    groups: int | None = None
    ledger: str | Path | None = None
    dataset: str | None = None
    _book: Ledger | MemoryLedger = field(init=False)

    if not TYPE_CHECKING:
        # A type checker reads the fields; whoever has none is told what was probably meant.
        def __new__(cls, *amounts: Any, **named: Any) -> Any:
            """A budget whose parameters are known, among them an epsilon."""
            known = [one.name for one in fields(cls) if one.init]
            for name in named:
                if name not in known:
                    raise BadParameter(f"PrivacyBudget has no parameter {name!r}; {did_you_mean(name, known)}")
            if not amounts and "epsilon" not in named:
                raise BadParameter("a budget needs an epsilon; write `tacit.PrivacyBudget(epsilon=1)`")
            return super().__new__(cls)

    def __post_init__(self) -> None:
        """The ledger is open, and under these terms."""
        if self.column is None and (self.rows != 1 or self.groups is not None):
            raise BadParameter(
                "`rows` and `groups` bound what counts of a person, but no `unit` is named, so each row is a person; "
                "name the column that tells people apart, as in `unit='id'`"
            )
        object.__setattr__(self, "_book", book(self.terms, None if self.ledger is None else Path(self.ledger)))

    @property
    def column(self) -> str | None:
        """The column that tells people apart; none where rows are protected."""
        return unit_column(self._unit)

    @property
    def _unit(self) -> str | UnitColumn | None:
        return UnitColumn.parse("unit", self.unit) if isinstance(self.unit, Mapping) else self.unit

    def told(self, dataset: Dataset) -> Dataset:
        """The dataset with what the budget says of people."""
        return replace(
            dataset,
            unit=self.column,
            each_row_is_a_person=dataset.each_row_is_a_person or self.unit == ROW,
            unit_is_exact=dataset.unit_is_exact or unit_is_exact(self._unit),
        )

    @property
    def protection(self) -> Protection:
        """Who is protected."""
        return Protection(self.column, self.neighbours, self.rows, self.groups)

    @property
    def terms(self) -> Terms:
        """What the ledger is about."""
        return terms_of(self.protection, self.epsilon, self.delta, self.dataset)

    @property
    def book(self) -> Ledger | MemoryLedger:
        """Where questions are charged."""
        return self._book

    @property
    def spent(self) -> dict[str, float]:
        """What was charged so far; as a promise it has the delta of the budget."""
        amount = self._book.spent()
        return {"epsilon": rounded_up(amount.epsilon), "delta": rounded_up(amount.delta)}

    @property
    def left(self) -> dict[str, float]:
        """What one more question may cost."""
        amount = self._book.left()
        return {"epsilon": rounded_down(amount.epsilon), "delta": rounded_down(amount.delta)}

    def __repr__(self) -> str:
        """What was spent, and what is left."""
        spent, left, epsilon, delta = self.spent, self.left, float(self.epsilon), float(self.delta)
        return (
            f"PrivacyBudget(epsilon {spent['epsilon']:.6g} of {epsilon:g} spent, {left['epsilon']:.6g} left; "
            f"delta {spent['delta']:.3g} of {delta:g} spent, {left['delta']:.3g} left)"
        )


def terms_of(who: Protection, epsilon: float, delta: float, dataset: str | None = None) -> Terms:
    """The terms of a ledger for these people and amounts."""
    amounts = Budget(positive("epsilon", epsilon), probability("delta", delta))
    return Terms(amounts, who.neighbours, who.unit, who.rows, dataset=dataset)


def book(terms: Terms, path: Path | None) -> Ledger | MemoryLedger:
    """The ledger in the file, which is made with the first charge if it is not there, or one in memory."""
    return MemoryLedger(terms) if path is None else ledger_at(path, terms)

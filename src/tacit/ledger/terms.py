"""Terms: what a ledger is about, fixed when it is opened: who is protected, and how much may be spent on them.

Losses add up only among answers about the same people under the same relation of neighbours, so a ledger has one scope:
the relation, the column that names a person, and how many rows of a person count. The budget is for all analysts
together, since they may combine their answers. A slice keeps one analyst from using up what others need; slices may add
up to more than the budget (first come, first served). Terms change only by an entry in the ledger.

`dataset` is what the owner calls the data. A ledger with such a name refuses questions about data with another name:
its budget is a promise to the people in its own data. Data grow, so the name decides, not the content of the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tacit.accounted_loss import ROW
from tacit.accounting.budget import Budget
from tacit.accounting.events import Event, an_event
from tacit.accounting.exact import positive, probability, rounded_up, whole
from tacit.accounting.scope import Neighbours, Scope
from tacit.accounting.scoping import scope_of
from tacit.errors import BadParameter, BudgetExceeded, PolicyRefused

LEAST = Fraction(1, 10**40)
MOST = Fraction(10**12)
"""Between which amounts a budget lies. Long sums are rounded up to multiples of 2**-200 (`accounting.exact`), which is
little even for many thousand million charges to the least budget."""


@dataclass(frozen=True)
class Terms:
    """Budget and scope.

    `unit` is None if each row is a person; `contributions` is None if a person may have any number of rows.
    """

    budget: Budget
    neighbours: Neighbours = "add-remove"
    unit: str | None = None
    contributions: int | None = 1
    slices: Mapping[str, Budget] = field(default_factory=dict)
    dataset: str | None = None

    def __post_init__(self) -> None:
        for budget in (self.budget, *self.slices.values()):
            _require_countable("epsilon", positive("epsilon", budget.epsilon))
            _require_countable("delta", probability("delta", budget.delta))
        if self.neighbours not in ("add-remove", "replace"):
            raise BadParameter(f"neighbours is {self.neighbours!r}; it must be 'add-remove' or 'replace'")
        if self.contributions is not None:
            whole("contributions", self.contributions)

    def require_in_scope(self, event: Event) -> Event:
        """The event; refused if it is stated for other people than the ledger's, since their losses do not add up."""
        scope = scope_of(an_event(event))
        if scope is not None:
            self.scope.with_other(scope)
        return event

    @property
    def scope(self) -> Scope:
        """Between which datasets answers are alike; each row is a person where there is no unit."""
        return Scope(self.neighbours, self.contributions, self.unit or ROW)

    def slice_of(self, analyst: str) -> Budget | None:
        """What the analyst may spend; None where the ledger has no slices."""
        if self.slices and analyst not in self.slices:
            raise BudgetExceeded(f"analyst {analyst!r} has no slice of this budget; the data's owner must grant one")
        return self.slices.get(analyst)

    def to_json(self) -> dict[str, Any]:
        """The terms as text and whole numbers; nothing is rounded."""
        return {
            "budget": budget_json(self.budget),
            "neighbours": self.neighbours,
            "unit": self.unit,
            "contributions": self.contributions,
            "slices": {name: budget_json(budget) for name, budget in sorted(self.slices.items())},
            "dataset": self.dataset,
        }


def terms_from(found: Mapping[str, Any]) -> Terms:
    """The terms that `to_json` wrote."""
    slices = {name: _budget(amounts) for name, amounts in found["slices"].items()}
    scope = (found["neighbours"], found["unit"], found["contributions"])
    return Terms(_budget(found["budget"]), *scope, slices, found["dataset"])


def require_same(asked: Terms, there: Terms, ledger: str) -> None:
    """Refuse terms that are not those of the ledger, and say which differ and what to do."""
    require_same_scope(asked, there, ledger)
    if asked.budget != there.budget:
        raise PolicyRefused(
            f"the budget is {asked.budget}, but {ledger} was opened with {there.budget}; take that one, or raise the "
            "budget of the ledger with `raise_budget`, which is an entry of its own with a reason "
            "(docs/how-to/ask-questions.md shows it)"
        )
    if dict(asked.slices) != dict(there.slices):
        raise PolicyRefused(
            f"the slices of analysts differ from those of {ledger}; use those, or change them with a reason"
        )


def require_same_scope(asked: Terms, there: Terms, ledger: str) -> None:
    """Data, relation, unit and contributions are those of the ledger: what was spent on other people can't be added."""
    if there.dataset not in (None, asked.dataset):
        mine = "data without a name" if asked.dataset is None else repr(asked.dataset)
        raise PolicyRefused(
            f"{ledger} is about the dataset {there.dataset!r}, and the question is about {mine}; if these are the same "
            f"people, say `dataset: {there.dataset}`, else name another ledger"
        )
    for name in ("neighbours", "unit", "contributions"):
        mine, its = getattr(asked, name), getattr(there, name)
        if mine != its:
            raise PolicyRefused(
                f"{name} is {mine!r}, but {ledger} was opened with {its!r}, and losses of different kinds do not add "
                "up; "
                "take that one, or keep another ledger and publish what both promise"
            )


def require_no_less(asked: Terms, there: Terms) -> None:
    """No budget and no slice falls: what was granted may be spent already."""
    for name, before in (("", there.budget), *there.slices.items()):
        after = asked.slices.get(name) if name else asked.budget
        if after is None or after.epsilon < before.epsilon or after.delta < before.delta:
            whose = f"the slice of {name!r}" if name else "the budget"
            raise PolicyRefused(f"{whose} would fall below {before}; the budget of a ledger can only be raised")


def _require_countable(name: str, amount: Fraction) -> None:
    """Refuse amounts that a ledger can't add up without erring by a notable part of them."""
    if amount and not LEAST <= amount <= MOST:
        why = "a smaller one buys no answer" if amount < LEAST else "more hides nobody"
        raise BadParameter(
            f"{name} of the budget is {rounded_up(amount):.3g}; a ledger counts in steps of 2**-200 and keeps budgets "
            f"from 1e-40 to 1e12, or without a delta: {why}"
        )


def budget_json(budget: Budget) -> dict[str, str]:
    """Both amounts as fractions."""
    return {"epsilon": str(budget.epsilon), "delta": str(budget.delta)}


def _budget(found: Mapping[str, str]) -> Budget:
    return Budget(Fraction(found["epsilon"]), Fraction(found["delta"]))

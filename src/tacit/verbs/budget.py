"""The budget of a plan: what it may spend, what it has spent, and every entry of its ledger.

The checks are those of `tacit ask`. Where it would refuse the plan nothing can be spent, whatever the ledger says, so
the reason is shown and no amounts are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.spelling import many

if TYPE_CHECKING:
    from tacit.errors import PolicyRefused
    from tacit.ledger.ledger import Ledger
    from tacit.plan.load import Plan

BUDGET_SCHEMA = "tacit/budget/1"


@dataclass(frozen=True, eq=False)
class BudgetStatus:
    """What a plan may spend, what it has spent, and every entry of its ledger.

    `refused` is what `tacit ask` would refuse the plan with; there are no amounts then.
    """

    ledger: Path
    budget: Mapping[str, float]
    spent: Mapping[str, float]
    left: Mapping[str, float]
    entries: Sequence[Mapping[str, Any]]
    refused: "PolicyRefused | None" = None

    def values(self) -> dict[str, Any]:
        """What `tacit budget --json` prints."""
        return {
            "schema": BUDGET_SCHEMA,
            "ledger": str(self.ledger),
            "budget": dict(self.budget) or None,
            "spent": dict(self.spent) or None,
            "left": dict(self.left) or None,
            "entries": [dict(entry) for entry in self.entries],
            "refused": None if self.refused is None else str(self.refused),
        }

    def lines(self) -> list[str]:
        """The same for a terminal."""
        if self.refused is not None:
            return self._entry_lines() if self.entries else []
        head = [f"{'':<10}{'epsilon':>14}{'delta':>14}"]
        amounts = (("budget", self.budget), ("spent", self.spent), ("left", self.left))
        head += [f"{name:<10}{amount['epsilon']:>14.6g}{amount['delta']:>14.3g}" for name, amount in amounts]
        if not self.entries:
            return [*head, "", f"Nothing has been charged yet; {self.ledger} is created with the first question."]
        return [*head, "", *self._entry_lines()]

    def _entry_lines(self) -> list[str]:
        rows = [f"{entry['number']:>5}  {entry['time'][:19]}  {_told(entry)}" for entry in self.entries]
        number = many(len(self.entries), "entry", "entries")
        return [f"{self.ledger}: {number}, all unchanged", *rows]


def _told(entry: Mapping[str, Any]) -> str:
    if entry["kind"] == "charged":
        worth = entry["worth"]
        price = f"epsilon {entry['epsilon']:.6g}  " if worth is None else _noisy_price(entry["rho"], worth)
        remarks = ("not answered", not entry["answered"]), ("the data had changed", entry["data_changed"])
        return f"charged   {price}{entry['question']}" + "".join(f"  ({remark})" for remark, holds in remarks if holds)
    return str(entry["kind"]) + (f"  charge {entry['about']}" if entry.get("about") else "")


def _noisy_price(rho: float, worth: Mapping[str, float]) -> str:
    """The price of Gaussian noise, which has no epsilon of its own, and what it would be worth alone."""
    if not worth["delta"]:
        return f"rho {rho:.6g}  "
    return f"rho {rho:.6g} (alone epsilon {worth['epsilon']:.4g} at delta {worth['delta']:.3g})  "


def budget_plan(path: Path) -> BudgetStatus:
    """What the plan may spend and has spent; the ledger is found to be as it was written."""
    from tacit.accounting.exact import rounded_down, rounded_up
    from tacit.errors import PolicyRefused
    from tacit.plan.load import load_plan
    from tacit.runs.answers.ask import opened_ledger, protection_of

    plan = load_plan(path)
    try:
        ledger = opened_ledger(plan, protection_of(plan))
    except PolicyRefused as refusal:
        return _refused(plan, refusal)
    spent, left, own = ledger.spent(), ledger.left(), ledger.terms.budget
    return BudgetStatus(
        ledger.path,
        {"epsilon": rounded_down(own.epsilon), "delta": rounded_down(own.delta)},
        {"epsilon": rounded_up(spent.epsilon), "delta": rounded_up(spent.delta)},
        {"epsilon": rounded_down(left.epsilon), "delta": rounded_down(left.delta)},
        () if ledger.new else tuple(_entries(ledger)),
    )


def _refused(plan: "Plan", refusal: "PolicyRefused") -> BudgetStatus:
    """The entries of the ledger, if there is one, beside the reason why the plan may spend nothing."""
    from tacit.runs.answers.ask import ledger_of, ledger_path

    ledger = ledger_of(plan)
    return BudgetStatus(ledger_path(plan), {}, {}, {}, () if ledger is None else tuple(_entries(ledger)), refusal)


def _entries(ledger: "Ledger") -> list[dict[str, Any]]:
    from fractions import Fraction

    from tacit.accounting.account import account
    from tacit.accounting.exact import rounded_up

    entries = ledger.entries()
    done = {entry.about for entry in entries}
    found, last = [], None
    for entry in entries:
        told: dict[str, Any] = {"number": entry.number, "time": entry.time, "kind": entry.kind, "about": entry.about}
        if entry.kind == "charged":
            content = entry.content
            epsilon = content["cost"]["epsilon"]
            told |= {
                "question": content["question"],
                "epsilon": None if epsilon is None else rounded_up(Fraction(epsilon)),
                "delta": rounded_up(Fraction(content["cost"]["delta"])),
                "rho": rounded_up(Fraction(content["cost"]["rho"])),
                "worth": None,
                "answered": entry.number in done,
                "data_changed": last is not None and content["data"] != last,
            }
            last = content["data"]
            if epsilon is None:
                # Half of delta is what the ledger keeps for sums of such noise.
                half = rounded_up(ledger.terms.budget.delta / 2)
                told["worth"] = {"epsilon": account([entry.event], half).epsilon, "delta": half}
        found.append(told)
    return found

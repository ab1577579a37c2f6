"""Totals: what questions cost together, and whether a budget covers one more, even one chosen after seeing answers.

Analysts choose the next question, and its cost, after seeing the answers so far. The accounting for a list that was
fixed beforehand (`accounting.account`) is not valid then. A session stays within the budget (epsilon, delta) if the
deltas of its questions add up to at most delta/2 and, at its end, one of two sums does:

- the epsilons add up to at most epsilon, or
- the *curved* costs min(epsilon_i, a rho_i) add up to at most epsilon − ln(2/delta)/(a − 1), for an order a > 1 that is
  fixed before the first answer.

The second is the filter of Rogers, Roth, Ullman and Vadhan (2016) and Whitehouse, Ramdas, Rogers and Wu (2023), with
epsilons beside rhos; docs/explanation/ledger.md has the proof. If delta is 0, only the epsilons count. If the first
question has a delta above delta/2, nothing is reserved for the second sum, and deltas may add up to all of delta.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.budget import Budget
from tacit.accounting.conversion import log_delta, raised, zcdp_rho
from tacit.accounting.exact import kept_short, root_down, rounded_up
from tacit.accounting.price import Price
from tacit.errors import BudgetExceeded

FINEST = 1000
"""Orders are rational, with denominators up to this: any order is valid, and near the best one it hardly matters."""
NONE = Fraction(0)
RAISING = "ask the owner of the budget to raise it (with `raise_budget` of the ledger, in Python)"
"""What may be done where a budget is used up."""
LEAST_PART = Fraction(1, 10**12)
"""Less than this part of a budget is what the rounding of prices leaves, and buys nothing."""


@dataclass(frozen=True)
class Total:
    """What was charged so far: both sums and the deltas.

    `epsilon` is None once a question without one, such as Gaussian noise, was charged; `order` is 0 if epsilons alone
    count.
    """

    epsilon: Fraction | None = NONE
    delta: Fraction = NONE
    curved: Fraction = NONE
    order: Fraction = NONE

    @property
    def has_begun(self) -> bool:
        """Whether anything was charged that costs something: from then on the order is fixed."""
        return self != Total()

    def plus(self, cost: Price, order: Fraction) -> "Total":
        """The total after one more question, covered or not; long sums are rounded up.

        `order` is used for the first question alone.
        """
        if not self.has_begun and not (cost.rho or cost.delta):
            return self
        fixed = self.order if self.has_begun else order
        known = self.epsilon is not None and cost.epsilon is not None
        plain = (self.epsilon or NONE) + (cost.epsilon or NONE)
        curved = fixed * cost.rho if cost.epsilon is None else min(cost.epsilon, fixed * cost.rho)
        return Total(
            kept_short(plain) if known else None,
            kept_short(self.delta + cost.delta),
            kept_short(self.curved + curved),
            fixed,
        )


def charged(total: Total, cost: Price, cap: Budget) -> Total:
    """The total after the question; BudgetExceeded if the budget does not cover it."""
    after = total.plus(cost, _order(cost, cap))
    by_epsilon = after.epsilon is not None and after.epsilon <= cap.epsilon
    if after.delta <= _delta_of_questions(after, cap) and (by_epsilon or _room(after, cap) >= 0):
        return after
    if cost.epsilon is None and not after.order:
        raise BudgetExceeded(
            "the question has no epsilon of its own (Gaussian noise, zCDP), and this budget counts epsilons only: when "
            "it was first charged it had no delta, or less than half of it was left"
        )
    raise BudgetExceeded(
        f"the question costs {_told(cost)}; {left(total, cap)} is left of {cap}: spend less on it, or {RAISING}"
    )


def spent(total: Total, cap: Budget) -> Budget:
    """What was charged so far, by whichever sum is less.

    Its delta is that of the questions and, for the second sum, the half that is kept for it.

    The epsilon holds at a moment of anybody's choice. Deltas that were chosen after seeing answers hold only up to a
    bound that was fixed before, so as a promise what was spent has the delta of the budget.
    """
    if not total.has_begun:
        return Budget(NONE)
    curved = cap.epsilon - max(_room(total, cap), NONE)
    if total.epsilon is not None and total.epsilon <= curved:
        return Budget(total.epsilon, total.delta)
    return Budget(curved, total.delta + cap.delta / 2)


def left(total: Total, cap: Budget) -> Budget:
    """What one more question may surely cost; several smaller questions may cost more in all.

    What the rounding of prices leaves of a budget that was used up is nothing. The sums themselves are kept exact.
    """
    if not total.has_begun:
        return cap
    plain = NONE if total.epsilon is None else cap.epsilon - total.epsilon
    room = max(_room(total, cap), NONE)
    curved = max(room, root_down(2 * room / total.order)) if total.order else NONE
    delta = _delta_of_questions(total, cap) - total.delta
    return Budget(_notable(max(plain, curved), cap.epsilon), _notable(delta, cap.delta))


def _notable(amount: Fraction, cap: Fraction) -> Fraction:
    """The amount, or nothing where it is next to none of the budget."""
    return amount if amount > cap * LEAST_PART else NONE


def _order(cost: Price, cap: Budget) -> Fraction:
    """The order that admits the largest sum of rhos, if the first question leaves half of delta; else none."""
    if not cap.delta or cost.delta > cap.delta / 2:
        return NONE
    slack = cap.delta / 2
    best = 1 + math.sqrt(-log_delta(slack) / float(zcdp_rho(cap.epsilon, slack)))
    return max(Fraction(best).limit_denominator(FINEST), 1 + Fraction(1, FINEST))


def _delta_of_questions(total: Total, cap: Budget) -> Fraction:
    """What the deltas of questions may add up to."""
    return cap.delta / 2 if total.order else cap.delta


def _room(total: Total, cap: Budget) -> Fraction:
    """How far the second sum is below its bound, at which the budget ends; -1 where the second sum is not used."""
    if not total.order:
        return Fraction(-1)
    kept = raised(-log_delta(cap.delta / 2) / float(total.order - 1))
    return cap.epsilon - Fraction(kept) - total.curved


def _told(cost: Price) -> str:
    loss = f"rho {rounded_up(cost.rho):.6g}" if cost.epsilon is None else f"epsilon {rounded_up(cost.epsilon):.6g}"
    return f"{loss}, delta {rounded_up(cost.delta):.3g}"

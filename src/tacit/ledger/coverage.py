"""Whether a budget covers several questions together; if not, what they cost, which of them fit, and what would fit."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from tacit.accounting.budget import Budget
from tacit.accounting.events import Event
from tacit.accounting.exact import rounded_up
from tacit.accounting.price import Price, price
from tacit.errors import BudgetExceeded
from tacit.ledger.totals import RAISING, Total, charged, left

PricedCharge = tuple[Price, str]
FINENESS = 1000


def price_within(event: Event, total: Total, cap: Budget) -> Price:
    """The price at which a question is charged by itself.

    A first question that has no epsilon of its own, such as Gaussian noise, and that leaves no room for a second one
    may still fit the budget as a whole: at all of delta it has an epsilon. An (epsilon, delta)-private answer is
    epsilon-private except with probability delta, so that is a price like any other.
    """
    cost = price(event)
    if cost.epsilon is not None or total.has_begun or not cap.delta:
        return cost
    try:
        charged(total, cost, cap)
    except BudgetExceeded:
        from tacit.accounting.account import account

        epsilon = account(event, cap.delta).epsilon
        if epsilon <= cap.epsilon:
            return Price(Fraction(epsilon), cap.delta, cost.rho)
    return cost


def covered(total: Total, charges: Sequence[PricedCharge], cap: Budget) -> Total:
    """The total after all of these questions; BudgetExceeded if the budget does not cover them together."""
    try:
        return _after(total, [cost for cost, _ in charges], cap)
    except BudgetExceeded:
        if len(charges) == 1:
            raise
    advice = f"{_fitting(total, charges, cap)}{_shrunk(total, charges, cap)}"
    raise BudgetExceeded(
        f"the {len(charges)} questions cost {together([cost for cost, _ in charges])} together; {left(total, cap)} is "
        f"left of {cap}. {advice}: ask fewer questions, spend less on each, or {RAISING}"
    )


def _after(total: Total, costs: Sequence[Price], cap: Budget) -> Total:
    return reduce(lambda so_far, cost: charged(so_far, cost, cap), costs, total)


def together(costs: Sequence[Price]) -> str:
    """The sum of the prices in words; noise without an epsilon is given by its rho."""
    epsilon = sum((cost.epsilon for cost in costs if cost.epsilon is not None), Fraction(0))
    rho = sum((cost.rho for cost in costs if cost.epsilon is None), Fraction(0))
    delta = sum((cost.delta for cost in costs), Fraction(0))
    losses = [f"epsilon {rounded_up(epsilon):.6g}"] if epsilon else []
    losses += [f"rho {rounded_up(rho):.6g} of noise that has no epsilon"] if rho else []
    return f"{' and '.join(losses)}, delta {rounded_up(delta):.3g}"


def _fitting(total: Total, charges: Sequence[PricedCharge], cap: Budget) -> str:
    """In words, which questions fit if they are asked in order."""
    fit: list[str] = []
    for cost, question in charges:
        try:
            total = charged(total, cost, cap)
        except BudgetExceeded:
            continue
        fit.append(question)
    return f"It covers {'; '.join(fit)}" if fit else "It covers none of them"


def _shrunk(total: Total, charges: Sequence[PricedCharge], cap: Budget) -> str:
    """In words, the largest share of all epsilons at which they fit; empty if one has no epsilon, or none fits."""
    if any(cost.epsilon is None for cost, _ in charges):
        return ""

    def fits(parts: int) -> bool:
        share = Fraction(parts, FINENESS)
        costs = [replace(cost, epsilon=(cost.epsilon or 0) * share, rho=cost.rho * share**2) for cost, _ in charges]
        try:
            return bool(_after(total, costs, cap))
        except BudgetExceeded:
            return False

    most = _greatest(fits)
    if most == 0:
        return ""
    each = (f"{question} {float((cost.epsilon or 0) * most / FINENESS):.4g}" for cost, question in charges)
    return f"; or all of them at {most / FINENESS:g} of their epsilon ({'; '.join(each)})"


def _greatest(fits: Callable[[int], bool]) -> int:
    """The greatest number below FINENESS that fits, or 0. Every number below one that fits must fit too."""
    low, high = 0, FINENESS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low

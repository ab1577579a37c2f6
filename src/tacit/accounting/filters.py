"""Filters: a cap that holds even if each event is chosen after seeing the answers so far.

Fixed-list accounting is not valid when an analyst adapts the *sizes* of the expenses. Two sums stay valid (Rogers,
Roth, Ullman and Vadhan 2016; Feldman and Zrnic 2021; Whitehouse, Ramdas, Rogers and Wu 2023): epsilons and deltas, and
rhos of approximate zCDP with their deltas. A filter adds exactly and refuses an event that would exceed the cap; a
refusal spends nothing, since it depends on events only, never on data.

The rho filter for a target (epsilon, delta) keeps delta/2 for the deltas of events and converts with the other half:
rho + 2 sqrt(rho ln(2/delta)) <= epsilon. It admits far more than the plain sum for many small events, and less for a
few large ones.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol, Self

from tacit.accounting.budget import Budget
from tacit.accounting.conversion import zcdp_rho
from tacit.accounting.events import Event
from tacit.accounting.exact import kept_short, not_negative, positive, rounded_down, rounded_up
from tacit.accounting.price import price
from tacit.accounting.scope import Scope, together
from tacit.accounting.scoping import scope_of
from tacit.errors import BadParameter, BudgetExceeded


class Filter(Protocol):
    """A cap with what was spent; `admit` returns the filter after the event or raises BudgetExceeded."""

    def admit(self, event: Event) -> Self:
        """The filter after the event was paid for."""
        ...

    def may_admit(self, event: Event) -> bool:
        """Whether `admit` would succeed."""
        ...

    @property
    def promise(self) -> Budget:
        """An (epsilon, delta) that everything admitted so far does not exceed."""
        ...


@dataclass(frozen=True)
class SumFilter:
    """Epsilons and deltas add up to at most the cap."""

    cap: Budget
    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    scope: Scope | None = None

    def admit(self, event: Event) -> "SumFilter":
        """The filter after the event was paid for; refused where it is about other people than earlier ones."""
        cost, scope = price(event), together(self.scope, scope_of(event))
        if cost.epsilon is None:
            raise BadParameter(
                "this event has no epsilon of its own (Gaussian noise or zCDP); state it as an approximate event at a "
                "delta of your choice, or use a rho filter"
            )
        epsilon, delta = kept_short(self.epsilon + cost.epsilon), kept_short(self.delta + cost.delta)
        after = replace(self, epsilon=epsilon, delta=delta, scope=scope)
        if after.epsilon > self.cap.epsilon or after.delta > self.cap.delta:
            raise BudgetExceeded(
                f"the event costs {Budget(cost.epsilon, cost.delta)}; {self.left} is left of {self.cap}: "
                "spend less, or ask for a larger budget"
            )
        return after

    def may_admit(self, event: Event) -> bool:
        """Whether `admit` would succeed."""
        return _admits(self, event)

    @property
    def left(self) -> Budget:
        """What may still be spent."""
        return Budget(self.cap.epsilon - self.epsilon, self.cap.delta - self.delta)

    @property
    def promise(self) -> Budget:
        """The sum of the epsilons at the cap's delta, which must be fixed beforehand to hold for adaptive events."""
        return Budget(self.epsilon, self.cap.delta)


@dataclass(frozen=True)
class RhoFilter:
    """Rhos add up to at most `cap_rho` and deltas of events to at most `cap_delta`, so that `cap` is kept."""

    cap: Budget
    cap_rho: Fraction
    cap_delta: Fraction
    rho: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)
    scope: Scope | None = None

    def admit(self, event: Event) -> "RhoFilter":
        """The filter after the event was paid for; refused where it is about other people than earlier ones."""
        cost, scope = price(event), together(self.scope, scope_of(event))
        rho, delta = kept_short(self.rho + cost.rho), kept_short(self.delta + cost.delta)
        after = replace(self, rho=rho, delta=delta, scope=scope)
        if after.rho > self.cap_rho or after.delta > self.cap_delta:
            raise BudgetExceeded(
                f"the event costs rho {rounded_up(cost.rho):.6g} and delta {rounded_up(cost.delta):.3g}; rho "
                f"{rounded_down(self.cap_rho - self.rho):.6g} and delta "
                f"{rounded_down(self.cap_delta - self.delta):.3g} are left: spend less, or ask for a larger budget"
            )
        return after

    def may_admit(self, event: Event) -> bool:
        """Whether `admit` would succeed."""
        return _admits(self, event)

    @property
    def promise(self) -> Budget:
        """The cap, as soon as anything was spent: a lower figure at a moment of one's choice takes an odometer."""
        return self.cap if self.rho or self.delta else Budget(Fraction(0))


def sum_filter(cap: Budget) -> SumFilter:
    """A filter on the plain sums."""
    positive("epsilon", cap.epsilon)
    not_negative("delta", cap.delta)
    return SumFilter(cap)


def rho_filter(cap: Budget) -> RhoFilter:
    """A filter on rho whose session as a whole is (cap.epsilon, cap.delta)-private."""
    if not 0 < cap.delta < 1:
        raise BadParameter(f"delta is {rounded_up(cap.delta)}; a rho filter needs a delta above 0 and below 1")
    slack = cap.delta / 2
    return RhoFilter(cap, zcdp_rho(cap.epsilon, slack), slack)


def _admits(filter_: SumFilter | RhoFilter, event: Event) -> bool:
    try:
        filter_.admit(event)
    except BudgetExceeded:
        return False
    return True

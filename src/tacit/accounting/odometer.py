"""An odometer: a running bound on the loss that is valid at every moment, even one chosen after seeing the answers.

Under adaptively chosen rho-zCDP events exp((a−1) L_t − (a−1) a ρ_t) is a supermartingale for every fixed a > 1, with
L_t the privacy loss and ρ_t the sum of the rhos so far. By Ville's inequality, L_t <= a ρ_t + ln(1/d)/(a−1) at all
times at once except with probability d. Taking one line for each scale ρ = 4^j of what may be spent, with a_j = 1 +
sqrt(ln(1/d_j)/4^j) and d_j adding up to `slack`, the least of the lines is an odometer in the sense of Rogers, Roth,
Ullman and Vadhan (2016); compare the stitched odometer of Whitehouse, Ramdas, Rogers and Wu (2023). The plain sum of
epsilons is valid too, and the lesser is read. An allowance for the deltas of events is set aside beforehand.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from tacit.accounting.budget import Budget
from tacit.accounting.conversion import log_delta, raised
from tacit.accounting.events import Event
from tacit.accounting.exact import RealNumber, exact, kept_short, probability, rounded_down, rounded_up
from tacit.accounting.price import price
from tacit.accounting.scope import Scope, together
from tacit.accounting.scoping import scope_of
from tacit.errors import BadParameter, BudgetExceeded

SCALES = range(-8, 5)
"""Lines are laid for rho = 4^-8 (0.000015) to 4^4 (256)."""


@dataclass(frozen=True)
class Odometer:
    """What was spent so far; `epsilon` is None after an event without a pure epsilon."""

    slack: Fraction
    cap_delta: Fraction = Fraction(0)
    epsilon: Fraction | None = Fraction(0)
    delta: Fraction = Fraction(0)
    rho: Fraction = Fraction(0)
    scope: Scope | None = None

    def drive(self, event: Event) -> "Odometer":
        """The odometer after the event; refused where it is about other people than earlier ones."""
        cost, scope = price(event), together(self.scope, scope_of(event))
        delta = kept_short(self.delta + cost.delta)
        if delta > self.cap_delta:
            raise BudgetExceeded(
                f"the event's delta of {rounded_up(cost.delta):.3g} exceeds what was set aside for deltas of events, "
                f"{rounded_down(self.cap_delta):.3g} in all"
            )
        total = None if self.epsilon is None or cost.epsilon is None else kept_short(self.epsilon + cost.epsilon)
        return replace(self, epsilon=total, delta=delta, rho=kept_short(self.rho + cost.rho), scope=scope)

    @property
    def reading(self) -> Budget:
        """An (epsilon, delta) that the loss so far does not exceed, now and at every earlier moment."""
        if self.rho == 0:
            return Budget(Fraction(0), self.cap_delta)
        curved = Fraction(min(self._line(scale) for scale in SCALES))
        best = curved if self.epsilon is None else min(curved, self.epsilon)
        return Budget(best, self.cap_delta + self.slack)

    def _line(self, scale: int) -> float:
        log = -log_delta(self.slack / len(SCALES))
        order = 1 + math.sqrt(log / 4.0**scale)
        return raised(order * float(self.rho) + log / (order - 1))


def odometer(delta: RealNumber, events_delta: RealNumber = 0) -> Odometer:
    """A fresh odometer that spends `delta` on being right at all times, and admits events of `events_delta` in all."""
    slack = exact(delta)
    if not 0 < slack < 1:
        raise BadParameter(f"delta is {delta}; an odometer needs a delta above 0 and below 1")
    return Odometer(slack, probability("events_delta", events_delta))

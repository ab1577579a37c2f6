"""Advanced composition (Dwork, Rothblum and Vadhan 2010): the standard bound, not the garbled ones (W27).
k mechanisms of epsilon each are (epsilon sqrt(2k ln(1/delta')) + k epsilon (e^epsilon − 1), delta')-private beyond
the sum of their own deltas; for unequal ones epsilon² k becomes Σ epsilon_i² and the second term Σ epsilon_i
(e^epsilon_i − 1). Where all are pure, delta' is the whole delta; else half of what their own deltas leave. Loose:
here for comparison.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.accountant import Curve
from tacit.accounting.atoms import EventCase
from tacit.accounting.case_price import MOST_EXPONENT, price_of_case
from tacit.accounting.conversion import log_delta, raised
from tacit.accounting.sequential import shares


@dataclass(frozen=True)
class AdvancedBound:
    """The standard bound of advanced composition."""

    name: str = "advanced"

    def curve(self, case: EventCase) -> Curve:
        """Infinite at delta 0, unless nothing was spent."""
        price = price_of_case(case)

        def epsilon(delta: Fraction) -> float:
            if not case:
                return 0.0
            left = delta - price.delta
            slack = left if price.epsilon is not None else left / 2
            if slack <= 0:
                return math.inf
            return _bound(case, delta - slack, slack)

        return epsilon


def _bound(case: EventCase, events_delta: Fraction, slack: Fraction) -> float:
    squares = drift = 0.0
    for share in shares(case, events_delta):
        if share.epsilon is None or share.epsilon > MOST_EXPONENT:
            return math.inf
        loss = float(share.epsilon)
        squares += share.count * loss * loss
        drift += share.count * loss * math.expm1(loss)
    return raised(math.sqrt(-2 * squares * log_delta(slack)) + drift)

"""Zero-concentrated privacy (Bun and Steinke 2016): rhos add up exactly and are converted once, tightly.

Deltas of approximate events are taken off before the conversion. Sampling gives nothing in this notion beyond what a
pure epsilon gains.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.accountant import Curve
from tacit.accounting.atoms import EventCase
from tacit.accounting.case_price import price_of_case
from tacit.accounting.conversion import zcdp_epsilon


@dataclass(frozen=True)
class ConcentratedSum:
    """The sum of the rhos, converted."""

    name: str = "zcdp"

    def curve(self, case: EventCase) -> Curve:
        """Infinite where the deltas of the events leave nothing, unless nothing was spent."""
        price = price_of_case(case)

        def epsilon(delta: Fraction) -> float:
            left = delta - price.delta
            if price.rho == 0:
                return 0.0 if left >= 0 else math.inf
            return zcdp_epsilon(price.rho, left) if left > 0 else math.inf

        return epsilon

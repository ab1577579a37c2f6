"""The divergence of a loss distribution, and the least epsilon at which it is within delta.

Let the losses x have the chances p, and let an infinite loss have the chance `beyond`. The hockey-stick divergence at
epsilon is beyond + sum of p (1 − e^(epsilon − x)) over the losses x above epsilon; answers are (epsilon,
delta)-differentially private where it is at most delta (Balle and Wang 2018; Koskela, Jälkö and Honkela 2020).

It falls as epsilon rises. Between a loss y and the next one below, the same losses are above epsilon, so that the
divergence is A − e^(epsilon − y) B, with A = beyond + sum of p and B = sum of p e^(y − x) over the losses x from y on.
It equals delta where epsilon = y + log((A − delta) / B). Every power here is one of a number below 0, so nothing
overflows.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import FloatArray


@dataclass(frozen=True)
class LossTail:
    """The losses above 0, in rising order, with their chances; an infinite loss has the chance `beyond`."""

    losses: FloatArray
    chances: FloatArray
    beyond: float

    def divergence(self, epsilon: float) -> float:
        """How far the two datasets' answers lie apart at this epsilon, as one sum over all losses above it.

        NumPy adds up in pairs, which rounds less than adding one after the other, and starts no threads, as a dot
        product does.
        """
        first = int(np.searchsorted(self.losses, epsilon, side="right"))
        shares = -np.expm1(epsilon - self.losses[first:])
        return self.beyond + float(np.sum(shares * self.chances[first:]))

    def least_epsilon(self, delta: float) -> float:
        """The least epsilon, rounded up, whose divergence is at most delta; infinite where none is."""
        if self.beyond > delta:
            return math.inf
        if self.divergence(0.0) <= delta:
            return 0.0
        found = self._crossing(delta)
        more = max(found, 1.0) * 2.0**-50
        while self.divergence(found) > delta:
            found, more = found + more, 2 * more
        return found

    def _crossing(self, delta: float) -> float:
        """Where the divergence equals delta, up to rounding."""
        low, high = -1, len(self.losses) - 1  # The divergence is above delta at the loss `low`, and not at `high`.
        while high - low > 1:
            middle = (low + high) // 2
            if self.divergence(float(self.losses[middle])) > delta:
                low = middle
            else:
                high = middle
        loss, chances = float(self.losses[high]), self.chances[high:]
        above = self.beyond + float(np.sum(chances)) - delta
        weighed = float(np.sum(np.exp(loss - self.losses[high:]) * chances))
        return max(loss + math.log(above / weighed), 0.0) if above > 0 and weighed > 0 else loss


def tails_of(distribution: Any) -> list[LossTail]:
    """The tails of a distribution of dp-accounting, one for each order of the two datasets.

    The library keeps the chances to itself. It finds an epsilon in a Python loop that adds up intervals one after the
    other, and nothing covers how such sums are rounded.
    """
    both = [distribution._pmf_remove] if distribution._symmetric else [distribution._pmf_remove, distribution._pmf_add]
    return [_tail(masses) for masses in both]


def _tail(masses: Any) -> LossTail:
    """The losses above 0 of a few masses, or of masses at every point of a stretch of the grid."""
    from dp_accounting.pld.pld_pmf import SparsePLDPmf

    if isinstance(masses, SparsePLDPmf):
        losses, chances = map(np.asarray, masses._get_losses_probs())
        first = int(np.searchsorted(losses, 0.0, side="right"))
    else:
        first = max(1 - masses._lower_loss, 0)
        losses, chances = (np.arange(masses.size) + masses._lower_loss) * masses._discretization, masses._probs
    return LossTail(losses[first:], chances[first:], float(masses._infinity_mass))

"""How much can be asked about the features of a logistic regression's rows, and the surrogate made from the answers.

Noise of k numbers in a cube grows as k. So for few rows nothing is asked, and features are taken as if they lay at the
ends of their bounds, which makes weights small; for more rows their means and squares; and from where the noise of all
products, sqrt(m) times that of one in the worst direction, is a 150th of the rows, these too. Correlations are
shrunk by the share of their squares that is noise, and no direction has a variance below twice its noise.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from tacit.accounting.events import Event
from tacit.arrays import FloatArray
from tacit.methods.statistics._logistic.noise import Purse
from tacit.methods.statistics._logistic.sums import PRODUCT, LogisticRows, square
from tacit.methods.statistics._logistic.surrogate import Surrogate
from tacit.randomness.stream import RandomBits

MomentScope = Literal["nothing", "squares", "products"]

SHARES: dict[MomentScope, Fraction] = {
    "nothing": Fraction(0),
    "squares": Fraction(12, 100),
    "products": Fraction(15, 100),
}
"""Of the budget."""

_ABOVE, _FAR_ABOVE = 30, 150
_LEAST, _MOST_LEAST = 0.005, 0.2


@dataclass(frozen=True)
class SurrogateRows:
    """The surrogate of rows, and what it cost."""

    surrogate: Surrogate
    events: tuple[Event, ...]


def scope_for(number: float, columns: int, purse: Purse) -> MomentScope:
    """What can be asked about so many rows of so many columns, that of ones among them."""
    if number < _ABOVE * purse.deviation(2 * (columns - 1)):
        return "nothing"
    if number < _FAR_ABOVE * purse.deviation(columns * (columns + 1) // 2 - 1) * math.sqrt(columns):
        return "squares"
    return "products"


def described(rows: LogisticRows, number: float, scope: MomentScope, purse: Purse, bits: RandomBits) -> SurrogateRows:
    """The surrogate from noisy moments."""
    size = rows.columns - 1
    if scope == "nothing":
        return SurrogateRows(Surrogate(number, np.zeros(size), np.eye(size)), ())
    sums = rows.squares() if scope == "squares" else rows.products()
    noisy = purse.noisy(sums, 1 << PRODUCT, SHARES[scope], bits)
    moments, noise = noisy.values / (number * 2.0**PRODUCT), noisy.deviation / (number * 2.0**PRODUCT)
    if scope == "squares":
        means = np.clip(moments[:size], -1, 1)
        spread = np.diag(np.clip(moments[size:] - means**2, 0, 1))
    else:
        whole = square(np.append(moments, 1.0), rows.columns)
        means = np.clip(whole[-1, :-1], -1, 1)
        spread = _shrunk(whole[:-1, :-1] - np.outer(means, means), noise)
        noise *= math.sqrt(size)
    return SurrogateRows(Surrogate(number, means, _not_flat(spread, 2 * noise)), (noisy.event,))


def _shrunk(spread: FloatArray, noise: float) -> FloatArray:
    """Covariances times the share of their squares that is no noise."""
    between = spread - np.diag(np.diag(spread))
    found, expected = float((between**2).sum()), len(spread) * (len(spread) - 1) * noise**2
    kept = 0.0 if found <= expected else 1 - expected / found
    shrunk: FloatArray = spread - (1 - kept) * between
    return shrunk


def _not_flat(spread: FloatArray, noise: float) -> FloatArray:
    """The nearest covariances whose variances in all directions are possible and above the noise."""
    values, vectors = np.linalg.eigh(spread)
    held = np.clip(values, min(max(noise, _LEAST), _MOST_LEAST), len(spread))
    whole: FloatArray = (vectors * held) @ vectors.T
    return whole

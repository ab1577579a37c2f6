"""Where a noisy count that rises from border to border passes 0: an interval by tests at the borders (Neyman 1937).

e(z) is not above 0 at borders z up to a quantile and not below 0 beyond it. A border is refuted from below where e was
found below 0 by more than a reach, from above likewise. The interval reaches from the bin under the first border that
is not refuted from below to the bin over the last one that is not refuted from above. With U and V the noises at the
borders k and k + 1 of the quantile's bin, x = e(k + 1) and y = -e(k), neither below 0,

    Pr[lost] <= Pr[U < y - r_k, V < -x - r_(k + 1)] + Pr[U > y + r_k, V > r_(k + 1) - x],

and the reach r is the least that keeps this at 1 - level for all x and y. V - U = W is the noise of one bin's count.
With b = -cov(U, W) / var(W), U = R - b W and V = R + (1 - b) W, R and W independent, or taken for it. Half of the
largest weight is added to the reach, since noises are whole numbers. The argument is in docs/explanation/quantiles.md.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.methods.statistics._quantiles.laplace_tail import Tail, tail_of
from tacit.noise.noise import check_level

_ROUNDS = 6
_APART = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 8.0])
_ENDS = np.linspace(0.0, 8.0, 81)
_DIGITS = 12
_ALIKE = 0.01


@dataclass(frozen=True)
class Stretch:
    """Bins in a row, the last one too."""

    first: int
    last: int


@dataclass(frozen=True)
class RisingCounts:
    """A noisy count at each border from bound to bound; the weights of unit noises in it, the scale of a unit, and a
    bound of the standard deviation anywhere, in units."""

    excess: FloatArray
    weights: Callable[[int], FloatArray]
    scale: float
    deviation: float

    @property
    def last(self) -> int:
        """The place of the upper bound."""
        return self.excess.size - 1


@dataclass(frozen=True)
class _BorderPair:
    """The noises of two neighbouring borders: their tails, those of R and W, and the share b."""

    first: Tail
    second: Tail
    rest: Tail
    between: Tail
    share: float

    def both(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Pr[U < -first, V < -second], for each pair of sizes."""
        ends = self.between.deviation * _ENDS
        steps, chances = (ends[1:] + ends[:-1]) / 2, -np.diff(self.between.beyond(ends))
        steps, chances = np.append(steps, -steps), np.append(chances, chances)
        least = np.maximum(first[:, None] - self.share * steps, second[:, None] + (1 - self.share) * steps)
        found: FloatArray = self.rest.beyond(least) @ chances
        return found

    def lost(self, chance: float) -> float:
        """The worst chance that the bin between is lost where each border alone misses with this chance."""
        own, other = self.first.reach(chance), self.second.reach(chance)
        x, y = np.append(0 * _APART, other * _APART), np.append(own * _APART, 0 * _APART)
        return float((self.both(own - y, other + x) + self.both(own + y, other - x)).max())


def crossing(rising: RisingCounts, level: float) -> Stretch:
    """The bins that hold the passage with probability `level`."""
    check_level(level)
    upwards = range(1, rising.last)
    first = next(_kept(rising, level, -rising.excess, upwards), rising.last) - 1
    last = next(_kept(rising, level, rising.excess, upwards[::-1]), 0)
    return Stretch(min(first, last), max(first, last))


def _kept(rising: RisingCounts, level: float, beyond: FloatArray, order: range) -> Iterator[int]:
    """The inner borders that are not refuted, in this order."""
    near = np.flatnonzero(beyond <= crude_reach(rising, level))
    places = near if order.step > 0 else near[::-1]
    return (int(place) for place in places if place in order and beyond[place] <= reach(rising, int(place), level))


def crude_reach(rising: RisingCounts, level: float) -> float:
    """More than the reach anywhere: of noises of one variance a Laplace noise, or a normal one, goes furthest."""
    furthest = max(-math.log(1 - level) / math.sqrt(2), NormalDist().inv_cdf((1 + level) / 2))
    return rising.scale * rising.deviation * furthest * 1.1 + 1


def reach(rising: RisingCounts, border: int, level: float) -> float:
    """By how much the count at this inner border must be beyond 0 to be refuted."""
    own = rising.weights(border)
    others = (rising.weights(place) for place in (border - 1, border + 1) if 0 < place < rising.last)
    chance = min((chance_of(own, other, level) for other in others), default=1 - level)
    return rising.scale * tail_of(own).reach(min(chance, 0.5)) + float(np.abs(own).max()) / 2


def chance_of(own: FloatArray, other: FloatArray, level: float) -> float:
    """How often each of two neighbouring borders alone may miss, so that the bin between is lost with probability
    1 - level at most; half of that, where their noises are nearly one. The weights are those of the same noises."""
    between = other - own
    if between @ between <= _ALIKE * (own @ own):
        return (1 - level) / 2
    signs = np.where(own < 0, -1.0, 1.0) / np.abs(own).max()
    kinds, times = np.unique(np.round(signs * (own + 1j * other), _DIGITS), return_counts=True)
    return _chance(kinds.tobytes(), times.tobytes(), level)


@lru_cache(maxsize=4096)
def _chance(kinds: bytes, times: bytes, level: float) -> float:
    """Found by rounds, since what is lost is nearly proportional to it; between half of what is left and all of it."""
    weights = np.frombuffer(kinds, dtype=np.complex128)
    pair, left = _pair(weights.real, weights.imag, np.frombuffer(times, dtype=np.int64)), 1 - level
    chance = min(left, 0.5)
    if pair.lost(chance) <= left:
        return chance
    for _ in range(_ROUNDS):
        chance = min(chance * left / pair.lost(chance), left, 0.5)
    return max(chance * (1 - 1e-4), left / 2)


def _pair(own: FloatArray, other: FloatArray, times: IntArray) -> _BorderPair:
    between = other - own
    share = -float(own * between @ times) / float(between**2 @ times)
    tails = [tail_of(np.repeat(noise, times)) for noise in (own, other, own + share * between, between)]
    return _BorderPair(tails[0], tails[1], tails[2], tails[3], share)

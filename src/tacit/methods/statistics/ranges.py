"""Counts of ranges by a tree of counts made consistent (Hay, Rastogi, Miklau and Suciu 2010).

Bins between declared bounds are the leaves of a tree; every node but the root is counted with noise. A row stands in
one node of each level, so with `levels` levels it moves the counts by `levels` in L1 (`add-remove`), twice that under
`replace`. Any range is a sum of few nodes, so its error grows with the logarithm of its length, not with its root.

The counts of children must add up to their parent's. Weighted least squares finds the nearest counts that do, in two
passes: up, each node's count is averaged with the sum of its children by their variances; down, what is left over is
shared among siblings. The estimate of a range is linear in the noisy counts: its weights are A g with A the node sums
and g the same two passes applied to the range itself, which gives its exact variance and its interval.

A quantile q follows too: e(z) = (1 - q) rows below the border z - q rows above is a weighted sum of ranges, below 0 up
to the quantile and above 0 beyond. A bin is refuted where the estimate of e at its upper border lies below 0, or at its
lower border above 0, by more than its own noise; the interval reaches from the first to the last bin that stands
(Neyman 1937). Each border is tested on its own, so one test on either side can miss, and no more.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import NOTHING, Event
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.card import Method
from tacit.errors import BadParameter
from tacit.methods.mechanisms._answer import Interval
from tacit.methods.mechanisms._noise import check_level
from tacit.methods.statistics._axes import Bins
from tacit.methods.statistics._estimate import Estimate
from tacit.methods.statistics._fields import Bounded
from tacit.methods.statistics._laplace_sum import sum_quantile
from tacit.methods.statistics._noised import WHOLE, Budget, Moves, Setting, add_noise, setting
from tacit.randomness.stream import RandomBits

Levels = list[FloatArray]


class Ranges(Bounded):
    """Counts of all ranges of bins."""

    bins: Annotated[int, Field(ge=2, le=1 << 22, description="how many equal bins lie between the bounds")]
    branching: Annotated[int, Field(ge=2, le=64, description="how many children a node has")] = 8

    @property
    def levels(self) -> int:
        """How many levels are counted, the root left out."""
        levels = 1
        while self.branching**levels < self.bins:
            levels += 1
        return levels


@dataclass(frozen=True)
class RangesAnswer:
    """Consistent counts of the bins, the scale of the noise of each node, and what it cost."""

    leaves: FloatArray
    scale: float
    branching: int
    bins: int
    lower: float
    upper: float
    event: Event

    @property
    def values(self) -> FloatArray:
        """The count of each bin."""
        return self.leaves[: self.bins]

    def between(self, first: int, last: int) -> Estimate:
        """The number of rows in bins `first` to `last`, `last` left out."""
        if not 0 <= first < last <= self.bins:
            raise BadParameter(f"the range is {first} to {last}; it must rise and lie within 0 to {self.bins}")
        wanted = np.zeros(self.leaves.size)
        wanted[first:last] = 1.0
        weights = np.concatenate(_weights(wanted.tobytes(), self.branching))
        scales = tuple(np.abs(weights[np.abs(weights) > 1e-12]) * self.scale)
        return Estimate(float(self.leaves[first:last].sum()), scales, self.event, 0.0, np.inf)

    def quantile(self, share: float) -> float:
        """The value below which this share of the rows lies, as far as the counts know."""
        excess = np.maximum.accumulate(self._excess(_inside(share)))
        return float(np.interp(0.0, excess, np.linspace(self.lower, self.upper, self.bins + 1)))

    def quantile_interval(self, share: float, level: float = 0.95) -> Interval:
        """Bounds that hold this quantile of the clamped rows with probability `level`."""
        check_level(level)
        excess, borders = self._excess(_inside(share)), np.linspace(self.lower, self.upper, self.bins + 1)
        crude = _crude_reach(self, share, level)
        rising = (z for z in np.flatnonzero(excess >= -crude).tolist() if z > 0)
        falling = (z for z in np.flatnonzero(excess <= crude)[::-1].tolist() if z < self.bins)
        first = next((z for z in rising if excess[z] >= -self._reach(z, share, level)), 1)
        last = next((z for z in falling if excess[z] <= self._reach(z, share, level)), self.bins - 1)
        return Interval(borders[[min(first - 1, last)]], borders[[max(first, last + 1)]])

    def _excess(self, share: float) -> FloatArray:
        """e at each border of the bins."""
        below = np.concatenate([[0.0], np.cumsum(self.values)])
        excess: FloatArray = below - share * float(self.leaves.sum())
        return excess

    def _reach(self, border: int, share: float, level: float) -> float:
        """How far e at this border may be off."""
        wanted = np.full(self.leaves.size, -share)
        wanted[:border] += 1.0
        weights = np.concatenate(_weights(wanted.tobytes(), self.branching))
        return sum_quantile(tuple(np.abs(weights[np.abs(weights) > 1e-12]) * self.scale), level)


def _inside(share: float) -> float:
    if not 0 < share < 1:
        raise BadParameter(f"the share is {share}; it must lie strictly between 0 and 1, such as 0.5 for the median")
    return share


def _crude_reach(answer: RangesAnswer, share: float, level: float) -> float:
    """More than e is off by anywhere: least squares are no worse than the fewest nodes that make up both sides, and of
    noises with one variance a single Laplace noise, or a normal one, goes furthest."""
    levels = max(1, round(math.log(answer.leaves.size, answer.branching)))
    deviation = answer.scale * math.sqrt(2 * (answer.branching - 1) * levels * (share**2 + (1 - share) ** 2))
    return deviation * max(-math.log(1 - level) / math.sqrt(2), NormalDist().inv_cdf((1 + level) / 2)) * 1.1


def used(params: Ranges) -> Setting:
    """The noise of a node."""
    move = used_moves(params)
    return setting(Moves(move, exact(move)), Budget(exact(params.epsilon)))


def used_moves(params: Ranges) -> int:
    """How far a person moves the counts of all nodes, in L1."""
    return params.levels * params.contributions * (1 if params.neighbours == "add-remove" else 2)


def node_counts(values: ArrayLike, params: Ranges) -> list[IntArray]:
    """The exact counts of all nodes, level by level from the top; secret."""
    codes = Bins(lower=params.lower, upper=params.upper, bins=params.bins).codes(values)
    leaves = np.bincount(codes, minlength=params.branching**params.levels).astype(np.int64)
    sums = [leaves.reshape(params.branching**level, -1).sum(axis=1) for level in range(1, params.levels + 1)]
    return [np.asarray(part, dtype=np.int64) for part in sums]


def ranges(values: ArrayLike, params: Ranges, bits: RandomBits) -> RangesAnswer:
    """Consistent noisy counts, from which every range can be asked."""
    counts, chosen = node_counts(values, params), used(params)
    noisy = add_noise(np.concatenate(counts), chosen, WHOLE, bits)
    cuts = np.cumsum([part.size for part in counts])[:-1]
    leaves = consistent(list(np.split(noisy.values.astype(np.float64), cuts)), params.branching)
    scale = used_moves(params) / params.epsilon
    return RangesAnswer(leaves, scale, params.branching, params.bins, params.lower, params.upper, noisy.event)


def consistent(levels: Levels, branching: int) -> FloatArray:
    """The leaves of the nearest tree (in squares) in which children add up to their parent."""
    best = [levels[-1]]
    for height, level in enumerate(reversed(levels[:-1]), start=2):
        power = float(branching) ** height
        own = (power - power / branching) / (power - 1)
        below = best[0].reshape(-1, branching).sum(axis=1)
        best.insert(0, own * level + (1 - own) * below)
    fixed = best[0]
    for level in best[1:]:
        family = level.reshape(-1, branching)
        fixed = (family + ((fixed - family.sum(axis=1)) / branching)[:, None]).ravel()
    return fixed


@lru_cache(maxsize=256)
def _weights(wanted: bytes, branching: int) -> Levels:
    """How much each noisy count weighs in the estimate of these leaves."""
    leaves = np.frombuffer(wanted, dtype=np.float64)
    sizes: list[int] = []
    size = leaves.size
    while size > 1:
        sizes.insert(0, size)
        size //= branching
    solved = consistent([np.zeros(size) for size in sizes[:-1]] + [leaves], branching)
    return [solved.reshape(size, -1).sum(axis=1) for size in sizes]


def error(params: Ranges, first: int, last: int, level: float = 0.95) -> float:
    """What the count of bins `first` to `last` is off by, at most, with probability `level`."""
    empty = np.zeros(params.branching**params.levels)
    scale = float(1 / exact(params.epsilon)) * used_moves(params)
    answer = RangesAnswer(empty, scale, params.branching, params.bins, params.lower, params.upper, NOTHING)
    return answer.between(first, last).error(level)


METHOD = Method(
    title="Ranges",
    params=Ranges,
    run=ranges,
    needs="a number for each row, declared bounds and bins",
    gives="a count for every range of bins, all of them consistent, each with an interval",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://doi.org/10.14778/1920841.1920970",
    example=Ranges(epsilon=1.0, lower=0.0, upper=100.0, bins=64),
)

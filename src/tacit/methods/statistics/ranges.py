"""Counts of ranges by a tree of counts made consistent (Hay, Rastogi, Miklau and Suciu 2010).

Bins between declared bounds are the leaves of a tree; every node but the root is counted with noise. A row stands in
one node of each level, so with `levels` levels it moves the counts by `levels` in L1 (`add-remove`), twice that under
`replace`. Any range is a sum of few nodes, so its error grows with the logarithm of its length, not with its root.

The counts of children must add up to their parent's. Weighted least squares finds the nearest counts that do, in two
passes: up, each node's count is averaged with the sum of its children by their variances; down, what is left over is
shared among siblings. The estimate of a range is linear in the noisy counts: its weights are A g with A the node sums
and g the same two passes applied to the range itself, which gives its exact variance and its interval.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.card import Method
from tacit.errors import BadParameter
from tacit.methods.statistics._axes import Bins
from tacit.methods.statistics._estimate import Estimate
from tacit.methods.statistics._fields import Bounded
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


def used(params: Ranges) -> Setting:
    """The noise of a node."""
    move = params.levels * params.contributions * (1 if params.neighbours == "add-remove" else 2)
    return setting(Moves(move, exact(move)), Budget(exact(params.epsilon)))


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
    scale = params.levels * params.contributions * (1 if params.neighbours == "add-remove" else 2) / params.epsilon
    return RangesAnswer(leaves, scale, params.branching, params.bins, noisy.event)


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

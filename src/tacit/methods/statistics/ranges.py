"""Counts of ranges by a tree of counts made consistent (Hay, Rastogi, Miklau and Suciu 2010).

Bins between declared bounds are the leaves of a tree; every node but the root is counted with noise. A row stands in
one node of each level, so with `levels` levels it moves the counts by `levels` in L1 (`add-remove`), twice that under
`replace`. Any range is a sum of few nodes, so its error grows with the logarithm of its length, not with its root.

The counts of children must add up to their parent's. Weighted least squares finds the nearest counts that do, in two
passes: up, each node's count is averaged with the sum of its children by their variances; down, what is left over is
shared among siblings. The estimate of a range is linear in the noisy counts: its weights are A g with A the node sums
and g the same two passes applied to the range itself, which gives its exact variance and its interval.

A quantile q follows too: e(z) = (1 - q) rows below the border z - q rows above is a weighted sum of ranges, below 0 up
to the quantile and above 0 beyond. Tests at the borders of the bins give its interval (`_quantiles/crossing.py`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import NOTHING, Event, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.scale import Reading, require_columns
from tacit.errors import BadParameter
from tacit.methods.statistics._estimate import Estimate
from tacit.methods.statistics._quantiles.crossing import RisingCounts, crossing
from tacit.noise.answer import Interval
from tacit.noise.axes import Bins
from tacit.noise.labels import between
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.noise.statistic_params import BoundedQuestion
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_numbers

Levels = list[FloatArray]


class Ranges(BoundedQuestion):
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
class RangesAnswer(Publishable):
    """Consistent counts of the bins, the scale of the noise of each node, and what it cost."""

    leaves: FloatArray
    scale: float
    branching: int
    bins: int
    lower: float
    upper: float
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The count of each bin, 0 where noise made it less, and where the bins end."""
        return {"values": np.maximum(self.values, 0.0), "edges": np.linspace(self.lower, self.upper, self.bins + 1)}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """Where each bin lies."""
        return between(np.linspace(self.lower, self.upper, self.bins + 1).tolist())

    def interval(self, level: float = 0.95) -> Interval:
        """For each bin bounds that hold the true count with probability `level`.

        All leaves of the tree stand in like places, so the noise of each has the law of the first.
        """
        reach = self.between(0, 1).reach(level)
        return Interval(np.maximum(self.values - reach, 0.0), np.maximum(self.values + reach, 0.0))

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
        found = crossing(self.rising(share), level)
        borders = np.linspace(self.lower, self.upper, self.bins + 1)
        return Interval(borders[[found.first]], borders[[found.last + 1]])

    def rising(self, share: float) -> RisingCounts:
        """e at each border of the bins. Least squares are no worse than the fewest nodes that make up both sides."""
        levels = max(1, round(math.log(self.leaves.size, self.branching)))
        spread = 2 * (self.branching - 1) * levels * (share**2 + (1 - share) ** 2)

        def weights(border: int) -> FloatArray:
            wanted = np.full(self.leaves.size, -share)
            wanted[:border] += 1.0
            return np.concatenate(_weights(wanted.tobytes(), self.branching))

        return RisingCounts(self._excess(_inside(share)), weights, self.scale, math.sqrt(spread))

    def _excess(self, share: float) -> FloatArray:
        """e at each border of the bins."""
        below = np.concatenate([[0.0], np.cumsum(self.values)])
        excess: FloatArray = below - share * float(self.leaves.sum())
        return excess


def _inside(share: float) -> float:
    if not 0 < share < 1:
        raise BadParameter(f"the share is {share}; it must lie strictly between 0 and 1, such as 0.5 for the median")
    return share


def used(params: Ranges) -> NoiseSetting:
    """The noise of a node."""
    move = used_moves(params)
    return setting(Moves(move, exact(move)), Allowance(exact(params.epsilon)))


def used_moves(params: Ranges) -> int:
    """How far a person moves the counts of all nodes, in L1."""
    return params.levels * params.contributions * (1 if params.neighbours == "add-remove" else 2)


def node_counts(values: ArrayLike, params: Ranges) -> list[IntArray]:
    """The exact counts of all nodes, level by level from the top; secret."""
    return _nodes(np.bincount(_bins(params).codes(values), minlength=params.bins).astype(np.int64), params)


def _bins(params: Ranges) -> Bins:
    return Bins(lower=params.lower, upper=params.upper, bins=params.bins)


def _nodes(counts: IntArray, params: Ranges) -> list[IntArray]:
    leaves = np.zeros(params.branching**params.levels, dtype=np.int64)
    leaves[: params.bins] = counts
    sums = [leaves.reshape(params.branching**level, -1).sum(axis=1) for level in range(1, params.levels + 1)]
    return [np.asarray(part, dtype=np.int64) for part in sums]


def ranges(values: ArrayLike, params: Ranges, bits: RandomBits) -> RangesAnswer:
    """Consistent noisy counts, from which every range can be asked."""
    return _answer(node_counts(values, params), params, bits)


def wanted(columns: Sequence[str], params: Ranges) -> Cells:
    """What an engine must count: the rows in each bin."""
    require_columns(columns, 1)
    return Cells((Reading(columns[0], _bins(params).scale),))


def from_aggregates(found: CellCounts, params: Ranges, bits: RandomBits) -> RangesAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["value"], params), params.contributions)
    return _answer(_nodes(kept.dense(params.bins), params), params, bits)


@scoped
def _answer(counts: list[IntArray], params: Ranges, bits: RandomBits) -> RangesAnswer:
    chosen = used(params)
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


def spends(params: Ranges) -> Event:
    """What the counts of all nodes cost."""
    return in_scope(used(params).event, params.scope)


def error(params: Ranges, first: int, last: int, level: float = 0.95) -> float:
    """What the count of bins `first` to `last` is off by, at most, with probability `level`."""
    empty = np.zeros(params.branching**params.levels)
    scale = float(1 / exact(params.epsilon)) * used_moves(params)
    answer = RangesAnswer(empty, scale, params.branching, params.bins, params.lower, params.upper, NOTHING)
    return answer.between(first, last).error(level)


METHOD = Statistic(
    title="Ranges",
    params=Ranges,
    run=ranges,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    neighbours=of_numbers,
    needs="a number for each row, declared bounds and bins",
    gives="a count for every range of bins, all of them consistent, each with an interval",
    paper="https://doi.org/10.14778/1920841.1920970",
    example=Ranges(epsilon=1.0, lower=0.0, upper=100.0, bins=64),
)

"""A map by PrivTree (Zhang, Xiao and Xie 2016): quarters are split for as long as they hold rows, at any depth.

The count c of a cell at depth k is lowered to b = max(theta - d, c - k d) with d = lambda ln 4, and the cell is split
where b + Lap(lambda) > theta. Along a path the lowered counts fall by at least d, so a row's influence on the
decisions shrinks geometrically, and with lambda = (2 * 4 - 1) / (4 - 1) / epsilon all decisions together are
epsilon-private however deep the tree grows. Half of epsilon pays for the tree, half for the counts of its leaves.

Noise is discrete on steps of 2**-16 rows. There Pr[X > t] has the weight 1 / (1 + q) where the continuous law has
1/2; the quotient 2 / (1 + q) is below 1 + 2**-16 / lambda, so lambda is raised by one part in 2**10 (and is at least
2**-4 rows), which pays for it; d is rounded up.

No interval is given: the count of a leaf has that of its noise, but what a rectangle that cuts leaves holds depends on
how rows lie within them, which nobody knows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Composed, Event, Pure, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.errors import BadParameter
from tacit.methods.statistics._map import Map
from tacit.methods.statistics._places import Places
from tacit.noise.noise import LaplaceNoise
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_columns

STEP = 1 << 16
_RAISE = 1 + Fraction(1, 1 << 10)
_LEAST = Fraction(1, 16)
_MOST = 1 << 32


class PrivTree(Places):
    """Quarters of quarters, split where rows are."""

    depth: Annotated[int, Field(ge=1, le=16, description="how many times a cell may be split at most")] = 10
    share: Annotated[float, Field(gt=0, lt=1, description="the share of epsilon for the shape of the tree")] = 0.5


@dataclass(frozen=True)
class Splitting:
    """The scale of the noise in rows, and by how much a count is lowered for each level, in steps."""

    scale: Fraction
    lowered: int

    @property
    def noise(self) -> LaplaceNoise:
        """The noise of a decision, in steps."""
        return LaplaceNoise(1 / (self.scale * STEP))


def splitting(params: PrivTree) -> Splitting:
    """How cells are split."""
    epsilon = exact(params.epsilon) * exact(params.share)
    scale = max(Fraction(7, 3) * params.moves / epsilon * _RAISE, _LEAST * params.moves)
    if scale > _MOST:
        raise BadParameter(
            f"epsilon is {params.epsilon}; that is too little to keep the noise of a split exact; give more"
        )
    return Splitting(scale, math.ceil(float(scale) * STEP * math.log(4) * (1 + 1e-9)))


def leaf_setting(params: PrivTree) -> NoiseSetting:
    """The noise of a leaf."""
    share = 1 - exact(params.share)
    return setting(Moves(params.moves, exact(params.moves)), Allowance(exact(params.epsilon)).share(share))


def privtree(rows: ArrayLike, params: PrivTree, bits: RandomBits) -> Map:
    """Noisy counts of the leaves of a tree that is deep where rows are many."""
    codes = _interleaved(params.box.cells(rows, 1 << params.depth), params.depth)
    return _grown(_Deepest(np.sort(codes), np.arange(codes.size + 1)), params, bits)


def wanted(columns: Sequence[str], params: PrivTree) -> Cells:
    """What an engine must count: the rows in each cell of the greatest depth, given by two columns."""
    return Cells(params.box.readings(columns, 1 << params.depth))


def from_aggregates(found: CellCounts, params: PrivTree, bits: RandomBits) -> Map:
    """The private answer, computed from the aggregates that an engine found."""
    side = 1 << params.depth
    kept = found.of(wanted(["x", "y"], params), params.contributions)
    codes = _interleaved(np.column_stack([kept.places // side, kept.places % side]), params.depth)
    order = np.argsort(codes)
    return _grown(_Deepest(codes[order], np.concatenate([[0], np.cumsum(kept.rows[order])])), params, bits)


@dataclass(frozen=True)
class _Deepest:
    """Cells of the greatest depth in rising order, and how many rows lie before each and in all; secret."""

    cells: IntArray
    before: IntArray

    def rows_in(self, cells: IntArray, below: int) -> IntArray:
        """How many rows each cell, `below` levels above the deepest, holds."""
        ends = [self.before[np.searchsorted(self.cells, (cells + more) << (2 * below))] for more in (0, 1)]
        return (ends[1] - ends[0]).astype(np.int64)


@scoped
def _grown(deepest: _Deepest, params: PrivTree, bits: RandomBits) -> Map:
    used = splitting(params)
    leaves: list[tuple[int, IntArray]] = []
    cells = np.zeros(1, dtype=np.int64)
    for depth in range(params.depth + 1):
        counts = deepest.rows_in(cells, params.depth - depth)
        lowered = np.maximum(counts * STEP - depth * used.lowered, -used.lowered)
        split = (lowered + used.noise.draw(cells.size, bits) > 0) & (depth < params.depth)
        leaves.append((depth, cells[~split]))
        cells = (cells[split][:, None] * 4 + np.arange(4)).ravel()
        if cells.size == 0:
            break
    return _map(deepest, leaves, params, bits)


def _interleaved(place: IntArray, depth: int) -> IntArray:
    """The cell of each pair of coordinates at this depth, their bits interleaved."""
    codes = np.zeros(len(place), dtype=np.int64)
    for bit in range(depth):
        codes |= ((place[:, 0] >> bit) & 1) << (2 * bit + 1) | ((place[:, 1] >> bit) & 1) << (2 * bit)
    return codes


def _map(deepest: _Deepest, leaves: list[tuple[int, IntArray]], params: PrivTree, bits: RandomBits) -> Map:
    used = leaf_setting(params)
    counts = np.concatenate([deepest.rows_in(cells, params.depth - depth) for depth, cells in leaves])
    noisy = add_noise(counts, used, WHOLE, bits)
    corners = [_corners(depth, cells) for depth, cells in leaves]
    low = params.box.points(np.concatenate([low for low, _ in corners]))
    high = params.box.points(np.concatenate([high for _, high in corners]))
    return Map(low, high, noisy.values.astype(np.float64), _cost(params))


def _cost(params: PrivTree) -> Event:
    return Composed((Pure(exact(params.epsilon) * exact(params.share)), leaf_setting(params).event))


def _corners(depth: int, cells: IntArray) -> tuple[FloatArray, FloatArray]:
    place = np.zeros((cells.size, 2), dtype=np.int64)
    for bit in range(depth):
        place[:, 0] |= ((cells >> (2 * bit + 1)) & 1) << bit
        place[:, 1] |= ((cells >> (2 * bit)) & 1) << bit
    return place / (1 << depth), (place + 1) / (1 << depth)


def spends(params: PrivTree) -> Event:
    """What the tree and the counts of its leaves cost."""
    return in_scope(_cost(params), params.scope)


METHOD = Statistic(
    title="Map by PrivTree",
    params=PrivTree,
    run=privtree,
    takes=NumberColumns(least=2, most=2),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    neighbours=of_columns,
    needs="two coordinates for each row and a declared rectangle",
    gives="a map whose cells are split for as long as they hold rows",
    paper="https://doi.org/10.1145/2882903.2882928",
    example=PrivTree(epsilon=1.0, lower=(0.0, 0.0), upper=(1.0, 1.0)),
)

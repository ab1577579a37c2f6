"""A map by an adaptive grid (Qardaji, Yang and Li 2013): coarse cells first, each split by its own noisy count.

With the share alpha of epsilon m1 x m1 cells are counted, m1 = max(10, sqrt(n epsilon / 10) / 4) for a public guess of
n. A cell whose noisy count is c is split into m2 x m2, m2 = sqrt(c (1 - alpha) epsilon / 5), and these are counted with
the rest. A row stands in one cell of each level. Both counts of a cell are then combined by their variances and the
difference is shared among the small cells, so that these add up.

No interval is given: a rectangle cuts cells, and how rows lie within them is not known.
"""

import math
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Composed, Event, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.methods.statistics._map import Map
from tacit.methods.statistics._places import Guess, Places, grid_corners, split_corners
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_columns

_COARSE, _FINE, _LEAST = 10, 5, 10
_MOST_SIDE, _MOST_SPLIT = 512, 128


class AdaptiveGrid(Places):
    """Cells over a rectangle, small where rows are many."""

    guess: Guess
    alpha: Annotated[float, Field(gt=0, lt=1, description="the share of epsilon for the coarse cells")] = 0.5

    @property
    def side(self) -> int:
        """How many coarse cells lie along each side."""
        return min(max(_LEAST, math.ceil(math.sqrt(self.guess * self.epsilon / _COARSE) / 4)), _MOST_SIDE)


def used(params: AdaptiveGrid, share: Fraction) -> NoiseSetting:
    """The noise of cells that are counted with this share of epsilon."""
    return setting(Moves(params.moves, exact(params.moves)), Allowance(exact(params.epsilon)).share(share))


@scoped
def adaptive_grid(rows: ArrayLike, params: AdaptiveGrid, bits: RandomBits) -> Map:
    """Noisy counts of cells that are small where rows are many."""
    shares, alpha = params.box.shares(rows), exact(params.alpha)
    first, second = used(params, alpha), used(params, 1 - alpha)
    coarse = np.minimum((shares * params.side).astype(np.int64), params.side - 1)
    cell = coarse[:, 0] * params.side + coarse[:, 1]
    counts = np.bincount(cell, minlength=params.side**2).astype(np.int64)
    rough = add_noise(counts, first, WHOLE, bits).values.astype(np.float64)
    splits = _splits(rough, params)
    starts = np.concatenate([[0], np.cumsum(splits**2)])
    within = np.minimum(
        ((shares * params.side - coarse) * splits[cell][:, None]).astype(np.int64), splits[cell][:, None] - 1
    )
    place = starts[cell] + within[:, 0] * splits[cell] + within[:, 1]
    fine = add_noise(np.bincount(place, minlength=int(starts[-1])).astype(np.int64), second, WHOLE, bits)
    low, high = _corners(splits, params)
    return Map(low, high, combined(rough, fine.values.astype(np.float64), splits, params.alpha), _cost(params))


def _splits(rough: FloatArray, params: AdaptiveGrid) -> IntArray:
    wanted = np.ceil(np.sqrt(np.maximum(rough, 0) * (1 - params.alpha) * params.epsilon / _FINE))
    return np.clip(wanted, 1, _MOST_SPLIT).astype(np.int64)


def combined(rough: FloatArray, fine: FloatArray, splits: IntArray, alpha: float) -> FloatArray:
    """The small cells' counts after both counts of each coarse cell were weighed against each other."""
    owner = np.repeat(np.arange(splits.size), splits**2)
    sums = np.bincount(owner, fine, minlength=splits.size)
    cells = splits.astype(np.float64) ** 2
    weight = alpha**2 * cells / ((1 - alpha) ** 2 + alpha**2 * cells)
    best = weight * rough + (1 - weight) * sums
    shared: FloatArray = fine + ((best - sums) / cells)[owner]
    return shared


def _corners(splits: IntArray, params: AdaptiveGrid) -> tuple[FloatArray, FloatArray]:
    low, high = grid_corners(np.array(params.lower), np.array(params.upper), params.side)
    return split_corners(low, high, splits)


def _cost(params: AdaptiveGrid) -> Event:
    alpha = exact(params.alpha)
    return Composed((used(params, alpha).event, used(params, 1 - alpha).event))


def spends(params: AdaptiveGrid) -> Event:
    """What both counts cost."""
    return in_scope(_cost(params), params.scope)


METHOD = Statistic(
    title="Map by an adaptive grid",
    params=AdaptiveGrid,
    run=adaptive_grid,
    takes=NumberColumns(least=2, most=2),
    spends=spends,
    neighbours=of_columns,
    needs="two coordinates for each row, a declared rectangle and a public guess of the number of rows",
    gives="a map whose cells are smaller where there are more rows",
    paper="https://doi.org/10.1109/ICDE.2013.6544872",
    example=AdaptiveGrid(epsilon=1.0, lower=(0.0, 0.0), upper=(1.0, 1.0), guess=1000),
)

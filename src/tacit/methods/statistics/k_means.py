"""k-means on a noisy grid (Su, Cao, Li, Bertino and Jin 2016): all of epsilon for one histogram, the rest is free.

The declared box is cut into equal cells whose counts get noise once; k-means then runs on the middles of the cells
weighted by their counts (below 0 counts as 0), as often and as long as it likes, since that is post-processing. About
(n epsilon / 10)**(2 d / (2 + d)) cells balance noise against coarseness, for a public guess of the number of rows n.
Better than noisy rounds for few columns (up to about five); the cells grow too many beyond. No interval is given for
centres: other noise may lead to other clusters, so there is no true centre that an interval could mean.
"""

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.methods.statistics._box import BoxQuestion
from tacit.methods.statistics._clusters import Clusters, nearest
from tacit.methods.statistics._places import Guess
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers
from tacit.sensitivity.neighbouring_datasets import of_columns

_BALANCE = 10
_MOST_CELLS = 2_000_000
_ROUNDS = 30


class KMeans(BoxQuestion):
    """Centres of clusters, from a noisy grid."""

    k: Annotated[int, Field(ge=1, le=1000, description="how many clusters there are")]
    guess: Guess
    starts: Annotated[int, Field(ge=1, le=100, description="how many random starts are tried; the best is taken")] = 10

    @property
    def side(self) -> int:
        """How many cells lie along each column."""
        columns = len(self.lower)
        cells: float = (self.guess * self.epsilon / _BALANCE) ** (2 * columns / (2 + columns))
        return max(2, math.floor(float(min(cells, _MOST_CELLS) ** (1 / columns))))


def used(params: KMeans) -> NoiseSetting:
    """The noise of a cell."""
    rows = 2 if params.neighbours == "replace" else params.contributions
    return setting(Moves(rows, exact(rows)), Allowance(exact(params.epsilon)))


def cell_counts(rows: ArrayLike, params: KMeans) -> IntArray:
    """The exact number of rows in each cell; secret."""
    side, columns = params.side, len(params.lower)
    place = params.box.cells(rows, side)
    flat = np.ravel_multi_index(tuple(place.T), (side,) * columns) if len(place) else np.empty(0, np.int64)
    return np.bincount(flat, minlength=side**columns).astype(np.int64)


def k_means(rows: ArrayLike, params: KMeans, bits: RandomBits) -> Clusters:
    """Centres of clusters of a noisy grid."""
    return _clusters(cell_counts(rows, params), params, bits)


def wanted(columns: Sequence[str], params: KMeans) -> Cells:
    """What an engine must count: the rows in each cell of the box."""
    return Cells(params.box.readings(columns, params.side))


def from_aggregates(found: CellCounts, params: KMeans, bits: RandomBits) -> Clusters:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["value"] * len(params.lower), params), params.contributions)
    return _clusters(kept.dense(params.side ** len(params.lower)), params, bits)


@scoped
def _clusters(counts: IntArray, params: KMeans, bits: RandomBits) -> Clusters:
    noisy = add_noise(counts, used(params), WHOLE, bits)
    weights = np.maximum(noisy.values.astype(np.float64), 0.0)
    places = np.unravel_index(np.arange(weights.size), (params.side,) * len(params.lower))
    points = (np.column_stack(places) + 0.5) / params.side
    kept = weights > 0
    points, weights = (points[kept], weights[kept]) if kept.sum() >= params.k else (points, np.ones(len(points)))
    runs = [lloyd(points, weights, _spread(points, weights, params.k, bits)) for _ in range(params.starts)]
    best = min(runs, key=lambda centres: weighted_square(points, weights, centres))
    sizes: FloatArray = np.bincount(nearest(points, best), weights, minlength=params.k).astype(np.float64)
    return Clusters(params.box.points(best), sizes, noisy.event)


def lloyd(points: FloatArray, weights: FloatArray, centres: FloatArray) -> FloatArray:
    """Centres after weighted rounds, until none moves."""
    for _ in range(_ROUNDS):
        owner = nearest(points, centres)
        sizes = np.bincount(owner, weights, minlength=len(centres))
        columns = [np.bincount(owner, weights * column, minlength=len(centres)) for column in points.T]
        moved = np.where(sizes[:, None] > 0, np.column_stack(columns) / np.maximum(sizes, 1e-9)[:, None], centres)
        if np.allclose(moved, centres):
            return moved
        centres = moved
    return centres


def weighted_square(points: FloatArray, weights: FloatArray, centres: FloatArray) -> float:
    """The weighted sum of square distances to the nearest centre."""
    return float(weights @ ((points - centres[nearest(points, centres)]) ** 2).sum(axis=1))


def _spread(points: FloatArray, weights: FloatArray, k: int, bits: RandomBits) -> FloatArray:
    """First centres far from each other (Arthur and Vassilvitskii 2007), drawn from public counts."""
    chosen = [_draw(weights, bits)]
    square = ((points - points[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < k:
        heavy = weights * square
        chosen.append(_draw(heavy if heavy.sum() > 0 else weights, bits))
        square = np.minimum(square, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return points[chosen]


def _draw(weights: FloatArray, bits: RandomBits) -> int:
    point = int(uniform_integers(1 << 53, 1, bits)[0]) * 2.0**-53 * float(weights.sum())
    return min(int(np.searchsorted(np.cumsum(weights), point, side="right")), weights.size - 1)


def spends(params: KMeans) -> Event:
    """What the histogram costs."""
    return in_scope(used(params).event, params.scope)


METHOD = Statistic(
    title="k-means",
    params=KMeans,
    run=k_means,
    takes=NumberColumns(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    neighbours=of_columns,
    needs="rows of few numbers, declared bounds for each column and a public guess of the number of rows",
    gives="centres of k clusters, from a noisy histogram",
    paper="https://doi.org/10.1145/2857705.2857708",
    example=KMeans(epsilon=1.0, lower=(0.0, 0.0), upper=(1.0, 1.0), k=3, guess=1000, starts=2),
)

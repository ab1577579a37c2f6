"""Units: what local recoding moves between classes.

Where k-anonymity alone is promised and everybody has one row, the rows of a combination may go to different classes:
each is a unit. A combination with at least k rows then keeps k of them for ever in a class of its own, without loss;
the rest (at most `LENT` times k of them) are units that have this class as their home and may be lent to others. Where
sensitive values, people with several rows or a population count, a combination is one unit, since a recoding can't say
which of its rows go where.

Loss is counted in rows, sufficiency in people (`crowd`).

*Bystanders* are combinations that only the population has: they weigh nothing, a class may take some in so that it fits
more people, and who is not needed stays at home.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.tables.tally import NOBODY, Tally
from tacit.methods.tables._local.crowd import Crowd, alone, crowd_of
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._partition.partition import selected

LENT = 2
MOST_VALUES = 64


class Units(NamedTuple):
    """Unit i: `weight[i]` rows of combination `combination[i]`, with sensitive values `values[i]` (a bit for each).

    `crowd` has its people, and `population[i]` are those of the population; empty where these do not matter.
    `homely[i]` says that it may stay with its own kind at no loss.
    """

    combination: IntArray
    weight: IntArray
    crowd: Crowd
    population: IntArray
    values: NDArray[np.uint64]
    homely: BoolArray


class Need(NamedTuple):
    """What a class must have: people, distinct sensitive values, and people of the population that it fits.

    `plain` says, on a board, that each unit is a row and a person without values, so that units are counted.
    """

    people: int
    values: int
    population: int = 0
    plain: bool = False


def split_rows(rows: IntArray, dense: BoolArray, need: Need) -> Units:
    """A unit for each row that may move; `dense` combinations keep a class of their own."""
    movable = np.where(dense, np.minimum(rows - need.people, LENT * need.people), rows)
    combination = np.repeat(np.arange(rows.size), movable)
    one = np.ones(combination.size, dtype=np.int64)
    none = np.zeros(combination.size, dtype=np.uint64)
    return Units(combination, one, alone(one), NOBODY, none, dense[combination])


def dense_combinations(rows: IntArray, paths: Paths, need: Need) -> BoolArray:
    """Those with enough rows for a class, but for the ones that the rest can't do without."""
    dense = rows >= need.people
    rest = np.flatnonzero(~dense & (rows > 0))
    if rest.size and rows[rest].sum() < need.people:
        loss = join_losses(paths, int(rest[0]))
        loss[~dense] = np.inf
        dense[np.argmin(loss)] = False
    return dense


def join_losses(paths: Paths, combination: int) -> FloatArray:
    """The loss of a row in the join of this combination and each other."""
    meet = (paths.node == paths.node[combination]).argmax(axis=2)
    loss: FloatArray = paths.loss[np.take_along_axis(paths.node, meet[:, :, None], axis=2)[:, :, 0]].sum(axis=1)
    return loss


def whole_combinations(tally: Tally, need: Need, column: str | None) -> Units:
    """A unit for each combination that matters, with the values of one sensitive column."""
    values = np.zeros(tally.combinations, dtype=np.uint64)
    if column is not None:
        part = tally.sensitive[column]
        np.bitwise_or.at(values, part.combination, np.uint64(1) << (part.value % MOST_VALUES).astype(np.uint64))
    compared = need.population > 0 and tally.population is not None
    kept = np.arange(tally.combinations) if compared else np.flatnonzero(tally.rows)
    weight = tally.rows[kept].astype(np.int64)
    population = tally.population[kept] if compared and tally.population is not None else NOBODY
    crowd = crowd_of(selected(tally, kept).people, need.people)
    return Units(kept, weight, crowd, population, values[kept], weight == 0)

"""Units: what local recoding moves between classes.

Where no sensitive column is promised anything, the rows of a combination may go to different classes: each is a unit. A
combination with at least k rows then keeps k of them for ever in a class of its own, without loss; the rest (at most
`LENT` times k of them) are units that have this class as their home and may be lent to others. Where sensitive values
count, a combination is one unit, since a recoding can't say which of its rows go where.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.tally import Tally
from tacit.methods.tables._local.paths import Paths

LENT = 2
MOST_VALUES = 64


class Units(NamedTuple):
    """Unit i: `weight[i]` people of combination `combination[i]`, with sensitive values `values[i]` (a bit for each).

    `homely[i]` says that it may stay with its own kind at no loss.
    """

    combination: IntArray
    weight: IntArray
    values: NDArray[np.uint64]
    homely: BoolArray


class Need(NamedTuple):
    """What a class must have: people, and distinct sensitive values."""

    people: int
    values: int


def split_rows(rows: IntArray, dense: BoolArray, need: Need) -> Units:
    """A unit for each row that may move; `dense` combinations keep a class of their own."""
    movable = np.where(dense, np.minimum(rows - need.people, LENT * need.people), rows)
    combination = np.repeat(np.arange(rows.size), movable)
    weight = np.ones(combination.size, dtype=np.int64)
    return Units(combination, weight, np.zeros(combination.size, dtype=np.uint64), dense[combination])


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


def whole_combinations(tally: Tally, column: str | None) -> Units:
    """A unit for each combination, with the values of one sensitive column."""
    count = tally.combinations
    values = np.zeros(count, dtype=np.uint64)
    if column is not None:
        part = tally.sensitive[column]
        np.bitwise_or.at(values, part.combination, np.uint64(1) << (part.value % MOST_VALUES).astype(np.uint64))
    return Units(np.arange(count), tally.rows.astype(np.int64), values, np.zeros(count, dtype=np.bool_))

"""Regions: similar people without a signature, in parts that stay m-eligible; each part forms its own classes.

What values people have depends on who they are, so signatures that fit a whole table fit no corner of it. The people
are halved as in Mondrian (LeFevre, DeWitt and Ramakrishnan 2006), along the column after which labels cost least, for
as long as both halves are eligible and large. Large: republication lives on buckets that many share, and small regions
would leave a signature to nearly every class.
"""

from collections.abc import Sequence

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.methods.tables._republish.line import Line
from tacit.methods.tables._republish.split import Parts, halves_cost, middle, within

CLASSES = 50
"""A region has at least this many times m people."""


def regions(lines: Sequence[Line], value: IntArray, m: int) -> IntArray:
    """The region of each person, numbered from 0; every region is eligible if all people together are."""
    part = np.zeros(value.size, dtype=np.int64)
    open_ = np.ones(1, dtype=np.bool_)
    while open_.any():
        rows = np.flatnonzero(open_[part])
        large, compact = np.unique(part[rows], return_inverse=True)
        left, halved = _best(within(lines, rows), Parts(compact, value[rows], np.full(large.size, 2)), m)
        fresh = open_.size + np.cumsum(halved) - 1
        moved = halved[compact] & ~left
        part[rows[moved]] = fresh[compact[moved]]
        open_[large[~halved]] = False
        open_ = np.append(open_, np.ones(int(halved.sum()), dtype=np.bool_))
    return np.unique(part, return_inverse=True)[1]


def _best(lines: Sequence[Line], parts: Parts, m: int) -> tuple[BoolArray, BoolArray]:
    """Who goes left, and which parts are halved at all."""
    best: FloatArray = np.full(parts.classes.size, np.inf)
    left = np.zeros(parts.part.size, dtype=np.bool_)
    for line in lines:
        mine = line.place <= middle(line, parts).last[parts.part]
        allowed = _eligible(parts, mine, m)
        cost = np.where(allowed, _cost_where(lines, parts, mine, allowed), np.inf)
        better = (cost < best)[parts.part]
        left[better] = mine[better]
        best = np.minimum(best, cost)
    return left, np.isfinite(best)


def _eligible(parts: Parts, left: BoolArray, m: int) -> BoolArray:
    """The parts of which both sides are eligible and large enough."""
    sides = 2 * parts.classes.size
    side = 2 * parts.part + ~left
    width = int(parts.value.max(initial=0)) + 1
    size = np.bincount(side, minlength=sides)
    cells, count = np.unique(side * width + parts.value, return_counts=True)
    most = np.zeros(sides, dtype=np.int64)
    np.maximum.at(most, cells // width, count)
    fine = (most * m <= size) & (size >= CLASSES * m)
    both: BoolArray = fine[0::2] & fine[1::2]
    return both


def _cost_where(lines: Sequence[Line], parts: Parts, left: BoolArray, allowed: BoolArray) -> FloatArray:
    """What the halves of the allowed parts cost; 0 for the others."""
    rows = np.flatnonzero(allowed[parts.part])
    cost = np.zeros(allowed.size)
    if rows.size:
        cost[allowed] = halves_cost(within(lines, rows), (np.cumsum(allowed) - 1)[parts.part[rows]], left[rows])
    return cost

"""Splitting: a balanced bucket is split into classes with one person of each value and similar quasi-identifiers.

As in Xiao and Tao 2007 (section 5.3) a bucket is halved again and again, until a part has one class: of each value the
people first in some column go to one side, the others to the other. What a side gets of each value must fit into its
classes; only where a value has gaps is there a choice. The column is the one after which the labels of both sides, the
least common ancestors in all columns, cost least. The cut lies between two children of the part's own ancestor, the
pair nearest to the middle. All parts are halved at once, so a round costs a few sorts and there are about log2 rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.methods.tables._republish.line import Line


@dataclass(frozen=True, eq=False)
class Parts:
    """The people in parts that must be halved: `part` (none empty) and `value` of each, `classes` of each part."""

    part: IntArray
    value: IntArray
    classes: IntArray


@dataclass(frozen=True, eq=False)
class Cut:
    """Who goes left, and how many classes go with them."""

    left: BoolArray
    classes: IntArray


@dataclass(frozen=True, eq=False)
class Border:
    """The last place left of it, and the share of the people there; -1 and a half where all are at one leaf."""

    last: IntArray
    share: FloatArray


def split(lines: Sequence[Line], bucket: IntArray, value: IntArray, number: IntArray) -> IntArray:
    """The class of each person, numbered from 0; bucket b falls into `number[b]` classes."""
    part, classes = bucket, number
    while (classes > 1).any():
        rows = np.flatnonzero(classes[part] > 1)
        large, compact = np.unique(part[rows], return_inverse=True)
        cut = _best(within(lines, rows), Parts(compact, value[rows], classes[large]))
        fresh = classes.size + np.arange(large.size)
        part = part.copy()
        part[rows[~cut.left]] = fresh[compact[~cut.left]]
        right = classes[large] - cut.classes
        classes = np.concatenate([classes, right])
        classes[large] = cut.classes
    return np.unique(part, return_inverse=True)[1]


def within(lines: Sequence[Line], rows: IntArray) -> list[Line]:
    """The lines of these people only."""
    return [Line(line.place[rows], line.codes, line.loss) for line in lines]


def _best(lines: Sequence[Line], parts: Parts) -> Cut:
    """For each part the cut after which it costs least."""
    best: FloatArray = np.full(parts.classes.size, np.inf)
    left = np.zeros(parts.part.size, dtype=np.bool_)
    classes = np.ones_like(parts.classes)
    for line in lines:
        cut = _cut(line, parts)
        cost = halves_cost(lines, parts.part, cut.left)
        better = cost < best
        best[better] = cost[better]
        classes[better] = cut.classes[better]
        mine = better[parts.part]
        left[mine] = cut.left[mine]
    return Cut(left, classes)


def _cut(line: Line, parts: Parts) -> Cut:
    """The cut along one column: rows up to a place go left, and as many more or fewer of a value as the classes ask."""
    border = middle(line, parts)
    last = border.last
    classes = np.clip(np.rint(border.share * parts.classes).astype(np.int64), 1, parts.classes - 1)
    order = np.lexsort((line.place, parts.value, parts.part))
    part, value = parts.part[order], parts.value[order]
    starts = np.flatnonzero(np.diff(part, prepend=-1) | np.diff(value, prepend=-1))
    lengths = np.diff(starts, append=order.size)
    mine = part[starts]
    wanted = np.add.reduceat((line.place[order] <= last[part]).astype(np.int64), starts)
    # A column in which the part is all alike has no middle: of each value the same share goes left.
    wanted = np.where(last[mine] < 0, np.rint(lengths * classes[mine] / parts.classes[mine]).astype(np.int64), wanted)
    taken = np.clip(wanted, lengths - (parts.classes - classes)[mine], classes[mine])
    left = np.empty(order.size, dtype=np.bool_)
    left[order] = np.arange(order.size) - np.repeat(starts, lengths) < np.repeat(taken, lengths)
    return Cut(left, classes)


def middle(line: Line, parts: Parts) -> Border:
    """The border between two children that is nearest to the middle of each part."""
    order = np.lexsort((line.place, parts.part))
    part, place = parts.part[order], line.place[order]
    starts = np.flatnonzero(np.diff(part, prepend=-1))
    lengths = np.diff(starts, append=order.size)
    level = line.meet(place[starts], place[starts + lengths - 1])
    child = line.codes[np.maximum(level - 1, 0)[part], place]
    before = np.arange(order.size) - starts[part]
    border = np.append(False, child[1:] != child[:-1]) & (before > 0)
    far = np.where(border, np.abs(2 * before - lengths[part]), order.size + 1)
    nearest = np.minimum.reduceat(far, starts)
    chosen = np.flatnonzero(border & (far == nearest[part]))
    last = np.full(starts.size, -1, dtype=np.int64)
    share = np.full(starts.size, 0.5)
    last[part[chosen]] = place[chosen - 1]
    share[part[chosen]] = before[chosen] / lengths[part[chosen]]
    return Border(last, share)


def halves_cost(lines: Sequence[Line], part: IntArray, left: BoolArray) -> FloatArray:
    """What both sides of each part cost, all columns together; no side is empty."""
    side = 2 * part + ~left
    order = np.argsort(side, kind="stable")
    starts = np.flatnonzero(np.diff(side[order], prepend=-1))
    lengths = np.diff(starts, append=order.size)
    cost = np.zeros(starts.size)
    for line in lines:
        place = line.place[order]
        cost += lengths * line.cost(np.minimum.reduceat(place, starts), np.maximum.reduceat(place, starts))
    return cost[0::2] + cost[1::2]

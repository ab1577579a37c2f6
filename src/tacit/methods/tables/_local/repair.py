"""Merging classes until every guarantee holds: for promises that the compiled search does not know.

Each class that fails merges with the class whose union costs least, round after round. The rounds end, since every one
leaves fewer classes. Where the whole table as one class fails too, the round that left the fewest rows in failing
classes is taken, for these may be suppressed.
"""

import numpy as np
from numba import njit

from tacit.arrays import BoolArray, IntArray
from tacit.data.classes import group_classes
from tacit.data.grouping import Grouping
from tacit.data.tally import Tally
from tacit.guarantees.guarantee import Guarantee
from tacit.methods.tables._local.paths import Paths


def repair(tally: Tally, paths: Paths, guarantees: tuple[Guarantee, ...], where: IntArray) -> IntArray:
    """A class for each combination such that all guarantees hold, or the fewest rows are in classes that fail."""
    best, fewest = where, np.inf
    while True:
        _, first, where = np.unique(where, return_index=True, return_inverse=True)
        failing = failing_classes(tally, guarantees, Grouping(where, first))
        lost = float(tally.rows[failing[where]].sum())
        if lost < fewest:
            best, fewest = where, lost
        if lost == 0 or failing.size == 1:
            return best
        level = class_levels(paths.node, np.arange(where.size), where, first)
        weight = np.bincount(where, weights=tally.rows)
        where = merge_failing(paths, (first, level, weight), np.flatnonzero(failing))[where]


def failing_classes(tally: Tally, guarantees: tuple[Guarantee, ...], grouping: Grouping) -> BoolArray:
    """Which classes fail some guarantee."""
    classes = group_classes(tally, grouping)
    failing = np.zeros(classes.number, dtype=np.bool_)
    for guarantee in guarantees:
        failing |= ~guarantee.satisfied(guarantee.measure(classes))
    return failing


@njit(cache=True)
def class_levels(node, combination, where, pivot):  # type: ignore[no-untyped-def]
    """`[class, column]`: the lowest level at which all members meet the class's pivot."""
    level = np.zeros((pivot.size, node.shape[1]), np.int64)
    for i in range(where.size):
        q = where[i]
        if q >= 0:
            for column in range(node.shape[1]):
                while node[combination[i], column, level[q, column]] != node[pivot[q], column, level[q, column]]:
                    level[q, column] += 1
    return level


@njit(cache=True)
def merge_failing(paths, regions, failing):  # type: ignore[no-untyped-def]
    """A new name for each class: each failing one merged with the nearest, none merged twice in a round."""
    pivot, _, weight = regions
    name = np.arange(pivot.size)
    merged = np.zeros(pivot.size, np.bool_)
    own = np.array([region_loss(paths, regions, q, q) for q in range(pivot.size)])
    for q in failing:
        if merged[q]:
            continue
        best = -1
        least = np.inf
        for other in range(pivot.size):
            if other != q and not merged[other]:
                extra = (weight[q] + weight[other]) * region_loss(paths, regions, q, other) - weight[other] * own[other]
                if extra < least:
                    least, best = extra, other
        if best >= 0:
            name[q] = best
            merged[q] = merged[best] = True
    return name


@njit(cache=True)
def region_loss(paths, regions, one, other):  # type: ignore[no-untyped-def]
    """The loss of a row in the union of two classes."""
    pivot, level, _ = regions
    total = 0.0
    for column in range(level.shape[1]):
        at = max(level[one, column], level[other, column])
        while paths.node[pivot[one], column, at] != paths.node[pivot[other], column, at]:
            at += 1
        total += paths.loss[paths.node[pivot[one], column, at]]
    return total

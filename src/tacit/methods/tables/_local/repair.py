"""Merging classes until every guarantee holds: for promises that the compiled search does not know.

Each class that fails merges with the class whose union costs least, round after round. The rounds end, since every one
leaves fewer classes. Where the whole table as one class fails too, the round that left the fewest rows in failing
classes is taken, for these may be suppressed. People are counted exactly, by the guarantees' own measures.
"""

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.data.tables.grouping import EntryGroups
from tacit.data.tables.tally import Tally
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._kernels import compiled, inner
from tacit.methods.tables._local.paths import Paths, class_levels
from tacit.methods.tables._partition.partition import keeping


def repair(tally: Tally, paths: Paths, guarantees: tuple[TableGuarantee, ...], where: IntArray) -> IntArray:
    """A class for each combination such that all guarantees hold, or the fewest rows are in classes that fail."""
    best, fewest = where, np.inf
    while True:
        _, first, where = np.unique(where, return_index=True, return_inverse=True)
        failing = failing_classes(tally, guarantees, EntryGroups(where, first))
        lost = float(tally.rows[failing[where]].sum())
        if lost < fewest:
            best, fewest = where, lost
        weight = np.bincount(where, weights=tally.rows)
        if lost == 0 or np.count_nonzero(weight) == 1:
            return best
        level = class_levels(paths.node, np.arange(where.size), where, first)
        regions = (first, level, weight)
        name, merged = np.arange(first.size), np.zeros(first.size, np.bool_)
        merge_failing(paths, regions, np.flatnonzero(failing), (name, merged, np.empty(first.size, np.float64)))
        where = name[where]


def failing_classes(tally: Tally, guarantees: tuple[TableGuarantee, ...], grouping: EntryGroups) -> BoolArray:
    """Which classes fail some guarantee; one without rows fails none."""
    return ~keeping(guarantees, tally.merged(grouping))


@compiled
def merge_failing(paths, regions, failing, room):  # type: ignore[no-untyped-def]
    """In `name`, one for each class: each failing one merged with the nearest that has rows, none twice in a round."""
    pivot, _, weight = regions
    name, merged, own = room
    for q in range(pivot.size):
        own[q] = region_loss(paths, regions, q, q)
    # A class takes part in one merger a round; its region and loss are then out of date.
    for q in failing:
        if merged[q]:
            continue
        best = -1
        least = np.inf
        # What the failing class loses itself is the same for every partner, so it is left out of the comparison.
        for other in range(pivot.size):
            if other != q and not merged[other] and weight[other] > 0:
                extra = (weight[q] + weight[other]) * region_loss(paths, regions, q, other) - weight[other] * own[other]
                if extra < least:
                    least, best = extra, other
        if best >= 0:
            name[q] = best
            merged[q] = merged[best] = True


@inner
def region_loss(paths, regions, one, other):  # type: ignore[no-untyped-def]
    """The loss of a row in the union of two classes."""
    pivot, level, _ = regions
    total = 0.0
    for column in range(level.shape[1]):
        at = max(level[one, column], level[other, column])
        # Each class is one node at its own level, so below the higher of the two they can't meet.
        while paths.node[pivot[one], column, at] != paths.node[pivot[other], column, at]:
            at += 1
        total += paths.loss[paths.node[pivot[one], column, at]]
    return total

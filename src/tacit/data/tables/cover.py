"""Covers: which leaves of a hierarchy a published label stands for.

A label is either a node of the hierarchy, found by its text, its number of leaves and one leaf below it, or a set of
leaves that a local method made up (an interval, a list of values) and had to declare.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import Hierarchy

NO_LEVEL = -1


@dataclass(frozen=True, eq=False, repr=False)
class Cover(Discreet):
    """Label j covers the leaves `leaf[starts[j]:starts[j + 1]]`."""

    starts: IntArray
    leaf: IntArray

    @classmethod
    def from_sets(cls, sets: Iterable[Sequence[int]]) -> "Cover":
        """The cover whose label j covers the leaves at the positions `sets[j]`."""
        parts = [np.asarray(part, dtype=np.int64) for part in sets]
        return cls(_starts(np.array([part.size for part in parts], dtype=np.int64)), np.concatenate([*parts, _NONE]))

    @property
    def sizes(self) -> IntArray:
        """How many leaves each label covers."""
        return np.diff(self.starts)

    def total(self, amounts: FloatArray) -> FloatArray:
        """The sum, for each label, of the amounts of its leaves (first axis)."""
        running = np.zeros((self.leaf.size + 1, *amounts.shape[1:]))
        np.cumsum(amounts[self.leaf], axis=0, out=running[1:])
        total: FloatArray = running[self.starts[1:]] - running[self.starts[:-1]]
        return total

    def extended(self, leaves: int) -> "Cover":
        """The same cover with one more label, which stands for all leaves."""
        starts = np.append(self.starts, self.leaf.size + leaves)
        return Cover(starts, np.concatenate([self.leaf, np.arange(leaves)]))


def node_levels(hierarchy: Hierarchy, labels: Sequence[str], leaves: IntArray, below: IntArray) -> IntArray:
    """The least level at which leaf `below[j]` has label j with that many leaves; NO_LEVEL where there is none."""
    found = np.full(len(labels), NO_LEVEL, dtype=np.int64)
    text = np.array(labels, dtype=object)
    for level in reversed(range(hierarchy.height + 1)):
        node = hierarchy.codes[level, below]
        same_text = np.array(hierarchy.labels[level], dtype=object)[node] == text
        found[same_text & (hierarchy.leaves_under(level)[node] == leaves)] = level
    return found


def least_levels(hierarchy: Hierarchy) -> IntArray:
    """`[level, leaf]`: the least level at which the leaf has the same label over the same leaves as at `level`."""
    numbers: dict[tuple[str, int], int] = {}
    nodes = []
    for level, (labels, codes) in enumerate(zip(hierarchy.labels, hierarchy.codes, strict=True)):
        sized = zip(labels, hierarchy.leaves_under(level).tolist(), strict=True)
        nodes.append(np.array([numbers.setdefault(node, len(numbers)) for node in sized], dtype=np.int64)[codes])
    leaves = len(hierarchy.leaves)
    of_leaf = np.array(nodes) * leaves + np.arange(leaves)
    _, first, each = np.unique(of_leaf, return_index=True, return_inverse=True)
    least: IntArray = (first // leaves)[each].reshape(of_leaf.shape)
    return least


def node_cover(hierarchy: Hierarchy, level: IntArray, below: IntArray) -> Cover:
    """Label j covers the leaves that share leaf `below[j]`'s label at `level[j]`; none where that is NO_LEVEL."""
    codes = hierarchy.codes
    order = np.argsort(codes, axis=1, kind="stable")
    node = codes[level, below]
    starts = np.zeros(level.size, dtype=np.int64)
    lengths = np.zeros(level.size, dtype=np.int64)
    for each in range(hierarchy.height + 1):
        here = level == each
        sizes = hierarchy.leaves_under(each)
        starts[here] = each * codes.shape[1] + _starts(sizes)[node[here]]
        lengths[here] = sizes[node[here]]
    ends = _starts(lengths)
    source = np.repeat(starts - ends[:-1], lengths) + np.arange(ends[-1])
    return Cover(ends, order.reshape(-1)[source])


def common_levels(hierarchy: Hierarchy, cover: Cover) -> IntArray:
    """The least level at which one node covers all leaves of each label."""
    levels = np.zeros(cover.sizes.size, dtype=np.int64)
    if not cover.leaf.size:
        return levels
    first = cover.leaf[np.minimum(cover.starts[:-1], cover.leaf.size - 1)]
    for codes in hierarchy.codes:
        strange = codes[cover.leaf] != np.repeat(codes[first], cover.sizes)
        running = _starts(strange.astype(np.int64))
        levels += running[cover.starts[1:]] > running[cover.starts[:-1]]
    return levels


def _starts(lengths: IntArray) -> IntArray:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


_NONE: IntArray = np.empty(0, dtype=np.int64)

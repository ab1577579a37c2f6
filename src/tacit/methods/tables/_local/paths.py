"""Generalisation paths: every combination as the nodes that it passes from its leaves to the roots.

Nodes of all columns and levels are numbered in one sequence, so that equality of two entries at a level says that both
combinations lie under one node. The least common ancestor of some combinations in a column is the
entry of any of them at the lowest level where all agree.
"""

from typing import NamedTuple

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.table import Table


class Paths(NamedTuple):
    """`node[combination, column, level]`; `loss[node]` is the column's weighted share of a row's loss."""

    node: CodeArray
    loss: FloatArray


def trace(table: Table) -> Paths:
    """The paths of all combinations, from the least level allowed; columns of lower height repeat their root."""
    heights = path_heights(table)
    node = np.empty((table.tally.combinations, heights.size, int(heights.max()) + 1), dtype=np.int32)
    losses: list[FloatArray] = []
    first = 0
    for column, (hierarchy, least) in enumerate(zip(table.hierarchies, table.least, strict=True)):
        for step in range(int(heights[column]) + 1):
            node[:, column, step] = first + hierarchy.codes[least + step][table.leaves[column]]
            losses.append(table.weights[column] * node_loss(hierarchy, least + step))
            first += len(hierarchy.labels[least + step])
        node[:, column, heights[column] :] = node[:, column, heights[column], None]
    return Paths(node, np.concatenate(losses))


def path_heights(table: Table) -> IntArray:
    """How many levels each column may rise."""
    return np.array([h.height - least for h, least in zip(table.hierarchies, table.least, strict=True)])


def node_loss(hierarchy: Hierarchy, level: int) -> FloatArray:
    """The loss of each label of a level."""
    return (hierarchy.leaves_under(level) - 1) / max(len(hierarchy.leaves) - 1, 1)


def class_levels(node: CodeArray, combination: IntArray, where: IntArray, pivot: IntArray) -> IntArray:
    """`[class, column]`: the lowest level at which all members meet the class's pivot; member i is in `where[i]`.

    Nodes that are alike at a level are alike above it, so this is the highest of the levels at which single members do.
    """
    inside = np.flatnonzero(where >= 0)
    inside = inside[np.argsort(where[inside], kind="stable")]
    member, class_ = combination[inside], where[inside]
    level = np.zeros((pivot.size, node.shape[1]), np.int64)
    if member.size:
        begins = np.flatnonzero(np.concatenate([[True], class_[1:] != class_[:-1]]))
        # Column by column, since all at once may not fit into memory.
        for column in range(node.shape[1]):
            meet = (node[member, column] == node[pivot[class_], column]).argmax(axis=1)
            level[class_[begins], column] = np.maximum.reduceat(meet, begins)
    return level

"""Cuts along the hierarchies: a part's common ancestor in one column is replaced by its children."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from tacit.arrays import BoolArray, CodeArray, FloatArray
from tacit.methods.tables._partition.costs import Costs, meeting_levels
from tacit.methods.tables._partition.cuts import Cut, Members, Rules, cut_by
from tacit.methods.tables._partition.partition import Ground


class Prospects(Protocol):
    """What the cells of each part cost now, and the cuts there are.

    `current[c, part]` is the cost of a cell of column c. `cuts(c)` proposes cuts by column c; `gain(c, cut)` is what
    each saves in that column, summed over the rows of each part, a dropped rest not counted.
    """

    current: FloatArray

    def cuts(self, column: int, rules: Rules) -> Iterator[Cut]:
        """The cuts by one column."""
        ...

    def gain(self, column: int, cut: Cut) -> FloatArray:
        """What a cut saves in its column."""
        ...

    def unlabelled(self, cut: Cut) -> BoolArray:
        """The parts whose rest would read like suppressed rows."""
        ...


class NodeProspects:
    """Labels are nodes: the cells of a part are published as their common ancestor."""

    def __init__(self, ground: Ground, costs: Costs, members: Members) -> None:
        self.members, self.costs, self.table = members, costs, ground.table
        starts, columns = members.starts, range(len(ground.table.hierarchies))
        self.leaves: list[CodeArray] = [ground.leaves[c][members.atom] for c in columns]
        self.levels = [meeting_levels(self.table, c, self.leaves[c], starts) for c in columns]
        at_root = [self.levels[c] == self.table.hierarchies[c].height for c in columns]
        self.roots: BoolArray = np.logical_and.reduce(at_root) & ground.roots_read_suppressed
        self.current: FloatArray = np.array([costs.node[c][self.levels[c], self.leaves[c][starts]] for c in columns])

    def cuts(self, column: int, rules: Rules) -> Iterator[Cut]:
        """One cut: the children of the common ancestor."""
        least, hierarchy = self.table.least[column], self.table.hierarchies[column]
        if self.table.weights[column] == 0 or not (self.levels[column] > least).any():
            return
        below = np.maximum(self.levels[column] - 1, least)
        child = hierarchy.codes[below[self.members.part], self.leaves[column]]
        yield from cut_by(self.members, child, len(hierarchy.labels[least]), rules)

    def gain(self, column: int, cut: Cut) -> FloatArray:
        """A group of its own costs what its node costs; the rest keeps the ancestor's label."""
        below = np.maximum(self.levels[column] - 1, self.table.least[column])
        after = self.costs.node[column][below[cut.part], self.leaves[column][cut.first]]
        saved = self.current[column][cut.part] - after
        return cut.sums(np.where(cut.rest, 0.0, cut.rows * saved))

    def unlabelled(self, cut: Cut) -> BoolArray:
        """Those with the root in every column whose rest stays."""
        return self.roots & cut.has_rest & (cut.fate != "drop")

"""Objectives of class sizes, with bounds over all nodes of a box: discernibility and average class size.

Let every class that is kept have at least m rows. Take a box [low, high] and a table that is finer than all of its
nodes. A class of a node is a union of finer classes, and lies in one class of `high`. Call a finer class large if it
has m rows or more, and let a class h of `high` have L large finer classes and S rows in small ones.

- h is divided into at most L + ⌊S/m⌋ kept classes: each of them has a large finer class of its own, or consists of
  small ones, m rows of them at least. Let N be the sum over all h. The suppressed rows count as one class, so a node
  has at most N + 1. If no S leaves a remainder when divided by m, it has at most N: rows that are suppressed are then
  missing in a kept class, for they have a large finer class, which counts no more, or small ones, which lower ⌊S/m⌋.
  Hence rows / N or rows / (N + 1) bounds the average class size.
- A row of a finer class of s rows ends in a class of at least max(s, m) rows, or is suppressed, which costs all rows;
  if h has fewer than m rows, it is suppressed. The sum of this over all rows bounds discernibility.

What fails at `high` for other reasons than its rows gives a second bound (`Losses`); the larger one counts.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.data.tables.grouping import add_up, group_by, pack
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.methods.tables._nodes import Node
from tacit.methods.tables._objectives import BoundedObjective, CellCost, ClassCounts, Losses
from tacit.request import Objective as Name


@dataclass(frozen=True, eq=False)
class Discernibility:
    """The sum of squared class sizes; a suppressed row counts as many as there are rows. `least`: rows of a class."""

    table: Table
    rows: int
    least: int

    def cost(self, node: Node, tally: Tally, suppressed: BoolArray) -> float:
        """Rows that look alike, counted once for each pair."""
        sizes = tally.rows.astype(np.float64)
        return float((sizes[~suppressed] ** 2).sum() + sizes[suppressed].sum() * self.rows)

    def counted(self, node: Node, counts: ClassCounts) -> float:
        """The same from counted classes."""
        return counts.squares + float(counts.suppressed) * self.rows

    def bound(self, low: Node, high: Node, finer: Tally, losses: Losses) -> float:
        """Merging only adds to the squares, up to `least` rows a class; rows that can't be kept cost all rows each."""
        sizes = finer.rows.astype(np.float64)
        failing = float((sizes**2).sum()) - losses.squares + float(losses.rows) * self.rows
        group = _group(self.table, finer, high)
        lost = np.bincount(group, weights=finer.rows)[group] < self.least
        return max(failing, float((sizes * np.where(lost, self.rows, np.maximum(sizes, self.least))).sum()))


@dataclass(frozen=True, eq=False)
class AverageClassSize:
    """Rows divided by classes, the suppressed rows being one class. `least`: the rows that a kept class has."""

    table: Table
    rows: int
    least: int

    def cost(self, node: Node, tally: Tally, suppressed: BoolArray) -> float:
        """The mean over classes."""
        filled = tally.rows > 0
        classes = int((filled & ~suppressed).sum()) + int((filled & suppressed).any())
        return self.rows / max(classes, 1)

    def counted(self, node: Node, counts: ClassCounts) -> float:
        """The same from counted classes."""
        return self.rows / max(counts.classes + (counts.suppressed > 0), 1)

    def bound(self, low: Node, high: Node, finer: Tally, losses: Losses) -> float:
        """No coarser node has more classes, or more than its rows suffice for."""
        failing = int((finer.rows > 0).sum()) - losses.classes + (1 if losses.classes else 0)
        group = _group(self.table, finer, high)
        large = finer.rows >= self.least
        small = add_up(group, finer.rows * ~large, int(group.max(initial=-1)) + 1)
        most = int(large.sum()) + int((small // self.least).sum()) + int((small % self.least).any())
        return self.rows / max(min(failing, most), 1)


def _group(table: Table, finer: Tally, high: Node) -> IntArray:
    """The class of `high` that each class of the finer table lies in."""
    columns = [c for c, level in enumerate(high) if level < table.hierarchies[c].height]
    labels = [table.hierarchies[c].codes[high[c]][finer.codes[c]] for c in columns]
    keys = pack(labels, [len(table.hierarchies[c].labels[high[c]]) for c in columns], finer.combinations)
    return group_by(keys.key, keys.span).group


def objective_of(name: Name, table: Table, cells: CellCost, least: int) -> BoundedObjective:
    """The objective of that name; `cells` are its cell costs, and `least` the rows that every kept class has."""
    if name == "discernibility":
        return Discernibility(table, table.number_of_rows, least)
    if name == "average-class-size":
        return AverageClassSize(table, table.number_of_rows, least)
    return cells

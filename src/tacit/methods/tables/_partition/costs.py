"""What a cell costs in a local recoding, by column: a node of the hierarchy, or a set of its leaves.

The costs are those of the objective (`_objectives.py`), weighted. Discernibility and average class size are no sums
over cells; loss guides towards them, since smaller classes lower all three.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.table import Table
from tacit.methods.tables._objectives import cell_prices
from tacit.request import Objective

LABEL_OBJECTIVES: tuple[Objective, ...] = ("loss", "distortion", "precision")
"""Objectives in which a cell costs what its label costs, whatever value it had."""

CELL_OBJECTIVES: tuple[Objective, ...] = (*LABEL_OBJECTIVES, "non-uniform-entropy")


@dataclass(frozen=True, eq=False)
class Costs:
    """`node[c][level, leaf]`: of a cell published as that node; `gone[c][leaf]`: of a suppressed one."""

    node: tuple[FloatArray, ...]
    gone: tuple[FloatArray, ...]

    def mean_gone(self, table: Table) -> float:
        """What it costs to suppress a row, on average."""
        rows = table.tally.rows
        total = sum(float((gone[leaves] * rows).sum()) for gone, leaves in zip(self.gone, table.leaves, strict=True))
        return total / max(table.number_of_rows, 1)


def costs_of(table: Table, objective: Objective) -> Costs:
    """The weighted costs of a table's cells, for one row."""
    node, gone = [], []
    for c, hierarchy in enumerate(table.hierarchies):
        count = np.bincount(table.leaves[c], table.tally.rows, len(hierarchy.leaves)).astype(np.float64, copy=False)
        cost, removed = cell_prices(objective, hierarchy, count)
        node.append(cost * table.weights[c])
        gone.append(removed * table.weights[c])
    return Costs(tuple(node), tuple(gone))


def meeting_levels(table: Table, column: int, leaves: CodeArray, starts: IntArray) -> IntArray:
    """The least allowed level at which the leaves of each run (beginning at `starts`) have one label."""
    codes = table.hierarchies[column].codes
    low, high = table.least[column], table.most[column]
    levels = np.full(starts.size, high, dtype=np.int64)
    open_ = np.ones(starts.size, dtype=np.bool_)
    for level in range(low, high):
        label = codes[level][leaves]
        same = np.minimum.reduceat(label, starts) == np.maximum.reduceat(label, starts)
        levels[open_ & same] = level
        open_ &= ~same
        if not open_.any():
            break
    return levels

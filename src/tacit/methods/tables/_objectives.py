"""What a full-domain search minimises, with a bound for all nodes of a box.

Four objectives are sums over cells: a cell that is published at a level costs `cost[level, leaf]`, a suppressed one
`removed[leaf]`, never less. What suppression adds, `gap = removed - cost`, depends on the label alone and falls as the
level rises. So if every node below `high` must suppress at least the rows that fail at `high`, each node of the box
[low, high] costs at least what these rows cost at `low` plus what the others cost there.

Loss: (leaves under the label - 1) / (leaves - 1). Distortion (MD): the least level at which the hierarchy has the
label. Precision: that level / height, so that the result is 1 - Prec (Sweeney 2002). Non-uniform entropy: log2(rows
with the label / rows with the value) (Gionis and Tassa 2009), scaled by what full generalisation would cost.
Discernibility (Bayardo and Agrawal 2005) and average class size (LeFevre et al. 2006) depend on class sizes; both can
only grow when classes merge. How many rows a class must have to be kept bounds them further (`_class_sizes.py`).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.tables.cover import least_levels
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.methods.tables._nodes import Node
from tacit.request import Objective as Name


@dataclass(frozen=True, eq=False)
class Losses:
    """What can't be kept in any node of a box.

    `whole[column][level]` is what the rows of classes that fail whole add to the cost, `part` what the shares add of
    classes of which only a part must go. `rows`, `classes` and `squares` (of their sizes) are of those that fail whole.
    """

    whole: tuple[FloatArray, ...]
    part: float
    rows: int
    classes: int
    squares: float


@dataclass(frozen=True)
class ClassCounts:
    """The classes of a node, if those with too few rows are suppressed and no others.

    `added` is what their suppression adds to a cost that is a sum over cells; `squares` are of the sizes of the kept.
    """

    added: float
    suppressed: int
    squares: float
    classes: int


class BoundedObjective(Protocol):
    """A cost of nodes and a lower bound of it over boxes."""

    def cost(self, node: Node, tally: Tally, suppressed: BoolArray) -> float:
        """The cost of a node whose class table is `tally`."""
        ...

    def counted(self, node: Node, counts: ClassCounts) -> float:
        """The same cost from the classes of a node that were only counted."""
        ...

    def bound(self, low: Node, high: Node, finer: Tally, losses: Losses) -> float:
        """At most the cost of every node of the box; `finer` is the table of a node not above any of them."""
        ...


@dataclass(frozen=True, eq=False)
class CellCost:
    """An objective that is a sum over cells; `kept[column][level]` is the cost of all rows if none is suppressed."""

    kept: tuple[FloatArray, ...]
    gap: tuple[FloatArray, ...]

    def losses(self, tally: Tally, share: FloatArray, high: Node) -> Losses:
        """What it costs at least that `share` of each class of `high` can't be kept."""
        whole = share >= 1
        partial = (share > 0) & ~whole
        gone = tally.rows[whole]
        return Losses(
            tuple(gap @ _histogram(gap, tally, c, tally.rows * whole) for c, gap in enumerate(self.gap)),
            sum(
                float(gap[high[c]] @ _histogram(gap, tally, c, tally.rows * share * partial))
                for c, gap in enumerate(self.gap)
            )
            if partial.any()
            else 0.0,
            rows=int(gone.sum()),
            classes=int((gone > 0).sum()),
            squares=float((gone.astype(np.float64) ** 2).sum()),
        )

    def cost(self, node: Node, tally: Tally, suppressed: BoolArray) -> float:
        """The cells as published, and what suppression adds."""
        weights = tally.rows * suppressed
        added = [gap[node[c]] @ _histogram(gap, tally, c, weights) for c, gap in enumerate(self.gap)]
        return float(sum(kept[level] for kept, level in zip(self.kept, node, strict=True)) + sum(added))

    def counted(self, node: Node, counts: ClassCounts) -> float:
        """The cells as published, and what suppression adds."""
        return float(sum(kept[level] for kept, level in zip(self.kept, node, strict=True)) + counts.added)

    def bound(self, low: Node, high: Node, finer: Tally, losses: Losses) -> float:
        """The cells at `low`, and what the rows that can't be kept add there."""
        columns = zip(self.kept, losses.whole, low, strict=True)
        return float(sum(kept[level] + whole[level] for kept, whole, level in columns) + losses.part)


def _histogram(gap: FloatArray, tally: Tally, column: int, weights: FloatArray | IntArray) -> FloatArray:
    return np.bincount(tally.codes[column], weights=weights, minlength=gap.shape[1]).astype(np.float64, copy=False)


def cell_cost(name: Name, table: Table) -> CellCost:
    """The cell costs of an objective, summed over rows; of `loss` for objectives that are no sum over cells."""
    rows = max(table.number_of_rows, 1)
    kept, gap = [], []
    for c, hierarchy in enumerate(table.hierarchies):
        count = np.bincount(table.leaves[c], table.tally.rows, len(hierarchy.leaves)).astype(np.float64, copy=False)
        cost, removed = cell_prices(name, hierarchy, count)
        scale = table.weights[c] / rows
        kept.append(cost @ count * scale)
        gap.append((removed - cost) * scale)
    return CellCost(tuple(kept), tuple(gap))


def cell_prices(name: Name, hierarchy: Hierarchy, count: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`cost[level, leaf]` of a published cell and `removed[leaf]` of a suppressed one."""
    levels = least_levels(hierarchy).astype(np.float64)
    if name == "distortion":
        return levels, np.full(len(hierarchy.leaves), float(hierarchy.height))
    if name == "precision":
        return levels / max(hierarchy.height, 1), np.ones(len(hierarchy.leaves))
    if name == "non-uniform-entropy":
        return _entropy(hierarchy, count)
    return hierarchy.cell_loss, np.ones(len(hierarchy.leaves))


def _entropy(hierarchy: Hierarchy, count: FloatArray) -> tuple[FloatArray, FloatArray]:
    seen = np.maximum(count, 1)
    with_label = np.array([np.bincount(codes, weights=count)[codes] for codes in hierarchy.codes])
    bits = np.log2(np.maximum(with_label, 1) / seen)
    whole = float(bits[-1] @ count)
    scale = count.sum() / whole if whole > 0 else 0.0
    return bits * scale, bits[-1] * scale

"""Better designs: one slot at a time, an optimal assignment redistributes the members of similar labels.

With all other slots as they are, the best members of one slot are a linear assignment (Doka, Xue, Tsoumakos and Karras
2015 build all k matchings so, greedily or by the Hungarian algorithm over the whole table). Over blocks of 128 labels
it takes milliseconds. Blocks are neighbours in an order of the labels by their values, the columns that cost most
first; chance weighs the columns, so every turn compares others. A turn never loses: to leave all as it is is one of
the assignments.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.hierarchy import SUPPRESSED
from tacit.data.tables.table import Table
from tacit.methods.tables._freeform.design import Design
from tacit.methods.tables._freeform.prices import NodeCosts, SetCosts, node_prices, set_prices
from tacit.methods.tables._local.params import Labels
from tacit.methods.tables._local.paths import Paths, path_heights

BLOCK = 128

Prices = Callable[[Design, int, IntArray, FloatArray], None]
"""Fills in what each label of a block would lose with each member of the block in a slot."""


@dataclass(frozen=True, eq=False)
class Steps:
    """Refinements in the order from coarse to fine within a column: column, codes of combinations, what they save."""

    column: IntArray
    codes: tuple[CodeArray, ...]
    saved: FloatArray


def improve(design: Design, prices: Prices, steps: Steps, turns: int, generator: np.random.Generator) -> None:
    """The members are dealt out anew, `turns` times."""
    from scipy.optimize import linear_sum_assignment

    moving = np.flatnonzero(design.moving)
    slots = design.member.shape[0]
    for turn in range(turns):
        slot = turn % slots
        beside = (slot + 1 + int(generator.integers(slots - 1))) % slots
        order = moving[random_order(steps, design.combination[design.member[beside, moving]], generator)]
        first = int(generator.integers(BLOCK)) if order.size > BLOCK else 0
        for block in np.split(order, np.arange(first, order.size, BLOCK)):
            if block.size < 2:
                continue
            table = np.empty((block.size, block.size))
            prices(design, slot, block, table)
            taken = linear_sum_assignment(table)[1]
            design.member[slot, block] = design.member[slot, block[taken]]


def random_order(steps: Steps, combination: IntArray, generator: np.random.Generator) -> IntArray:
    """The labels, by one member of each, in an order that keeps those together that are dear to set apart."""
    if not steps.codes:
        return np.arange(combination.size)
    weight = steps.saved * generator.exponential(size=steps.saved.size)
    for column in np.unique(steps.column):
        own = steps.column == column
        weight[own] = np.minimum.accumulate(weight[own])
    ranked = np.argsort(weight, kind="stable")
    return np.lexsort([steps.codes[step][combination] for step in ranked])


def covering(table: Table, roots: FloatArray) -> float:
    """The loss of a label that covers everything, but for rounding; infinite where it may be published."""
    starred = all(hierarchy.labels[-1] == (SUPPRESSED,) for hierarchy in table.hierarchies)
    if not starred or any(SUPPRESSED not in part.values for part in table.tally.sensitive.values()):
        return np.inf
    return float(roots.sum()) * (1 - 1e-9)


def for_nodes(table: Table, paths: Paths) -> tuple[Prices, Steps]:
    """Prices and order where labels are nodes of the hierarchies."""

    costs = NodeCosts(paths.node, paths.loss, covering(table, paths.loss[paths.node[0, :, -1]]))

    def prices(design: Design, slot: int, block: IntArray, into: FloatArray) -> None:
        node_prices(costs, design.combination, design.member, (slot, block), into)

    rows = table.tally.rows
    columns, codes, saved = [], [], []
    for column, height in enumerate(path_heights(table).tolist()):
        for level in reversed(range(height)):
            columns.append(column)
            codes.append(paths.node[:, column, level])
            saved.append(float(np.average(paths.loss[paths.node[:, column, level + 1]], weights=rows)))
    return prices, Steps(np.array(columns), tuple(codes), np.array(saved))


def for_sets(table: Table) -> tuple[Prices, Steps]:
    """Prices and order where labels are sets of values."""
    leaf = np.ascontiguousarray(table.leaves.T)
    others = np.array([len(hierarchy.leaves) - 1 for hierarchy in table.hierarchies])
    price = table.weights / np.maximum(others, 1)
    costs = SetCosts(leaf, price, covering(table, price * others))

    def prices(design: Design, slot: int, block: IntArray, into: FloatArray) -> None:
        set_prices(costs, design.combination, design.member, (slot, block), into)

    return prices, Steps(np.arange(price.size), tuple(table.leaves), price)


def kind_of(labels: Labels, table: Table, paths: Paths) -> tuple[Prices, Steps]:
    """Prices and order for these labels."""
    return for_nodes(table, paths) if labels == "nodes" else for_sets(table)

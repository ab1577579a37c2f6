"""Distances between the distribution P of a sensitive column in a class and the distribution Q of the input.

All but Kullback–Leibler are earth mover's distances (Rubner, Tomasi and Guibas 2000; for t-closeness Li, Li and
Venkatasubramanian 2007): the least work that turns P into Q, each with its own ground distance between two values.

- equal (variational): every two values are 1 apart. EMD = ½ Σ|p − q| = Σ max(p − q, 0), for both sum to one.
- ordered: values i and j are |i − j|/(m − 1) apart. EMD = Σ_i |P_i − Q_i| / (m − 1) with cumulative P_i, Q_i. The m
  values are those of the order that the plan states, whether or not somebody has them; numbers without a stated order
  are ranked among the numbers that occur.
- hierarchical: leaves are (level of their lowest common ancestor)/(height) apart. A step between a node and its parent
  costs 1/(2·height), and what must cross the step above node N is |p(N) − q(N)|: the EMD is the mean of the
  variational distances at the levels 0 … height − 1.
- Kullback–Leibler: Σ p ln(p/q) in nats, infinite where P has a value that Q lacks. Not a metric.

All four are convex in P, so a merged class is no further from Q than the furthest of its parts (W8). They are
computed on the cells that exist: m and the number of classes may both be large.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.hierarchy import MISSING, Hierarchy
from tacit.errors import BadParameter
from tacit.guarantees._sensitive import SensitiveCells


def variational(cells: SensitiveCells) -> FloatArray:
    """½ Σ|p − q| of each class."""
    return cells.sums(np.maximum(cells.shares - cells.expected, 0.0))


def kullback_leibler(cells: SensitiveCells) -> FloatArray:
    """Σ p ln(p/q) of each class, in nats."""
    with np.errstate(divide="ignore"):
        terms = cells.shares * np.log(cells.shares / cells.expected)
    # Rounding may leave a sum of positive and negative terms just below zero, where no divergence can be.
    return np.maximum(cells.sums(terms), 0.0)


def ordered(cells: SensitiveCells) -> FloatArray:
    """Σ_i |P_i − Q_i| / (m − 1) of each class.

    P_i is constant from the value of one cell to that of the next, `until`. There Σ|P_i − Q_i| splits at the first i
    with Q_i ≥ P_i, and a sum of Q_i over a range is a difference of prefix sums. The arithmetic is on whole numbers
    (below 2**53), scaled by the counts of class and input, so that equal distributions are exactly 0 apart.
    """
    _require_order(cells)
    frequencies, starts, last = cells.frequencies, cells.starts, cells.ends - 1
    order = _within_classes(frequencies.value, cells)
    value, running = frequencies.value[order], np.cumsum(cells.count[order])
    until = np.empty_like(value)
    until[:-1], until[last] = value[1:], len(frequencies.values)
    cumulative = np.cumsum(frequencies.reference).astype(np.float64)
    prefix = np.concatenate(([0.0], np.cumsum(cumulative)))
    people = max(float(frequencies.reference.sum()), 1.0)
    totals = cells.totals[frequencies.class_].astype(np.float64)
    reached = (running - (running[last] - cells.totals)[frequencies.class_]) * people
    split = np.clip(np.searchsorted(cumulative, reached / totals), value, until)
    work = reached * (2 * split - value - until) - totals * (2 * prefix[split] - prefix[value] - prefix[until])
    work[starts] += totals[starts] * prefix[value[starts]]
    return cells.sums(work) / (cells.totals * people * max(len(frequencies.values) - 1, 1))


def hierarchical(cells: SensitiveCells) -> FloatArray:
    """The mean over the levels below the root of the variational distance of each class at that level."""
    frequencies = cells.frequencies
    forest = _forest(_require_hierarchy(cells), frequencies.values)
    order = _within_classes(forest.place[frequencies.value], cells)
    class_, count, place = frequencies.class_, cells.count[order], forest.place[frequencies.value[order]]
    reference = np.empty(forest.place.size)
    reference[forest.place] = frequencies.reference
    distance = np.zeros(cells.starts.size)
    for nodes in forest.nodes:
        begin = _beginnings(class_, nodes[place])
        class_, count, place = class_[begin], np.add.reduceat(count, begin), place[begin]
        expected = np.bincount(nodes, weights=reference) / max(reference.sum(), 1.0)
        excess = np.maximum(count / cells.totals[class_] - expected[nodes[place]], 0.0)
        distance += np.bincount(class_, weights=excess, minlength=distance.size)
    return distance / max(len(forest.nodes), 1)


@dataclass(frozen=True, eq=False)
class Forest:
    """The leaves of a hierarchy in depth-first order, so that those below one node are neighbours.

    `place[value]` is where a value stands; `nodes[level, place]` is its node at each level below the root.
    """

    place: IntArray
    nodes: CodeArray


@lru_cache(maxsize=16)
def _forest(hierarchy: Hierarchy, values: tuple[str, ...]) -> Forest:
    if MISSING in values:
        hierarchy = hierarchy.with_missing()
    codes = hierarchy.codes[:, hierarchy.place(values)]
    order = np.lexsort(codes)
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.arange(len(values))
    return Forest(place, codes[:-1, order])


def _within_classes(rank: IntArray, cells: SensitiveCells) -> IntArray:
    """The cells sorted by class, then by rank."""
    return np.argsort(cells.frequencies.class_ * len(cells.frequencies.values) + rank, kind="stable")


def _beginnings(class_: IntArray, node: CodeArray) -> IntArray:
    """Where a run of one class and node begins."""
    if not class_.size:
        return np.empty(0, dtype=np.int64)
    changed = (class_[1:] != class_[:-1]) | (node[1:] != node[:-1])
    return np.concatenate(([0], np.flatnonzero(changed) + 1))


def _require_order(cells: SensitiveCells) -> None:
    if not cells.frequencies.ordered:
        raise BadParameter(
            f"distance 'ordered' needs an order of the values of column {cells.column!r}: declare it in the plan "
            "(below the column, as in `order: [low, middle, high]`; numbers have theirs), or take distance 'equal'"
        )


def _require_hierarchy(cells: SensitiveCells) -> Hierarchy:
    if cells.frequencies.hierarchy is None:
        raise BadParameter(
            f"distance 'hierarchical' needs a hierarchy of the values of column {cells.column!r}: declare it in the "
            "plan (below the column, as in `hierarchy: file.csv`), or take distance 'equal'"
        )
    return cells.frequencies.hierarchy

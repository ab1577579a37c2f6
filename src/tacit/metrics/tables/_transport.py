"""Earth mover's distance between two joint distributions of two columns, exactly, as a flow on a sparse graph.

Two pairs of leaves are as far apart as the mean of the two columns' distances. That is a shortest path in a graph that
moves along one column at a time: along a line from one number to the next, or through the nodes of a hierarchy with
1/(2·height) for a step. So instead of a cost for every two cells, the flow through the edges of the graph is
minimised, a linear programme with as many variables as edges (Ling and Okada 2007 for a grid).
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.hierarchy import Hierarchy
from tacit.errors import BadData


@dataclass(frozen=True, eq=False)
class Ways:
    """How mass moves within one column: edge i joins `from_[i]` and `to[i]` at `cost[i]`; the leaves come first."""

    leaves: int
    nodes: int
    from_: IntArray
    to: IntArray
    cost: FloatArray


def line(places: FloatArray) -> Ways:
    """From each number to the next."""
    order = np.argsort(places, kind="stable")
    return Ways(places.size, places.size, order[:-1], order[1:], np.diff(places[order]))


def tree(hierarchy: Hierarchy) -> Ways:
    """From each node to its parent."""
    codes = hierarchy.codes.astype(np.int64)
    sizes = [len(labels) for labels in hierarchy.labels]
    begin = np.concatenate([[0], np.cumsum(sizes)])
    ends = [np.unique(codes[level : level + 2], axis=1) for level in range(hierarchy.height)]
    from_ = [begin[level] + pair[0] for level, pair in enumerate(ends)]
    to = [begin[level + 1] + pair[1] for level, pair in enumerate(ends)]
    none = np.empty(0, dtype=np.int64)
    joined = np.concatenate([none, *from_]), np.concatenate([none, *to])
    cost = np.full(joined[0].size, 1 / (2 * max(hierarchy.height, 1)))
    return Ways(sizes[0], int(begin[-1]), *joined, cost)


def edges(first: Ways, second: Ways) -> int:
    """How many edges the graph of two columns has."""
    return first.cost.size * second.leaves + second.cost.size * first.leaves


def transport(before: FloatArray, after: FloatArray, first: Ways, second: Ways) -> float:
    """The least work that turns one table `[leaf, leaf]` of the same sum into the other."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack

    graph = _product(first, second)
    number = graph.cost.size
    if not number:
        return 0.0
    ends = np.concatenate([graph.from_, graph.to])
    signs = np.repeat([-1.0, 1.0], number)
    flow = csr_matrix((signs, (ends, np.tile(np.arange(number), 2))), shape=(graph.nodes, number))
    change = np.zeros(graph.nodes)
    change[: before.size] = (after - before).reshape(-1)
    costs = np.tile(graph.cost, 2)
    solved = linprog(costs, A_eq=hstack([flow, -flow]), b_eq=change, bounds=(0, None), method="highs")
    if solved.x is None:
        raise BadData(f"the distance of two joint distributions could not be computed: {solved.message}")
    return max(float(solved.fun), 0.0)


def _product(first: Ways, second: Ways) -> Ways:
    """Cells of two leaves come first; the others stand between leaves of one column and inner nodes of the other."""
    a, b = np.arange(first.leaves), np.arange(second.leaves)
    inner = second.nodes - second.leaves
    start = first.nodes * second.leaves

    def cell(x: IntArray, y: IntArray) -> IntArray:
        beside = start + x * inner + (y - second.leaves)
        return np.where(y < second.leaves, x * second.leaves + y, beside).reshape(-1)

    along = cell(first.from_[:, None], b[None, :]), cell(first.to[:, None], b[None, :])
    across = cell(a[None, :], second.from_[:, None]), cell(a[None, :], second.to[:, None])
    cost = np.concatenate([np.repeat(first.cost, second.leaves), np.repeat(second.cost, first.leaves)]) / 2
    return Ways(
        leaves=first.leaves * second.leaves,
        nodes=start + first.leaves * inner,
        from_=np.concatenate([along[0], across[0]]),
        to=np.concatenate([along[1], across[1]]),
        cost=cost,
    )

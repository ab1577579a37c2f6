"""Branch and bound over boxes of the lattice: exact if it finishes in time, otherwise with a lower bound.

A box [low, high] holds all nodes between two nodes. Its top is evaluated. Rows that fail there in a way that no finer
table can mend must be suppressed in every node of the box. From these rows and from the cost of generalising to `low`
follows a lower bound for the box. The box with the least bound is cut below the highest level of the column that raises
the bound of its upper part most; a box whose bound is not below the best cost, or whose top must already suppress more
than is allowed, is dropped. When no box with a smaller bound is left, the best node is optimal.

A lattice that is still open after `PATIENCE` evaluated nodes is likely to stay so. Then the best node comes from
descents (`_descent.py`), and boxes go on raising the bound while there is hope to meet it (`_outlook.py`). Whatever is
returned without proof is the end of a descent: none of its neighbours is better.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from math import inf, prod
from time import monotonic

from tacit.data.tables.table import Table
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._class_sizes import objective_of
from tacit.methods.tables._descent import Descent, Standing, Stop
from tacit.methods.tables._nodes import Node, NodeTables
from tacit.methods.tables._objectives import BoundedObjective, Losses, cell_cost
from tacit.methods.tables._outlook import Outlook
from tacit.methods.tables._screen import Screen, least_rows
from tacit.methods.tables._verdict import judge
from tacit.request import Objective as Name

ROUNDING = 1e-12
SMALL = 20_000
"""A lattice of so many nodes is searched by boxes alone."""
PATIENCE = 500
"""After so many evaluated nodes of a larger lattice, descents look for the best node."""

Watch = Callable[[int, float, float], None]
"""Told the number of evaluated nodes, the best cost and the lower bound."""


@dataclass(frozen=True)
class SearchTask:
    """What is searched: the guarantees, the rows that may be suppressed, the objective, the time there is.

    `persist`: boxes are searched until the time is up, however slowly the bound rises.
    """

    guarantees: tuple[TableGuarantee, ...]
    most_suppressed: float
    objective: Name
    seconds: float
    persist: bool = False
    progress: Watch = field(default=lambda evaluated, best, bound: None)


@dataclass(frozen=True)
class SearchResult:
    """The best node (none if no node is feasible); no node costs less than `bound`."""

    node: Node | None
    cost: float
    optimal: bool
    bound: float
    evaluated: int
    nodes: int


@dataclass(frozen=True)
class NodeCost:
    """What a node costs, and how many rows it suppresses."""

    cost: float
    suppressed: int


@dataclass(frozen=True, eq=False)
class Box:
    """All nodes between `low` and `high`, and what can't be kept at `high`."""

    low: Node
    high: Node
    losses: Losses


class BranchAndBound:
    """One run of branch and bound; `best` only improves."""

    def __init__(self, table: Table, task: SearchTask) -> None:
        self.task = task
        self.tables = NodeTables(table)
        self.cells = cell_cost(task.objective, table)
        self.objective: BoundedObjective = objective_of(task.objective, table, self.cells, least_rows(task.guarantees))
        self.best: Node | None = None
        self.cost = inf
        self.evaluated = 0
        self.serial = count()
        self.heap: list[tuple[float, int, Box]] = []

    def run(self, low: Node, high: Node) -> SearchResult:
        """Searches [low, high] until it is exhausted, hopeless or the time is over."""
        begin = monotonic()
        end = begin + self.task.seconds
        is_large = _number(low, high) > SMALL
        outlook, descended = Outlook(PATIENCE // 2), False
        self._evaluate(low, high)
        while self.heap and self.heap[0][0] < self.cost - ROUNDING:
            bound = self.heap[0][0]
            if is_large and not descended and self.evaluated >= PATIENCE:
                descended = True
                self._take(self._descent(end).search(high))
            given_up = is_large and not self.task.persist and outlook.is_hopeless(self.evaluated, bound, self.cost)
            if given_up or monotonic() > end:
                self._polish(high, end + self.task.seconds)
                return self._found(low, high, bound)
            self.task.progress(self.evaluated, self.cost, bound)
            self._divide(heapq.heappop(self.heap)[2])
        self._settle(low)
        return self._found(low, high, self.cost)

    def _descent(self, end: float) -> Descent:
        screen = Screen(self.tables.table, self.cells, self.task.guarantees)
        return Descent(screen, self.objective, self.task.most_suppressed, self._standing, end)

    def _polish(self, high: Node, end: float) -> None:
        """Takes the best node down to one that no neighbour beats; where none is known, from the top."""
        if monotonic() < end:
            self._take(self._descent(end).descend(self.best or high))

    def _take(self, stop: Stop) -> None:
        """Makes the end of a descent the best node, if it is."""
        tried = self._try(stop.node)
        if tried.cost < self.cost - ROUNDING:
            self.best, self.cost = stop.node, tried.cost

    def _standing(self, node: Node) -> Standing:
        """How good the node is, feasible or not."""
        tried = self._try(node)
        if tried.cost < inf:
            return Standing(0.0, tried.cost)
        excess = max(0.0, tried.suppressed - self.task.most_suppressed)
        return Standing(excess or inf, inf)

    def _settle(self, low: Node) -> None:
        """Lowers the columns of the best node while that costs nothing: of equally good nodes a finer one is taken."""
        if self.best is None:
            return
        node, suppressed = self.best, self._try(self.best).suppressed
        for c in range(len(node)):
            while node[c] > low[c]:
                finer = _at(node, c, node[c] - 1)
                tried = self._try(finer)
                if tried.cost > self.cost + ROUNDING or tried.suppressed > suppressed:
                    break
                node, suppressed = finer, tried.suppressed
        self.best = node

    def _try(self, node: Node) -> "NodeCost":
        """What the node costs (without end where it is not feasible)."""
        self.evaluated += 1
        tally = self.tables.at(node)
        verdict = judge(self.task.guarantees, tally)
        suppressed = int(tally.rows[verdict.suppressed].sum())
        feasible = verdict.holds and suppressed <= self.task.most_suppressed
        return NodeCost(self.objective.cost(node, tally, verdict.suppressed) if feasible else inf, suppressed)

    def _found(self, low: Node, high: Node, bound: float) -> SearchResult:
        optimal = bound >= self.cost - ROUNDING
        return SearchResult(self.best, self.cost, optimal, min(bound, self.cost), self.evaluated, _number(low, high))

    def _evaluate(self, low: Node, high: Node) -> None:
        """Evaluates `high`, and keeps the box below it where a better node may still be in it."""
        self.evaluated += 1
        tally = self.tables.at(high)
        verdict = judge(self.task.guarantees, tally)
        if verdict.holds and tally.rows[verdict.suppressed].sum() <= self.task.most_suppressed:
            cost = self.objective.cost(high, tally, verdict.suppressed)
            if cost < self.cost - ROUNDING:
                self.best, self.cost = high, cost
        dropped = float((tally.rows * verdict.share).sum())
        if dropped <= self.task.most_suppressed + ROUNDING * max(dropped, 1.0):
            self._push(Box(low, high, self.cells.losses(tally, verdict.share, high)))

    def _push(self, box: Box) -> None:
        if box.low == box.high:
            return
        bound = self.objective.bound(box.low, box.high, self.tables.smallest_below(box.low), box.losses)
        if bound < self.cost - ROUNDING:
            heapq.heappush(self.heap, (bound, next(self.serial), box))

    def _divide(self, box: Box) -> None:
        column, middle = self._cut(box) if self.objective is self.cells else self._foreseen_cut(box)
        self._push(Box(_at(box.low, column, middle + 1), box.high, box.losses))
        self._evaluate(box.low, _at(box.high, column, middle))

    def _cut(self, box: Box) -> tuple[int, int]:
        """The column whose highest level, cut off from the others, raises the bound most."""
        gains = []
        for c, (low, high) in enumerate(zip(box.low, box.high, strict=True)):
            if low < high:
                cost = self.cells.kept[c] + box.losses.whole[c]
                gains.append((float(cost[high] - cost[low]), -c, high - 1))
        gain = max(gains)
        return -gain[1], gain[2]

    def _foreseen_cut(self, box: Box) -> tuple[int, int]:
        """The column whose highest level, cut off, raises the bounds of both parts most: they are tried (by product).

        Objectives of class sizes are bounded by a finer table, and the table of `low` gives the best bound.
        """
        finer = self.tables.at(box.low)
        bound = self.objective.bound(box.low, box.high, finer, box.losses)
        least = ROUNDING * max(bound, 1.0)
        gains = []
        for c, (low, high) in enumerate(zip(box.low, box.high, strict=True)):
            if low < high:
                raised, lowered = _at(box.low, c, high), _at(box.high, c, high - 1)
                above = self.objective.bound(raised, box.high, self.tables.at(raised), box.losses) - bound
                below = self.objective.bound(box.low, lowered, finer, box.losses) - bound
                gains.append((max(above, least) * max(below, least), -c, high - 1))
        gain = max(gains)
        return -gain[1], gain[2]


def _at(node: Node, column: int, level: int) -> Node:
    """The node with one column at another level."""
    return (*node[:column], level, *node[column + 1 :])


def _number(low: Node, high: Node) -> int:
    """How many nodes a box has."""
    return prod(b - a + 1 for a, b in zip(low, high, strict=True))

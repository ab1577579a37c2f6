"""The choice of partners: which cells to suppress beside the small ones, so that sums give none of them away.

Fischetti and Salazar (2001): a small cell of count a is protected by p if two other tables fit all that is published,
one with a + p in that cell and one with a - p, or the least that readers know it to be. Differences to the true table
are what is looked for: their sums are 0 along every axis, and only suppressed cells may differ. That is a mixed-integer
programme with one binary number for each cell and two differences for each small cell; HiGHS solves it.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.counts.margins import Margins

OPTIMAL = 0
FURTHER = 3


@dataclass(frozen=True, eq=False)
class SuppressionTask:
    """A table, what each suppressed cell costs, which cells must stay, and how far small ones are protected.

    `known` is the least that readers know a suppressed cell to be.
    """

    margins: Margins
    known: IntArray
    cost: FloatArray
    closed: BoolArray
    protection: int

    @property
    def reach(self) -> int:
        """The largest difference that any cell may have.

        In a network a difference of p is p cycles through the cell, each through any other cell at most once, so no
        more is needed. Elsewhere more might be, and a choice within this reach is not surely the cheapest.
        """
        return self.protection if self.margins.is_network else FURTHER * self.protection

    @property
    def room(self) -> IntArray:
        """How far each cell may fall, flattened: to what readers know it to be at least, and not beyond the reach."""
        fall: IntArray = np.clip(self.margins.counts - self.known, 0, self.reach)
        return fall.reshape(-1)

    def differences(self, target: int) -> list[int]:
        """What must be possible at a small cell: more by the protection, and less by it or by what there is room for.

        A cell that readers know to be no less than it is needs no table below it.
        """
        fall = min(self.protection, int(self.room[target]))
        return [self.protection, -fall] if fall else [self.protection]


@dataclass(frozen=True, eq=False)
class CellChoice:
    """Suppressed cells that protect the small ones; no choice costs less than `bound`."""

    suppressed: BoolArray
    bound: float
    optimal: bool


def choose(task: SuppressionTask, targets: IntArray, forced: BoolArray, seconds: float) -> CellChoice | None:
    """The cheapest cells beside the `forced` that protect the targets; None where none do or time ran out."""
    from scipy.optimize import milp

    free = np.flatnonzero(~task.closed.reshape(-1))
    asked = [(int(target), far) for target in targets.tolist() for far in task.differences(target)]
    vectors = len(asked)
    lower = np.concatenate([forced.reshape(-1)[free], np.tile(-task.room[free], vectors)]).astype(float)
    upper = np.concatenate([np.ones(free.size), np.full(free.size * vectors, task.reach)]).astype(float)
    for number, (target, far) in enumerate(asked):
        place = free.size * (1 + number) + int(np.searchsorted(free, target))
        lower[place] = upper[place] = far
    goal = np.zeros(lower.size)
    goal[: free.size] = np.where(forced.reshape(-1)[free], 0.0, task.cost.reshape(-1)[free])
    whole = np.concatenate([np.ones(free.size), np.full(free.size * vectors, 0 if task.margins.is_network else 1)])
    found = milp(
        goal,
        integrality=whole,
        bounds=_bounds(lower, upper),
        constraints=_constraints(task, free, vectors),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if found.x is None:
        return None
    suppressed = forced.copy().reshape(-1)
    suppressed[free[found.x[: free.size] > 0.5]] = True
    sure = task.margins.is_network
    beside = found.mip_dual_bound if sure and found.mip_dual_bound is not None else 0.0
    bound = float(task.cost[forced].sum()) + max(float(beside), 0.0)
    return CellChoice(suppressed.reshape(forced.shape), bound, sure and found.status == OPTIMAL)


def _bounds(lower: FloatArray, upper: FloatArray) -> object:
    from scipy.optimize import Bounds

    return Bounds(lower, upper)


def _constraints(task: SuppressionTask, free: IntArray, vectors: int) -> list[object]:
    """Differences add up to 0 along every axis, and a cell differs only where it is suppressed."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import block_array, csr_array, diags_array, eye_array, hstack, kron, vstack

    part = task.margins.equations[:, free]
    part = part[np.flatnonzero(np.asarray(abs(part).sum(axis=1)).reshape(-1) > 0)]
    identity = eye_array(vectors)
    sums = hstack([csr_array((part.shape[0] * vectors, free.size)), kron(identity, part)])
    most = np.full(free.size, float(task.reach))
    least = task.room[free].astype(np.float64)
    each = eye_array(free.size * vectors)
    up = hstack([vstack([diags_array(-most)] * vectors), each])
    down = hstack([vstack([diags_array(-least)] * vectors), -each])
    both = block_array([[up], [down]])
    return [LinearConstraint(csr_array(sums), 0, 0), LinearConstraint(csr_array(both), -np.inf, 0)]

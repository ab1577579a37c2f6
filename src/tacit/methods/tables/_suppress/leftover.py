"""Leftover rows: rows that no class took join the classes that are cheapest to widen.

A class can take a row when it suppresses the columns in which the two differ. Then all its rows lose these cells, and
so do other classes that read alike without them, which are joined too, and so is what only the population has.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.methods.tables._suppress.problem import IDLE, LEFT, Portions, Problem

NEARLY_BEST = 2.0


@dataclass(frozen=True, eq=False)
class _Join:
    """Portions that one pattern would join, the group of each, and what a group costs for each row that was left."""

    pattern: int
    members: IntArray
    group: IntArray
    price: "np.ndarray[tuple[int], np.dtype[np.float64]]"

    @property
    def best(self) -> float:
        return float(self.price.min(initial=np.inf))


def joined(problem: Problem, portions: Portions, patterns: IntArray, limit: int) -> Portions:
    """The portions with as few LEFT as can be joined; up to `limit` rows stay LEFT where joining them costs more."""
    dear = float(problem.weights.sum())
    while (portions.pattern == LEFT).any():
        spare = int(portions.rows[portions.pattern == LEFT].sum()) <= limit
        joins = sorted((_join(problem, portions, int(pattern)) for pattern in patterns), key=lambda join: join.best)
        if not joins or np.isinf(joins[0].best) or (spare and joins[0].best >= dear):
            break
        pattern = portions.pattern.copy()
        _apply(joins, NEARLY_BEST * joins[0].best, pattern)
        portions = Portions(portions.atom, portions.rows, pattern)
    return portions


def _apply(joins: list[_Join], dearest: float, pattern: IntArray) -> None:
    """Writes the new patterns of what is joined at a price of at most `dearest`; nothing is joined twice."""
    free = np.ones(pattern.size, dtype=np.bool_)
    for join in joins:
        if join.best > dearest:
            break
        chosen = (join.price <= dearest) & ~_any(join.group, ~free[join.members], join.price.size)
        members = join.members[chosen[join.group]]
        pattern[members] = join.pattern
        free[members] = False


def _join(problem: Problem, portions: Portions, pattern: int) -> _Join:
    """The groups of portions that a pattern would join into classes that suffice and take in rows that were left."""
    left = portions.pattern == LEFT
    near = np.flatnonzero(left | (portions.pattern == IDLE) | (portions.pattern & ~pattern == 0))
    classes = problem.grouped(pattern, portions.atom[near])
    concerned = _any(classes.group, left[near], classes.number)[classes.group]
    members = near[concerned]
    classes = problem.grouped(pattern, portions.atom[members])
    good = problem.suffices(portions.atom[members], portions.rows[members], classes)
    paid = np.where(left[members], 0.0, problem.cost(portions.part(members)))
    rows = portions.rows[members]
    weight = problem.weight(np.array([pattern]))[0]
    extra = np.bincount(classes.group, weight * rows - paid, classes.number)
    needy = np.bincount(classes.group, rows * left[members], classes.number)
    return _Join(pattern, members, classes.group, np.where(good, extra / np.maximum(needy, 1), np.inf))


def _any(group: IntArray, true: BoolArray, groups: int) -> BoolArray:
    return np.bincount(group, true, groups) > 0

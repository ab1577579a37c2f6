"""Better groups by local search: rows move, change places, groups dissolve and split while every group keeps k rows.

For squared Euclidean distances the effect of a step on the sum of squares within groups is known in closed form. With
c the middle and n the size of a group, and d the squared distance:

- row x moves from A to B: n_B / (n_B + 1) d(x, c_B) - n_A / (n_A - 1) d(x, c_A), allowed while n_A > k;
- x of A and y of B change places: d(x, c_B) - d(x, c_A) + d(y, c_A) - d(y, c_B) - d(x, y) (1 / n_A + 1 / n_B);
- A dissolves, its rows going to other groups: rows S of middle m that join B add SSE(S) + n_B s / (n_B + s) d(c_B, m);
- a group of at least 2k rows is split in two by MDAV, which never loses.

A pass evaluates them as arrays (changes of places with rows of the nearest groups only), then takes steps from the
best down, as long as no group takes part in two, so that the effects add up exactly and the sum falls in every pass.
This is the idea of Hartigan's (1975) exchange, and of the reassignments of ONA (Thaeter and Reischuk 2021), under a
least size.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.methods.columns._mdav import mdav
from tacit.methods.columns._space import Space

_CHUNK = 512
_NEAR_GROUPS = 10
"""Partners are looked for in so many groups; looking in all finds hardly more and takes far longer."""
_LEAST_GAIN = 1e-10


class RefineStep(NamedTuple):
    """Rows that go to new groups, the groups that take part, and what the sum of squares changes by."""

    change: float
    rows: tuple[int, ...]
    targets: tuple[int, ...]
    touched: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _State:
    """Points, their groups, and squared distances of all rows to all middles."""

    points: FloatArray
    group: IntArray
    sizes: IntArray
    apart: FloatArray
    own: FloatArray


def refine(space: Space, group: IntArray, k: int, passes: int) -> IntArray:
    """Groups of at least k rows each with a sum of squares that is no larger than before."""
    found = group.copy()
    for _ in range(passes):
        found = _split(space, found, k)
        state = _state(space.numbers, found)
        steps = [*_moves(state, k), *_swaps(state), *_dissolutions(state)]
        taken = _disjoint(steps)
        if not taken:
            break
        for step in taken:
            found[list(step.rows)] = step.targets
        found = np.unique(found, return_inverse=True)[1].astype(np.int64)
    return found


def _state(points: FloatArray, group: IntArray) -> _State:
    sizes = np.bincount(group)
    middles = np.array([np.bincount(group, weights=column) for column in points.T]).T / sizes[:, None]
    apart = _squares(points, middles)
    return _State(points, group, sizes, apart, apart[np.arange(group.size), group])


def _squares(left: FloatArray, right: FloatArray) -> FloatArray:
    """Squared distances of all pairs."""
    square = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None, :] - 2 * left @ right.T
    return np.asarray(np.maximum(square, 0.0))


def _disjoint(steps: list[RefineStep]) -> list[RefineStep]:
    """The best steps of which no two touch the same group."""
    used: set[int] = set()
    taken = []
    for step in sorted(steps):
        if used.isdisjoint(step.touched):
            used.update(step.touched)
            taken.append(step)
    return taken


def _joining(state: _State) -> FloatArray:
    """What it costs that a row joins each group; its own is closed."""
    cost = state.apart * (state.sizes / (state.sizes + 1.0))
    cost[np.arange(state.group.size), state.group] = np.inf
    return cost


def _moves(state: _State, k: int) -> list[RefineStep]:
    size = state.sizes[state.group]
    rows = np.flatnonzero(size > k)
    if not rows.size or state.sizes.size < 2:
        return []
    cost = _joining(state)[rows]
    best = cost.argmin(axis=1)
    change = cost[np.arange(rows.size), best] - size[rows] / (size[rows] - 1.0) * state.own[rows]
    return [
        RefineStep(float(change[i]), (int(rows[i]),), (int(best[i]),), (int(state.group[rows[i]]), int(best[i])))
        for i in np.flatnonzero(change < -_LEAST_GAIN)
    ]


def _swaps(state: _State) -> list[RefineStep]:
    """For each row the best partner to change places with, among the rows of the groups that it is nearest to."""
    steps, members = list[RefineStep](), _members(state)
    reach = min(_NEAR_GROUPS, state.sizes.size - 1)
    if not reach:
        return steps
    for start in range(0, state.group.size, _CHUNK):
        part = np.arange(start, min(state.group.size, start + _CHUNK))
        away = state.apart[part].copy()
        away[np.arange(part.size), state.group[part]] = np.inf
        near = np.argpartition(away, reach - 1, axis=1)[:, :reach]
        others = members[near].reshape(part.size, -1)
        change = np.where(others >= 0, _exchange(state, part[:, None], others), np.inf)
        best = change.argmin(axis=1)
        for i in np.flatnonzero(change[np.arange(part.size), best] < -_LEAST_GAIN):
            x, y = int(part[i]), int(others[i, best[i]])
            groups = int(state.group[x]), int(state.group[y])
            steps.append(RefineStep(float(change[i, best[i]]), (x, y), (groups[1], groups[0]), groups))
    return steps


def _members(state: _State) -> IntArray:
    """`[group, place]`: the rows of each group, then -1."""
    order = np.argsort(state.group, kind="stable")
    first = np.cumsum(state.sizes) - state.sizes
    listed = np.full((state.sizes.size, int(state.sizes.max())), -1, dtype=np.int64)
    group = state.group[order]
    listed[group, np.arange(order.size) - first[group]] = order
    return listed


def _exchange(state: _State, x: IntArray, y: IntArray) -> FloatArray:
    """What it changes that rows x and y change places."""
    gx, gy = state.group[x], state.group[y]
    between = ((state.points[x] - state.points[y]) ** 2).sum(axis=-1)
    share = 1.0 / state.sizes[gx] + 1.0 / state.sizes[gy]
    return np.asarray(state.apart[x, gy] + state.apart[y, gx] - state.own[x] - state.own[y] - between * share)


def _dissolutions(state: _State) -> list[RefineStep]:
    """Groups that are better spread over others; the cheap estimate takes each row alone, the step is exact."""
    if state.sizes.size < 2:
        return []
    cost = _joining(state)
    target = cost.argmin(axis=1)
    inside = np.bincount(state.group, weights=state.own)
    alone = np.bincount(state.group, weights=cost[np.arange(target.size), target])
    found = []
    for number in np.flatnonzero(alone < inside - _LEAST_GAIN):
        rows = np.flatnonzero(state.group == number)
        change = _spread_cost(state, rows, target[rows]) - float(inside[number])
        if change < -_LEAST_GAIN:
            goes = tuple(int(one) for one in target[rows])
            found.append(RefineStep(change, tuple(map(int, rows)), goes, (int(number), *sorted(set(goes)))))
    return found


def _spread_cost(state: _State, rows: IntArray, targets: IntArray) -> float:
    """What the rows add to the groups that they join, exactly even where several join one."""
    total = 0.0
    for target in np.unique(targets):
        joined = state.points[rows[targets == target]]
        middle = state.points[state.group == target].mean(axis=0)
        mean, size, number = joined.mean(axis=0), float(state.sizes[target]), joined.shape[0]
        total += float(((joined - mean) ** 2).sum()) + size * number / (size + number) * float(
            ((middle - mean) ** 2).sum()
        )
    return total


def _split(space: Space, group: IntArray, k: int) -> IntArray:
    """Groups of 2k rows or more become several."""
    found, number = group.copy(), int(group.max()) + 1
    for large in np.flatnonzero(np.bincount(group) >= 2 * k):
        rows = np.flatnonzero(group == large)
        parts = mdav(space.part(rows), k)
        found[rows[parts > 0]] = number + parts[parts > 0] - 1
        number += int(parts.max())
    return found

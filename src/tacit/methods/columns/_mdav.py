"""Groups of at least k similar rows: MDAV, V-MDAV, and blocks for tables too large for either.

MDAV (Domingo-Ferrer and Mateo-Sanz 2002, in the form of Domingo-Ferrer and Torra 2005): the row r furthest from the
middle and the row s furthest from r each take their k - 1 nearest, until fewer than 3k are left; then r alone does,
and the rest is the last group. Time is proportional to n**2 / k. V-MDAV (Solanas and Martínez-Ballesté 2006) lets a
group grow up to 2k - 1 rows by rows that are nearer to it than gamma times their nearest free row (gamma squared where
distances are).

Blocks: a table of more rows than `block` is cut at the median of its widest column again and again (as Mondrian does),
and each piece is grouped by itself, so time is proportional to n times block / k.
"""

from collections.abc import Callable

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.methods.columns._space import Space

Grouper = Callable[[Space, int], IntArray]
"""The group of each row, for a space and a least size."""


def mdav(space: Space, k: int) -> IntArray:
    """Groups of k rows, the last of up to 2k - 1."""
    group = np.full(space.rows, -1, dtype=np.int64)
    left, number = np.arange(space.rows), 0
    while left.size >= 2 * k:
        first = left[space.distances(left, space.centre(left)).argmax()]
        seeds = [first]
        if left.size >= 3 * k:
            seeds.append(left[space.distances(left, space.point(first)).argmax()])
        for seed in seeds:
            near = _nearest(space.distances(left, space.point(seed)), k)
            group[left[near]] = number
            left, number = np.delete(left, near), number + 1
    group[left] = number
    return group


def _nearest(distances: FloatArray, k: int) -> IntArray:
    """The positions of the k least distances; of equal ones the earlier, so that the result is determined."""
    limit = np.partition(distances, k - 1)[k - 1]
    surely = np.flatnonzero(distances < limit)
    equal = np.flatnonzero(distances == limit)[: k - surely.size]
    return np.concatenate([surely, equal])


def v_mdav(space: Space, k: int, gamma: float) -> IntArray:
    """Groups of k to 2k - 1 rows; rows that are left at the end join the group of the nearest row."""
    group = np.full(space.rows, -1, dtype=np.int64)
    left, number = np.arange(space.rows), 0
    outward = space.distances(left, space.centre(left))
    ratio = gamma**2 if space.euclidean else gamma
    while left.size >= k:
        seed = int(left[outward[left].argmax()])
        near = _nearest(space.distances(left, space.point(seed)), k)
        group[left[near]] = number
        left, members = np.delete(left, near), left[near]
        left = _grow(space, group, members, left, ratio)
        number += 1
    taken = np.flatnonzero(group >= 0)
    for row in left:
        group[row] = group[taken[space.distances(taken, space.point(int(row))).argmin()]]
    return group


def _grow(space: Space, group: IntArray, members: IntArray, left: IntArray, ratio: float) -> IntArray:
    """Adds free rows to the group of `members` while they are near enough; gives back the rows still free."""
    number, most = group[members[0]], 2 * members.size - 1
    inward = np.min([space.distances(left, space.point(row)) for row in members], axis=0)
    size = members.size
    while size < most and left.size > 1:
        at = int(inward.argmin())
        row = left[at]
        rest, inward_rest = np.delete(left, at), np.delete(inward, at)
        if not inward[at] < ratio * space.distances(rest, space.point(row)).min():
            break
        group[row] = number
        left, size = rest, size + 1
        inward = np.minimum(inward_rest, space.distances(left, space.point(row)))
    return left


def in_blocks(space: Space, k: int, block: int, grouper: Grouper) -> IntArray:
    """The groups that the grouper finds in pieces of at most `block` rows (never less than 2k)."""
    group = np.empty(space.rows, dtype=np.int64)
    number = 0
    for rows in _pieces(space, max(block, 2 * k)):
        found = grouper(space.part(rows), k)
        group[rows] = found + number
        number += int(found.max()) + 1
    return group


def _pieces(space: Space, block: int) -> list[IntArray]:
    waiting, done = [np.arange(space.rows)], []
    while waiting:
        rows = waiting.pop()
        if rows.size <= block:
            done.append(rows)
            continue
        order = rows[np.argsort(_widest(space, rows), kind="stable")]
        waiting += [order[: rows.size // 2], order[rows.size // 2 :]]
    return done


def _widest(space: Space, rows: IntArray) -> FloatArray:
    """The column that varies most among these rows; a category varies by the share of its commonest code."""
    spread = space.numbers[rows].var(axis=0)
    mixed = np.array([1 - np.bincount(column).max() / rows.size for column in space.codes[rows].T])
    best = int(np.concatenate([spread, mixed]).argmax())
    if best < spread.size:
        return np.asarray(space.numbers[rows, best])
    return np.asarray(space.codes[rows, best - spread.size].astype(np.float64))

"""A partition of units into classes, as arrays that compiled loops change in place."""

from typing import NamedTuple

import numpy as np
from numba import njit

from tacit.arrays import FloatArray, IntArray


class Partition(NamedTuple):
    """Unit i belongs to class `where[i]`, or is at home (-1).

    Class q loses `loss[q]` a row; its members are a linked list.
    """

    where: IntArray
    loss: FloatArray
    weight: IntArray
    number: IntArray
    first: IntArray
    following: IntArray
    free: IntArray


@njit(cache=True)
def link(paths, units, where, classes):  # type: ignore[no-untyped-def]
    """The partition of these classes, with room for as many classes as could ever be."""
    room = max(where.size, classes) + 1
    part = Partition(
        where.copy(),
        np.zeros(room),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.full(room, -1, np.int64),
        np.full(where.size, -1, np.int64),
        np.empty(room + 1, np.int64),
    )
    for unit in range(where.size):
        if where[unit] >= 0:
            enter(part, units, unit, where[unit])
    part.free[room] = 0
    for q in range(room - 1, -1, -1):
        if part.number[q] == 0:
            release(part, q)
        else:
            part.loss[q] = join_loss(paths, units, part, q)
    return part


@njit(cache=True)
def enter(part, units, unit, q):  # type: ignore[no-untyped-def]
    """The unit is a member of the class."""
    part.where[unit] = q
    part.following[unit] = part.first[q]
    part.first[q] = unit
    part.weight[q] += units.weight[unit]
    part.number[q] += 1


@njit(cache=True)
def release(part, q):  # type: ignore[no-untyped-def]
    """The class is empty and its name free (`free` is a stack with its height at the end)."""
    part.first[q] = -1
    part.weight[q] = 0
    part.number[q] = 0
    part.loss[q] = 0.0
    part.free[part.free[part.free.size - 1]] = q
    part.free[part.free.size - 1] += 1


@njit(cache=True)
def take_name(part):  # type: ignore[no-untyped-def]
    """A free class name."""
    part.free[part.free.size - 1] -= 1
    return part.free[part.free[part.free.size - 1]]


@njit(cache=True)
def join_loss(paths, units, part, q):  # type: ignore[no-untyped-def]
    """The loss of a row in the join of the class's members."""
    pivot = paths.node[units.combination[part.first[q]]]
    total = 0.0
    for column in range(pivot.shape[0]):
        level = 0
        unit = part.first[q]
        while unit >= 0:
            path = paths.node[units.combination[unit], column]
            while path[level] != pivot[column, level]:
                level += 1
            unit = part.following[unit]
        total += paths.loss[pivot[column, level]]
    return total


@njit(cache=True)
def settle(paths, units, part, lonely):  # type: ignore[no-untyped-def]
    """Each lonely unit is a member of the class that it costs least."""
    for unit in lonely:
        best = -1
        least = np.inf
        for q in range(part.loss.size):
            if part.number[q] > 0:
                weight = part.weight[q]
                part.following[unit] = part.first[q]
                part.first[q] = unit
                extra = (weight + units.weight[unit]) * join_loss(paths, units, part, q) - weight * part.loss[q]
                part.first[q] = part.following[unit]
                if extra < least:
                    least, best = extra, q
        enter(part, units, unit, best)
        part.loss[best] = join_loss(paths, units, part, best)

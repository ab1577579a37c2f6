"""A partition of units into classes, as arrays that compiled loops change in place.

A class has the number of one of its units as its name. So threads that rebuild different classes never ask for the same
name, and what they do does not depend on who comes first.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._kernels import compiled, inner
from tacit.methods.tables._local.paths import Paths, class_levels
from tacit.methods.tables._local.units import Units


class Partition(NamedTuple):
    """Unit i belongs to class `where[i]`, or is at home (-1).

    Class q loses `loss[q]` a row: its column c is published at `level[q, c]`, seen from unit q. Its members are a
    linked list.
    """

    where: IntArray
    loss: FloatArray
    weight: IntArray
    number: IntArray
    first: IntArray
    following: IntArray
    level: NDArray[np.int8]


def link(paths: Paths, units: Units, where: IntArray) -> Partition:
    """The partition of units whose class is given as a number (-1: none); a class is named after its first unit."""
    room, part = where.size, empty_partition(where.size, paths.node.shape[1])
    inside = np.flatnonzero(where >= 0)
    inside = inside[np.argsort(where[inside], kind="stable")]
    if not inside.size:
        return part
    heads = np.concatenate([[True], where[inside[1:]] != where[inside[:-1]]])
    name = inside[heads]
    class_ = np.cumsum(heads) - 1
    part.where[inside] = name[class_]
    # The list of a class runs from its last unit to its first.
    part.following[inside[1:]] = np.where(heads[1:], -1, inside[:-1])
    part.first[name] = inside[np.append(np.flatnonzero(heads)[1:], inside.size) - 1]
    part.weight[:] = np.bincount(part.where[inside], units.weight[inside], room)
    part.number[:] = np.bincount(part.where[inside], minlength=room)
    pivot = units.combination[name]
    level = class_levels(paths.node, units.combination[inside], class_, pivot)
    part.level[name] = level
    part.loss[name] = paths.loss[np.take_along_axis(paths.node[pivot], level[:, :, None], axis=2)[:, :, 0]].sum(axis=1)
    return part


def empty_partition(room: int, columns: int) -> Partition:
    """No class, and room for as many units."""
    return Partition(
        np.full(room, -1, np.int64),
        np.zeros(room, np.float64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.full(room, -1, np.int64),
        np.full(room, -1, np.int64),
        np.zeros((room, columns), np.int8),
    )


@inner
def enter(part, weight, unit, q):  # type: ignore[no-untyped-def]
    """The unit is a member of the class."""
    part.where[unit] = q
    part.following[unit] = part.first[q]
    part.first[q] = unit
    part.weight[q] += weight[unit]
    part.number[q] += 1


@inner
def release(part, q):  # type: ignore[no-untyped-def]
    """The class is no more, and its members are at home."""
    unit = part.first[q]
    # The links stay as they are: whoever enters a class sets its own.
    while unit >= 0:
        part.where[unit] = -1
        unit = part.following[unit]
    part.first[q] = -1
    part.weight[q] = 0
    part.number[q] = 0
    part.loss[q] = 0.0


@inner
def measure(paths, combination, part, q):  # type: ignore[no-untyped-def]
    """The levels and the loss of the class are those of the join of its members."""
    pivot = paths.node[combination[q]]
    total = 0.0
    for column in range(pivot.shape[0]):
        level = 0
        unit = part.first[q]
        # Follow the list of members; the level rises until every member meets the pivot, and never falls.
        while unit >= 0:
            path = paths.node[combination[unit], column]
            while path[level] != pivot[column, level]:
                level += 1
            unit = part.following[unit]
        part.level[q, column] = level
        total += paths.loss[pivot[column, level]]
    part.loss[q] = total


@inner
def united_loss(paths, combination, reached, one, other):  # type: ignore[no-untyped-def]
    """The loss of a row in the union of two classes; `reached` are the levels of all classes."""
    here, there = paths.node[combination[one]], paths.node[combination[other]]
    total = 0.0
    for column in range(here.shape[0]):
        level = max(reached[one, column], reached[other, column])
        # Each class is one node at its own level, so below the higher of the two they can't meet.
        while here[column, level] != there[column, level]:
            level += 1
        total += paths.loss[here[column, level]]
    return total


@compiled
def settle(paths, units, part, lonely):  # type: ignore[no-untyped-def]
    """Each lonely unit is a member of the class that it costs least."""
    for unit in lonely:
        for column in range(part.level.shape[1]):
            part.level[unit, column] = 0
        best = -1
        least = np.inf
        # The extra cost is what all members pay with the unit, less what they pay without it.
        for q in range(part.loss.size):
            if part.number[q] > 0:
                weight = part.weight[q]
                loss = united_loss(paths, units.combination, part.level, q, unit)
                extra = (weight + units.weight[unit]) * loss - weight * part.loss[q]
                if extra < least:
                    least, best = extra, q
        enter(part, units.weight, unit, best)
        measure(paths, units.combination, part, best)

"""Sweeps: neighbouring classes are dissolved together and rebuilt, board by board.

A large neighbourhood search (Shaw 1998). A sweep groups the classes by one random lattice node. Inside a group, every
class that was on no board yet is put on one, together with the nearest others, and the best cover found there takes
their place where it loses no more. Near is where the union loses little, and the other gains by being rebuilt: its own
loss counts against the distance, with a random share. Groups share no unit and have random sequences of their own, so
they are swept by as many threads as there are processors with one result. A sweep costs time linear in the number of
units.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._kernels import compiled
from tacit.methods.tables._local.bits import NONE, ONE, ZERO, draw, lowest
from tacit.methods.tables._local.board import UNITS, Board, new_board, set_board, weigh
from tacit.methods.tables._local.cover import ClassCover, best_cover, new_cover
from tacit.methods.tables._local.partition import Partition, enter, measure, release, united_loss
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.regions import Regions, find_regions, new_regions
from tacit.methods.tables._local.units import Need, Units
from tacit.methods.tables._local.walk import LENDERS, Walk

FILL = 48
CLASSES = 8
"""How many units share a board, and how many of the smallest classes where that is more."""
LOOKED_AT = 64
NAMES = 1_024
LEAST_SHARE = 0.4
DEAREST = 1.2
"""How much more than the worst class on a board a region may lose."""


class Terrain(NamedTuple):
    """What is searched: units with their paths, what a class needs, and the partition, which sweeps change in place."""

    paths: Paths
    units: Units
    need: Need
    part: Partition


class Desk(NamedTuple):
    """Where one thread works: a board with its regions, the best cover and the one that is tried.

    `names` are the classes from which neighbours are taken, with their `distance`; `member` are the units on the board.
    """

    board: Board
    regions: Regions
    best: ClassCover
    trial: ClassCover
    names: IntArray
    distance: FloatArray
    member: IntArray


CoverChoice = tuple[NDArray[np.uint64], FloatArray, np.uint64, np.uint64, np.uint64, FloatArray]
"""Covers and losses of regions, the units to be covered, lenders, bystanders, and what each unit loses at least."""


def new_desk(columns: int, levels: int) -> Desk:
    """An empty desk."""
    return Desk(
        new_board(columns, levels),
        new_regions(columns),
        new_cover(),
        new_cover(),
        np.empty(NAMES, np.int64),
        np.empty(NAMES, np.float64),
        np.empty(UNITS, np.int64),
    )


def sweep(task: Terrain, walk: Walk, span: tuple[int, int], tries: int, desk: Desk) -> None:
    """Rebuild the classes of some groups of the walk, the ones in `span`, at a desk.

    This is plain Python around kernels: compiled in one piece with them it runs a tenth faster, and takes twice as long
    to compile.
    """
    for group in range(*span):
        classes = walk.classes[walk.begins[group] : walk.begins[group + 1]]
        # The classes of the group are the names from which neighbours are taken.
        number = min(classes.size, NAMES)
        desk.names[:number] = classes[:number]
        # Each class that was not rebuilt yet is a seed: its nearest classes are dissolved and covered anew.
        for seed in classes.tolist():
            if walk.fresh[seed] and task.part.number[seed] > 0:
                number = _rebuild_near(task, (walk, group), (seed, number), tries, desk)


def _rebuild_near(task: Terrain, place: tuple[Walk, int], seed: tuple[int, int], tries: int, desk: Desk) -> int:
    """The seed is rebuilt with its nearest classes; returns how many names the group has then."""
    walk, group = place
    number, (size, total, worst) = bring_near(task, place, seed, desk)
    member = desk.member[:size]
    choice, need = find_choice(task, desk, size, worst)
    search = (tries, total, walk.state[group : group + 1])
    classes = best_cover(desk.board.sums, choice, need, (desk.best, desk.trial), search)
    # There is none where no cover loses as little as the classes do that stand.
    if classes >= 0:
        rebuild(task.paths, (task.units.combination, task.units.weight), task.part, (desk.best, classes), member)
    left: int = add_names(task.part.where, (desk.names, number), member, walk.fresh)
    return left


def bring_near(
    task: Terrain, place: tuple[Walk, int], seed: tuple[int, int], desk: Desk
) -> tuple[int, tuple[int, float, float]]:
    """Lenders, the seed and its nearest classes are on the board; how many names are left, units, total, largest loss.

    The seed comes with the number of names.
    """
    paths, units, need, part = task
    walk, group = place
    near, fill = (desk.names, desk.distance), min(max(FILL, CLASSES * need.people), UNITS)
    state, lenders = walk.state[group : group + 1], walk.lenders[walk.lent[group] : walk.lent[group + 1]]
    size = invite(units.combination, units.weight, need.people, (lenders, part.where, state), desk.member)
    measure_distances(paths, units.combination, (part.level, part.loss), (*seed, draw(state)), near)
    number, size, (total, worst) = gather(part, walk.fresh, (seed[1], size, fill), near, desk.member)
    return number, (size, total, worst)


def find_choice(task: Terrain, desk: Desk, size: int, worst: float) -> tuple[CoverChoice, Need]:
    """What a cover is chosen from, and what each of its classes needs; `worst` is the largest loss of those before."""
    board, regions = desk.board, desk.regions
    extent = set_board(board, task.paths, task.units, desk.member, size)
    need = task.need._replace(plain=bool(board.plain[0]))
    kept = find_regions(board, regions, extent, need, worst * DEAREST)
    # What a kernel gives back is a plain number, which has to become a word again.
    live, lenders, idle = (
        np.uint64(word) for word in sort_out(task.units.weight, task.units.homely, desk.member, size)
    )
    cover, loss = regions.ranked[:kept], regions.price[:kept]
    set_floor(board.sums, board.floor, cover, loss, live)
    return (cover, loss, live, lenders, idle, board.floor), need


@compiled
def invite(combination, weight, people, offer, member):  # type: ignore[no-untyped-def]
    """Put some of the group's lenders on the board, fewer than a class's worth of rows of each combination."""
    lenders, where, state = offer
    turn = np.int64(draw(state) * lenders.size)
    size = ZERO
    same = 0
    # From a random place on, so that all lenders have their turn. Units of a combination stand side by side, so `same`
    # counts how many of this one are met in a row.
    for i in range(min(lenders.size, LOOKED_AT)):
        unit = lenders[(i + turn) % lenders.size]
        same = same + 1 if size > 0 and combination[unit] == combination[member[size - 1]] else 1
        few = same < people or weight[unit] == 0
        if few and size < LENDERS and where[unit] < 0:
            member[size] = unit
            size += 1
    return size


@compiled
def measure_distances(paths, combination, classes, wish, near):  # type: ignore[no-untyped-def]
    """How far each class of the group is from the seed; the seed itself is nearest."""
    level, loss = classes
    seed, number, luck = wish
    share = LEAST_SHARE + (1.0 - LEAST_SHARE) * luck
    # The distance is the loss of a row in the union, less a random share of what the class loses anyway: dear classes
    # are worth taking apart. The seed comes first in any case.
    for i in range(number):
        q = near[0][i]
        if q == seed:
            near[1][i] = -np.inf
        else:
            near[1][i] = united_loss(paths, combination, level, seed, q) - share * loss[q]


@compiled
def gather(part, fresh, count, near, member):  # type: ignore[no-untyped-def]
    """Move the nearest classes from the names to the board; the names and units then, and total and largest loss."""
    number, size, fill = count
    names, distance = near
    total = 0.0
    worst = 0.0
    while number > 0:
        # Take the nearest class; the last name takes its place in the list.
        best = 0
        for i in range(1, number):
            if distance[i] < distance[best]:
                best = i
        q = names[best]
        if total > 0 and size + part.number[q] > fill:
            break
        number -= 1
        names[best], distance[best] = names[number], distance[number]
        fresh[q] = False
        total += part.weight[q] * part.loss[q]
        worst = max(worst, part.loss[q])
        unit = part.first[q]
        while unit >= 0:
            member[size] = unit
            size += 1
            unit = part.following[unit]
    return number, size, (total, worst)


@compiled
def sort_out(weight, homely, member, size):  # type: ignore[no-untyped-def]
    """The units on the board as three sets: to be covered (`live`), lenders, and without rows (`idle`, also live)."""
    live = NONE
    lenders = NONE
    idle = NONE
    for i in range(size):
        if weight[member[i]] == 0:
            idle |= ONE << np.uint64(i)
        elif homely[member[i]]:
            lenders |= ONE << np.uint64(i)
        else:
            live |= ONE << np.uint64(i)
    return live | idle, lenders, idle


@compiled
def set_floor(sums, floor, cover, loss, live):  # type: ignore[no-untyped-def]
    """In `floor`, what each loose unit loses at least: its rows in the first region that covers it."""
    for i in range(UNITS):
        floor[i] = 0.0
    # Regions come in order of loss, so a unit can't do better than in the first that covers it.
    for r in range(cover.size):
        new = cover[r] & live
        live &= ~new
        while new != NONE:
            one = new & (~new + ONE)
            floor[lowest(one)] = weigh(sums, one) * loss[r]
            new ^= one


@compiled
def rebuild(paths, units, part, built, member):  # type: ignore[no-untyped-def]
    """The members' classes are replaced by those of the cover, each named after its first unit."""
    combination, weight = units
    cover, classes = built
    for unit in member:
        if part.where[unit] >= 0:
            release(part, part.where[unit])
    for c in range(classes):
        members = cover.members[c]
        q = member[lowest(members)]
        # Take one bit after another, from the lowest.
        while members != NONE:
            enter(part, weight, member[lowest(members)], q)
            members &= members - ONE
        measure(paths, combination, part, q)


@compiled
def add_names(where, list_, member, fresh):  # type: ignore[no-untyped-def]
    """The board's classes, as they are now, join the names of the group; returns their number."""
    names, number = list_
    # A class is called after one of its units, which is the one that bears its own name.
    for unit in member:
        if where[unit] == unit and number < NAMES:
            names[number] = unit
            fresh[unit] = False
            number += 1
    return number

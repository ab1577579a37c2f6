"""Sweeps: classes that meet in a region of a coarse lattice node are dissolved and built anew, board by board.

A large neighbourhood search (Shaw 1998): a sweep walks the groups of one random lattice node, puts the classes of a
group on boards of at most 64 units and keeps the best cover found there where it loses no more. The random nodes make
every pair of near classes meet sooner or later; each sweep costs time linear in the number of units.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tacit.arrays import IntArray
from tacit.methods.tables._local.bits import NONE, ONE, lowest
from tacit.methods.tables._local.board import (
    UNITS,
    find_different,
    grow,
    join_pairs,
    new_board,
    new_regions,
    set_board,
    set_sums,
    suffices,
    weigh,
)
from tacit.methods.tables._local.cover import best_cover, new_cover
from tacit.methods.tables._local.partition import Partition, enter, join_loss, release, take_name
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.units import Units

GROUP = 60
SAMPLE = 2_048
LENDERS = 12
LOOKED_AT = 64


def random_levels(
    paths: Paths, units: Units, heights: IntArray, keys: NDArray[np.uint64], generator: np.random.Generator
) -> IntArray:
    """A lattice node whose groups hold about `GROUP` units, as seen by a unit; cheap steps are likelier."""
    number = units.combination.size
    sample = paths.node[units.combination[generator.integers(0, number, min(SAMPLE, number))]]
    mean = paths.loss[sample].mean(axis=0) * heights.size
    levels = np.zeros(heights.size, dtype=np.int64)
    key = keys[sample[:, :, 0]].sum(axis=1)
    while (levels < heights).any() and alike(key) * number < GROUP:
        open_ = np.flatnonzero(levels < heights)
        step = mean[open_, levels[open_] + 1] - mean[open_, levels[open_]]
        odds = 1 / (step + 0.02) ** 2
        column = generator.choice(open_, p=odds / odds.sum())
        key += keys[sample[:, column, levels[column] + 1]] - keys[sample[:, column, levels[column]]]
        levels[column] += 1
    return levels


def alike(key: NDArray[np.uint64]) -> float:
    """The chance that two members of the sample have one key."""
    ordered = np.sort(key)
    edges = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    sizes = np.diff(edges)
    return float((sizes * (sizes - 1)).sum()) / max(key.size * (key.size - 1), 1)


def grouped(
    paths: Paths, units: Units, part: Partition, levels: IntArray, keys: NDArray[np.uint64]
) -> tuple[IntArray, IntArray]:
    """The units in an order that keeps groups and, inside them, classes together; and where the groups begin."""
    key = np.zeros(len(paths.node), dtype=np.uint64)
    for column, level in enumerate(levels):
        key += keys[paths.node[:, column, level]]
    group = key[units.combination]
    order = np.lexsort((part.where, group))
    begins = np.flatnonzero(np.diff(group[order])) + 1
    return order, np.concatenate([[0], begins, [order.size]])


@njit(cache=True)
def sweep(paths, units, need, part, walk):  # type: ignore[no-untyped-def]
    """Rebuild the classes of each group; returns the loss saved, in rows."""
    order, begins, tries, fill, state = walk
    board = new_board(paths.node.shape[1], paths.node.shape[2])
    regions = new_regions(paths.node.shape[1])
    covers = (new_cover(), new_cover())
    member = np.empty(UNITS, np.int64)
    seen = np.full(part.loss.size, -1, np.int64)
    saved = 0.0
    turn = 0
    for group in range(begins.size - 1):
        place = first_class(part, order, begins[group], begins[group + 1])
        lenders = order[begins[group] : place]
        while place < begins[group + 1]:
            size = invite(units, need, part, (lenders, turn), member)
            place, size, before = gather(part, order, (place, begins[group + 1]), (turn, size, fill), (member, seen))
            turn += 1
            if before > 0:
                choice = choose(paths, units, need, (board, regions), member[:size])
                classes = best_cover(board, choice, need, covers, (tries, before, state))
                if classes >= 0:
                    saved += before - rebuild(paths, units, part, (covers[0], classes), member[:size])
    return saved


@njit(cache=True)
def first_class(part, order, begin, end):  # type: ignore[no-untyped-def]
    """Where the units that are at home end: the order puts them first in each group."""
    while begin < end and part.where[order[begin]] < 0:
        begin += 1
    return begin


@njit(cache=True)
def invite(units, need, part, offer, member):  # type: ignore[no-untyped-def]
    """Put some lenders on the board, other ones each turn, fewer than a class's worth of each combination."""
    lenders, turn = offer
    size = 0
    same = 0
    for i in range(min(lenders.size, LOOKED_AT)):
        unit = lenders[(i + turn * LENDERS) % lenders.size]
        same = same + 1 if size > 0 and units.combination[unit] == units.combination[member[size - 1]] else 1
        if same < need.people and size < LENDERS and part.where[unit] < 0:
            member[size] = unit
            size += 1
    return size


@njit(cache=True)
def gather(part, order, span, count, desk):  # type: ignore[no-untyped-def]
    """Put whole classes on the board, from the walk's place on; returns where it stopped, the size, the loss before."""
    place, end = span
    turn, size, fill = count
    member, seen = desk
    before = 0.0
    while place < end:
        q = part.where[order[place]]
        if q >= 0 and seen[q] != turn and part.loss[q] > 0 and part.number[q] <= UNITS - LENDERS:
            if size + part.number[q] > fill and before > 0:
                break
            if size + part.number[q] > UNITS:
                break
            seen[q] = turn
            before += part.weight[q] * part.loss[q]
            unit = part.first[q]
            while unit >= 0:
                member[size] = unit
                size += 1
                unit = part.following[unit]
        place += 1
    return place, size, before


@njit(cache=True)
def choose(paths, units, need, desk, member):  # type: ignore[no-untyped-def]
    """The regions of the board that may be classes, in order of loss, with the loose units and the lenders."""
    board, regions = desk
    combination = units.combination[member]
    columns = set_board(board, paths, combination, member.size)
    set_sums(board, units.weight[member], units.values[member])
    extent = (find_different(board, combination), columns)
    number = grow(board, regions, join_pairs(board, regions, extent), extent, need)
    kept = 0
    for r in range(number):
        if suffices(board, regions.cover[r], need):
            regions.cover[kept] = regions.cover[r]
            regions.loss[kept] = regions.loss[r]
            kept += 1
    order = np.argsort(regions.loss[:kept])
    cover, loss = regions.cover[:kept][order], regions.loss[:kept][order]
    live = NONE
    lenders = NONE
    for i in range(member.size):
        if units.homely[member[i]]:
            lenders |= ONE << np.uint64(i)
        else:
            live |= ONE << np.uint64(i)
    return cover, loss, live, lenders, least_losses(board, cover, loss, live)


@njit(cache=True)
def least_losses(board, cover, loss, live):  # type: ignore[no-untyped-def]
    """What each loose unit loses at least: its people in the first region that covers it."""
    floor = np.zeros(UNITS)
    for r in range(cover.size):
        new = cover[r] & live
        live &= ~new
        while new != NONE:
            one = new & (~new + ONE)
            floor[lowest(one)] = weigh(board, one) * loss[r]
            new ^= one
    return floor


@njit(cache=True)
def rebuild(paths, units, part, built, member):  # type: ignore[no-untyped-def]
    """The members' classes are replaced by those of the cover; returns the loss now."""
    cover, classes = built
    for unit in member:
        q = part.where[unit]
        if q >= 0 and part.number[q] > 0:
            release(part, q)
    for unit in member:
        part.where[unit] = -1
    after = 0.0
    for c in range(classes):
        q = take_name(part)
        members = cover.members[c]
        while members != NONE:
            enter(part, units, member[lowest(members)], q)
            members &= members - ONE
        part.loss[q] = join_loss(paths, units, part, q)
        after += part.loss[q] * part.weight[q]
    return after

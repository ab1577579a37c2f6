"""The start: lattice nodes in order of loss; at each, every group of loose units that suffices becomes a class.

What is left at the end joins the class that it costs least. Classes that hold enough for two are cut: a subset has
never more loss. The lattice is walked whole where it is small; otherwise along random chains from the bottom to the
top.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._kernels import compiled, inlined, inner
from tacit.methods.tables._local.bits import NONE, count
from tacit.methods.tables._local.crowd import add_spread, newcomers
from tacit.methods.tables._local.params import CHAINS, MOST_NODES
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.units import Need, Units


def start(paths: Paths, units: Units, need: Need, heights: IntArray, seed: int) -> IntArray:
    """A class for each unit, -1 for those that are at home or were left over; each class suffices."""
    loose = np.flatnonzero(~units.homely | (units.weight == 0))
    nodes = lattice_nodes(paths, units, heights, seed)
    keys = np.random.default_rng(seed).integers(0, 2**63, size=paths.loss.size, dtype=np.uint64)
    where = np.full(units.weight.size, -1, dtype=np.int64)
    # Column by column and level by level, as the walk reads them.
    node = np.ascontiguousarray(paths.node.transpose(1, 2, 0))
    freeze(node, keys, units, need, (nodes, where, new_slots(units, loose)))
    return cut(paths, units, need, where)


def lattice_nodes(paths: Paths, units: Units, heights: IntArray, seed: int) -> IntArray:
    """`[node, column]`: levels, in order of mean loss."""
    mean = level_means(paths, units)
    if math.prod(int(height) + 1 for height in heights) <= MOST_NODES:
        nodes = np.array(list(itertools.product(*[range(height + 1) for height in heights])), dtype=np.int64)
    else:
        nodes = np.unique(np.concatenate([chain(heights, mean, seed + i) for i in range(CHAINS)]), axis=0)
    loss = mean[np.arange(heights.size), nodes].sum(axis=1)
    return nodes[np.argsort(loss, kind="stable")]


def level_means(paths: Paths, units: Units) -> FloatArray:
    """`[column, level]`: the mean loss of a row when the column is published at the level."""
    sample = units.combination[:: max(units.combination.size // 20_000, 1)]
    mean: FloatArray = paths.loss[paths.node[sample]].mean(axis=0)
    return mean


def chain(heights: IntArray, mean: FloatArray, seed: int) -> IntArray:
    """Nodes from the bottom to the top, cheap steps first but at random."""
    steps = np.repeat(np.arange(heights.size), heights)
    level = np.concatenate([np.arange(1, height + 1) for height in heights])
    noise = np.random.default_rng(seed).random(steps.size) * 2 * mean[steps, level]
    order = steps[np.argsort(noise, kind="stable")]
    return np.vstack(
        [np.zeros((1, heights.size), dtype=np.int64), np.cumsum(order[:, None] == np.arange(heights.size), axis=0)]
    )


class Slots(NamedTuple):
    """The live units, each with its key and its slot of a hash table, and what the units of each slot have together.

    `seat` is where units of spread people are; it is empty where nobody is spread, `population` where there is none.
    """

    live: IntArray
    key: NDArray[np.uint64]
    slot: IntArray
    table: NDArray[np.uint64]
    people: IntArray
    population: IntArray
    seat: IntArray
    values: NDArray[np.uint64]
    name: IntArray


def new_slots(units: Units, loose: IntArray) -> Slots:
    """A table for the loose units, with a power of two slots, at most half of them taken."""
    room = 1 << max(2 * loose.size - 1, 0).bit_length()
    return Slots(
        loose.copy(),
        np.empty(loose.size, np.uint64),
        np.empty(loose.size, np.int64),
        np.empty(room, np.uint64),
        np.zeros(room, np.int64),
        np.zeros(room if units.population.size else 0, np.int64),
        np.full(units.weight.size if units.crowd.person.size else 0, -1, np.int64),
        np.zeros(room, np.uint64),
        np.full(room, -1, np.int64),
    )


@compiled
def freeze(node, keys, units, need, places):  # type: ignore[no-untyped-def]
    """Walk the nodes and give classes to the loose units, in `where`; returns the number of classes.

    `node[column, level, combination]` are those of the paths.
    """
    nodes, where, slots = places
    live, key, slot, table, people, population, seat, values, name = slots
    classes = 0
    size = live.size
    # At each node, units that it makes alike get the same slot of the table.
    for step in range(nodes.shape[0]):
        if size == 0:
            break
        hash_keys(node, keys, nodes[step], units.combination, live[:size], key)
        fill_slots(key, size, slot, (table, people))
        # Add up what the units of each slot have together.
        for i in range(size):
            people[slot[i]] += units.crowd.settled[live[i]]
            values[slot[i]] |= units.values[live[i]]
        if seat.size:
            add_spread(units.crowd, live[:size], slot, seat, people)
        add_population(units.population, live[:size], slot, population)
        # Slots that suffice become classes; the other units move to the front and go on to the next node.
        left = 0
        for i in range(size):
            s = slot[i]
            if is_enough(need, people[s], values[s], population[s] if population.size else 0):
                if name[s] < 0:
                    name[s] = classes
                    classes += 1
                where[live[i]] = name[s]
                if seat.size:
                    seat[live[i]] = -1
            else:
                live[left] = live[i]
                slot[left] = s
                left += 1
            key[i] = s
        clear(key, size, (people, population, values, name))
        size = left
    return classes


@inner
def clear(key, size, tables):  # type: ignore[no-untyped-def]
    """Empty the places that the keys name."""
    people, population, values, name = tables
    # Only places that were used are emptied, so a node costs as much as it has live units, not as the tables are long.
    for i in range(size):
        place = np.int64(key[i])
        people[place] = 0
        if population.size:
            population[place] = 0
        values[place] = NONE
        name[place] = -1


@inlined
def is_enough(need, people, values, population):  # type: ignore[no-untyped-def]
    """Whether a class of these suffices."""
    return people >= need.people and population >= need.population and count(values) >= need.values


@inner
def add_population(population, live, slot, total):  # type: ignore[no-untyped-def]
    """Add the population of the live units up by slot, where it matters."""
    if population.size:
        # Everybody of a population stands in one combination, so numbers add up.
        for i in range(live.size):
            total[slot[i]] += population[live[i]]


@inner
def hash_keys(node, keys, levels, combination, live, key):  # type: ignore[no-untyped-def]
    """A key for each live unit, alike for units that the lattice node makes alike."""
    # A key is the sum of a random word for each node. Units that differ in a node share a key by a chance of about one
    # in 2**63, and what is made of them is judged again.
    for i in range(live.size):
        key[i] = NONE
    # Column after column, so that each loop stays within one row of the nodes.
    for column in range(levels.size):
        row = node[column, levels[column]]
        for i in range(live.size):
            key[i] += keys[row[combination[live[i]]]]


@inner
def fill_slots(key, size, slot, tables):  # type: ignore[no-untyped-def]
    """A place in the table for each key (open addressing; a place is taken while its mark is not 0)."""
    table, mark = tables
    room = table.size - 1
    for i in range(size):
        # Fibonacci hashing: the multiplier is 2**64 divided by the golden ratio.
        place = np.int64((key[i] * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & room
        while mark[place] != 0 and table[place] != key[i]:
            place = (place + 1) & room
        if mark[place] == 0:
            table[place] = key[i]
            mark[place] = 1
        slot[i] = place
    # Leave the marks as they were found, without a pass over the whole table.
    for i in range(size):
        mark[slot[i]] = 0


def cut(paths: Paths, units: Units, need: Need, where: IntArray) -> IntArray:
    """The classes after each was cut into as many sufficient ones as a walk along its sorted members gives."""
    members = np.flatnonzero(where >= 0)
    columns, levels = paths.node.shape[1:]
    leaves = paths.node[units.combination[members], :, ::-1].reshape(members.size, columns * levels)
    order = members[np.lexsort((*leaves.T[::-1], where[members]))]
    new = np.full(where.size, -1, np.int64)
    cut_sorted(order, where, units, need, new)
    return new


@compiled
def cut_sorted(order, where, units, need, new):  # type: ignore[no-untyped-def]
    """In `new`, classes along `order`; what is too little at the end of an old class stays with its last new one."""
    classes = -1
    begin = 0
    while begin < order.size:
        end = begin
        # order[begin:end] is one old class.
        while end < order.size and where[order[end]] == where[order[begin]]:
            end += 1
        first = classes + 1
        opened = begin
        people, values, population = 0, NONE, 0
        # Open a new class as soon as the one before suffices; order[opened:] belongs to the one that is open.
        for i in range(begin, end):
            if i == opened:
                classes += 1
                people, values, population = 0, NONE, 0
            new[order[i]] = classes
            people += newcomers(units.crowd, order[i], new)
            values |= units.values[order[i]]
            population += units.population[order[i]] if units.population.size else 0
            if is_enough(need, people, values, population):
                opened = i + 1
        # The last one does not suffice: its units join the class before.
        if opened < end and classes > first:
            for i in range(opened, end):
                new[order[i]] = classes - 1 if units.weight[order[i]] else -1
            classes -= 1
        begin = end

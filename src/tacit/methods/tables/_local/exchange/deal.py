"""Dealing: classes that take sensitive values in the proportions of the input, made along the nodes of the lattice.

Partitioning cuts a table by its quasi-identifiers and finds that hardly any part is distributed like the whole. SABRE
(Cao, Karras, Kalnis and Tan 2011) and t-closeness-first microaggregation (Soria-Comas, Domingo-Ferrer, Sanchez and
Martinez 2015) go the other way: every class draws from the sensitive values in proportion. Here that is done region by
region. Lattice nodes are walked in order of loss; at each, the loose combinations that it makes alike are put in an
order in which every beginning is as near to the input as can be: the i-th person with value v, of share q(v), has a
turn at i / q(v), and a combination waits for the last of its people. The longest beginning that keeps all limits
becomes a class. What a region has too much of stays loose and meets its complement at a coarser node.

What is left in the end takes in the classes that were made last, until it keeps the limits. For promises that are
monotone by table that succeeds, if not before then with all rows in one class.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.tally import Tally
from tacit.methods.tables._local.exchange.limits import Limits, beginnings, holds
from tacit.methods.tables._local.freeze import chain
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.walk import alike

NODES, WORK = 1_000, 15_000_000
"""How many nodes are walked: so many, or fewer where that many times the combinations would be more than this."""

CHOICES = 5
"""Of the nodes that lose about as much as each other, so many are walked."""

WHOLE = 5_000
"""Lattices of up to so many nodes are looked at as a whole."""

SAMPLE = 2_048
CHAINS = 60


class Stock(NamedTuple):
    """Combination i: rows, people, people in the population, and the cells `start[i]` to `start[i + 1]`.

    A cell is a sensitive value (numbered over all columns) and how many people have it.
    """

    rows: IntArray
    people: IntArray
    population: IntArray
    start: IntArray
    value: IntArray
    amount: IntArray


def stock_of(tally: Tally) -> Stock:
    """The combinations of a tally with their sensitive values."""
    begins = beginnings(tally)
    parts = tally.sensitive.items()
    owner = np.concatenate([np.empty(0, np.int64), *(part.combination for _, part in parts)])
    value = np.concatenate([np.empty(0, np.int64), *(part.value + begins[name] for name, part in parts)])
    count = np.concatenate([np.empty(0, np.int64), *(part.census.counts() for _, part in parts)])
    order = np.argsort(owner, kind="stable")
    start = np.searchsorted(owner[order], np.arange(tally.combinations + 1)).astype(np.int64)
    population = np.zeros_like(tally.rows) if tally.population is None else tally.population
    return Stock(tally.rows, tally.people.counts(), population, start, value[order], count[order])


def deal(paths: Paths, stock: Stock, limits: Limits, heights: IntArray, seed: int) -> IntArray:
    """A class for each combination, such that all keep the limits wherever the whole table does."""
    generator = np.random.default_rng(seed)
    keys = generator.integers(0, 2**63, size=paths.loss.size, dtype=np.uint64)
    where = np.full(stock.rows.size, -1, dtype=np.int64)
    live = generator.permutation(stock.rows.size)
    classes = 0
    for levels in chosen_nodes(paths, stock, heights, keys, generator):
        key = keys_of(paths, keys, live, levels)
        order = np.argsort(key, kind="stable")
        classes = deal_groups(key[order], live[order], stock, limits, (where, classes))
        live = live[where[live] < 0]
        if not live.size:
            break
    return np.asarray(gather(stock, limits, where, classes))


def keys_of(paths: Paths, keys: NDArray[np.uint64], some: IntArray, levels: IntArray) -> NDArray[np.uint64]:
    """A key for each of some combinations, alike for those that the lattice node makes alike."""
    passed = paths.node[some[:, None], np.arange(levels.size), levels]
    key: NDArray[np.uint64] = keys[passed].sum(axis=1, dtype=np.uint64)
    return key


def sampled(stock: Stock, generator: np.random.Generator) -> IntArray:
    """The combinations of random rows; of all rows, where these are fewer."""
    if stock.rows.sum() <= SAMPLE:
        return np.repeat(np.arange(stock.rows.size), stock.rows)
    return generator.choice(stock.rows.size, SAMPLE, p=stock.rows / stock.rows.sum())


def chosen_nodes(
    paths: Paths, stock: Stock, heights: IntArray, keys: NDArray[np.uint64], generator: np.random.Generator
) -> IntArray:
    """Nodes in order of loss, the root last; of those close by, the ones that make most rows alike."""
    sample = sampled(stock, generator)
    mean: FloatArray = paths.loss[paths.node[sample]].mean(axis=0)
    nodes: IntArray = lattice(heights, mean, generator)
    loss = mean[np.arange(heights.size), nodes].sum(axis=1)
    nodes = nodes[np.argsort(loss, kind="stable")]
    pairs = np.array([alike(keys_of(paths, keys, sample, levels)) for levels in nodes])
    walked = min(NODES, WORK // stock.rows.size, len(nodes))
    windows = np.array_split(np.arange(len(nodes)), max(walked // CHOICES, 1))
    best = [window[np.argsort(-pairs[window], kind="stable")[:CHOICES]] for window in windows]
    picked: IntArray = np.unique(np.concatenate([*best, [len(nodes) - 1]]))
    return nodes[picked]


def lattice(heights: IntArray, mean: FloatArray, generator: np.random.Generator) -> IntArray:
    """`[node, column]`: all nodes where they are few, else those on random chains from the bottom to the top."""
    if math.prod(int(height) + 1 for height in heights) <= WHOLE:
        return np.array(list(itertools.product(*[range(height + 1) for height in heights])), dtype=np.int64)
    chains = [chain(heights, mean, int(seed)) for seed in generator.integers(0, 2**31, CHAINS)]
    return np.unique(np.concatenate(chains), axis=0)


@njit(cache=True)
def deal_groups(key, order, stock, limits, state):  # type: ignore[no-untyped-def]
    """Of each run of equal keys the longest beginning that keeps the limits has a class; the number of classes."""
    where, classes = state
    seen = np.zeros(limits.shares.shape[1], np.int64)
    begin = 0
    # A run of equal keys ends where the key changes, or with the array.
    for i in range(1, order.size + 1):
        if i == order.size or key[i] != key[begin]:
            group = order[begin:i]
            people = 0
            for combination in group:
                people += stock.people[combination]
            if people >= limits.people:
                turns = turns_of(stock, limits, group, seen)
                taken = longest(stock, limits, group[np.argsort(turns)], seen)
                for combination in taken:
                    where[combination] = classes
                classes += taken.size > 0
            begin = i
    return classes


@njit(cache=True)
def turns_of(stock, limits, group, seen):  # type: ignore[no-untyped-def]
    """When each combination of a group has its turn."""
    turns = np.zeros(group.size)
    seen[:] = 0
    # `seen` counts people in the order of the group; a combination waits for the last of its people.
    for i in range(group.size):
        for cell in range(stock.start[group[i]], stock.start[group[i] + 1]):
            value = stock.value[cell]
            seen[value] += stock.amount[cell]
            turns[i] = max(turns[i], seen[value] / max(limits.shares[2, value], 1e-300))
    return turns


@njit(cache=True)
def longest(stock, limits, group, count):  # type: ignore[no-untyped-def]
    """The longest beginning of a group that keeps the limits and has rows."""
    count[:] = 0
    rows = 0
    people = 0
    population = 0
    best = 0
    # No early end: a longer beginning may keep the limits where a shorter one does not.
    for i in range(group.size):
        one = group[i]
        rows += stock.rows[one]
        people += stock.people[one]
        population += stock.population[one]
        for cell in range(stock.start[one], stock.start[one + 1]):
            count[stock.value[cell]] += stock.amount[cell]
        if rows > 0 and holds(limits, count, people, population):
            best = i + 1
    return group[:best]


@njit(cache=True)
def gather(stock, limits, where, classes):  # type: ignore[no-untyped-def]
    """The classes after those made last joined what was left, until it keeps the limits."""
    count = np.zeros(limits.shares.shape[1], np.int64)
    rest = classes
    while True:
        count[:] = 0
        rows = 0
        people = 0
        population = 0
        # What is loose or in a class from `rest` on becomes one class, and is counted anew.
        for one in range(where.size):
            if where[one] < 0 or where[one] >= rest:
                where[one] = rest
                rows += stock.rows[one]
                people += stock.people[one]
                population += stock.population[one]
                for cell in range(stock.start[one], stock.start[one + 1]):
                    count[stock.value[cell]] += stock.amount[cell]
        if rest == 0 or rows == 0 or holds(limits, count, people, population):
            return where
        # It does not keep the limits yet: it takes in one class more.
        rest -= 1

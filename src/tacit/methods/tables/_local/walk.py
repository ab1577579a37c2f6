"""Walks: the groups of classes that a sweep goes through, made by a random node of the lattice."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import BoolArray, IntArray
from tacit.methods.tables._local.board import UNITS
from tacit.methods.tables._local.partition import Partition
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.units import Units

GROUP = 500
SAMPLE = 2_048
PORTION = 150
LENDERS = 12
LARGEST = UNITS - LENDERS
"""How many lenders a board may have; classes of more units than that leaves room for fit on none."""


class Walk(NamedTuple):
    """Group g: `classes[begins[g]:begins[g + 1]]` and `lenders[lent[g]:lent[g + 1]]`; `state[g]` is its randomness.

    `fresh[q]` says that class q was on no board yet.
    """

    classes: IntArray
    begins: IntArray
    lenders: IntArray
    lent: IntArray
    state: NDArray[np.uint64]
    fresh: BoolArray


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


def dissolvable(part: Partition) -> IntArray:
    """The classes that lose something and fit on a board."""
    return np.flatnonzero((part.loss > 0) & (part.number <= LARGEST))


def walk_of(
    units: Units, part: Partition, classes: IntArray, key: NDArray[np.uint64], generator: np.random.Generator
) -> Walk:
    """The walk through these classes (at least one), grouped by the key of their combination, at random inside."""
    classes = generator.permutation(classes)
    classes = classes[np.argsort(key[units.combination[classes]], kind="stable")]
    group, begins = portions(key[units.combination[classes]])
    lenders = np.flatnonzero(units.homely & (part.where < 0))
    lenders = lenders[np.isin(key[units.combination[lenders]], group)]
    lenders = lenders[np.argsort(key[units.combination[lenders]], kind="stable")]
    lent = shared(key[units.combination[lenders]], group)
    state = generator.integers(1, 2**63, size=begins.size - 1, dtype=np.uint64)
    return Walk(classes, begins, lenders, lent, state, np.ones(part.loss.size, dtype=np.bool_))


def keys_at(paths: Paths, levels: IntArray, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A key for each combination, alike for those that the lattice node makes alike."""
    key = np.zeros(len(paths.node), dtype=np.uint64)
    for column, level in enumerate(levels):
        key += keys[paths.node[:, column, level]]
    return key


def portions(key: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], IntArray]:
    """Where equal keys begin and, inside long runs, portions of about `PORTION`; the key of each portion."""
    edges = np.concatenate([[0], np.flatnonzero(key[1:] != key[:-1]) + 1, [key.size]])
    size = np.diff(edges)
    number = np.maximum((size + PORTION // 2) // PORTION, 1)
    run = np.repeat(np.arange(size.size), number)
    turn = np.arange(run.size) - np.repeat(np.cumsum(number) - number, number)
    begins = edges[:-1][run] + size[run] * turn // number[run]
    return key[begins], np.concatenate([begins, [key.size]])


def shared(key: NDArray[np.uint64], group: NDArray[np.uint64]) -> IntArray:
    """Where the lenders of each group begin (and the last end); the portions of one key share its lenders out."""
    first = np.searchsorted(key, group, side="left")
    size = np.searchsorted(key, group, side="right") - first
    _, begin, run, number = np.unique(group, return_index=True, return_inverse=True, return_counts=True)
    turn = np.arange(group.size) - begin[run]
    return np.concatenate([first + size * turn // number[run], [key.size]])

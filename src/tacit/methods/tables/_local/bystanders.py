"""Bystanders: combinations that only the population has; a class for k-map takes in as few of them as it needs.

They have no rows, so they cost nothing themselves, but a class that takes one in is published with a label that covers
it. Of the bystanders of a class the ones that lie nearest to the join of its rows stay, until it fits enough people;
the others are at home, where another class may find them.
"""

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.grouping import add_up
from tacit.methods.tables._local.paths import Paths, class_levels
from tacit.methods.tables._local.units import Need, Units


def sent_home(paths: Paths, units: Units, need: Need, where: IntArray) -> IntArray:
    """The class of each unit after those bystanders went home (-1) that are not needed."""
    inside = np.flatnonzero((units.weight == 0) & (where >= 0))
    if not inside.size:
        return where
    rows = np.where(units.weight > 0, where, -1)
    far = distances(paths, units, rows, (inside, where[inside]))
    inside = inside[np.lexsort((far, where[inside]))]
    fits = add_up(where[where >= 0], np.where(units.weight > 0, units.population, 0)[where >= 0], where.size)
    running = np.cumsum(units.population[inside])
    begins = np.searchsorted(where[inside], where[inside])
    before = running - units.population[inside] - np.concatenate([[0], running])[begins]
    needed = fits[where[inside]] + before < need.population
    rows[inside[needed]] = where[inside[needed]]
    return rows


def distances(paths: Paths, units: Units, rows: IntArray, bystanders: tuple[IntArray, IntArray]) -> FloatArray:
    """What a row of a class (`rows` are the units that have some) loses once the class covers a bystander."""
    unit, class_ = bystanders
    pivot = np.zeros(rows.size, dtype=np.int64)
    pivot[rows[rows >= 0]] = units.combination[rows >= 0]
    least = class_levels(paths.node, units.combination, rows, pivot)[class_]
    here, there = paths.node[pivot[class_]], paths.node[units.combination[unit]]
    level = np.maximum((here == there).argmax(axis=2), least)
    joined = np.take_along_axis(here, level[:, :, None], axis=2)[:, :, 0]
    far: FloatArray = paths.loss[joined].sum(axis=1)
    return far

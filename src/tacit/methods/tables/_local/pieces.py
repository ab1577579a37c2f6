"""Pieces: how many rows of each combination go to which class, the form in which every candidate is published."""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.methods.tables._local.verdict import read_classes


@dataclass(frozen=True, eq=False)
class Pieces:
    """Piece i: `rows[i]` rows of a combination in class `class_[i]`."""

    combination: IntArray
    class_: IntArray
    rows: IntArray


def pieces_of(rows: IntArray, combination: IntArray, where: IntArray) -> Pieces:
    """The pieces of units in classes, and the rows that stayed at home, each combination of these a class."""
    moved = where >= 0
    classes = max(int(where.max(initial=-1)) + 1, 1)
    keys, amount = np.unique(combination[moved] * classes + where[moved], return_counts=True)
    owner = keys // classes
    home = rows - np.bincount(owner, weights=amount, minlength=rows.size).astype(np.int64)
    staying = np.flatnonzero(home)
    return Pieces(
        np.concatenate([owner, staying]),
        np.concatenate([keys % classes, classes + np.arange(staying.size)]),
        np.concatenate([amount, home[staying]]),
    )


def whole(table: Table) -> Pieces:
    """All rows in one class."""
    combinations = table.tally.combinations
    return Pieces(np.arange(combinations), np.zeros(combinations, dtype=np.int64), table.tally.rows)


def pieces_in(recoding: Recoding) -> Pieces:
    """The pieces of a recoding; every suppressed portion is a class of its own, which may fail."""
    classes = read_classes(recoding)
    alone = classes.number + np.arange(recoding.rows.size)
    return Pieces(recoding.combination, np.where(recoding.suppressed, alone, classes.group), recoding.rows)

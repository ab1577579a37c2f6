"""Sheets: rows of different people, so that they may be matched as if each row were a person.

People may have several rows, and the engine deals the rows of a combination out without looking whose they are. So a
sheet holds rows that are of different people whoever owns which row of a combination. The members of labels are
exchanged inside sheets only. Then every connected part of a design holds a person once at most, and is a design for a
table with one row a person; a person's other rows lie in other parts, which are drawn apart from it.

Two ways lead there. Classes of k people come first, and those that have as many people as rows share sheets where they
share nobody (`in_sheets`). Or sheets come first: a combination of different people goes to one sheet, one in which
somebody has several rows sends each row to another, no two combinations of a sheet share anybody, and classes are
found in every sheet by itself (`_freeform/layers.py`). What finds no sheet is published in classes of k people.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tacit.arrays import IntArray
from tacit.data.tables.grouping import add_up
from tacit.data.tables.tally import Tally
from tacit.methods.tables._local.pieces import Pieces

SHEETS = 63
"""The sheets that somebody stands in are the bits of one word."""


@dataclass(frozen=True, eq=False)
class Start:
    """Classes to begin with: `free` ones, class q in sheet `sheet[q]`, and those that are published as they are."""

    free: Pieces
    sheet: IntArray
    settled: Pieces

    @property
    def sheets(self) -> int:
        """How many there are."""
        return int(self.sheet[self.free.class_].max(initial=-1)) + 1

    @property
    def of_rows(self) -> IntArray:
        """The sheet of each free row, in the order of classes."""
        sheets: IntArray = self.sheet[np.sort(np.repeat(self.free.class_, self.free.rows))]
        return sheets


def in_sheets(pieces: Pieces, tally: Tally) -> Start:
    """The classes in sheets; the rows of a combination must stay together where somebody has several."""
    names, class_ = np.unique(pieces.class_, return_inverse=True)
    if tally.one_row_each:
        return _parted(pieces, class_, np.zeros(names.size, dtype=np.int64))
    rows = add_up(class_, pieces.rows, names.size)
    of_combination = np.zeros(tally.combinations, dtype=np.int64)
    of_combination[pieces.combination] = class_
    people = tally.people.merged(of_combination, names.size)
    free = people.counts() == rows
    starts = np.searchsorted(people.spread_key, np.arange(names.size + 1))
    words = first_fit(starts, people.spread_person, np.where(free, 1, 0))
    return _parted(pieces, class_, np.log2(np.maximum(words, 1)).astype(np.int64) - (words == 0))


def _parted(pieces: Pieces, class_: IntArray, sheet: IntArray) -> Start:
    """The pieces of classes in sheets, and the rest; -1 is no sheet."""
    chosen = sheet[class_] >= 0
    taken, left = (Pieces(pieces.combination[own], class_[own], pieces.rows[own]) for own in (chosen, ~chosen))
    return Start(taken, sheet, left)


@njit(cache=True)
def first_fit(starts, person, wanted):  # type: ignore[no-untyped-def]
    """For each key, in order, the first sheets that none of its people stands in, as bits: so many, or none at all.

    Key i has the people `person[starts[i]:starts[i + 1]]`.
    """
    used = np.zeros(person.max() + 1 if person.size else 0, np.int64)
    words = np.zeros(wanted.size, np.int64)
    for key in range(wanted.size):
        taken = 0
        # The sheets that are closed to the key, because one of its people stands there already.
        for at in range(starts[key], starts[key + 1]):
            taken |= used[person[at]]
        word = 0
        found = 0
        for sheet in range(SHEETS):
            if found < wanted[key] and not (taken >> sheet) & 1:
                word |= 1 << sheet
                found += 1
        # Too few sheets are open: the key gets none, and its people stay free for others.
        if found < wanted[key]:
            continue
        words[key] = word
        for at in range(starts[key], starts[key + 1]):
            used[person[at]] |= word
    return words


def bits_of(words: IntArray) -> NDArray[np.bool_]:
    """`[sheet, key]`: which sheets each word has."""
    return (words >> np.arange(SHEETS)[:, None] & 1).astype(np.bool_)

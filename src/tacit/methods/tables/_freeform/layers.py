"""Layers: rows are dealt to sheets, combination by combination, and classes are then found in each sheet separately.

That pays where people's rows are alike: a class of k people with all their rows is no set of different people, but
each person's first row, second row and so on are. Sheets of fewer than k rows are dissolved. What is in no sheet must
be nobody, or at least k people, since it is published in classes of them; combinations that have k people already and
somebody with several rows stand there from the start, where they lose nothing.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census, Tally
from tacit.methods.tables._freeform.sheets import SHEETS, Start, bits_of, first_fit
from tacit.methods.tables._local.pieces import Pieces
from tacit.methods.tables._partition.partition import selected

Find = Callable[[Table], Pieces]
"""Classes of at least k people."""


def in_layers(table: Table, k: int, find: Find) -> Start:
    """Classes in each sheet, and in what is in none."""
    tally = table.tally
    words = dealt(tally, k)
    found, sheets = [], []
    for sheet, inside in enumerate(bits_of(words)):
        if inside.any():
            found.append(_found(table, np.flatnonzero(inside), find, repeats(tally)))
            sheets.append(np.full(found[-1].class_.max() + 1, sheet))
    rest = np.flatnonzero((words == 0) & (tally.rows > 0))
    settled = _found(table, rest, find, None) if rest.size else Pieces(rest, rest, rest)
    first = np.cumsum([0, *(sheet.size for sheet in sheets)])
    return Start(_joined(found, first), np.concatenate([*sheets, rest[:0]]), settled)


def dealt(tally: Tally, k: int) -> IntArray:
    """The sheets of each combination as bits; every sheet has k rows, and what is in none is nobody or k people."""
    census, often = tally.people, repeats(tally)
    order = np.argsort(census.spread_key, kind="stable")
    starts = np.searchsorted(census.spread_key[order], np.arange(tally.combinations + 1))
    at_home = (census.counts() >= k) & (often | (np.diff(starts) > 0))
    wanted = np.where(often, np.minimum(tally.rows, SHEETS + 1), 1)
    words: IntArray = first_fit(starts, census.spread_person[order], np.where(at_home, 0, wanted))
    while words.any():
        inside = bits_of(words)
        rows = inside @ np.where(often, 1, tally.rows)
        sparse = (rows < k) & inside.any(axis=1)
        rest = selected(tally, np.flatnonzero(words == 0)).people
        left = rest.merged(np.zeros(rest.settled.size, dtype=np.int64), 1).counts()[0]
        if not sparse.any() and not 0 < left < k:
            break
        if not sparse.any():
            sparse[np.argmin(np.where(rows > 0, rows, rows.max() + 1))] = True
        words[inside[sparse].any(axis=0)] = 0
    return words


def repeats(tally: Tally) -> BoolArray:
    """In which combinations somebody has several rows."""
    return tally.rows > tally.people.counts()


def _found(table: Table, entries: IntArray, find: Find, often: BoolArray | None) -> Pieces:
    """Classes of some combinations; of a sheet, with one row of those in which somebody has several."""
    part = replace(selected(table.tally, entries), sensitive={})
    if often is not None:
        rows = np.where(often[entries], 1, part.rows)
        part = replace(part, rows=rows, people=Census(rows))
    pieces = find(replace(table, tally=part))
    _, class_ = np.unique(pieces.class_, return_inverse=True)
    return Pieces(entries[pieces.combination], class_, pieces.rows)


def _joined(found: list[Pieces], first: IntArray) -> Pieces:
    """The pieces of all sheets, classes numbered through."""
    none = np.empty(0, dtype=np.int64)
    return Pieces(
        np.concatenate([*(pieces.combination for pieces in found), none]),
        np.concatenate([*(pieces.class_ + start for pieces, start in zip(found, first, strict=False)), none]),
        np.concatenate([*(pieces.rows for pieces in found), none]),
    )

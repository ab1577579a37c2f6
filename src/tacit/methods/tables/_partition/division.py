"""Top-down division: every part is cut by the column that pays best, until no cut is left.

What pays best is the cost that a cut saves for each bit that it tells (rows times the entropy of the division): a part
of n rows can tell about log2(n/k) bits a row before its classes are too small, so bits are what cuts compete for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.tally import Census
from tacit.methods.tables._partition.cuts import Cut, Members, Rules
from tacit.methods.tables._partition.nodes import Prospects
from tacit.methods.tables._partition.partition import Ground, Start, selected
from tacit.request import Progress, Stage
from tacit.spelling import many

LEAST_GAIN = 1e-12
LEAST_BITS = 1e-9
SUPPRESSED = -1


@dataclass(frozen=True, eq=False)
class Division:
    """Portions of atoms: the rows of each, the part that it belongs to, or SUPPRESSED."""

    atom: IntArray
    rows: IntArray
    part: IntArray


@dataclass(frozen=True, eq=False)
class Way:
    """How to divide: what parts cost, what a cut must keep, what a suppressed row costs, how many there may be."""

    prospects: Callable[[Members], Prospects]
    rules: Rules
    gone: float
    spare: int
    progress: Progress


@dataclass(frozen=True, eq=False)
class _BestCuts:
    """For each part, the best of the cuts seen so far (-1: none), and what it scores."""

    number: IntArray
    score: FloatArray

    def offer(self, number: int, score: FloatArray) -> None:
        """Takes the cut of this number where it scores more."""
        better = score > self.score
        self.number[better] = number
        self.score[better] = score[better]


def divide(ground: Ground, way: Way, start: Start) -> Division:
    """The ground divided as far as the rules allow."""
    failing = start.failing[start.part]
    refused = np.flatnonzero(failing)
    done = [Division(refused, ground.tally.rows[refused], np.full(refused.size, SUPPRESSED))]
    atoms = np.arange(ground.atoms)
    members = _arranged(Members(atoms, start.part, ground.tally), np.where(failing, _GONE, start.part))
    number, spare = 0, way.spare
    while members.parts:
        members, piece = _cut_once(members, way.prospects(members), way, spare)
        spare -= int(members.tally.rows[piece == _GONE].sum())
        left = piece < 0
        done.append(Division(members.atom[left], members.tally.rows[left], _named(members, piece, number)[left]))
        number += members.parts
        going_on = int((~left).sum())
        words = f"{many(number, 'part')} seen, {many(going_on, 'combination')} still to divide"
        way.progress(Stage(words, ground.atoms - going_on, ground.atoms))
        members = _arranged(members, piece)
    return Division(*(np.concatenate([getattr(part, name) for part in done]) for name in ("atom", "rows", "part")))


_UNCUT, _GONE = -1, -2


def _named(members: Members, piece: IntArray, number: int) -> IntArray:
    """The final part of each member that is not cut further."""
    return np.where(piece == _GONE, SUPPRESSED, members.part + number)


def _arranged(members: Members, piece: IntArray) -> Members:
    """The members whose piece goes on, sorted by it; pieces become parts."""
    entries = np.flatnonzero(piece >= 0)
    order = entries[np.argsort(piece[entries], kind="stable")]
    _, part = np.unique(piece[order], return_inverse=True)
    return Members(members.atom[order], part, selected(members.tally, order))


def _cut_once(members: Members, prospects: Prospects, way: Way, spare: int) -> tuple[Members, IntArray]:
    """Every part cut by what pays best; the members, some of them lent in part, and the piece that each goes to."""
    cuts: list[Cut] = []
    plain, dropping = (_BestCuts(np.full(members.parts, -1), np.zeros(members.parts)) for _ in range(2))
    lost = way.gone - prospects.current.sum(axis=0)
    for column in range(prospects.current.shape[0]):
        for cut in prospects.cuts(column, way.rules):
            gain = prospects.gain(column, cut) - (cut.rest_rows() * lost if cut.fate == "drop" else 0.0)
            valid = cut.valid & ~prospects.unlabelled(cut) & (gain > LEAST_GAIN)
            score = np.where(valid, gain / np.maximum(cut.bits(), LEAST_BITS), 0.0)
            (dropping if cut.fate == "drop" else plain).offer(len(cuts), score)
            cuts.append(cut)
    return _applied(members, cuts, _granted(cuts, plain, dropping, spare))


def _granted(cuts: list[Cut], plain: _BestCuts, dropping: _BestCuts, spare: int) -> IntArray:
    """The cut of each part: one that drops rows where that scores more, while rows may be dropped."""
    chosen = plain.number.copy()
    wanting = np.flatnonzero(dropping.score > plain.score)
    rows = np.zeros(chosen.size)
    for number in np.unique(dropping.number[wanting]):
        here = wanting[dropping.number[wanting] == number]
        rows[here] = cuts[number].rest_rows()[here]
    ahead = (dropping.score - plain.score) / np.maximum(rows, 1)
    order = wanting[np.argsort(-ahead[wanting], kind="stable")]
    paid = order[np.cumsum(rows[order]) <= spare]
    chosen[paid] = dropping.number[paid]
    return chosen


def _applied(members: Members, cuts: list[Cut], chosen: IntArray) -> tuple[Members, IntArray]:
    piece = np.full(members.part.size, _UNCUT)
    mine, offset = chosen[members.part], 0
    loans: list[tuple[IntArray, IntArray, IntArray]] = []
    for number in np.unique(chosen[chosen >= 0]):
        cut, here = cuts[number], mine == number
        group = cut.group[here]
        piece[here] = np.where(cut.rest[group] & (cut.fate == "drop"), _GONE, cut.piece[group] + offset)
        if cut.loan is not None:
            parts = np.flatnonzero(chosen == number)
            loans.append((cut.loan.member[parts], cut.loan.rows[parts], parts + cut.rows.size + offset))
        offset += cut.rows.size + members.parts
    if not loans:
        return members, piece
    member, rows, to = (np.concatenate(column) for column in zip(*loans, strict=True))
    return _lend(members, member, rows), np.concatenate([piece, to])


def _lend(members: Members, member: IntArray, rows: IntArray) -> Members:
    """The members after each of some gave rows to a new one of the same atom, which stands at the end."""
    left = members.tally.rows.copy()
    left[member] -= rows
    count = np.concatenate([left, rows])
    population = members.tally.population
    tally = replace(
        members.tally,
        codes=np.empty((0, count.size), dtype=np.int32),
        rows=count,
        people=Census(count),
        population=None if population is None else np.concatenate([population, population[member]]),
    )
    atom, part = np.concatenate([members.atom, members.atom[member]]), members.part[member]
    return Members(atom, np.concatenate([members.part, part]), tally)

"""Cuts: every part of a partition divided at once by the values of one column.

A cut puts the members of a part into *groups* by a child code. Groups that keep the guarantees become parts of their
own. The others are the *rest*: one part if it keeps them, else the smallest groups join it one by one. A cut stands
where at least two parts come out. Where rows may be suppressed, a rest that fails may be dropped instead of enlarged.
Where rows of a combination may be dealt out (relaxed), the rest borrows just as many rows as it lacks.

All parts are treated together: keys, counts and sums over arrays, no loop over parts.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.grouping import group_by
from tacit.data.tally import Tally
from tacit.guarantees.guarantee import Guarantee
from tacit.methods.tables._partition import keeping, regrouped, selected

ROUNDS = 3
"""How many groups may join a rest that fails."""


@dataclass(frozen=True, eq=False)
class Members:
    """Portions of atoms, sorted by part; the tally has an entry for each."""

    atom: IntArray
    part: IntArray
    tally: Tally

    @property
    def starts(self) -> IntArray:
        """Where each part begins."""
        return np.flatnonzero(np.concatenate([[True], self.part[1:] != self.part[:-1]]))

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return int(self.part[-1]) + 1 if self.part.size else 0


@dataclass(frozen=True)
class Rules:
    """What a cut must keep, and whether every group must stand alone (no rest)."""

    guarantees: tuple[Guarantee, ...]
    whole: bool = False


Fate = Literal["join", "drop"]


@dataclass(frozen=True, eq=False)
class Cut:
    """One way to divide the parts: `group[member]`, `rest[group]`, and which parts it can divide.

    With the fate `drop` the rest is suppressed, with `join` it is a part.
    """

    group: IntArray
    first: IntArray
    part: IntArray
    rows: IntArray
    rest: BoolArray
    valid: BoolArray
    fate: Fate = "join"

    @property
    def piece(self) -> IntArray:
        """The part that each group goes to: its own number, or a number beyond for the rest of its part."""
        return np.where(self.rest, self.part + self.rows.size, np.arange(self.rows.size))

    def sums(self, amounts: IntArray | FloatArray) -> FloatArray:
        """The sum over the groups of each part."""
        return np.bincount(self.part, weights=amounts, minlength=self.valid.size)

    def rest_rows(self) -> FloatArray:
        """The rows of each part's rest."""
        return self.sums(self.rows * self.rest)

    def bits(self) -> FloatArray:
        """What the cut tells about each part: rows times the entropy of their division."""
        own = np.where(self.rest, 0, self.rows)
        rest = self.rest_rows()
        return _log(self.sums(own) + rest) - self.sums(_log(own)) - _log(rest)


def _log(rows: IntArray | FloatArray) -> FloatArray:
    """n log2 n."""
    return rows * np.log2(np.maximum(rows, 1))


def cut_by(members: Members, child: IntArray, width: int, rules: Rules) -> list[Cut]:
    """The cuts by a child code in [0, width): one that joins what fails and, where that differs, one that drops it."""
    grouping = group_by(members.part * width + child, members.parts * width)
    tally = members.tally.merged(grouping)
    part = members.part[grouping.first]
    alone = keeping(rules.guarantees, tally) & (tally.rows > 0)
    cut = Cut(grouping.group, grouping.first, part, tally.rows, ~alone, np.zeros(members.parts, dtype=np.bool_))
    if rules.whole:
        held = cut.sums(keeping(rules.guarantees, tally).astype(np.int64)) == cut.sums(np.ones_like(part))
        return [replace(cut, rest=np.zeros_like(alone), valid=held & (cut.sums(np.ones_like(part)) > 1))]
    failing = _failing_rests(cut, tally, rules)
    dropping = replace(cut, valid=failing & (cut.sums(alone.astype(np.int64)) > 0), fate="drop")
    return [_joined(cut, tally, rules, failing), dropping]


def _failing_rests(cut: Cut, tally: Tally, rules: Rules, among: BoolArray | None = None) -> BoolArray:
    """The parts whose rest does not keep the guarantees."""
    looked = cut.rest if among is None else cut.rest & among[cut.part]
    entries = np.flatnonzero(looked)
    failing = np.zeros(cut.valid.size, dtype=np.bool_)
    if entries.size:
        numbers, group = np.unique(cut.part[entries], return_inverse=True)
        rests = regrouped(selected(tally, entries), group, numbers.size)
        failing[numbers] = ~keeping(rules.guarantees, rests)
    return failing


def _joined(cut: Cut, tally: Tally, rules: Rules, failing: BoolArray) -> Cut:
    """The cut whose failing rests were joined by the smallest groups, as often as allowed."""
    rest = cut.rest.copy()
    order = np.lexsort((cut.rows, cut.part))
    for _ in range(ROUNDS):
        if not failing.any():
            break
        open_ = order[failing[cut.part[order]] & ~rest[order]]
        smallest = open_[np.flatnonzero(np.concatenate([[True], cut.part[open_][1:] != cut.part[open_][:-1]]))]
        if not open_.size:
            break
        rest[smallest] = True
        among = np.zeros_like(failing)
        among[cut.part[smallest]] = True
        failing = failing & ~among | _failing_rests(replace(cut, rest=rest), tally, rules, among)
    own = cut.sums((~rest).astype(np.int64))
    some = cut.sums(rest.astype(np.int64)) > 0
    return replace(cut, rest=rest, valid=~failing & (own >= 1) & (own + some >= 2))

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

from tacit.arrays import BoolArray, CodeArray, FloatArray, IntArray
from tacit.data.tables.grouping import group_by
from tacit.data.tables.tally import Tally
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._partition.partition import keeping, regrouped, selected

ROUNDS = 3
"""How many groups may join a rest that fails."""


def run_starts(group: IntArray) -> IntArray:
    """Where each run of equal numbers begins."""
    return np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])) if group.size else group


@dataclass(frozen=True, eq=False)
class Members:
    """Portions of atoms, sorted by part; the tally has an entry for each."""

    atom: IntArray
    part: IntArray
    tally: Tally

    @property
    def starts(self) -> IntArray:
        """Where each part begins."""
        return run_starts(self.part)

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return int(self.part.max(initial=-1)) + 1


@dataclass(frozen=True)
class Rules:
    """What a cut must keep.

    `whole`: every group must stand alone, there is no rest. `dropping`: a rest may be suppressed. `borrowing`: it may
    borrow rows to reach this many.
    """

    guarantees: tuple[TableGuarantee, ...]
    whole: bool = False
    dropping: bool = False
    borrowing: int = 0


Fate = Literal["join", "drop", "borrow"]


@dataclass(frozen=True, eq=False)
class Loan:
    """For each part: `rows` rows of the member `member`, of the group `group`, go to the rest."""

    group: IntArray
    member: IntArray
    rows: IntArray


@dataclass(frozen=True, eq=False)
class Cut:
    """One way to divide the parts: `group[member]`, `rest[group]`, and which parts it can divide.

    With the fate `drop` the rest is suppressed, else it is a part. `rows[group]` is what a group keeps after a loan.
    """

    group: IntArray
    first: IntArray
    part: IntArray
    rows: IntArray
    rest: BoolArray
    valid: BoolArray
    fate: Fate = "join"
    loan: Loan | None = None

    @property
    def piece(self) -> IntArray:
        """The part that each group goes to: its own number, or a number beyond for the rest of its part."""
        return np.where(self.rest, self.part + self.rows.size, np.arange(self.rows.size))

    def sums(self, amounts: IntArray | FloatArray | BoolArray) -> FloatArray:
        """The sum over the groups of each part."""
        return np.bincount(self.part, weights=amounts, minlength=self.valid.size).astype(np.float64, copy=False)

    @property
    def has_rest(self) -> BoolArray:
        """The parts of which something is rest."""
        return self.sums(self.rest) > 0

    def rest_rows(self) -> FloatArray:
        """The rows of each part's rest."""
        rows = self.sums(self.rows * self.rest)
        return rows if self.loan is None else rows + self.loan.rows

    def bits(self) -> FloatArray:
        """What the cut tells about each part: rows times the entropy of their division."""
        own = np.where(self.rest, 0, self.rows)
        rest = self.rest_rows()
        return times_log(self.sums(own) + rest) - self.sums(times_log(own)) - times_log(rest)


def times_log(rows: IntArray | FloatArray) -> FloatArray:
    """n log2 n."""
    amount = np.asarray(rows, dtype=np.float64)
    return amount * np.log2(np.maximum(amount, 1.0))


def cut_by(members: Members, child: IntArray | CodeArray, width: int, rules: Rules) -> list[Cut]:
    """The cuts by a child code in [0, width), one for each fate of a rest that the rules allow."""
    grouping = group_by(members.part * width + child, members.parts * width)
    tally = members.tally.merged(grouping)
    part = members.part[grouping.first]
    kept = keeping(rules.guarantees, tally)
    alone = kept & (tally.rows > 0)
    cut = Cut(grouping.group, grouping.first, part, tally.rows, ~alone, np.zeros(members.parts, dtype=np.bool_))
    if rules.whole:
        groups = cut.sums(np.ones_like(part))
        return [replace(cut, rest=np.zeros_like(kept), valid=(cut.sums(kept) == groups) & (groups > 1))]
    failing = _failing_rests(cut, tally, rules)
    cuts = [_joined(cut, tally, rules, failing)]
    if rules.dropping and failing.any():
        cuts.append(replace(cut, valid=failing & (cut.sums(alone) > 0), fate="drop"))
    if rules.borrowing and failing.any():
        cuts.append(_lent(cut, members, rules.borrowing, failing))
    return cuts


def _lent(cut: Cut, members: Members, least: int, failing: BoolArray) -> Cut:
    """The cut in which the largest group of a part lends its failing rest what that lacks to `least` rows."""
    lacking = np.where(failing, least - cut.rest_rows(), 0).astype(np.int64)
    own = np.where(cut.rest, -1, cut.rows)
    lender = _largest(own, cut.part)
    richest = _largest(members.tally.rows, cut.group)[lender]
    able = failing & (own[lender] >= least + lacking) & (members.tally.rows[richest] > lacking)
    rows = cut.rows.copy()
    rows[lender[able]] -= lacking[able]
    return replace(cut, rows=rows, valid=able, fate="borrow", loan=Loan(lender, richest, np.where(able, lacking, 0)))


def _largest(amount: IntArray, group: IntArray) -> IntArray:
    """The first entry of the largest amount in each group; every group has one."""
    order = np.lexsort((-amount, group))
    sorted_ = group[order]
    return order[run_starts(sorted_)]


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
        if not open_.size:
            break
        smallest = open_[run_starts(cut.part[open_])]
        rest[smallest] = True
        among = np.zeros_like(failing)
        among[cut.part[smallest]] = True
        failing = failing & ~among | _failing_rests(replace(cut, rest=rest), tally, rules, among)
    own = cut.sums(~rest)
    return replace(cut, rest=rest, valid=~failing & (own >= 1) & (own + (cut.sums(rest) > 0) >= 2))

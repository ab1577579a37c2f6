"""A view: a published table together with what an adversary knows about the people in it.

The worst-case adversary holds the quasi-identifiers of everybody (`known`). A published class *fits* a known
combination if each of its labels can stand for the combination's value. Under full-domain generalisation one class fits
at most, under local recoding several may. Combinations that the same classes fit can't be distinguished: they are a
*group*. Suppressed rows show nothing, so nobody is recognised in them.

The adversary knows one row of a person. A *target* is therefore a person with one of their combinations, and somebody
with several is a target in each: rates are averages over these pairs, and where each row is a person, over people.

The true sensitive values in `known` are there to judge guesses, never to make them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.grouping import add_up, pack
from tacit.data.tables.labels import Stands
from tacit.data.tables.tally import Tally

BLOCK_CELLS = 4_000_000


@dataclass(frozen=True, eq=False, repr=False)
class FittingClasses(Discreet):
    """Group g is fitted by the classes `class_[starts[g]:starts[g + 1]]`; combination i is in group `group[i]`.

    `group[i]` is -1 where no class fits.
    """

    group: IntArray
    starts: IntArray
    class_: IntArray

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return int(self.starts.size) - 1

    @cached_property
    def single(self) -> bool:
        """Whether one class at most fits each combination."""
        return bool((np.diff(self.starts) <= 1).all())

    def totals(self, amounts: IntArray) -> IntArray:
        """The sum, for each group, of the amounts of its classes."""
        running = np.concatenate([[0], np.cumsum(amounts[self.class_])])
        return np.asarray(running[self.starts[1:]] - running[self.starts[:-1]], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class AdversaryView:
    """What the adversary knows, what is published, and what fits what.

    `stands[column]` says how values may be published; it is empty where values are published as they are.
    """

    known: Tally
    shown: Tally
    fit: FittingClasses
    stands: tuple[Stands, ...] = ()

    @cached_property
    def people(self) -> IntArray:
        """The people of each known combination; who has several is a target in each."""
        return self.known.people.counts()

    @property
    def targets(self) -> int:
        """How many targets there are: pairs of a person and one of their combinations."""
        return int(self.people.sum())

    @cached_property
    def whole(self) -> bool:
        """Whether everybody fits one class at most, and each class shows all who fit it."""
        there = self.fit.group >= 0
        rows = add_up(self.fit.group[there], self.known.rows[there], self.fit.groups)
        return self.fit.single and bool((rows == self.fit.totals(self.shown.rows)).all())

    def label_totals(self, column: int, amounts: FloatArray) -> FloatArray:
        """The sum, for each label, of the amounts of the values that it can stand for."""
        if not self.stands:
            return amounts
        one = self.stands[column]
        return np.asarray(
            np.bincount(one.label, np.repeat(amounts, np.diff(one.starts)), len(self.shown.values[column])),
            dtype=np.float64,
        )

    def matches(self, column: int, values: IntArray) -> BoolArray:
        """`[i, label]`: whether value `values[i]` may be published as the label."""
        labels = len(self.shown.values[column])
        if not self.stands:
            return np.asarray(values[:, None] == np.arange(labels))
        return self.stands[column].dense(values, labels)


def view_as_is(tally: Tally) -> AdversaryView:
    """The view of somebody who sees the table as it is: each combination is its own class."""
    each = np.arange(tally.combinations)
    return AdversaryView(tally, tally, FittingClasses(each, np.arange(tally.combinations + 1), each))


def view_of(known: Tally, shown: Tally, stands: Sequence[Stands]) -> AdversaryView:
    """The view of a release, whose columns are the known ones in the same order."""
    fit = (
        _fit_by_key(known, shown, stands) if all(one.single for one in stands) else _fit_by_pairs(known, shown, stands)
    )
    return AdversaryView(known, shown, fit, tuple(stands))


def _fit_by_key(known: Tally, shown: Tally, stands: Sequence[Stands]) -> FittingClasses:
    """Each value has one label, so a combination has one tuple of labels: it is looked up."""
    codes, there = [], np.ones(known.combinations, dtype=np.bool_)
    for c, one in enumerate(stands):
        label = np.full(len(known.values[c]), -1, dtype=np.int64)
        has = np.flatnonzero(np.diff(one.starts))
        label[has] = one.label[one.starts[has]]
        mine = label[known.codes[c]]
        there &= mine >= 0
        codes.append(np.concatenate([shown.codes[c], np.maximum(mine, 0)]))
    keys = pack(codes, [len(values) for values in shown.values], shown.combinations + known.combinations).key
    ours, theirs = keys[: shown.combinations], keys[shown.combinations :]
    order = np.argsort(ours, kind="stable")
    place = np.minimum(np.searchsorted(ours[order], theirs), max(ours.size - 1, 0))
    class_ = order[place] if ours.size else np.zeros(known.combinations, dtype=np.int64)
    there &= ours[class_] == theirs if ours.size else False
    each = np.arange(shown.combinations)
    return FittingClasses(np.where(there, class_, -1), np.arange(shown.combinations + 1), each)


def _fit_by_pairs(known: Tally, shown: Tally, stands: Sequence[Stands]) -> FittingClasses:
    """Every combination is compared with every class, block by block."""
    height = max(BLOCK_CELLS // max(shown.combinations, 1), 1)
    numbers, classes = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for first in range(0, known.combinations, height):
        block = known.codes[:, first : first + height]
        fits = np.ones((block.shape[1], shown.combinations), dtype=np.bool_)
        for c, one in enumerate(stands):
            distinct, position = np.unique(block[c], return_inverse=True)
            dense = one.dense(distinct.astype(np.int64), len(shown.values[c]))[:, shown.codes[c]]
            fits &= dense[position]
        numbers.append(fits.sum(axis=1))
        classes.append(np.nonzero(fits)[1])
    number = np.concatenate(numbers)
    fitted = np.flatnonzero(number)
    group = np.full(known.combinations, -1, dtype=np.int64)
    group[fitted] = np.arange(fitted.size)
    starts = np.concatenate([[0], np.cumsum(number[fitted])]).astype(np.int64)
    return FittingClasses(group, starts, np.concatenate(classes))

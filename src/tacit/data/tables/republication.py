"""Republication: the people of today, what earlier releases fix, and what a new release fixes.

A *signature* is the set of sensitive values of a class. Values are codes; people keep their value and their signature
in all releases, so a person who left and comes back has the old signature again.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import Hierarchy
from tacit.errors import BadData
from tacit.spelling import many

Signature = tuple[int, ...]
"""The values of a class, rising."""


@dataclass(frozen=True, eq=False, repr=False)
class RepublishedPeople(Discreet):
    """Today's data, one entry per person: a name that stays, the sensitive value, a leaf in each column's hierarchy.

    `leaves[column, person]` is a position among the leaves of `hierarchies[column]`, whose loss weighs `weights`.
    """

    names: NDArray[Any]
    value: IntArray
    leaves: IntArray
    hierarchies: tuple[Hierarchy, ...]
    weights: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class EarlierReleases(Discreet):
    """What earlier releases fix: person `names[i]` has `value[i]` and the signature `signatures[signature[i]]`.

    `last[i]` is the person's class in the last release, -1 if there was none. It need not be kept; it is a good
    starting point.
    """

    names: NDArray[Any]
    value: IntArray
    signature: IntArray
    last: IntArray
    signatures: tuple[Signature, ...] = ()

    @classmethod
    def begin(cls) -> "EarlierReleases":
        """Nothing is bound before the first release."""
        none = np.empty(0, dtype=np.int64)
        return cls(none, none, none, none)

    def find(self, people: RepublishedPeople, promise: str = "republication") -> IntArray:
        """The position of each person in `names`, -1 for those who are new; their values must not have changed.

        A value that changed is outside of the model (Xiao and Tao 2007): nothing is promised for it. An error about it
        names the `promise` that would not hold.
        """
        if np.unique(people.names).size < people.names.size:
            raise BadData("each person must have exactly one row in the data; some have several")
        if not self.names.size:
            return np.full(people.names.size, -1, dtype=np.int64)
        order = np.argsort(self.names)
        place = order[np.minimum(np.searchsorted(self.names, people.names, sorter=order), order.size - 1)]
        found = np.where(self.names[place] == people.names, place, -1)
        changed = int((self.value[found] != people.value)[found >= 0].sum())
        if changed:
            raise BadData(
                f"{many(changed, 'person has', 'people have')} a different sensitive value from that in an earlier "
                f"release; {promise} protects values that stay. Publish the value that was published, or leave such "
                "people out"
            )
        return found

    def intact(self, known: IntArray) -> IntArray:
        """The class in which all people of a full signature stood together, and are here again; -1 for the others."""
        class_ = np.where(known < 0, -1, self.last[known]) if self.names.size else known
        there = np.flatnonzero(class_ >= 0)
        lengths = np.array([len(one) for one in self.signatures], dtype=np.int64)
        people = np.bincount(class_[there], minlength=int(class_.max(initial=-1)) + 1)
        kept = np.full(class_.size, -1, dtype=np.int64)
        full = there[people[class_[there]] == lengths[self.signature[known[there]]]]
        kept[full] = class_[full]
        return kept

    def joined(self, people: RepublishedPeople, known: IntArray, made: "Assignment") -> "EarlierReleases":
        """What binds the release after this one: new people too, all signatures, and where everybody stands now."""
        new = known < 0
        names = people.names[new] if not self.names.size else np.concatenate([self.names, people.names[new]])
        last = np.full(names.size, -1, dtype=np.int64)
        last[np.where(new, self.names.size + np.cumsum(new) - 1, known)] = made.class_
        return EarlierReleases(
            names,
            np.concatenate([self.value, people.value[new]]),
            np.concatenate([self.signature, made.signature[new]]),
            last,
            made.signatures,
        )


@dataclass(frozen=True, eq=False, repr=False)
class Assignment(Discreet):
    """The class and the signature of each person, and all signatures."""

    class_: IntArray
    signature: IntArray
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, eq=False, repr=False)
class NextRelease(Discreet):
    """The next release: the class of each person, the signature of each class, and what is bound after it.

    A class publishes one row for each value of its signature; those that no person of the class has are counterfeits.
    """

    class_: IntArray
    signature: IntArray
    after: EarlierReleases

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return int(self.signature.size)

    @property
    def rows(self) -> IntArray:
        """How many rows each class publishes."""
        lengths = np.array([len(one) for one in self.after.signatures], dtype=np.int64)
        rows: IntArray = lengths[self.signature]
        return rows

    @property
    def counterfeits(self) -> IntArray:
        """How many rows of each class are counterfeits."""
        return self.rows - np.bincount(self.class_, minlength=self.classes)

    def published(self) -> tuple[IntArray, IntArray]:
        """The class and the sensitive value of every published row, class by class, values rising."""
        values = np.concatenate([np.empty(0, np.int64), *(np.array(one) for one in self.after.signatures)])
        starts = np.concatenate([[0], np.cumsum([len(one) for one in self.after.signatures])]).astype(np.int64)
        rows = self.rows
        ends = np.cumsum(rows)
        within = np.arange(int(rows.sum())) - np.repeat(ends - rows, rows)
        return np.repeat(np.arange(self.classes), rows), values[np.repeat(starts[self.signature], rows) + within]

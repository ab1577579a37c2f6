"""Buckets: people with one signature, equally many of each value; new people fill the gaps before counterfeits do.

Division: whom earlier releases bind goes to the bucket of its signature. Balancing: a bucket has as many classes as its
most frequent value has people, so the other values leave gaps, and new people fill them. Assignment: those for whom
there is no gap form further classes, region by region.

As few rows as can be are counterfeits. With D gaps, n new people of whom x fill gaps and r the most frequent value
among the rest, they number D - x + max(0, m r - (n - x)): it never grows with x and it falls with r, so every gap that
can be filled is filled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.republication import Signature
from tacit.methods.tables._republish.eligibility import decompose, padded
from tacit.methods.tables._republish.line import Line
from tacit.methods.tables._republish.regions import regions
from tacit.methods.tables._republish.split import within
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutation

MOST_TRIED = 50
"""Signatures of living buckets that new classes may take, the largest first; beyond these a new one costs little."""


@dataclass(frozen=True, eq=False)
class Today:
    """Everybody's value, place on the line of each column, and signature from earlier releases, -1 for the new."""

    value: IntArray
    lines: Sequence[Line]
    bound: IntArray


@dataclass(frozen=True, eq=False)
class Buckets:
    """The signature of each person, all signatures, and the number of classes of each."""

    signature: IntArray
    signatures: tuple[Signature, ...]
    number: IntArray


def fill(today: Today, signatures: tuple[Signature, ...], m: int, bits: RandomBits) -> Buckets:
    """The buckets of all people."""
    signature = today.bound.copy()
    old, new = np.flatnonzero(signature >= 0), np.flatnonzero(signature < 0)
    pairs = _Pairs.of(signatures)
    people = pairs.count(signature[old], today.value[old])
    number = np.zeros(len(signatures), dtype=np.int64)
    np.maximum.at(number, pairs.signature, people)
    signature[new] = _deal(today.value[new], pairs, number[pairs.signature] - people, bits)
    shelf = _Shelf(dict(zip(signatures, range(len(signatures)), strict=True)), number.tolist())
    rest = np.flatnonzero(signature < 0)
    if rest.size:
        width = int(pairs.value.max(initial=0)) + 1
        liked = np.argsort(-np.bincount(today.value, minlength=width), kind="stable")
        _assign(signature, rest, today, _Wish(shelf, liked, m))
    return Buckets(signature, tuple(shelf.place), np.array(shelf.number, dtype=np.int64))


def _deal(value: IntArray, pairs: "_Pairs", slots: IntArray, bits: RandomBits) -> IntArray:
    """A signature for each new person by lot: a gap of its value, -1 where there is none left."""
    order = np.argsort(pairs.value, kind="stable")
    slot_value = np.repeat(pairs.value[order], slots[order])
    slot_signature = np.repeat(pairs.signature[order], slots[order])
    lot = permutation(value.size, bits)
    drawn = lot[np.argsort(value[lot], kind="stable")]
    turn = np.arange(value.size) - np.searchsorted(value[drawn], value[drawn])
    slot = np.searchsorted(slot_value, value[drawn]) + turn
    served = slot < np.searchsorted(slot_value, value[drawn], side="right")
    dealt = np.full(value.size, -1, dtype=np.int64)
    dealt[drawn[served]] = slot_signature[slot[served]]
    return dealt


def _assign(signature: IntArray, rest: IntArray, today: Today, wish: "_Wish") -> None:
    """Everybody in the rest has a signature that people of the same region make up; counterfeits where they can't."""
    value = today.value[rest]
    counts = np.bincount(value, minlength=wish.liked.size)
    if counts.max() * wish.m > rest.size:
        _form(signature, rest, value, wish)
        return
    region = regions(within(today.lines, rest), value, wish.m)
    order = np.argsort(region, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(region[order])) + 1):
        _form(signature, rest[part], value[part], wish)


def _form(signature: IntArray, people: IntArray, value: IntArray, wish: "_Wish") -> None:
    """These people have signatures, with classes enough for all of them."""
    order = np.argsort(value, kind="stable")
    counts = np.bincount(value, minlength=wish.liked.size)
    next_, end = np.cumsum(counts) - counts, np.cumsum(counts)
    for chosen, classes in decompose(padded(counts, wish.m, wish.liked), wish.m, wish.shelf.largest()):
        place = wish.shelf.add(chosen, classes)
        for each in chosen:
            last = min(next_[each] + classes, end[each])
            signature[people[order[next_[each] : last]]] = place
            next_[each] = last


@dataclass(frozen=True, eq=False)
class _Shelf:
    """The place of every signature, and how many classes it has."""

    place: dict[Signature, int] = field(default_factory=dict)
    number: list[int] = field(default_factory=list)

    def largest(self) -> list[Signature]:
        """The living signatures with most classes."""
        living = [(signature, self.number[i]) for signature, i in self.place.items() if self.number[i]]
        return [signature for signature, _ in sorted(living, key=lambda entry: -entry[1])[:MOST_TRIED]]

    def add(self, signature: Signature, classes: int) -> int:
        """The place of the signature, which has so many more classes."""
        place = self.place.setdefault(signature, len(self.place))
        if place == len(self.number):
            self.number.append(0)
        self.number[place] += classes
        return place


@dataclass(frozen=True, eq=False)
class _Wish:
    """Where signatures are kept, which values counterfeits take first, and how many a class must have."""

    shelf: _Shelf
    liked: IntArray
    m: int


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Every value of every signature."""

    signature: IntArray
    value: IntArray

    @classmethod
    def of(cls, signatures: Sequence[Signature]) -> "_Pairs":
        lengths = [len(one) for one in signatures]
        values = [value for one in signatures for value in one]
        return cls(np.repeat(np.arange(len(lengths)), lengths), np.array(values, dtype=np.int64))

    def count(self, signature: IntArray, value: IntArray) -> IntArray:
        """How many people have each pair."""
        width = max(int(self.value.max(initial=0)), int(value.max(initial=0))) + 1
        keys = self.signature * width + self.value
        return np.bincount(np.searchsorted(keys, signature * width + value), minlength=keys.size)

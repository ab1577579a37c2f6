"""Constancy: whether the traits of a person never change within a column, so often that chance can't be the reason.

Most columns of a list of visits or payments change from row to row, and a key may be called anything. What gives it
away is what can't change: sex and birth. Let u be a column whose values repeat, c a trait and p(v) the share of the
rows that have the value v. Were rows given to the values of u at random, a value of u with s rows would have one value
of c only with the probability

    q(s) = sum of p(v)**s over v,

and x of the G values of u that repeat would be constant with a probability of at most exp(-G D(x/G || q)), where q is
the mean of the q(s) and D the relative entropy of two coins (Hoeffding 1963, theorem 1). Where that is below `CHANCE`
and nearly all values of u are constant, the trait belongs to whatever u numbers.

A town, a ward or a firm is constant in neither sex nor birth. A class of an age, a first name or a team may be constant
in one of them. So both together say that u tells people apart; one of them makes it doubtful, and so does an age that
stays the same, and so do `SEVERAL` other columns where a file tells neither sex nor birth nor age. Nothing is said by a
trait that u is another way to write, such as a cohort beside years of birth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

import numpy as np

from tacit.arrays import IntArray
from tacit.inspection.words import Meaning
from tacit.spelling import noun

CHANCE = 1e-9
CONSTANT = 0.95
"""The share of the values that must be constant: rows have slips of the pen."""
DIFFERING = 0.5
"""The share of the values that change in a trait, from which on the trait is that of several people."""
SEVERAL = 3
COARSE = 150
"""A trait with so many values at most, such as a year of birth, may be what a column was made from."""


@dataclass(frozen=True)
class ConstantTraits:
    """The traits that never change within a column, by what they tell."""

    columns: Mapping[str, frozenset[Meaning]] = field(default_factory=dict)

    @property
    def tell_people_apart(self) -> bool:
        """Whether sex and birth both stay the same."""
        return self._told >= {"sex", "birth"}

    @property
    def are_doubtful(self) -> bool:
        """Whether one of them does, or an age, or several other columns do."""
        return bool(self._told & {"sex", "birth", "age"}) or sum(not told for told in self.columns.values()) >= SEVERAL

    @property
    def reason(self) -> str:
        """Why the column tells people apart."""
        return f"within each value {self._names} never {noun(len(self.columns), 'changes', 'change')}"

    @property
    def doubt(self) -> str:
        """What speaks against it, and for it."""
        return f"its name does not say that it identifies people ({self.reason})"

    @property
    def _names(self) -> str:
        return " and ".join(repr(name) for name in list(self.columns)[:2])

    @property
    def _told(self) -> frozenset[Meaning]:
        return frozenset().union(*self.columns.values())


def constant_traits(
    key: IntArray, traits: Mapping[str, IntArray], tell: Mapping[str, frozenset[Meaning]]
) -> ConstantTraits:
    """The traits that are constant within the key; none where one of them shows that a value groups people.

    All columns come as codes, row by row, and `tell` says what each trait tells.
    """
    found: dict[str, frozenset[Meaning]] = {}
    moving: list[str] = []
    for name, trait in traits.items():
        share = constant_share(key, trait)
        if share >= CONSTANT and is_constant(key, trait):
            found[name] = tell[name]
        elif share <= 1 - DIFFERING:
            moving.append(name)
    told = frozenset().union(*found.values())
    if told & {"sex", "birth"}:
        # An origin that changes beside them is one of orders or of visits.
        moving = [name for name in moving if tell[name] != {"origin"}]
    # The sex of a child may change beside that of the mother whom the key numbers.
    if any(not any(tell[name] & kinds for kinds in found.values()) for name in moving):
        return ConstantTraits()
    return ConstantTraits(found)


def is_constant(key: IntArray, other: IntArray) -> bool:
    """Whether a column is constant within the key, by more than chance, and the key is more than a form of it."""
    if constant_share(key, other) < CONSTANT or chance_of(key, other) >= CHANCE:
        return False
    return int(other.max()) >= COARSE or constant_share(other, key) < CONSTANT


def constant_share(key: IntArray, trait: IntArray) -> float:
    """The share of the values of the key with several rows that have one value of the trait."""
    sizes, constant = _groups(key, trait)
    several = sizes > 1
    return float(constant[several].mean()) if several.any() else 0.0


def chance_of(key: IntArray, trait: IntArray) -> float:
    """A bound on the probability that so many values of the key are constant if rows were given to them at random."""
    sizes, constant = _groups(key, trait)
    several = sizes > 1
    if not several.any():
        return 1.0
    shares = np.bincount(trait) / trait.size
    lengths, times = np.unique(sizes[several], return_counts=True)
    expected = float(sum(n * (shares**s).sum() for s, n in zip(lengths, times, strict=True)) / times.sum())
    measured = float(constant[several].mean())
    if measured <= expected or expected >= 1.0:
        return 1.0
    return float(np.exp(-several.sum() * _divergence(measured, expected)))


def _divergence(a: float, b: float) -> float:
    """The relative entropy of two coins."""
    heads = a * log(a / b) if a else 0.0
    tails = (1 - a) * log((1 - a) / (1 - b)) if a < 1 else 0.0
    return heads + tails


def _groups(key: IntArray, trait: IntArray) -> tuple[IntArray, IntArray]:
    """For each value of the key: its rows, and whether they have one value of the trait."""
    width = int(trait.max(initial=0)) + 1
    cells = np.unique(key * width + trait) // width
    sizes = np.bincount(key)
    return sizes[sizes > 0], np.bincount(cells)[sizes > 0] == 1

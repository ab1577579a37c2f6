"""Secrets: how a sensitive column is distributed in the published classes, as seen by somebody who knows the class.

Such an adversary takes the shares of a class for the chances of each of its people (Machanavajjhala et al. 2006, random
worlds). Suppressed rows show no secret, so of their people the adversary believes what the whole input says. Guesses
about everybody are judged: an entry is a pair of a person and a value of the person in a class, and all suppressed rows
of one combination are one more class.

Where rows of one combination go to several classes and the release was not counted itself, each class gets its part
of the combination's secrets in proportion.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.grouping import EntryGroups, group_by, pack
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison, paired
from tacit.errors import BadData, BadParameter

TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class Secrets:
    """Cell i: `count[i]` people of the class `class_[i]` have the value `value[i]`; cells are sorted by both.

    `suppressed[value]` counts the people with that value in suppressed rows. `known` holds values, order, hierarchy.
    """

    known: SensitiveTally
    class_: IntArray
    value: IntArray
    count: FloatArray
    suppressed: FloatArray

    @cached_property
    def totals(self) -> FloatArray:
        """The entries of each class."""
        return _add(self.class_, self.count, 0)

    @cached_property
    def share(self) -> FloatArray:
        """The part of each cell in its class."""
        return self.count / self.totals[self.class_]

    @cached_property
    def prior(self) -> FloatArray:
        """The part of each value in the input."""
        return self.known.reference / max(int(self.known.reference.sum()), 1)

    @cached_property
    def entries(self) -> float:
        """All entries, suppressed ones included."""
        return float(self.count.sum() + self.suppressed.sum())

    @property
    def entropy(self) -> float:
        """The bits that are missing to somebody who knows the whole input's distribution only."""
        return float(bits(self.prior).sum())

    def sums(self, amounts: FloatArray) -> FloatArray:
        """The sum over the cells of each class."""
        return _add(self.class_, amounts, self.totals.size)

    def mean(self, of_class: FloatArray, of_suppressed: float) -> float:
        """The mean over all entries of what is known for each class, and for the suppressed."""
        total = float((self.totals * of_class).sum() + self.suppressed.sum() * of_suppressed)
        return total / max(self.entries, TINY)

    def divergences(self) -> FloatArray:
        """Σ p log2(p/q) of each class, p the shares of the class, q those of the input."""
        terms = self.share * (np.log2(self.share) - np.log2(np.maximum(self.prior[self.value], TINY)))
        return np.maximum(self.sums(terms), 0.0)


def secrets_of(compared: Comparison, column: str | None) -> tuple[Secrets, ...]:
    """The secrets of the named column, or of every sensitive column."""
    there = compared.before.classes.sensitive
    if column is not None and column not in there:
        names = ", ".join(map(repr, there)) or "none"
        raise BadParameter(f"column is {column!r}; name one of the sensitive columns: {names}")
    return tuple(_secrets(compared, there[name]) for name in ([column] if column is not None else there))


def bits(shares: FloatArray) -> FloatArray:
    """p log2(1/p) of each share, 0 where it is 0."""
    return shares * -np.log2(np.where(shares > 0, shares, 1.0))


def suppressed_part(compared: Comparison) -> FloatArray:
    """The part of each combination's rows that is suppressed."""
    after, rows = compared.after, compared.before.rows
    hidden = np.bincount(paired(compared).origin, after.rows * after.suppressed, rows.size)
    return hidden / np.maximum(rows, 1)


def crowd_sizes(compared: Comparison) -> FloatArray:
    """The people of each class; those of the suppressed rows, if there are any, are one more crowd of look-alikes."""
    people = compared.before.classes.people.counts()
    hidden = float((people * suppressed_part(compared)).sum())
    sizes = compared.after.classes.people.counts().astype(np.float64)
    # A part of a person, dealt out in proportion, is no easier to find than a whole one.
    return np.append(sizes[sizes > 0], [max(hidden, 1.0)] if hidden > 0 else [])


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pair i: `count[i]` of the people of cell `cell[i]` stand in portion `portion[i]`."""

    portion: IntArray
    cell: IntArray
    count: FloatArray


def portion_cells(compared: Comparison, part: SensitiveTally) -> Pairs:
    """The cells of a sensitive column dealt out to the published portions of their combinations, in proportion."""
    after, origin, kept = compared.after, paired(compared).origin, compared.after.kept
    rows = compared.before.rows
    order = np.argsort(part.combination, kind="stable")
    begin = np.searchsorted(part.combination[order], np.arange(rows.size + 1))
    lengths = np.diff(begin)[origin[kept]]
    portion = np.repeat(kept, lengths)
    within = np.arange(portion.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    cell = order[np.repeat(begin[origin[kept]], lengths) + within]
    dealt = after.rows[portion] / np.maximum(rows[origin[portion]], 1)
    return Pairs(portion, cell, part.census.counts()[cell] * dealt)


@dataclass(frozen=True, eq=False)
class ShownSecrets:
    """`count[i]` people of entry `entry[i]` after are shown with the value `value[i]`."""

    entry: IntArray
    value: IntArray
    count: FloatArray


def shown_secrets(compared: Comparison, part: SensitiveTally) -> ShownSecrets:
    """The cells of a sensitive column in the table after: dealt out where its rows are those before, else its own."""
    if compared.pairing is None:
        own = compared.after.classes.sensitive[part.column]
        return ShownSecrets(own.combination, own.value, own.census.counts().astype(np.float64))
    pairs = portion_cells(compared, part)
    return ShownSecrets(pairs.portion, part.value[pairs.cell], pairs.count)


def _secrets(compared: Comparison, part: SensitiveTally) -> Secrets:
    hidden = part.census.counts() * suppressed_part(compared)[part.combination]
    suppressed = _add(part.value, hidden, len(part.values))
    pairing = paired(compared)
    if pairing.counted is not None and part.column in pairing.counted.sensitive:
        counted = pairing.counted.sensitive[part.column]
        cells = counted.combination, counted.value, counted.census.counts().astype(np.float64)
        return Secrets(part, *_sorted(*cells), suppressed)
    if pairing.hides_people:
        raise BadData(
            "people have several rows and the recoding deals rows of one combination to several classes, so it does "
            "not say whose secrets a class has; measure a release that was read back"
        )
    classes = _classes(compared)
    if int(np.bincount(pairing.origin, minlength=1).max()) > 1:
        pairs = portion_cells(compared, part)
        class_, value = classes.group[pairs.portion], part.value[pairs.cell]
        return Secrets(part, *_sorted(class_, value, pairs.count), suppressed)
    of_combination = np.full(compared.before.rows.size, classes.number, dtype=np.int64)
    of_combination[pairing.origin] = classes.group
    merged = part.merged(EntryGroups(of_combination, np.arange(classes.number + 1)))
    inside = merged.combination < classes.number
    count = merged.census.counts()[inside].astype(np.float64)
    return Secrets(part, *_sorted(merged.combination[inside], merged.value[inside], count), suppressed)


def _classes(compared: Comparison) -> EntryGroups:
    """The class of each entry after; suppressed ones have the number after the last."""
    after, kept = compared.after, compared.after.kept
    codes = []
    for labels, column in zip(after.labels, after.codes, strict=True):
        # A reader can't tell labels of the same text apart.
        position = {label: code for code, label in enumerate(dict.fromkeys(labels))}
        codes.append(np.array([position[label] for label in labels], dtype=np.int64)[column[kept]])
    keys = pack(codes, [len(labels) for labels in after.labels], kept.size)
    found = group_by(keys.key, keys.span)
    group = np.full(after.rows.size, found.number, dtype=np.int64)
    group[kept] = found.group
    return EntryGroups(group, found.first)


def _sorted(class_: IntArray, value: IntArray, count: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """The cells with somebody in them, by class and value, equal ones as one; classes are numbered without gaps."""
    width = int(value.max(initial=0)) + 1
    there = count > 0
    keys, cell = np.unique(class_[there] * width + value[there], return_inverse=True)
    numbered = np.unique(keys // width, return_inverse=True)[1]
    return numbered, keys % width, _add(cell, count[there], keys.size)


def _add(group: IntArray, amounts: FloatArray, groups: int) -> FloatArray:
    return np.bincount(group, amounts, groups).astype(np.float64, copy=False)

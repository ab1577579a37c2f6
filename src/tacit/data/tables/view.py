"""Views: a counted table as a reader sees it; and comparisons of a view before with a view after.

A view has a label in every cell, and knows which leaves of the column's hierarchy each label covers. A value that is
not in the hierarchy (a number with noise, an invented value) is a leaf of its own, which merges with other values only
at the root. A suppressed row counts as the root of every column: in each column it has the code after the last label's,
the hierarchy's height as its level and all leaves as its cover. Metrics are then sums over labels or entries, never
over rows.

A comparison holds two views over the same hierarchies. The rows after need not be the rows before: they may have been
sampled, perturbed or synthesised. Only if they are the same rows does the `pairing` say what became of each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from tacit.arrays import BoolArray, CodeArray, FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.cover import Cover, common_levels, node_levels
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import read_labels
from tacit.data.tables.tally import SensitiveTally, Tally
from tacit.errors import BadData, BadParameter
from tacit.spelling import many


@dataclass(frozen=True, eq=False, repr=False)
class LabelPlaces(Discreet):
    """Where the labels of one column stand in its hierarchy; the last entry is that of suppressed rows."""

    levels: IntArray
    cover: Cover


@dataclass(frozen=True, eq=False, repr=False)
class View(Discreet):
    """Entry i: `rows[i]` rows read `labels[c][codes[c, i]]` in every column c.

    `codes[c, i]` is the number of labels where the entry is suppressed. `leaves[c][j]` says how many of the first
    `domain[c]` leaves the label j covers, which are those that the hierarchy had of itself; a value that is none of
    them counts as one. Places and classes are found when they are first asked for.
    """

    hierarchies: tuple[Hierarchy, ...]
    domain: tuple[int, ...]
    labels: tuple[tuple[str, ...], ...]
    leaves: tuple[IntArray, ...]
    codes: CodeArray
    rows: IntArray
    suppressed: BoolArray
    find_places: Callable[[], tuple[LabelPlaces, ...]]
    count_classes: Callable[[], Tally]

    def amounts(self) -> str:
        """How many entries and columns there are."""
        return f"{many(self.rows.size, 'entry', 'entries')} of {many(len(self.hierarchies), 'column')}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers."""
        return tuple(hierarchy.column for hierarchy in self.hierarchies)

    @cached_property
    def total(self) -> int:
        """All rows, suppressed ones included."""
        return int(self.rows.sum())

    @cached_property
    def suppressed_rows(self) -> int:
        """The rows without labels."""
        return int(self.rows[self.suppressed].sum())

    @cached_property
    def kept(self) -> IntArray:
        """The entries that show something: those with rows that are not suppressed."""
        return np.flatnonzero(~self.suppressed & (self.rows > 0))

    @cached_property
    def label_rows(self) -> tuple[FloatArray, ...]:
        """For each column the rows of each label; the last entry counts the suppressed rows."""
        return tuple(_rows_by(self.codes[c], self.rows, len(labels) + 1) for c, labels in enumerate(self.labels))

    @cached_property
    def places(self) -> tuple[LabelPlaces, ...]:
        """For each column where its labels stand."""
        return self.find_places()

    @property
    def levels(self) -> tuple[IntArray, ...]:
        """For each column the least level at which the hierarchy has the label; the last entry is its height.

        A label that is no node of the hierarchy has the least level at which one node covers all its leaves.
        """
        return tuple(place.levels for place in self.places)

    @property
    def covers(self) -> tuple[Cover, ...]:
        """For each column the leaves of each label; the last label stands for all leaves."""
        return tuple(place.cover for place in self.places)

    @cached_property
    def classes(self) -> Tally:
        """The rows that are not suppressed, with their people and secrets: each class is one combination."""
        return self.count_classes()


@dataclass(frozen=True, eq=False, repr=False)
class Pairing(Discreet):
    """The rows after are the rows before: those of entry i after were in entry `origin[i]` before.

    `counted` is the table after as it was counted itself. `hides_people`: people have several rows, and rows of one
    entry before went to several classes, so that without a count nobody can tell who went where.
    """

    origin: IntArray
    counted: Tally | None = None
    hides_people: bool = False


class Comparison(Protocol):
    """What metrics see: a table of plain values before, any view after, over the same hierarchies."""

    @property
    def before(self) -> View:
        """The table as it was: each label is one leaf, and its code is that of the leaf."""
        ...

    @property
    def after(self) -> View:
        """What is measured."""
        ...

    @property
    def weights(self) -> FloatArray:
        """How much each column counts."""
        ...

    @property
    def pairing(self) -> Pairing | None:
        """How each row was published; None if the rows after are others."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class TwoViews(Discreet):
    """Views of two tables; build it with `compare`."""

    before: View
    after: View
    weights: FloatArray
    pairing: Pairing | None = None


def paired(compared: Comparison) -> Pairing:
    """How each row was published; a BadParameter if that is unknown."""
    if compared.pairing is None:
        raise BadParameter(
            "the metric follows every row from the table before to the table after, and these are not the same rows; "
            "measure it on a release that was recoded, or choose a metric that compares tables"
        )
    return compared.pairing


def weighted(compared: Comparison, per_column: Mapping[str, float]) -> float:
    """The weighted mean over the columns."""
    weights = [float(weight) for weight in compared.weights]
    return sum(w * per_column[c] for c, w in zip(compared.before.columns, weights, strict=True)) / sum(weights)


def leaf_rows(compared: Comparison, column: int) -> FloatArray:
    """The rows before that have each leaf."""
    return compared.before.label_rows[column][:-1]


def view_of(tally: Tally, hierarchies: Sequence[Hierarchy], suppressed_rows: int = 0) -> View:
    """The view of a table that was counted without its suppressed rows; labels are read in the hierarchies."""
    names = tuple(hierarchy.column for hierarchy in hierarchies)
    if tally.columns != names:
        raise BadData(f"the columns of the table and of the hierarchies differ: {tally.columns}, {names}")
    return _view(tally, hierarchies, suppressed_rows, tuple(len(hierarchy.leaves) for hierarchy in hierarchies))


def compare(before: View, after: View, weights: Sequence[float] | None = None) -> TwoViews:
    """Both views over the hierarchies of `before`, to which the values that only `after` has are added."""
    if before.columns != after.columns:
        raise BadData(f"the columns before and after differ: {before.columns}, {after.columns}")
    given = np.ones(len(before.columns)) if weights is None else np.asarray(weights, dtype=np.float64)
    if not given.sum() > 0 or given.min() < 0:
        raise BadParameter(f"weights are {given.tolist()}; none may be negative and one must be above 0")
    hierarchies = [h.with_leaves(_unread(h, after.classes, c)) for c, h in enumerate(before.hierarchies)]
    both = [replace(view.classes, sensitive={}, population=None) for view in (before, after)]
    both = [replace(bare, sensitive=found) for bare, found in zip(both, _secrets(before, after), strict=True)]
    old = _view(both[0], hierarchies, before.suppressed_rows, before.domain)
    return TwoViews(_plain(old), _view(both[1], hierarchies, after.suppressed_rows, before.domain), given / given.sum())


def _view(tally: Tally, hierarchies: Sequence[Hierarchy], gone: int, domain: tuple[int, ...]) -> View:
    whole, places, leaves = [], [], []
    for c, hierarchy in enumerate(hierarchies):
        whole.append(hierarchy.with_leaves(_unread(hierarchy, tally, c)))
        cover = _cover(read_labels(whole[c], tally.values[c]))
        places.append(_places(whole[c], tally.values[c], cover))
        label = np.repeat(np.arange(cover.sizes.size), cover.sizes)
        inside = np.bincount(label, cover.leaf < domain[c], cover.sizes.size)
        leaves.append(np.maximum(inside, 1).astype(np.int64))
    ends = np.array([[len(values)] for values in tally.values], dtype=tally.codes.dtype)
    more = 1 if gone else 0
    return View(
        hierarchies=tuple(whole),
        domain=domain,
        labels=tally.values,
        leaves=tuple(leaves),
        codes=np.concatenate([tally.codes, ends[:, :more]], axis=1),
        rows=np.append(tally.rows, [gone] * more).astype(np.int64),
        suppressed=np.arange(tally.combinations + more) >= tally.combinations,
        find_places=lambda: tuple(places),
        count_classes=lambda: tally,
    )


def _unread(hierarchy: Hierarchy, tally: Tally, column: int) -> list[str]:
    """The labels of some row that can't be read, or stand for no leaf."""
    labels = [tally.values[column][code] for code in np.unique(tally.codes[column][tally.rows > 0]).tolist()]
    read = read_labels(hierarchy, labels)
    return [text for text, found in zip(labels, read, strict=True) if found is None or not found.size]


def _places(hierarchy: Hierarchy, labels: Sequence[str], cover: Cover) -> LabelPlaces:
    first = np.append(cover.leaf, 0)[cover.starts[:-1]]
    levels = node_levels(hierarchy, labels, cover.sizes, first)
    levels = np.where(levels >= 0, levels, common_levels(hierarchy, cover))
    return LabelPlaces(np.append(levels, hierarchy.height), cover.extended(len(hierarchy.leaves)))


def _cover(found: Sequence[IntArray | None]) -> Cover:
    """The cover of labels by the leaves that were found; a label that no row has may have none."""
    return Cover.from_sets([[] if each is None else each.tolist() for each in found])


def _plain(view: View) -> View:
    """The view with a leaf for every label; a BadParameter where a label covers several."""
    codes = []
    for c, place in enumerate(view.places):
        several = np.flatnonzero(place.cover.sizes[:-1] != 1)
        if several.size or view.suppressed_rows:
            raise BadParameter(
                f"column {view.columns[c]!r}: the table before must show plain values, and {several.size} of its "
                f"labels cover none or several, {view.suppressed_rows} of its rows are suppressed; give the original"
            )
        codes.append(place.cover.leaf[place.cover.starts[:-1]][view.codes[c]])
    leaves = tuple(np.ones(len(hierarchy.leaves), dtype=np.int64) for hierarchy in view.hierarchies)
    each = tuple(_places(h, h.leaves, _cover(list(np.arange(len(h.leaves))[:, None]))) for h in view.hierarchies)
    names = tuple(hierarchy.leaves for hierarchy in view.hierarchies)
    placed = np.array(codes, dtype=np.int32).reshape(view.codes.shape)
    return replace(view, labels=names, leaves=leaves, codes=placed, find_places=lambda: each)


def _secrets(before: View, after: View) -> tuple[dict[str, SensitiveTally], dict[str, SensitiveTally]]:
    """The sensitive columns that both tables have, with the same codes: those of `before`, then what only `after` has.

    What is compared with the whole table is compared with the table before.
    """
    mine, theirs = before.classes.sensitive, after.classes.sensitive
    ours: tuple[dict[str, SensitiveTally], dict[str, SensitiveTally]] = ({}, {})
    for name in (name for name in mine if name in theirs):
        position = {value: code for code, value in enumerate((*mine[name].values,))}
        for value in theirs[name].values:
            position.setdefault(value, len(position))
        new = len(position) - len(mine[name].values)
        reference = np.append(mine[name].reference, np.zeros(new, dtype=np.int64))
        old = mine[name]
        order, tree = old.ordered and not new, None if new else old.hierarchy
        old = replace(old, values=tuple(position), reference=reference, ordered=order, hierarchy=tree)
        code = np.array([position[value] for value in theirs[name].values], dtype=np.int64)
        ours[0][name] = old
        ours[1][name] = replace(
            old, combination=theirs[name].combination, value=code[theirs[name].value], census=theirs[name].census
        )
    return ours


def _rows_by(codes: CodeArray, rows: IntArray, number: int) -> FloatArray:
    return np.bincount(codes, rows, number).astype(np.float64, copy=False)

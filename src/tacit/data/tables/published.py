"""What is published: a table and what a method decided about it.

It is a comparison of the table as it was with what is published of the same rows (`view.py`), so every metric can be
computed from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.cover import NO_LEVEL, Cover, common_levels, node_cover, node_levels
from tacit.data.tables.grouping import EntryGroups, add_up, group_by, pack
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census, Tally
from tacit.data.tables.view import LabelPlaces, Pairing, View
from tacit.errors import BadData, BadParameter
from tacit.spelling import many


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A table under a recoding of the same columns and rows; build it with `publish`, which checks that.

    `counted` is the released table as it was counted itself; it is needed where the recoding hides who went where.
    """

    table: Table
    recoding: Recoding
    counted: Tally | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers."""
        return self.recoding.columns

    @cached_property
    def rows(self) -> int:
        """All rows, suppressed ones included."""
        return int(self.recoding.rows.sum())

    @cached_property
    def suppressed_rows(self) -> int:
        """The rows that are published without labels."""
        return int(self.recoding.rows[self.recoding.suppressed].sum())

    @cached_property
    def codes(self) -> CodeArray:
        """`[column, portion]`: the position of the label, or the number of labels where the portion is suppressed."""
        numbers = np.array([len(labels) for labels in self.recoding.labels], dtype=np.int32)
        return np.where(self.recoding.suppressed, numbers[:, None], self.recoding.codes).astype(np.int32, copy=False)

    @cached_property
    def before(self) -> View:
        """The table as it was: every label is a leaf."""
        table, leaves = self.table, [len(hierarchy.leaves) for hierarchy in self.table.hierarchies]
        return View(
            hierarchies=table.hierarchies,
            domain=tuple(leaves),
            labels=tuple(hierarchy.leaves for hierarchy in table.hierarchies),
            leaves=tuple(np.ones(number, dtype=np.int64) for number in leaves),
            codes=table.leaves,
            rows=table.tally.rows,
            suppressed=np.zeros(table.tally.combinations, dtype=np.bool_),
            find_places=lambda: tuple(_leaf_places(hierarchy) for hierarchy in table.hierarchies),
            count_classes=lambda: table.tally,
        )

    @cached_property
    def after(self) -> View:
        """What is published: an entry is a portion."""
        hierarchies, recoding = self.table.hierarchies, self.recoding
        return View(
            hierarchies=hierarchies,
            domain=tuple(len(hierarchy.leaves) for hierarchy in hierarchies),
            labels=recoding.labels,
            leaves=recoding.leaves,
            codes=self.codes,
            rows=recoding.rows,
            suppressed=recoding.suppressed,
            find_places=lambda: tuple(_find_places(self, column) for column in range(len(self.columns))),
            count_classes=lambda: self.released,
        )

    @property
    def weights(self) -> FloatArray:
        """How much each column counts."""
        return self.table.weights

    @cached_property
    def pairing(self) -> Pairing:
        """The rows that are published are those of the table."""
        return Pairing(self.recoding.combination, self.counted, self.hides_people)

    @cached_property
    def _classes(self) -> "_ClassedPortions":
        kept = np.flatnonzero(~self.recoding.suppressed & (self.recoding.rows > 0))
        codes = [_by_text(labels, self.recoding.codes[c, kept]) for c, labels in enumerate(self.recoding.labels)]
        keys = pack(codes, [len(labels) for labels in self.recoding.labels], kept.size)
        return _ClassedPortions(kept, group_by(keys.key, keys.span))

    @cached_property
    def released_rows(self) -> Tally:
        """The tally of the released table without its suppressed rows, each row counted as a person."""
        kept, classes = self._classes.kept, self._classes.grouping
        rows = add_up(classes.group, self.recoding.rows[kept], classes.number)
        codes = self.recoding.codes[:, kept[classes.first]]
        return Tally(self.columns, self.recoding.labels, codes, rows, Census(rows))

    @cached_property
    def released(self) -> Tally:
        """The tally of the released table without its suppressed rows: each class is one combination."""
        if self.counted is not None:
            return self.counted
        return replace(self.released_rows, people=_people(self, self._classes.kept, self._classes.grouping))

    @cached_property
    def hides_people(self) -> bool:
        """Whether people have several rows and rows of one combination go to several classes."""
        return not self.table.tally.one_row_each and int(np.bincount(self.recoding.combination, minlength=1).max()) > 1


def publish(table: Table, recoding: Recoding) -> PublishedTable:
    """The publication of `table` under `recoding`, checked to be about the same columns and rows."""
    names = (table.tally.columns, tuple(hierarchy.column for hierarchy in table.hierarchies), recoding.columns)
    if names[0] != names[1] or names[0] != names[2]:
        raise BadData(f"the columns of tally, hierarchies and recoding differ: {names[0]}, {names[1]}, {names[2]}")
    if not np.array_equal(add_up(recoding.combination, recoding.rows, table.tally.combinations), table.tally.rows):
        raise BadData("the recoding does not account for every row of the table exactly once")
    if not table.weights.sum() > 0:
        raise BadParameter("no quasi-identifier has a weight above 0, so nothing can be measured; give one a weight")
    return PublishedTable(table, recoding)


@dataclass(frozen=True, eq=False, repr=False)
class _ClassedPortions(Discreet):
    """The portions that are published, and the class of each."""

    kept: IntArray
    grouping: EntryGroups


def _leaf_places(hierarchy: Hierarchy) -> LabelPlaces:
    number = len(hierarchy.leaves)
    cover = Cover(np.arange(number + 1), np.arange(number))
    return LabelPlaces(np.append(np.zeros(number, dtype=np.int64), hierarchy.height), cover.extended(number))


def _find_places(published: PublishedTable, column: int) -> LabelPlaces:
    """Where the labels of one column stand in its hierarchy."""
    recoding, hierarchy = published.recoding, published.table.hierarchies[column]
    labels, leaves = recoding.labels[column], recoding.leaves[column]
    below = np.full(len(labels) + 1, NO_LEVEL, dtype=np.int64)
    below[published.codes[column]] = published.table.leaves[column].take(recoding.combination)
    below = below[:-1]
    declared = recoding.covers[column] if recoding.covers else None
    levels = node_levels(hierarchy, labels, leaves, below)
    if declared is None:
        _require_nodes(hierarchy, [labels[j] for j in np.flatnonzero((below >= 0) & (levels < 0))])
        cover = node_cover(hierarchy, levels, below)
    elif np.array_equal(declared.sizes, leaves):
        cover = declared
        levels = np.where(levels >= 0, levels, common_levels(hierarchy, declared))
    else:
        raise BadData(f"column {hierarchy.column!r}: the recoding's covers and its numbers of leaves differ")
    return LabelPlaces(np.append(levels, hierarchy.height), cover.extended(len(hierarchy.leaves)))


def _require_nodes(hierarchy: Hierarchy, strange: Sequence[str]) -> None:
    if strange:
        raise BadData(
            f"column {hierarchy.column!r}: {many(len(strange), 'published label is', 'published labels are')} not "
            f"among the nodes of its hierarchy, such as {strange[0]!r}; the recoding must declare which leaves they "
            "cover"
        )


def _by_text(labels: Sequence[str], codes: CodeArray) -> CodeArray:
    """The codes after labels with the same text became one: a reader can't tell them apart."""
    position: dict[str, int] = {}
    merged = [position.setdefault(label, j) for j, label in enumerate(labels)]
    return codes if len(position) == len(labels) else np.array(merged, dtype=np.int32)[codes]


def _people(published: PublishedTable, kept: IntArray, classes: EntryGroups) -> Census:
    """The people of each class; refused where a split combination hides who went where."""
    census, recoding, number = published.table.tally.people, published.recoding, classes.number
    if published.table.tally.one_row_each:
        return Census(add_up(classes.group, recoding.rows[kept], number))
    if published.hides_people:
        raise BadData(
            "people have several rows and the recoding deals rows of one combination to several classes, so it does "
            "not say how many people a class has; count them in the released table itself"
        )
    class_of = np.full(published.table.tally.combinations, number, dtype=np.int64)
    class_of[recoding.combination[kept]] = classes.group
    merged = census.merged(class_of, number + 1)
    inside = merged.spread_key < number
    return Census(merged.settled[:number], merged.spread_key[inside], merged.spread_person[inside])

"""What is published: a table and what a method decided about it.

Every metric is computed from this and nothing else. A suppressed row counts as the root of every column: in each
column it has the code after the last label's, the hierarchy's height as its level and all leaves as its cover. Metrics
are then sums over labels or portions, never over rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.cover import NO_LEVEL, Cover, common_levels, node_cover, node_levels
from tacit.data.tables.grouping import Grouping, add_up, group_by, pack
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census, Tally
from tacit.errors import BadData, BadParameter


@dataclass(frozen=True, eq=False)
class Published:
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

    def weighted(self, per_column: Mapping[str, float]) -> float:
        """The weighted mean over the columns."""
        weights = [float(weight) for weight in self.table.weights]
        return sum(w * per_column[c] for c, w in zip(self.columns, weights, strict=True)) / sum(weights)

    @cached_property
    def codes(self) -> CodeArray:
        """`[column, portion]`: the position of the label, or the number of labels where the portion is suppressed."""
        numbers = np.array([len(labels) for labels in self.recoding.labels], dtype=np.int32)
        return np.where(self.recoding.suppressed, numbers[:, None], self.recoding.codes).astype(np.int32, copy=False)

    @cached_property
    def label_rows(self) -> tuple[FloatArray, ...]:
        """For each column the rows of each label; the last entry counts the suppressed rows."""
        rows, labels = self.recoding.rows, self.recoding.labels
        return tuple(_rows_by(self.codes[c], rows, len(labels[c]) + 1) for c in range(len(labels)))

    @cached_property
    def leaf_rows(self) -> tuple[FloatArray, ...]:
        """For each column the rows of the input that have each leaf."""
        rows, hierarchies = self.table.tally.rows, self.table.hierarchies
        return tuple(_rows_by(self.table.leaves[c], rows, len(h.leaves)) for c, h in enumerate(hierarchies))

    def portion_leaves(self, column: int) -> CodeArray:
        """The original leaf of each portion."""
        leaf: CodeArray = self.table.leaves[column].take(self.recoding.combination)
        return leaf

    @cached_property
    def _places(self) -> tuple["_Places", ...]:
        return tuple(_find_places(self, column) for column in range(len(self.columns)))

    @property
    def levels(self) -> tuple[IntArray, ...]:
        """For each column the least level at which the hierarchy has the label; the last entry is its height.

        A label that is no node of the hierarchy has the least level at which one node covers all its leaves.
        """
        return tuple(place.levels for place in self._places)

    @property
    def covers(self) -> tuple[Cover, ...]:
        """For each column the leaves of each label; the last label stands for all leaves."""
        return tuple(place.cover for place in self._places)

    @cached_property
    def _classes(self) -> "_Classes":
        kept = np.flatnonzero(~self.recoding.suppressed & (self.recoding.rows > 0))
        codes = [_by_text(labels, self.recoding.codes[c, kept]) for c, labels in enumerate(self.recoding.labels)]
        keys = pack(codes, [len(labels) for labels in self.recoding.labels], kept.size)
        return _Classes(kept, group_by(keys.key, keys.span))

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


def publish(table: Table, recoding: Recoding) -> Published:
    """The publication of `table` under `recoding`, checked to be about the same columns and rows."""
    names = (table.tally.columns, tuple(hierarchy.column for hierarchy in table.hierarchies), recoding.columns)
    if names[0] != names[1] or names[0] != names[2]:
        raise BadData(f"the columns of tally, hierarchies and recoding differ: {names[0]}, {names[1]}, {names[2]}")
    if not np.array_equal(add_up(recoding.combination, recoding.rows, table.tally.combinations), table.tally.rows):
        raise BadData("the recoding does not account for every row of the table exactly once")
    if not table.weights.sum() > 0:
        raise BadParameter("no quasi-identifier has a weight above 0, so nothing can be measured; give one a weight")
    return Published(table, recoding)


def _rows_by(codes: CodeArray, rows: IntArray, number: int) -> FloatArray:
    return np.bincount(codes, rows, number).astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class _Classes:
    """The portions that are published, and the class of each."""

    kept: IntArray
    grouping: Grouping


@dataclass(frozen=True, eq=False)
class _Places:
    levels: IntArray
    cover: Cover


def _find_places(published: Published, column: int) -> _Places:
    """Where the labels of one column stand in its hierarchy."""
    recoding, hierarchy = published.recoding, published.table.hierarchies[column]
    labels, leaves = recoding.labels[column], recoding.leaves[column]
    below = np.full(len(labels) + 1, NO_LEVEL, dtype=np.int64)
    below[published.codes[column]] = published.portion_leaves(column)
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
    return _Places(np.append(levels, hierarchy.height), cover.extended(len(hierarchy.leaves)))


def _require_nodes(hierarchy: Hierarchy, strange: Sequence[str]) -> None:
    if strange:
        raise BadData(
            f"column {hierarchy.column!r}: {len(strange)} published label(s) are no nodes of its hierarchy, "
            f"such as {strange[0]!r}; the recoding must declare which leaves they cover"
        )


def _by_text(labels: Sequence[str], codes: CodeArray) -> CodeArray:
    """The codes after labels with the same text became one: a reader can't tell them apart."""
    position: dict[str, int] = {}
    merged = [position.setdefault(label, j) for j, label in enumerate(labels)]
    return codes if len(position) == len(labels) else np.array(merged, dtype=np.int32)[codes]


def _people(published: Published, kept: IntArray, classes: Grouping) -> Census:
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

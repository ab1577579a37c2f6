"""From classes to a recoding: each column of a class becomes the least common ancestor or the set of its values."""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, IntArray
from tacit.data.tables.cover import Cover
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import missing_word
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.methods.tables._local.params import Labels
from tacit.methods.tables._local.paths import Paths, class_levels
from tacit.methods.tables._local.pieces import Pieces


@dataclass(frozen=True, eq=False)
class LabelledColumn:
    """The labels of one column and the code of each piece."""

    labels: tuple[str, ...]
    leaves: IntArray
    codes: CodeArray
    cover: Cover | None


def label_pieces(table: Table, paths: Paths, pieces: Pieces, labels: Labels) -> Recoding:
    """The recoding in which every class has labels of its own, no more general than its members need."""
    names, first, class_ = np.unique(pieces.class_, return_index=True, return_inverse=True)
    level = class_levels(paths.node, pieces.combination, class_, pieces.combination[first])
    columns = []
    for column, hierarchy in enumerate(table.hierarchies):
        leaf = table.leaves[column][pieces.combination].astype(np.int64)
        if labels == "nodes":
            columns.append(node_labels(hierarchy, leaf, table.least[column] + level[class_, column]))
        else:
            columns.append(set_labels(hierarchy, leaf, class_, names.size))
    return Recoding(
        columns=table.tally.columns,
        labels=tuple(column.labels for column in columns),
        leaves=tuple(column.leaves for column in columns),
        codes=np.array([column.codes for column in columns], dtype=np.int32),
        combination=pieces.combination,
        rows=pieces.rows,
        suppressed=np.zeros(pieces.rows.size, dtype=np.bool_),
        covers=tuple(column.cover for column in columns) if labels == "sets" else (),
    )


def node_labels(hierarchy: Hierarchy, leaf: IntArray, level: IntArray) -> LabelledColumn:
    """The hierarchy's label of each leaf at its level."""
    first = np.cumsum([0, *(len(labels) for labels in hierarchy.labels)])
    nodes, codes = np.unique(first[level] + hierarchy.codes[level, leaf], return_inverse=True)
    every = [label for labels in hierarchy.labels for label in labels]
    covered = np.concatenate([hierarchy.leaves_under(at) for at in range(hierarchy.height + 1)])
    return LabelledColumn(tuple(every[node] for node in nodes), covered[nodes], codes.astype(np.int32), None)


def set_labels(hierarchy: Hierarchy, leaf: IntArray, class_: IntArray, classes: int) -> LabelledColumn:
    """The set of a class's own values, in the hierarchy's order."""
    pairs = np.unique(class_ * len(hierarchy.leaves) + leaf)
    members = pairs % len(hierarchy.leaves)
    ends = np.searchsorted(pairs // len(hierarchy.leaves), np.arange(classes + 1))
    numbers: dict[tuple[int, ...], int] = {}
    of_class = np.array(
        [numbers.setdefault(tuple(members[ends[q] : ends[q + 1]].tolist()), len(numbers)) for q in range(classes)],
        dtype=np.int32,
    )
    cover = Cover.from_sets(list(numbers))
    return LabelledColumn(tuple(_name(hierarchy, part) for part in numbers), cover.sizes, of_class[class_], cover)


def _name(hierarchy: Hierarchy, part: tuple[int, ...]) -> str:
    if len(part) == 1:
        return hierarchy.leaves[part[0]]
    if len(part) == len(hierarchy.leaves):
        return hierarchy.labels[-1][0]
    missing = missing_word(hierarchy)
    return "{" + ", ".join(hierarchy.leaves[leaf] or missing for leaf in part) + "}"

"""Labels: what each class shows in each column, the least common ancestor of its people."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.cover import Cover, common_levels
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.republication import NextRelease, RepublishedPeople
from tacit.data.tables.table import Table


@dataclass(frozen=True, eq=False)
class ClassLabels:
    """The labels of one column, how many leaves each covers, and which of them each class shows."""

    texts: tuple[str, ...]
    leaves: IntArray
    codes: IntArray


def class_levels(people: RepublishedPeople, release: NextRelease) -> IntArray:
    """`[column, class]`: the least level at which one label covers all people of the class."""
    order = np.argsort(release.class_, kind="stable")
    starts = np.searchsorted(release.class_[order], np.arange(release.classes + 1))
    return np.array(
        [
            common_levels(hierarchy, Cover(starts, leaves[order].astype(np.int64)))
            for hierarchy, leaves in zip(people.hierarchies, people.leaves, strict=True)
        ],
        dtype=np.int64,
    ).reshape(len(people.hierarchies), release.classes)


def label_classes(people: RepublishedPeople, release: NextRelease, least: Sequence[int]) -> tuple[ClassLabels, ...]:
    """The labels of every column, at its least level or above."""
    somebody = np.empty(release.classes, dtype=np.int64)
    somebody[release.class_] = np.arange(release.class_.size)
    levels = np.maximum(class_levels(people, release), np.array(least, dtype=np.int64)[:, None])
    return tuple(
        _node_labels(hierarchy, leaves[somebody], level)
        for hierarchy, leaves, level in zip(people.hierarchies, people.leaves, levels, strict=True)
    )


def _node_labels(hierarchy: Hierarchy, leaf: IntArray, level: IntArray) -> ClassLabels:
    first = np.cumsum([0, *(len(labels) for labels in hierarchy.labels)])
    nodes, codes = np.unique(first[level] + hierarchy.codes[level, leaf], return_inverse=True)
    every = [label for labels in hierarchy.labels for label in labels]
    covered = np.concatenate([hierarchy.leaves_under(at) for at in range(hierarchy.height + 1)])
    return ClassLabels(tuple(every[node] for node in nodes), covered[nodes], codes)


def recoding_of(table: Table, combination: IntArray, class_: IntArray, labels: Sequence[ClassLabels]) -> Recoding:
    """How the people's own rows were published, for metrics; it does not say whose row went where."""
    classes = int(class_.max(initial=0)) + 1
    pairs, rows = np.unique(combination * classes + class_, return_counts=True)
    return Recoding(
        columns=table.tally.columns,
        labels=tuple(one.texts for one in labels),
        leaves=tuple(one.leaves for one in labels),
        codes=np.array([one.codes[pairs % classes] for one in labels], dtype=np.int32),
        combination=pairs // classes,
        rows=rows.astype(np.int64),
        suppressed=np.zeros(pairs.size, dtype=np.bool_),
    )

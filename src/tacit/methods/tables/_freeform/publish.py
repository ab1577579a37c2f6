"""From a design and its true matching to a recoding.

The engine deals the rows of a combination out to its portions in the order of the file, which may follow the sensitive
values. So the portions of a combination stand in random order, one for each row (neighbours alike are joined): which
row gets which label is then independent of everything in the row.
"""

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.cover import Cover
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.methods.tables._freeform.design import Design
from tacit.methods.tables._local.params import Labels
from tacit.methods.tables._local.paths import Paths
from tacit.methods.tables._local.publish import LabelledColumn, node_labels, set_labels
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutation


def recode(table: Table, paths: Paths, design: Design, owner: IntArray, how: tuple[Labels, RandomBits]) -> Recoding:
    """The recoding in which the owner of each label is published with it."""
    labels, bits = how
    columns = [_column(table, paths, design, column, labels) for column in range(len(table.hierarchies))]
    codes = np.array([column.codes[: owner.size] for column in columns], dtype=np.int32).reshape(-1, owner.size)
    mixed = permutation(owner.size, bits)
    order = mixed[np.argsort(design.combination[owner[mixed]], kind="stable")]
    combination, codes = design.combination[owner[order]], codes[:, order]
    changes = (np.diff(combination, prepend=-1) != 0) | (np.diff(codes, axis=1, prepend=-1) != 0).any(axis=0)
    starts = np.flatnonzero(changes)
    return Recoding(
        columns=table.tally.columns,
        labels=tuple(column.labels for column in columns),
        leaves=tuple(column.leaves for column in columns),
        codes=codes[:, starts],
        combination=combination[starts],
        rows=np.diff(np.append(starts, owner.size)),
        suppressed=np.zeros(starts.size, dtype=np.bool_),
        covers=tuple(column.cover for column in columns) if labels == "sets" else (),
    )


def beside(one: Recoding, other: Recoding) -> Recoding:
    """The recoding of both, which are about different rows of one table."""
    codes = [own + len(labels) for own, labels in zip(other.codes, one.labels, strict=True)]
    covers = zip(one.covers, other.covers, strict=True)
    return Recoding(
        columns=one.columns,
        labels=tuple((*mine, *others) for mine, others in zip(one.labels, other.labels, strict=True)),
        leaves=tuple(np.concatenate(both) for both in zip(one.leaves, other.leaves, strict=True)),
        codes=np.concatenate([one.codes, np.array(codes, dtype=np.int32)], axis=1),
        combination=np.concatenate([one.combination, other.combination]),
        rows=np.concatenate([one.rows, other.rows]),
        suppressed=np.concatenate([one.suppressed, other.suppressed]),
        covers=tuple(_both(mine, others) for mine, others in covers),
    )


def _both(one: Cover | None, other: Cover | None) -> Cover | None:
    if one is None or other is None:
        return None
    return Cover(np.concatenate([one.starts, one.leaf.size + other.starts[1:]]), np.concatenate([one.leaf, other.leaf]))


def _column(table: Table, paths: Paths, design: Design, column: int, labels: Labels) -> LabelledColumn:
    """The labels of one column: what covers all members of each, and no more."""
    hierarchy, leaf = table.hierarchies[column], table.leaves[column].astype(np.int64)
    member = design.combination[design.member]
    if labels == "sets":
        label = np.tile(np.arange(member.shape[1]), member.shape[0])
        return set_labels(hierarchy, leaf[member].ravel(), label, member.shape[1])
    differs = (paths.node[member[1:], column] != paths.node[member[0], column]).any(axis=0)
    return node_labels(hierarchy, leaf[member[0]], differs.sum(axis=1))

"""Input and release as distributions over leaves: a published label is spread evenly over the leaves that it covers.

So does a reader who knows nothing else, and so does the query error. Labels of one row are spread independently of each
other. A suppressed row is a row whose every label is the root, or is left out, as a metric says.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.cover import Cover
from tacit.data.tables.hierarchies.numerals import read_numeral
from tacit.data.tables.hierarchy import MISSING, Hierarchy
from tacit.data.tables.view import Comparison, leaf_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LARGEST_JOINT = 20_000_000
"""Pairs of columns whose joint domain has more cells are not compared."""


@dataclass(frozen=True, eq=False, repr=False)
class ShareChange(Discreet):
    """The distribution of the input and of the release over the same outcomes."""

    before: FloatArray
    after: FloatArray


def column_shares(compared: Comparison, column: int) -> ShareChange:
    """The distributions over the leaves of one column, suppressed rows spread over all leaves."""
    after = spread(compared.after.covers[column], compared.after.label_rows[column])
    return ShareChange(
        leaf_rows(compared, column) / max(compared.before.total, 1), after / max(compared.after.total, 1)
    )


def spread(cover: Cover, amounts: FloatArray) -> FloatArray:
    """The amount of each leaf after the amount of each label was spread over its leaves."""
    sizes = cover.sizes
    of_leaf = np.repeat(amounts / np.maximum(sizes, 1), sizes)
    return np.bincount(cover.leaf, of_leaf, int(cover.leaf.max(initial=-1)) + 1).astype(np.float64, copy=False)


def spreading(cover: Cover, leaves: int) -> "csr_matrix":
    """`[leaf, label]`: the part of each label that each leaf gets."""
    from scipy.sparse import csr_matrix

    label = np.repeat(np.arange(cover.sizes.size), cover.sizes)
    part = 1 / cover.sizes[label]
    return csr_matrix((part, (cover.leaf, label)), shape=(leaves, cover.sizes.size))


def fits_in_memory(compared: Comparison, first: int, second: int) -> bool:
    """Whether the joint domain of two columns, of leaves or of labels, is small enough to be laid out."""
    leaves = [len(compared.before.labels[c]) for c in (first, second)]
    labels = [len(compared.after.labels[c]) + 1 for c in (first, second)]
    return max(leaves[0], labels[0]) * max(leaves[1], labels[1]) <= LARGEST_JOINT


def pair_shares(compared: Comparison, first: int, second: int) -> ShareChange:
    """The joint distributions `[leaf, leaf]` of two columns, suppressed rows spread over all cells."""
    old, new = compared.before, compared.after
    sizes = len(old.labels[first]), len(old.labels[second])
    before = _laid_out(old.codes[first], old.codes[second], old.rows, sizes)
    labels = len(new.labels[first]) + 1, len(new.labels[second]) + 1
    shown = _laid_out(new.codes[first], new.codes[second], new.rows, labels)
    left = spreading(new.covers[first], sizes[0]) @ shown
    after = np.asarray((spreading(new.covers[second], sizes[1]) @ left.T).T)
    return ShareChange(before / max(old.total, 1), after / max(new.total, 1))


def _laid_out(first: IntArray, second: IntArray, rows: IntArray, sizes: tuple[int, int]) -> FloatArray:
    key = first.astype(np.int64) * sizes[1] + second
    return np.bincount(key, rows, sizes[0] * sizes[1]).astype(np.float64, copy=False).reshape(sizes)


def numbers_of(hierarchy: Hierarchy) -> FloatArray | None:
    """The number of each leaf, NaN for the missing one; None where another leaf is no number."""
    return read_numbers(hierarchy.leaves)


def read_numbers(values: tuple[str, ...]) -> FloatArray | None:
    """The number that each value spells, NaN for the missing one; None where another spells none."""
    if not any(value != MISSING for value in values):
        return None
    if not all(value == MISSING or read_numeral(value) for value in values):
        return None
    numbers = np.array([np.nan if value == MISSING else float(value) for value in values])
    return None if np.isinf(numbers).any() else numbers

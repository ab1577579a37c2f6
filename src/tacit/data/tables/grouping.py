"""Grouping by whole-number keys: by sorting, or by direct addressing where the keys are dense."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, IntArray
from tacit.data.discreet import Discreet

LARGEST_KEY = 2**62
DENSE_SPAN = 8
"""Direct addressing is used while the span of the keys is at most this many times their number."""


@dataclass(frozen=True, eq=False, repr=False)
class EntryGroups(Discreet):
    """Which group each entry belongs to; groups are numbered by rising key, `first` is one entry of each."""

    group: IntArray
    first: IntArray

    @property
    def number(self) -> int:
        """How many groups there are."""
        return int(self.first.size)


def group_by(key: IntArray, span: int) -> EntryGroups:
    """The groups of equal keys; every key lies in [0, span)."""
    if span > DENSE_SPAN * key.size + 1024:
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        return EntryGroups(group, first)
    entry = np.full(span, -1, dtype=np.int64)
    entry[key[::-1]] = np.arange(key.size - 1, -1, -1)
    present = np.flatnonzero(entry >= 0)
    number = np.empty(span, dtype=np.int64)
    number[present] = np.arange(present.size)
    return EntryGroups(number[key], entry[present])


@dataclass(frozen=True, eq=False, repr=False)
class PackedKeys(Discreet):
    """Numbers in [0, span), equal exactly where all packed codes are."""

    key: IntArray
    span: int


def pack(codes: Sequence[IntArray | CodeArray], sizes: Sequence[int], length: int) -> PackedKeys:
    """One number for each entry; earlier columns weigh more, so sorting by key sorts by the columns."""
    key = np.zeros(length, dtype=np.int64)
    span = 1
    for column, size in zip(codes, sizes, strict=True):
        if span * max(size, 1) > LARGEST_KEY:
            distinct, key = np.unique(key, return_inverse=True)
            span = max(int(distinct.size), 1)
        if size > 1:
            key *= size
            key += column
            span *= size
    return PackedKeys(key, span)


def add_up(group: IntArray, amounts: IntArray, groups: int) -> IntArray:
    """The exact sum of whole amounts in each group (sums below 2**53)."""
    return np.bincount(group, weights=amounts, minlength=groups).astype(np.int64)

"""Counts with margins: a contingency table in all its sums, and the equations that hold between them.

Along each axis stand the values themselves and their sums: the total, and subtotals where the values form a tree. A
table of several axes has a cell for every combination of these, and along every axis each sum equals its parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.errors import BadParameter
from tacit.spelling import many

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOTAL = "total"


@dataclass(frozen=True)
class Axis:
    """Names along one side of a table; `parts[name]` are the names that a sum adds up, and the last name is the total.

    Where names are `occurring`, each was taken from somebody in the table, and readers know that. Build it with `flat`
    or `grouped`.
    """

    name: str
    names: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    occurring: bool = False

    @classmethod
    def flat(cls, name: str, values: Sequence[str], total: str = TOTAL, occurring: bool = False) -> "Axis":
        """Values and their total."""
        return cls.grouped(name, {total: tuple(values)}, occurring)

    @classmethod
    def grouped(cls, name: str, parts: Mapping[str, Sequence[str]], occurring: bool = False) -> "Axis":
        """A tree of sums: each name with its parts; the one that is part of nothing is the total."""
        children = {above: tuple(below) for above, below in parts.items()}
        below = [part for some in children.values() for part in some]
        roots = [above for above in children if above not in below]
        if len(roots) != 1 or len(set(below)) < len(below) or not all(children.values()):
            raise BadParameter(
                f"axis {name!r}: its sums must form one tree, in which every name is part of one sum; found the "
                f"totals {roots} and {many(len(below) - len(set(below)), 'name')} given twice"
            )
        values = [part for part in below if part not in children]
        order = _from_the_leaves(roots[0], children)
        if len(order) < len(children):
            raise BadParameter(f"axis {name!r}: not every sum leads to the total {roots[0]!r}")
        return cls(name, (*values, *order), children, occurring)

    @property
    def values(self) -> tuple[str, ...]:
        """The names that are no sums."""
        return tuple(name for name in self.names if name not in self.parts)

    @property
    def is_flat(self) -> bool:
        """Whether the total is the only sum."""
        return len(self.parts) == 1


def _from_the_leaves(name: str, children: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The sums below and with a name, parts before what they add up to."""
    below = [sum_ for part in children[name] if part in children for sum_ in _from_the_leaves(part, children)]
    return [*below, name]


@dataclass(frozen=True, eq=False)
class Margins:
    """Counts in all cells: `counts[i, j, …]` belongs to the names `axes[0].names[i]`, `axes[1].names[j]`, ….

    Build it with `summed` or `counted`.
    """

    axes: tuple[Axis, ...]
    counts: IntArray = field(repr=False)

    @cached_property
    def equations(self) -> "csr_array":
        """One row for each sum: the sum of its parts minus itself, over the flattened cells, is 0."""
        from scipy.sparse import csr_array

        place = np.arange(self.counts.size).reshape(self.counts.shape)
        rows, columns, signs = [], [], []
        row = 0
        for number, axis in enumerate(self.axes):
            along = np.moveaxis(place, number, 0).reshape(len(axis.names), -1)
            position = {name: i for i, name in enumerate(axis.names)}
            for above, parts in axis.parts.items():
                lines = np.arange(row, row + along.shape[1])
                for name, sign in ((above, -1.0), *((part, 1.0) for part in parts)):
                    rows.append(lines)
                    columns.append(along[position[name]])
                    signs.append(np.full(lines.size, sign))
                row += lines.size
        entries = np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns))
        return csr_array(entries, shape=(row, self.counts.size))

    @property
    def is_network(self) -> bool:
        """Whether bounds over real numbers are those over whole ones: two axes at most, one of them flat."""
        return len(self.axes) <= 2 and sum(not axis.is_flat for axis in self.axes) <= 1

    def least(self, zeros: bool) -> IntArray:
        """The least that readers know each cell to be if it is suppressed; `zeros`: whether an empty one may be.

        Where empty cells are always published, that is 1. Elsewhere it is 1 only for the total of a name that is known
        to occur.
        """
        known = np.full(self.counts.shape, 0 if zeros else 1, dtype=np.int64)
        for number, axis in enumerate(self.axes):
            if axis.occurring:
                known[tuple(slice(None) if i == number else -1 for i in range(len(self.axes)))] = 1
        return known

    def names(self, cells: BoolArray) -> list[tuple[str, ...]]:
        """The names of the chosen cells."""
        return [tuple(a.names[i] for a, i in zip(self.axes, at, strict=True)) for at in np.argwhere(cells).tolist()]


def summed(axes: Sequence[Axis], inner: IntArray) -> Margins:
    """The table whose cells without sums are `inner`, in the order of the axes' values."""
    counts = np.asarray(inner)
    shape = tuple(len(axis.values) for axis in axes)
    if not axes or counts.shape != shape or counts.dtype.kind not in "iu" or (counts.size and counts.min() < 0):
        raise BadParameter(f"the counts must be whole numbers of at least 0 in the shape {shape}; found {counts.shape}")
    counts = counts.astype(np.int64)
    for number, axis in enumerate(axes):
        lines = dict(zip(axis.values, np.moveaxis(counts, number, 0), strict=True))
        for name in axis.names[len(axis.values) :]:
            lines[name] = np.sum([lines[part] for part in axis.parts[name]], axis=0)
        counts = np.moveaxis(np.stack([lines[name] for name in axis.names]), 0, number)
    return Margins(tuple(axes), np.ascontiguousarray(counts))


def counted(axes: Sequence[Axis], columns: Sequence[Sequence[str]]) -> Margins:
    """The table of rows that have a value of each axis, column by column."""
    rows = {len(column) for column in columns}
    if len(columns) != len(axes) or len(rows) != 1:
        raise BadParameter(f"{len(axes)} axes need as many columns of one length; found {len(columns)}")
    codes = []
    for axis, column in zip(axes, columns, strict=True):
        position = {value: i for i, value in enumerate(axis.values)}
        found = np.array([position.get(value, -1) for value in column], dtype=np.int64)
        if (found < 0).any():
            raise BadParameter(
                f"axis {axis.name!r} lacks {many(int((found < 0).sum()), 'value')} of its column; declare all"
            )
        codes.append(found)
    shape = tuple(len(axis.values) for axis in axes)
    flat = np.bincount(np.ravel_multi_index(codes, shape), minlength=int(np.prod(shape)))
    return summed(axes, flat.reshape(shape).astype(np.int64))

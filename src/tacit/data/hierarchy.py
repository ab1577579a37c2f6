"""A hierarchy: how the values of one column generalise, from the leaves to one root (a DGH).

`codes[level, leaf]` is the position of the leaf's label in `labels[level]`; level 0 are the values
themselves, the last level is the single root. Two leaves with one label at a level share all labels above it, so
grouping by a label can only merge groups when the level rises: the lattice search relies on that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.errors import BadData

SUPPRESSED = "*"
MISSING = ""


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The generalisation of one column; build it with `from_paths`, which validates."""

    column: str
    labels: tuple[tuple[str, ...], ...]
    codes: CodeArray

    @classmethod
    def from_paths(cls, column: str, paths: Sequence[Sequence[str]]) -> "Hierarchy":
        """The hierarchy whose rows are `leaf, label at level 1, …, root`."""
        _require_rectangle(column, paths)
        labels: list[tuple[str, ...]] = []
        codes = np.empty((len(paths[0]), len(paths)), dtype=np.int32)
        for level, column_labels in enumerate(zip(*paths, strict=True)):
            position: dict[str, int] = {}
            codes[level] = [position.setdefault(label, len(position)) for label in column_labels]
            labels.append(tuple(position))
        _require_unique_leaves(column, paths)
        _require_one_root(column, labels[-1])
        _require_tree(column, labels, codes)
        return cls(column, tuple(labels), codes)

    @property
    def height(self) -> int:
        """The number of levels above the leaves."""
        return len(self.labels) - 1

    @property
    def leaves(self) -> tuple[str, ...]:
        """The values of level 0."""
        return self.labels[0]

    @cached_property
    def leaf_positions(self) -> dict[str, int]:
        """Where each leaf stands."""
        return {leaf: position for position, leaf in enumerate(self.leaves)}

    def leaves_under(self, level: int) -> IntArray:
        """How many leaves each label of the level covers."""
        return np.bincount(self.codes[level], minlength=len(self.labels[level])).astype(np.int64)

    @cached_property
    def cell_loss(self) -> FloatArray:
        """`[level, leaf]`: (leaves under the label − 1) / (leaves − 1), the share of the domain a cell hides in."""
        if len(self.leaves) == 1:
            return np.zeros(self.codes.shape)
        covered = [self.leaves_under(level)[codes] for level, codes in enumerate(self.codes)]
        return (np.array(covered, dtype=np.float64) - 1) / (len(self.leaves) - 1)

    def place(self, values: Sequence[str]) -> CodeArray:
        """The leaf of each value; an error that names the values that have none."""
        unknown = [value for value in values if value not in self.leaf_positions]
        if unknown:
            raise BadData(
                f"column {self.column!r}: {len(unknown)} value(s) have no place in its hierarchy: {_some(unknown)}; "
                "add a line for each, or let the hierarchy be inferred"
            )
        return np.array([self.leaf_positions[value] for value in values], dtype=np.int32)

    def with_missing(self) -> "Hierarchy":
        """The same hierarchy with the missing value as a leaf of its own that merges at the root only."""
        if MISSING in self.leaf_positions:
            return self
        paths = [[self.labels[level][code] for level, code in enumerate(path)] for path in self.codes.T]
        extra = [MISSING] * max(self.height, 1) + [self.labels[-1][0]]
        if self.height == 0:
            paths = [[*path, SUPPRESSED] for path in paths]
            extra = [MISSING, SUPPRESSED]
        return Hierarchy.from_paths(self.column, [*paths, extra])


def _some(values: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(repr(value) for value in values[:most])
    return shown if len(values) <= most else f"{shown} and {len(values) - most} more"


def _require_rectangle(column: str, paths: Sequence[Sequence[str]]) -> None:
    if not paths or not paths[0]:
        raise BadData(f"column {column!r}: its hierarchy is empty")
    odd = [path[0] if path else "" for path in paths if len(path) != len(paths[0])]
    if odd:
        raise BadData(
            f"column {column!r}: levels of unequal length in its hierarchy: the first line has {len(paths[0])} levels, "
            f"these leaves have another number: {_some(odd)}"
        )


def _require_unique_leaves(column: str, paths: Sequence[Sequence[str]]) -> None:
    seen: set[str] = set()
    double = [path[0] for path in paths if path[0] in seen or seen.add(path[0])]  # type: ignore[func-returns-value]
    if double:
        raise BadData(f"column {column!r}: duplicate leaf in its hierarchy: {_some(double)}; keep one line a value")


def _require_one_root(column: str, roots: Sequence[str]) -> None:
    if len(roots) > 1:
        raise BadData(
            f"column {column!r}: its hierarchy has {len(roots)} roots: {_some(roots)}; "
            "the last level must be one label, such as '*'"
        )


def _require_tree(column: str, labels: Sequence[Sequence[str]], codes: CodeArray) -> None:
    for level in range(1, len(labels)):
        parent = np.empty(len(labels[level - 1]), dtype=np.int32)
        parent[codes[level - 1]] = codes[level]
        torn = np.flatnonzero(parent[codes[level - 1]] != codes[level])
        if torn.size:
            label = labels[level - 1][codes[level - 1, torn[0]]]
            raise BadData(f"column {column!r}: label {label!r} at level {level - 1} of its hierarchy has two parents")

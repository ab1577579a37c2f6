"""A hierarchy: how the values of one column generalise, from the leaves to one root (a DGH).

`codes[level, leaf]` is the position of the leaf's label in `labels[level]`; level 0 are the values
themselves, the last level is the single root. Two leaves with one label at a level share all labels above it, so
grouping by a label can only merge groups when the level rises: the lattice search relies on that (Samarati 2001).

The empty text stands for a missing value: as a leaf it is one, as a label above it only covers the missing leaf.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from unicodedata import category

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.errors import BadData
from tacit.spelling import many

SUPPRESSED = "*"
MISSING = ""
_SHAPES = {"L": "a", "M": "a", "N": "9"}
"""How characters are shown by the first letter of their Unicode category: letter, mark, number."""
_SHAPED = 1_000
_MOST_SHAPES = 5
MOST_ROOTS = 4
"""A hierarchy that lacks its last level may have a few roots; a file with more may be something else."""
_LONGEST_SHAPE = 61


@dataclass(frozen=True)
class Origin:
    """Where the paths of a hierarchy were written, for messages: a name and, in a file, the line of each path."""

    name: str = "its hierarchy"
    lines: Sequence[int] = ()

    def place(self, path: int) -> str:
        """The line of a path, as the end of a phrase; nothing where lines are unknown."""
        return f" (line {self.lines[path]})" if self.lines else ""


NOWHERE = Origin()


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The generalisation of one column; build it with `from_paths` or `from_levels`, which validate."""

    column: str
    labels: tuple[tuple[str, ...], ...]
    codes: CodeArray

    @classmethod
    def from_paths(cls, column: str, paths: Sequence[Sequence[str]], origin: Origin = NOWHERE) -> "Hierarchy":
        """The hierarchy whose rows are `leaf, label at level 1, …, root`."""
        _require_rectangle(column, paths, origin)
        return cls.from_levels(column, [[path[level] for path in paths] for level in range(len(paths[0]))], origin)

    @classmethod
    def from_levels(cls, column: str, levels: Sequence[Sequence[str]], origin: Origin = NOWHERE) -> "Hierarchy":
        """The hierarchy in which leaf i has the label `levels[level][i]` at each level."""
        if not levels or not levels[0]:
            raise BadData(f"column {column!r}: {origin.name} is empty; write one line for each value")
        labels: list[tuple[str, ...]] = []
        codes = np.empty((len(levels), len(levels[0])), dtype=np.int32)
        for level, names in enumerate(levels):
            position = {label: code for code, label in enumerate(dict.fromkeys(names))}
            codes[level] = np.fromiter(map(position.__getitem__, names), dtype=np.int32, count=len(levels[0]))
            labels.append(tuple(position))
        hierarchy = cls(column, tuple(labels), codes)
        _require_unique_leaves(hierarchy, levels[0], origin)
        _require_one_root(hierarchy, origin)
        _require_tree(hierarchy, origin)
        _require_filled(hierarchy, origin)
        return hierarchy

    def __repr__(self) -> str:
        """Its size, and no value."""
        return f"Hierarchy({self.column!r}: {many(len(self.leaves), 'value')}, {many(self.height, 'level')} above them)"

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

    def labels_at(self, level: int) -> list[str]:
        """The label of each leaf at the level."""
        names = self.labels[level]
        return [names[code] for code in self.codes[level].tolist()]

    @cached_property
    def cell_loss(self) -> FloatArray:
        """`[level, leaf]`: (leaves under the label − 1) / (leaves − 1), the share of the domain a cell hides in."""
        if len(self.leaves) == 1:
            return np.zeros(self.codes.shape)
        covered = [self.leaves_under(level)[codes] for level, codes in enumerate(self.codes)]
        return (np.array(covered, dtype=np.float64) - 1) / (len(self.leaves) - 1)

    def place(self, values: Sequence[str], origin: Origin = NOWHERE) -> CodeArray:
        """The leaf of each value; an error that shows the shapes of the values that have none."""
        found = [self.leaf_positions.get(value, -1) for value in values]
        places = np.array(found, dtype=np.int32)
        unknown = [values[position] for position in np.flatnonzero(places < 0).tolist()]
        if unknown:
            raise BadData(
                f"column {self.column!r}: {many(len(unknown), 'value has', 'values have')} no place in {origin.name}: "
                f"{show_shapes(unknown)}; {self._advice(unknown)}"
            )
        return places

    def _advice(self, unknown: Sequence[str]) -> str:
        if any(value.strip() in self.leaf_positions for value in unknown):
            return "some differ from leaves only by spaces around them: trim the data, or add a line for each"
        return "add a line for each, or let the hierarchy be inferred"

    def with_missing(self) -> "Hierarchy":
        """The same hierarchy with the missing value as a leaf of its own that merges at the root only."""
        return self.with_leaves((MISSING,))

    def with_leaves(self, values: Sequence[str]) -> "Hierarchy":
        """The same hierarchy with these values behind its leaves, each of its own until it merges at the root."""
        new = [value for value in dict.fromkeys(values) if value not in self.leaf_positions]
        if not new:
            return self
        levels = [[*self.labels_at(level), *new] for level in range(len(self.labels))]
        if self.height == 0:
            levels.append([SUPPRESSED] * len(levels[0]))
        else:
            levels[-1] = [self.labels[-1][0]] * len(levels[0])
        return Hierarchy.from_levels(self.column, levels)


def show_some(values: Sequence[str], most: int = 5, longest: int = 60) -> str:
    """The first values, quoted and cut to a readable length, and how many more there are."""
    cut = [value if len(value) <= longest else value[: longest - 1] + "…" for value in values[:most]]
    shown = ", ".join(repr(value) for value in cut)
    return shown if len(values) <= most else f"{shown} and {len(values) - most} more"


def show_shapes(values: Sequence[str]) -> str:
    """What the first values look like: no message may quote a value of the data."""
    shapes = list(dict.fromkeys(shape_of(value[:_LONGEST_SHAPE]) for value in values[:_SHAPED]))
    more = " and others" if len(shapes) > _MOST_SHAPES else ""
    return f"{show_some(shapes[:_MOST_SHAPES])}{more} (letters as a, digits as 9)"


def shape_of(value: str) -> str:
    """The value with every letter and accent as a, every digit as 9; all other characters are kept."""
    return "".join(_SHAPES.get(category(character)[0], character) for character in value)


def _require_rectangle(column: str, paths: Sequence[Sequence[str]], origin: Origin) -> None:
    if not paths or not paths[0]:
        raise BadData(f"column {column!r}: {origin.name} is empty; write one line for each value")
    width = len(paths[0])
    odd = [position for position, path in enumerate(paths) if len(path) != width]
    if odd:
        leaves = [paths[position][0] if paths[position] else "" for position in odd]
        raise BadData(
            f"column {column!r}: {origin.name} has levels of unequal length: the first line has "
            f"{many(width, 'level')}, {many(len(odd), 'line has', 'lines have')} another number, first "
            f"{len(paths[odd[0]])}{origin.place(odd[0])}: "
            f"{show_some(leaves)}; give every value the same number of levels, repeating labels where needed"
        )


def _require_unique_leaves(hierarchy: Hierarchy, leaves: Sequence[str], origin: Origin) -> None:
    if len(hierarchy.leaves) == len(leaves):
        return
    _, first = np.unique(hierarchy.codes[0], return_index=True)
    again = np.setdiff1d(np.arange(len(leaves)), first)
    raise BadData(
        f"column {hierarchy.column!r}: duplicate leaf in {origin.name}: "
        f"{_show_labels([leaves[i] for i in again], hierarchy, origin, most_roots=1)}"
        f"{origin.place(int(again[0]))}; keep one line for each value"
    )


def _show_labels(labels: Sequence[str], hierarchy: Hierarchy, origin: Origin, most_roots: int = MOST_ROOTS) -> str:
    """Labels for a message; only their shapes where a file with several roots may be the data, named by mistake."""
    if not origin.lines or len(hierarchy.labels[-1]) <= most_roots:
        return show_some(labels)
    return f"{show_shapes(labels)}; is it a hierarchy, or did you name the data by mistake?"


def _require_one_root(hierarchy: Hierarchy, origin: Origin) -> None:
    roots = hierarchy.labels[-1]
    if len(roots) > 1:
        differs = hierarchy.codes[-1] != hierarchy.codes[-1, 0]
        header = origin.lines and differs.size > 2 and len(roots) == 2 and differs[1:].all()
        raise BadData(
            f"column {hierarchy.column!r}: {origin.name} has {len(roots)} roots: "
            f"{_show_labels(roots, hierarchy, origin)}"
            f"{origin.place(int(np.argmax(differs)))}; the last level must be one label, such as '*'"
            f"{'; if the first line is a header, delete it' if header else ''}"
        )


def _require_tree(hierarchy: Hierarchy, origin: Origin) -> None:
    for level in range(1, len(hierarchy.labels)):
        below, above = hierarchy.codes[level - 1], hierarchy.codes[level]
        parent = np.empty(len(hierarchy.labels[level - 1]), dtype=np.int32)
        parent[below[::-1]] = above[::-1]
        torn = np.flatnonzero(parent[below] != above)
        if torn.size:
            here = int(torn[0])
            label, names = hierarchy.labels[level - 1][below[here]], hierarchy.labels[level]
            raise BadData(
                f"column {hierarchy.column!r}: label {label!r} at level {level - 1} of {origin.name} has two parents, "
                f"{names[parent[below[here]]]!r} and {names[above[here]]!r}{origin.place(here)}; "
                "give one of the two another name, or both one parent"
            )


def _require_filled(hierarchy: Hierarchy, origin: Origin) -> None:
    for level in range(1, len(hierarchy.labels)):
        if MISSING not in hierarchy.labels[level]:
            continue
        under = np.flatnonzero(hierarchy.codes[level] == hierarchy.labels[level].index(MISSING))
        present = [int(leaf) for leaf in under if hierarchy.leaves[leaf] != MISSING]
        if present:
            raise BadData(
                f"column {hierarchy.column!r}: {origin.name} has an empty label at level {level} above "
                f"{show_some([hierarchy.leaves[leaf] for leaf in present])}{origin.place(present[0])}; "
                "the empty text stands for a missing value: give the label a name"
            )

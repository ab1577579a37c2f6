"""A table as methods see it: a tally, a hierarchy for each quasi-identifier, weights and limits of generalisation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import CodeArray, FloatArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.tally import Tally
from tacit.errors import BadParameter
from tacit.spelling import many


@dataclass(frozen=True, eq=False, repr=False)
class Table(Discreet):
    """The quasi-identifiers of a file: counted, placed in their hierarchies, weighted.

    `least` and `most` bound the level that each column may be generalised to.
    """

    tally: Tally
    hierarchies: tuple[Hierarchy, ...]
    weights: FloatArray
    least: tuple[int, ...]
    most: tuple[int, ...]

    def amounts(self) -> str:
        """How many combinations and columns there are."""
        return f"{many(self.tally.combinations, 'combination')} of {many(len(self.hierarchies), 'column')}"

    @classmethod
    def of(cls, tally: Tally, hierarchies: tuple[Hierarchy, ...], weights: tuple[float, ...] | None = None) -> "Table":
        """A table without limits, its weights scaled to sum to one."""
        given = np.ones(len(hierarchies)) if weights is None else np.asarray(weights, dtype=np.float64)
        if given.size and (not np.isfinite(given).all() or given.min() < 0 or given.sum() == 0):
            raise BadParameter(f"weights are {given.tolist()}; none may be negative and one must be above 0")
        heights = tuple(hierarchy.height for hierarchy in hierarchies)
        return cls(tally, hierarchies, given / given.sum(), tuple(0 for _ in heights), heights)

    @property
    def number_of_rows(self) -> int:
        """How many rows the file has."""
        return int(self.tally.rows.sum())

    @cached_property
    def leaves(self) -> CodeArray:
        """`[column, combination]`: the leaf of each value in its column's hierarchy."""
        placed = [
            hierarchy.place(values)[codes] if codes.size else codes
            for hierarchy, values, codes in zip(self.hierarchies, self.tally.values, self.tally.codes, strict=True)
        ]
        return np.array(placed, dtype=np.int32).reshape(len(placed), self.tally.combinations)

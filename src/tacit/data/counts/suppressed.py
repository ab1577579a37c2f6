"""A table of counts as it is published: which cells are left out, and what a reader can deduce about them."""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, FloatArray
from tacit.data.counts.intervals import Intervals
from tacit.data.counts.margins import Margins
from tacit.spelling import many
from tacit.visible import visible

MARK = "*"
"""What stands in a table in the place of a count that is left out."""


@dataclass(frozen=True, eq=False)
class SuppressedTable:
    """What is published: which cells are small, which are their partners, and what a reader can deduce of both.

    `cost` is what all suppressed cells cost together; no choice costs less than `bound`.
    """

    margins: Margins
    primary: BoolArray
    secondary: BoolArray
    intervals: Intervals
    cost: float
    bound: float
    optimal: bool

    def __repr__(self) -> str:
        """Its sides and how much is left out; no count, since some are secret."""
        sides = " by ".join(visible(axis.name) for axis in self.margins.axes)
        small, partners = int(self.primary.sum()), int(self.secondary.sum())
        cells = many(self.primary.size, "cell")
        return f"SuppressedTable({sides}: {cells}, {small} small and {partners} more left out)"

    def _repr_html_(self) -> str:
        """The table as it is published."""
        from tacit.hypertext import piece, table

        head, *rows = self.lines()
        return piece(repr(self), table(head, rows))

    @property
    def published(self) -> FloatArray:
        """The counts, with NaN in suppressed cells."""
        return np.where(self.primary | self.secondary, np.nan, self.margins.counts.astype(np.float64))

    def lines(self, mark: str = MARK) -> list[list[str]]:
        """The table as text, one line for each but the last axis' names, with a head; suppressed cells are the mark."""
        *outer, last = self.margins.axes
        shown = np.where(self.primary | self.secondary, mark, self.margins.counts.astype(str))
        flat = shown.reshape(-1, len(last.names)).tolist()
        heads = [list(names) for names in np.ndindex(*shown.shape[:-1])]
        named = [[axis.names[i] for axis, i in zip(outer, at, strict=True)] for at in heads]
        return [[*(axis.name for axis in outer), *last.names], *([*a, *b] for a, b in zip(named, flat, strict=True))]

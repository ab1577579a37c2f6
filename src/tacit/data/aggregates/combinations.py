"""Rows as combinations of codes, each with the number of its rows, asked of any engine in one pass.

Along an axis the codes 0 to size - 1 are its cells, and `size` stands for a value that is missing or was not declared.
No row is left out, so the counts along every axis add up to the same number. However many axes there are, only
combinations with rows are handed over, and every table of counts over some of the axes follows from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.data.aggregates.answered import columns_of, whole_numbers
from tacit.data.aggregates.asked import Derivation, require_same
from tacit.data.aggregates.rendering import Express, coded, plain
from tacit.data.aggregates.scale import Names, OfReadings, PresentCells, Reading
from tacit.data.discreet import Discreet
from tacit.data.sql import literal
from tacit.errors import BadData


@dataclass(frozen=True, repr=False)
class CodedRows(Discreet):
    """Combinations with a code for each axis, how many rows have each, secret; and what was asked.

    `sizes` are the numbers of cells of the axes; a code that equals the size stands for no value.
    """

    codes: IntArray
    rows: IntArray
    sizes: tuple[int, ...]
    asked: Derivation | None = field(default=None, compare=False, repr=False)

    def of(self, wanted: "Combinations", contributions: int) -> "CodedRows":
        """The same, found to be of the expected axes, with at most this number of rows of a person."""
        require_same(self.asked, wanted.asked, contributions)
        return self

    def counts(self, *axes: int) -> IntArray:
        """The number of rows for each combination of codes of these axes, no value last along each."""
        shape = tuple(self.sizes[axis] + 1 for axis in axes)
        flat = np.ravel_multi_index([self.codes[:, axis] for axis in axes], shape)
        counts = np.zeros(int(np.prod(shape)), dtype=np.int64)
        np.add.at(counts, flat, self.rows)
        return counts.reshape(shape)


@dataclass(frozen=True)
class Combinations(OfReadings):
    """All combinations of what these readings find."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cells each reading has."""
        return tuple(reading.scale.most + 1 for reading in self.readings)

    @property
    def asked(self) -> Derivation:
        """The question, whatever the columns are called."""
        return Derivation(self.scales, (("combinations",),))

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """No combination."""
        return ()

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """One select with a row for each combination: a code (a text for names, null for none) on every reading."""
        codes, further = list(by), list[Reading]()
        for place, (reading, size) in enumerate(zip(self.readings, self.sizes, strict=True)):
            if isinstance(reading.scale, Names):
                names = ", ".join(map(literal, reading.scale.names))
                codes.append(f"case when k{place} in ({names}) then k{place} end as a{place}")
                continue
            there = f"k{len(self.readings) + len(further)}"
            further.append(Reading(reading.column, PresentCells()))
            codes.append(f"case when {there} = 1 then k{place} else {size} end as a{place}")
        cells = f"select {', '.join(codes)} from {coded((*self.readings, *further), relation, express, by)}"
        axes = ", ".join([*by, *(f"a{place}" for place in range(len(self.readings)))])
        return f"select {axes}, count(*) from ({cells}) as tacit_a group by {axes}"

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> CodedRows:
        """The combinations in what the engine answered."""
        *axes, counts = columns_of(rows, len(self.readings) + 1)
        codes = [
            _codes(reading, size, cells) for reading, size, cells in zip(self.readings, self.sizes, axes, strict=True)
        ]
        found = np.column_stack(codes).astype(np.int64).reshape(len(rows), len(self.readings))
        order = np.lexsort(found.T[::-1])
        return CodedRows(found[order], whole_numbers(counts)[order], self.sizes, replace(self.asked, most=most))


def _codes(reading: Reading, size: int, cells: Sequence[Any]) -> IntArray:
    if not isinstance(reading.scale, Names):
        return whole_numbers(cells, size)
    places: dict[Any, int] = {name: place for place, name in enumerate(reading.scale.names)} | {None: size}
    if any(cell is not None and not (isinstance(cell, str) and cell in places) for cell in cells):
        raise BadData("the engine's answer holds a text that was not declared; run the query of `wanted`")
    return np.array([places[cell] for cell in cells], dtype=np.int64)

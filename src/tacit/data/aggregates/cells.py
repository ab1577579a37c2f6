"""Counts of rows by cell, asked of any engine in one pass; the engine does not list empty cells."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.data.aggregates.answered import columns_of, whole_numbers
from tacit.data.aggregates.asked import Derivation, require_same
from tacit.data.aggregates.rendering import Express, coded, grouped, plain
from tacit.data.aggregates.scale import Names, OfReadings, Reading
from tacit.data.discreet import Discreet
from tacit.data.sql import literal
from tacit.errors import BadData

MOST_DENSE = 100_000_000


@dataclass(frozen=True, repr=False)
class CellCounts(Discreet):
    """The cells that rows are in, by number and rising, how many are in each, and how many cells there are, secret; and
    what was asked."""

    places: IntArray
    rows: IntArray
    size: int
    asked: Derivation | None = field(default=None, compare=False, repr=False)

    def of(self, wanted: "Cells", contributions: int) -> "CellCounts":
        """The same, found to be of the expected cells, with at most this number of rows of a person."""
        require_same(self.asked, wanted.asked, contributions)
        return self.within(prod(wanted.shape))

    def within(self, size: int) -> "CellCounts":
        """The same, found to be about this number of cells."""
        if self.size != size or self.places.size != self.rows.size:
            raise BadData(
                f"there are counts of {self.size} cells, but {size} were wanted; ask the engine with `wanted`"
            )
        return self

    def dense(self, size: int) -> IntArray:
        """The number of rows in each of this number of cells."""
        self.within(size)
        if size > MOST_DENSE:
            raise BadData(f"there are {size} cells; at most {MOST_DENSE} can be held")
        counts = np.zeros(size, dtype=np.int64)
        counts[self.places] = self.rows
        return counts


@dataclass(frozen=True)
class Cells(OfReadings):
    """Counts of cells; the last reading runs quickest in their number."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many cells there are along each reading."""
        return tuple(reading.scale.most + 1 for reading in self.readings)

    @property
    def asked(self) -> Derivation:
        """The question, whatever the columns are called."""
        return Derivation(self.scales)

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """No cell is listed."""
        return ()

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """One select with a row for each cell that is not empty: its place (or name) on every reading, its rows."""
        codes = [*by, *(f"k{place}" for place in range(len(self.readings)))]
        declared = [
            f"k{place} in ({', '.join(map(literal, reading.scale.names))})"
            for place, reading in enumerate(self.readings)
            if isinstance(reading.scale, Names)
        ]
        where = f" where {' and '.join(declared)}" if declared else ""
        cells = coded(self.readings, relation, express, by)
        return f"select {', '.join([*codes, 'count(*)'])} from {cells}{where}{grouped(codes)}"

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> CellCounts:
        """The counts in what the engine answered."""
        *axes, counts = columns_of(rows, len(self.readings) + 1)
        place = np.zeros(len(rows), dtype=np.int64)
        for reading, size, cells in zip(self.readings, self.shape, axes, strict=True):
            place = place * size + _codes(reading, cells)
        order = np.argsort(place)
        asked = replace(self.asked, most=most)
        return CellCounts(place[order], whole_numbers(counts)[order], prod(self.shape), asked)


def _codes(reading: Reading, cells: Sequence[Any]) -> IntArray:
    if not isinstance(reading.scale, Names):
        return whole_numbers(cells, reading.scale.most)
    places = {name: place for place, name in enumerate(reading.scale.names)}
    if not all(isinstance(cell, str) and cell in places for cell in cells):
        raise BadData("the engine's answer holds a text that was not declared; run the query of `wanted`")
    return np.array([places[cell] for cell in cells], dtype=np.int64)

"""Exact cells: the values that a table publishes as they are, and whom these values alone single out.

Generalisation protects quasi-identifiers. Sensitive and insensitive columns go out as they are, and whoever knows a few
of their values may need no quasi-identifier: four points of a card holder's purchases single out nine in ten (de
Montjoye, Radaelli, Singh and Pentland 2015). A set of columns S *finds* a person if one of their rows has values in S
that nobody else's rows have. With m rows of equal values an adversary who picks one of them finds the right one with
chance 1/m, so the expected number of rows that are found is the number of different values:
Σ over values of m · 1/m.

A missing cell, or one that a suppressed row shows as `*`, is no value that anybody could know: the row is not found by
it. Nor does it hide others, so what is counted is the worst case. A suppressed row still shows its insensitive cells,
and is found by them as any other row is.

What a set finds, every larger set finds too. All single columns are counted, then the pairs of the columns that single
out most by themselves, as many as rows × pairs stay within a limit. The best pair is nearly always among these: a pair
finds at least what each of its parts finds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.sources.arrow import to_numbers
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED

if TYPE_CHECKING:
    import pyarrow as pa

NO_VALUE = -1
"""The code of a cell that nobody can know."""
MOST_CELLS = 6_000_000
"""Rows × sets that are counted beyond the single columns."""
MOST_PAIRED = 24
"""Columns that are paired at most."""


@dataclass(frozen=True, eq=False, repr=False)
class ExactCells(Discreet):
    """Row i has the value `codes[c, i]` in column c, is in the class `class_[i]` and is the person's `person[i]`.

    `sizes[c]` is the number of values. Without persons each row is one.
    """

    columns: tuple[str, ...]
    codes: CodeArray
    sizes: tuple[int, ...]
    class_: IntArray
    person: IntArray | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.class_.size)

    @cached_property
    def people(self) -> int:
        """How many people there are; rows, where nobody says whose they are."""
        return self.rows if self.person is None else int(np.unique(self.person).size)

    def taking(self, rows: BoolArray) -> "ExactCells":
        """Only these rows."""
        person = None if self.person is None else self.person[rows]
        return replace(self, codes=self.codes[:, rows], class_=self.class_[rows], person=person)

    def with_columns(self, columns: Sequence[int]) -> "ExactCells":
        """Only these columns."""
        names, sizes = tuple(self.columns[c] for c in columns), tuple(self.sizes[c] for c in columns)
        return replace(self, columns=names, codes=self.codes[list(columns)], sizes=sizes)

    def found(self, columns: Sequence[int], with_class: bool = False) -> int:
        """How many people have a row whose values in the columns, and class if it is known, nobody else has."""
        there, key = self._keys(columns, with_class)
        if self.person is None:
            return int((np.diff(_starts(np.sort(key)), append=key.size) == 1).sum())
        order = np.argsort(key)
        person, starts = self.person[there][order], _starts(key[order])
        if not starts.size:
            return 0
        alone = np.minimum.reduceat(person, starts) == np.maximum.reduceat(person, starts)
        return int(np.unique(person[starts[alone]]).size)

    def picked(self, columns: Sequence[int], with_class: bool = False) -> int:
        """How many rows are found on average by somebody who picks one of those with equal values."""
        return int(_starts(np.sort(self._keys(columns, with_class)[1])).size)

    def _keys(self, columns: Sequence[int], with_class: bool) -> tuple[BoolArray, IntArray]:
        """Which rows have all values, and a number for each of these rows, equal where all that is known is equal."""
        there = (self.codes[list(columns)] != NO_VALUE).all(axis=0)
        codes: list[IntArray | CodeArray] = [self.codes[c][there] for c in columns]
        sizes = [self.sizes[c] for c in columns]
        if with_class:
            codes.append(self.class_[there])
            sizes.append(int(self.class_.max(initial=0)) + 1)
        return there, pack(codes, sizes, int(there.sum())).key


def _starts(ordered: IntArray) -> IntArray:
    """Where each run of equal numbers begins."""
    begins = np.ones(ordered.size, dtype=np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(begins)


@dataclass(frozen=True)
class KnownColumns:
    """Columns, by position, whose values somebody may know, and how many people they find."""

    columns: tuple[int, ...]
    found: int
    with_class: bool = False


def exact_cells(
    cells: "pa.Table",
    columns: Sequence[str],
    classes: Sequence[str] = (),
    unit: str | None = None,
) -> ExactCells:
    """The exact `columns` of a table of texts; rows that are alike in the columns `classes` are a class."""
    coded = [_coded(cells.column(name)) for name in columns]
    labels = [_coded(cells.column(name), no_value=False) for name in classes]
    keys = pack([codes for codes, _ in labels], [size for _, size in labels], cells.num_rows)
    return ExactCells(
        columns=tuple(columns),
        codes=np.array([codes for codes, _ in coded], dtype=np.int32).reshape(len(coded), cells.num_rows),
        sizes=tuple(size for _, size in coded),
        class_=group_by(keys.key, keys.span).group,
        person=None if unit is None else _coded(cells.column(unit), no_value=False)[0].astype(np.int64),
    )


def _coded(column: "pa.ChunkedArray", no_value: bool = True) -> tuple[CodeArray, int]:
    """The codes of a text column, and how many there are; no cell becomes a Python object."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.fill_null(column, MISSING) if column.null_count else column
    # Wide offsets, since all chunks together may hold more than 2 GiB of text.
    encoded = texts.cast(pa.large_string()).combine_chunks().dictionary_encode()
    codes = to_numbers(encoded.indices, np.int32)
    for word in (MISSING, SUPPRESSED) if no_value else ():
        codes = np.where(codes == pc.index(encoded.dictionary, word).as_py(), np.int32(NO_VALUE), codes)
    return codes, max(len(encoded.dictionary), 1)


def most_telling(
    cells: ExactCells, most: int = 2, with_class: bool = False, limit: int = MOST_CELLS
) -> tuple[KnownColumns, ...]:
    """For each number of columns up to `most` those that find most people; numbers that find nobody more are left out.

    A set must find more people than the best of fewer columns.
    """
    best: list[KnownColumns] = []
    for sets in _sets(cells, most, with_class, limit):
        strongest = max(sets, key=lambda one: one.found)
        if strongest.found > (best[-1].found if best else 0):
            best.append(strongest)
    return tuple(best)


def _sets(cells: ExactCells, most: int, with_class: bool, limit: int) -> Iterator[list[KnownColumns]]:
    """Single columns, then larger sets of the most telling of these."""
    singles = [KnownColumns((c,), cells.found((c,), with_class), with_class) for c in range(len(cells.columns))]
    if singles and cells.rows:
        yield singles
    order = sorted(range(len(singles)), key=lambda c: (-singles[c].found, -cells.sizes[c], c))
    for number in range(2, most + 1):
        sets = list(combinations(sorted(order[: paired_columns(cells.rows, len(order), limit)]), number))
        if sets:
            yield [KnownColumns(columns, cells.found(columns, with_class), with_class) for columns in sets]


def paired_columns(rows: int, columns: int, limit: int = MOST_CELLS) -> int:
    """How many columns are paired: as many as the limit allows, at least two."""
    width = min(columns, MOST_PAIRED)
    while width > 2 and width * (width - 1) // 2 * rows > limit:
        width -= 1
    return width

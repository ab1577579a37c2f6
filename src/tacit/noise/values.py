"""Values as whole numbers between declared bounds, so that a sum over rows is exact.

A sum of floats depends on the order of the rows and may move by more than its sensitivity. Here each value is clamped
to the declared bounds, rounded to a public grid and summed in whole numbers; the answer is about these values.
Infinities count as the bounds and NaN as 0 (then clamped): fixed rules for one row, never an error. Whole numbers are
read as doubles too (those beyond 2**53 as the nearest one), as databases do: both must give the same steps.

In a list or a column of Python objects (columns of texts in data frames are such columns, and one missing value can
make one), each cell is read by itself as DuckDB reads it (`tacit.data.aggregates.array_cells`): a text that spells a
number is that number, a Decimal is its value, and anything else counts as NaN. A numpy array of a type that is not a
number (texts, dates, complex numbers) is refused because of its type, whatever it holds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.arrays import FloatArray, IntArray
from tacit.data.aggregates.array_cells import as_array, as_numbers
from tacit.data.aggregates.scale import GridSteps, Reading, require_columns
from tacit.data.aggregates.sums import Sums, Term, Totals
from tacit.errors import BadData, BadParameter
from tacit.noise.grid import Grid
from tacit.spelling import many

FINENESS = 28
_LOW = 20
_MOST = 1 << 52


@dataclass(frozen=True)
class Range:
    """Declared bounds in steps of a grid."""

    grid: Grid
    low: int
    high: int

    @property
    def width(self) -> int:
        """From end to end, in steps."""
        return self.high - self.low

    @property
    def size(self) -> int:
        """The largest absolute value, in steps."""
        return max(abs(self.low), abs(self.high))

    @property
    def span(self) -> float:
        """The width in the values' own unit."""
        return float(self.width * self.grid.step)

    def steps(self, values: ArrayLike) -> IntArray:
        """The values clamped and rounded, in steps."""
        column = as_column(values)
        if column.size == 0:
            return np.empty(0, dtype=np.int64)
        counts = self.grid.steps(column.astype(np.float64, copy=False)).counts
        return np.clip(counts, self.low, self.high, out=counts)

    def reading(self, column: str, falling: bool = False) -> Reading:
        """The same steps, above the lower bound or below the upper, of a column in a database."""
        return Reading(column, GridSteps(self.grid.power, self.low, self.high, falling))

    def wanted(self, columns: Sequence[str]) -> Sums:
        """The sum of the steps above the lower bound of the only column."""
        require_columns(columns, 1)
        return Sums((self.reading(columns[0]),), (Term((0,)),))

    def totals(self, values: ArrayLike) -> Totals:
        """The same of an array; secret."""
        steps = self.steps(values)
        return self.wanted(["values"]).totals(steps.size, (total(steps) - self.low * steps.size,))


@lru_cache(maxsize=256)
def range_of(lower: float, upper: float, power: int | None = None, most: int = _MOST) -> Range:
    """The bounds on the grid of this power, or on one with about 2**28 steps from bound to bound."""
    grid = fine_grid(upper - lower) if power is None else Grid(power)
    low, high = (nearest(Fraction(end) / grid.step) for end in (lower, upper))
    if not 0 < high - low <= most or max(abs(low), abs(high)) > _MOST:
        raise BadParameter(
            f"the bounds {lower:g} and {upper:g} can't be told apart and kept exact on the grid 2**{grid.power}; "
            "take a coarser or finer one, or measure values from the lower bound"
        )
    return Range(grid, low, high)


def fine_grid(size: float, fineness: int = FINENESS) -> Grid:
    """A grid with at least 2**fineness steps to `size`, and less than twice as many."""
    return Grid(math.frexp(size)[1] - 1 - fineness)


def as_column(values: ArrayLike) -> "NDArray[np.generic]":
    """One number for each row; other types are refused by type and shape, never by value."""
    column = as_numbers(values)
    if column.size == 0 and column.ndim == 1:
        return np.empty(0)
    if column.ndim != 1 or column.dtype.kind not in "iubf":
        raise BadData(
            f"the values are an array of {column.dtype} with {many(column.ndim, 'dimension')}; "
            "they must be one column of numbers"
        )
    return column


def as_matrix(values: ArrayLike, columns: int) -> FloatArray:
    """Rows of so many numbers each."""
    table = as_numbers(values)
    if table.size == 0 and table.ndim <= 2:
        return np.empty((0, columns))
    if table.ndim != 2 or table.shape[1] != columns or table.dtype.kind not in "iubf":
        raise BadData(
            f"the values are an array of {table.dtype} with shape (…, {table.shape[-1] if table.ndim > 1 else 1}); "
            f"they must be numbers in {columns} columns, one for each declared bound"
        )
    return table.astype(np.float64, copy=False)


def two_columns(table: Sequence[ArrayLike], what: str) -> "tuple[NDArray[Any], NDArray[Any]]":
    """The columns of owners (people, baskets) and of what they have, of one length."""
    if isinstance(table, str) or not hasattr(table, "__len__") or len(table) != 2:
        raise BadData(what)
    owner, thing = (as_array(column) for column in table)
    if owner.ndim != 1 or owner.shape != thing.shape:
        raise BadData(what)
    return owner, thing


def total(steps: IntArray) -> int:
    """The exact sum, by two halves that can't overflow."""
    high = int((steps >> _LOW).sum())
    return (high << _LOW) + int((steps & ((1 << _LOW) - 1)).sum())


def total_square(steps: IntArray) -> int:
    """The exact sum of squares of numbers below 2**32 in size."""
    high, low = steps >> 16, steps & 0xFFFF
    return (total(high * high) << 32) + (total(high * low) << 17) + total(low * low)


def nearest(number: Fraction) -> int:
    """The nearest whole number, half up: two numbers D apart stay within ceil(D)."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)

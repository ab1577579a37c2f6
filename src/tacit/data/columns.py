"""Columns side by side: what a method that treats whole columns takes and gives, row by row aligned.

A column holds numbers (floats, NaN where one is missing) or categories (codes into their distinct texts, the empty text
where one is missing). Nothing else of a row is known here: no key, no order but that of the input.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import MISSING
from tacit.errors import BadData, BadParameter
from tacit.spelling import many


@dataclass(frozen=True, eq=False, repr=False)
class Numbers(Discreet):
    """A column of numbers; NaN is the missing value."""

    values: FloatArray

    def amounts(self) -> str:
        """How many rows there are."""
        return many(self.rows, "row")

    @property
    def rows(self) -> int:
        """How many cells there are."""
        return int(self.values.size)

    def taken(self, rows: IntArray) -> "Numbers":
        """The cells of these rows."""
        return Numbers(self.values[rows])


@dataclass(frozen=True, eq=False, repr=False)
class CodedCategories(Discreet):
    """A column of texts as codes into `values`; the empty text is the missing value."""

    codes: CodeArray
    values: tuple[str, ...]

    def amounts(self) -> str:
        """How many rows and how many values there are."""
        return f"{many(self.rows, 'row')}, {many(len(self.values), 'value')}"

    @property
    def rows(self) -> int:
        """How many cells there are."""
        return int(self.codes.size)

    def taken(self, rows: IntArray) -> "CodedCategories":
        """The cells of these rows."""
        return CodedCategories(self.codes[rows], self.values)

    def texts(self) -> tuple[str, ...]:
        """Every cell; for small columns and tests."""
        return tuple(self.values[code] for code in self.codes)


Column = Numbers | CodedCategories


@dataclass(frozen=True, eq=False)
class Columns(Mapping[str, Column]):
    """Columns of the same rows, by name; build them with `columns_of`, which checks that."""

    named: Mapping[str, Column]

    def __getitem__(self, name: str) -> Column:
        """The column of this name."""
        return self.named[name]

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(self.named)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self.named)

    def __repr__(self) -> str:
        """Names and size, no cell."""
        return f"Columns({', '.join(self.named)}; {many(self.rows, 'row')})"

    @property
    def rows(self) -> int:
        """How many rows all columns have."""
        return next((column.rows for column in self.named.values()), 0)

    def taken(self, rows: IntArray) -> "Columns":
        """These rows of every column."""
        return Columns({name: column.taken(rows) for name, column in self.named.items()})

    def changed(self, changes: Mapping[str, Column]) -> "Columns":
        """The same columns with some of them replaced."""
        return Columns({name: changes.get(name, column) for name, column in self.named.items()})

    def numbers(self, what: str) -> "dict[str, FloatArray]":
        """The cells of every column, all of which must be numbers; `what` names who asks."""
        found = {name: column.values for name, column in self.named.items() if isinstance(column, Numbers)}
        _require_kind(self, found, f"{what} works on numbers", "texts")
        return found

    def categories(self, what: str) -> dict[str, CodedCategories]:
        """Every column, all of which must be categories; `what` names who asks."""
        found = {name: column for name, column in self.named.items() if isinstance(column, CodedCategories)}
        _require_kind(self, found, f"{what} works on categories", "numbers")
        return found


def _require_kind(columns: Columns, found: Mapping[str, Any], works: str, instead: str) -> None:
    wrong = [name for name in columns if name not in found]
    if wrong:
        raise BadData(f"{works}; column {wrong[0]!r} holds {instead}")


def columns_of(named: Mapping[str, Any]) -> Columns:
    """Columns from arrays or lists: numbers stay numbers (None is missing), texts become categories."""
    built = {
        name: column if isinstance(column, Numbers | CodedCategories) else _column(name, column)
        for name, column in named.items()
    }
    if not built:
        raise BadParameter("there is no column; name at least one")
    rows = {column.rows for column in built.values()}
    if len(rows) > 1:
        raise BadData(f"the columns have {', '.join(map(str, sorted(rows)))} rows; all must have the same number")
    for name, column in built.items():
        if isinstance(column, Numbers) and np.isinf(column.values).any():
            raise BadData(f"column {name!r} has an infinite number; a missing one must be NaN")
    return Columns(built)


def _column(name: str, cells: Any) -> Column:
    array = np.asarray(cells)
    if array.ndim != 1:
        raise BadData(f"column {name!r} has {array.ndim} dimensions; a column has one")
    if array.dtype.kind in "iuf":
        return Numbers(array.astype(np.float64))
    if array.dtype.kind == "U":
        return categories_of(array.tolist())
    listed = array.tolist()
    if all(cell is None or isinstance(cell, str) for cell in listed):
        return categories_of([MISSING if cell is None else cell for cell in listed])
    if all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in listed):
        return Numbers(np.array([np.nan if cell is None else cell for cell in listed], dtype=np.float64))
    raise BadData(f"column {name!r} must hold only numbers or only texts")


def categories_of(texts: Sequence[str]) -> CodedCategories:
    """The texts as codes into their sorted distinct values."""
    values = tuple(sorted(set(texts)))
    position = {value: code for code, value in enumerate(values)}
    return CodedCategories(np.array([position[text] for text in texts], dtype=np.int32), values)


def change(before: Column, after: Column) -> float:
    """How much a treatment changed a column: the share of cells for categories, SSE / SST for numbers.

    SSE is the sum of squared differences, SST that of the deviations from the mean before; cells that are missing on
    either side do not count. A constant column has 0 where nothing changed, else infinity.
    """
    if isinstance(before, Numbers) and isinstance(after, Numbers):
        there = ~(np.isnan(before.values) | np.isnan(after.values))
        old, new = before.values[there], after.values[there]
        error = float(((new - old) ** 2).sum())
        total = float(((old - old.mean()) ** 2).sum()) if old.size else 0.0
        return error / total if total else (0.0 if error == 0 else float("inf"))
    if isinstance(before, CodedCategories) and isinstance(after, CodedCategories):
        position = {value: code for code, value in enumerate(before.values)}
        same = np.array([position.get(value, -1) for value in after.values], dtype=np.int64)
        return float((same[after.codes] != before.codes).mean()) if before.rows else 0.0
    raise BadData("one column holds numbers and the other texts; a treatment keeps the kind")

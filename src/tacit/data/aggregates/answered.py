"""What an engine answered, read as whole numbers; an answer of another form is refused and not shown."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from tacit.arrays import IntArray
from tacit.errors import BadData


def columns_of(rows: Sequence[Sequence[Any]], number: int) -> tuple[tuple[Any, ...], ...]:
    """The answer by columns, which must have this number."""
    if any(isinstance(row, str) or not hasattr(row, "__len__") or len(row) != number for row in rows):
        raise BadData(f"the engine's answer has rows that are not {number} long; run the query of `wanted`")
    return tuple(zip(*rows, strict=True)) if rows else ((),) * number


def whole_number(cell: Any) -> int:
    """The cell as a whole number that is not negative, in whatever type an engine gives it."""
    whole = isinstance(cell, int | np.integer) and not isinstance(cell, bool)
    whole |= isinstance(cell, float) and cell.is_integer()
    whole |= isinstance(cell, Decimal) and cell.is_finite() and cell == int(cell)
    if not whole:
        raise BadData("the engine's answer holds something that is not a whole number; run the query of `wanted`")
    if cell < 0:
        raise BadData("the engine's answer holds a number below 0; run the query of `wanted`")
    return int(cell)


def whole_numbers(cells: Sequence[Any], most: int = (1 << 63) - 1) -> IntArray:
    """The cells as whole numbers from 0 to `most`."""
    numbers = np.asarray(cells) if all(type(cell) is int for cell in cells) else np.empty(0)
    if numbers.size != len(cells) or numbers.dtype.kind != "i" or numbers.min(initial=0) < 0:
        numbers = np.array([whole_number(cell) for cell in cells], dtype=object)
    if numbers.size and numbers.max() > most:
        raise BadData(f"the engine's answer holds a number above {most}; run the query of `wanted`")
    return numbers.astype(np.int64)

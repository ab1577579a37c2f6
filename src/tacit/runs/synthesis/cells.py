"""Codes as cells: the name of a category, or a number drawn from its bin; post-processing of what was paid for.

A number is equally likely to be any multiple of 10**-decimals in its bin. How many decimals there are follows from what
is declared, never from the data: whole numbers where both bounds are whole and a bin is at least 1 wide, else as many
digits as give a bin a hundred different numbers.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.dataset import DeclaredColumn
from tacit.errors import BadParameter
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers

if TYPE_CHECKING:
    import pyarrow as pa

FINENESS = 100
MOST_DECIMALS = 15
NONE = "no value"
"""What the cell of missing and undeclared values is called where cells are listed."""


def cells_of(
    names: Sequence[str], declared: Sequence[DeclaredColumn], made: SyntheticRows, bits: RandomBits
) -> "pa.Table":
    """The invented rows as a table."""
    return table_of_codes(dict(zip(names, declared, strict=True)), made.codes, made.sizes, bits)


def table_of_codes(
    declared: Mapping[str, DeclaredColumn], codes: IntArray, sizes: Sequence[int], bits: RandomBits
) -> "pa.Table":
    """The table that the codes stand for, one column of codes for each declared column."""
    import pyarrow as pa

    arrays = [
        _column(column, codes[:, place], sizes[place], bits.child(f"cells {place}"))
        for place, column in enumerate(declared.values())
    ]
    return pa.table(arrays, names=list(declared))


def labels_of(column: DeclaredColumn, size: int) -> tuple[str, ...]:
    """The names of a column's cells; the cell without a value comes last."""
    if column.categories is not None:
        return (*column.categories, NONE)
    edges = _edges(column, size)
    return (*(f"{low:.6g} to {high:.6g}" for low, high in pairwise(edges)), NONE)


def _column(column: DeclaredColumn, codes: IntArray, size: int, bits: RandomBits) -> Any:
    import pyarrow as pa

    missing = codes == size
    if column.categories is not None:
        return pa.DictionaryArray.from_arrays(
            pa.array(np.where(missing, 0, codes), mask=missing), pa.array(column.categories)
        ).cast(pa.string())
    decimals = decimals_of(column, size)
    values = _numbers(column, np.where(missing, 0, codes), size, decimals, bits)
    whole = values.astype(np.int64) if decimals == 0 and _is_whole(column) else values
    return pa.array(whole, mask=missing)


def decimals_of(column: DeclaredColumn, bins: int) -> int:
    """How many digits after the point the numbers of a column have."""
    if column.decimals is not None:
        return column.decimals
    assert column.bounds is not None
    lower, upper = column.bounds
    width = (upper - lower) / bins
    if _is_whole(column) and width >= 1:
        return 0
    return int(np.clip(math.ceil(math.log10(FINENESS / width)), 0, MOST_DECIMALS))


def require_room(name: str, column: DeclaredColumn, bins: int) -> None:
    """Every bin of a column with bounds holds a number with this many decimals."""
    if column.bounds is None or column.categories is not None:
        return
    width, decimals = (column.bounds[1] - column.bounds[0]) / bins, decimals_of(column, bins)
    if 10.0**-decimals > width * (1 + 1e-9):
        raise BadParameter(
            f"column {name!r} has {bins} bins that are {width:g} wide, and not all of them hold a number of {decimals} "
            "decimals; take fewer bins or more decimals"
        )


def _is_whole(column: DeclaredColumn) -> bool:
    """Whether both bounds are whole numbers, and not too large for an integer."""
    assert column.bounds is not None
    return all(end.is_integer() and abs(end) < 2**62 for end in column.bounds)


def _numbers(column: DeclaredColumn, codes: IntArray, bins: int, decimals: int, bits: RandomBits) -> FloatArray:
    """A number for each code, equally likely to be any of those of its bin, which holds one at least."""
    edges, step = _edges(column, bins), 10.0**-decimals
    first = np.ceil(np.round(edges[:-1] / step, 6))
    last = np.ceil(np.round(edges[1:] / step, 6)) - 1
    last[-1] = np.floor(np.round(edges[-1] / step, 6))
    number = np.maximum(last - first + 1, 1)
    share = uniform_integers(1 << 53, codes.size, bits) / float(1 << 53)
    steps = first[codes] + np.floor(share * number[codes])
    assert column.bounds is not None
    # Adding 0 turns a negative zero into the plain one.
    values: FloatArray = np.clip(np.round(steps * step, decimals), *column.bounds) + 0.0
    return values


def _edges(column: DeclaredColumn, bins: int) -> FloatArray:
    assert column.bounds is not None
    return np.linspace(*column.bounds, bins + 1)

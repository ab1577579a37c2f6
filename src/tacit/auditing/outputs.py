"""Outputs of any kind as rows of floats, so that sets of them are found by array operations, and back into words.

An output is flattened into atoms: numbers as they are, everything else (texts, None, types) as a code from a book that
grows as outputs come. The first cell of a row is the number of atoms; cells that a row does not have hold ABSENT. What
an answer says is public, such as its privacy event and the law of its noise, is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatArray
from tacit.noise.private_answer import Publishable

ABSENT = -(2.0**900)
_CODE = 2.0**900
MOST_ATOMS = 2000
_LARGEST = 2.0**899


@dataclass(frozen=True)
class OutputCodes:
    """The codes of everything that is not a number."""

    codes: dict[str, float] = field(default_factory=dict)

    def code(self, text: str) -> float:
        """The number that stands for this text alone."""
        return self.codes.setdefault(text, _CODE * (1 + len(self.codes)))

    def word(self, value: float) -> str:
        """The text or the number that a cell stands for."""
        if value == ABSENT:
            return "nothing"
        if value >= _CODE:
            return next(text for text, code in self.codes.items() if code == value)
        return f"{value:.10g}"

    def words(self, row: FloatArray) -> str:
        """The output that a row stands for."""
        cells = [self.word(float(value)) for value in row[1 : 1 + int(row[0])]]
        return cells[0] if len(cells) == 1 else f"({', '.join(cells)})"


def rows_of(outputs: Iterable[Any], book: OutputCodes) -> FloatArray:
    """One row for each output."""
    flat = [tuple(_atoms(output, book))[:MOST_ATOMS] for output in outputs]
    rows = np.full((len(flat), 1 + max(map(len, flat), default=0)), ABSENT)
    for row, atoms in zip(rows, flat, strict=True):
        row[0] = len(atoms)
        row[1 : 1 + len(atoms)] = atoms
    return rows


def rows_of_array(values: FloatArray) -> FloatArray:
    """One row for each number, or for each row of a matrix."""
    matrix = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    return np.hstack([np.full((len(matrix), 1), float(matrix.shape[1])), matrix])


def stacked(parts: Sequence[FloatArray]) -> FloatArray:
    """All rows in one array, as wide as the widest."""
    rows = np.full((sum(map(len, parts)), max(part.shape[1] for part in parts)), ABSENT)
    start = 0
    for part in parts:
        rows[start : start + len(part), : part.shape[1]] = part
        start += len(part)
    return rows


def alike(first: FloatArray, second: FloatArray, least: int = 0) -> tuple[FloatArray, FloatArray]:
    """Both with as many columns as the wider one, and at least this number."""
    width = max(first.shape[1], second.shape[1], least)
    return _widened(first, width), _widened(second, width)


def _widened(rows: FloatArray, width: int) -> FloatArray:
    return np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=ABSENT)


def _atoms(output: Any, book: OutputCodes) -> Iterable[float]:
    if isinstance(output, np.ndarray) and output.dtype.kind in "iuf":
        yield from _numbers(output, book)
        return
    if isinstance(output, np.ndarray | np.generic):
        output = output.tolist()
    if isinstance(output, bool) or output is None or isinstance(output, str | bytes):
        yield book.code(repr(output))
    elif isinstance(output, int | float):
        yield book.code("NaN") if output != output else float(min(max(output, -_LARGEST), _LARGEST))
    elif is_dataclass(output) and not isinstance(output, type):
        yield from _parts_of_value(output, book)
    elif isinstance(output, Mapping):
        for key in sorted(output, key=repr):
            yield from _atoms(key, book)
            yield from _atoms(output[key], book)
    elif isinstance(output, Iterable):
        for part in sorted(output, key=repr) if isinstance(output, set | frozenset) else output:
            yield from _atoms(part, book)
    else:
        yield book.code(repr(output))


def _numbers(array: "NDArray[Any]", book: OutputCodes) -> list[float]:
    """The cells of an array of numbers, at once."""
    cells = array.ravel().astype(np.float64)
    held: list[float] = np.clip(cells, -_LARGEST, _LARGEST).tolist()
    return [book.code("NaN") if value != value else value for value in held] if np.isnan(cells).any() else held


def _parts_of_value(output: Any, book: OutputCodes) -> Iterable[float]:
    """The fields that depend on data; an output without any is known by its type, like a refusal."""
    public = output.public if isinstance(output, Publishable) else Publishable.public
    names = [part.name for part in fields(output) if part.name not in public]
    if not names:
        yield book.code(type(output).__name__)
    for name in names:
        yield from _atoms(getattr(output, name), book)

"""Cells of arrays, each read from its own value alone, as DuckDB reads the same cell of a table.

An array of one type (numbers, truth values, texts, dates) is what its type says. A list, an array of Python objects and
what data frames make of columns with missing cells hold cells of any type, and there each cell has a fixed reading:

- As a number: a number or a Decimal is its double (infinite where it is too large), a truth value 0 or 1, a text the
  number that it spells: digits in ASCII with a point, an exponent, a sign, single underscores between digits, blanks
  around it, or `inf`. Everything else is NaN.
- As a truth value: true where the number is 1, and for the texts true, t, yes, y and 1 in any case.
- As a text: a text is itself, a truth value `true` or `false`, a number has no trailing `.0`, a floating-point number
  has the text of the whole number that it is (below 2**64) or of its double, a moment without a time of day is its
  date, one with a time zone is what the clock there shows (`+00` behind it in UTC), a length of time is hours, minutes
  and seconds, bytes that are no plain character are `\\xFF`, half of a surrogate pair is `\\ud800`.
- Missing are None, NaN, NaT, pandas.NA, what a NumPy mask hides, and an object that can't say what it is. What is
  missing has no text, so it is no category, whatever its name.

No rule looks at another row, and none fails: an error would reveal something about a row.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.arrays import BoolArray, IntArray, is_masked
from tacit.data.discreet import Discreet
from tacit.errors import BadData

MISSING = -1
_BLANKS = " \t\n\v\f\r"
TRUE_TEXTS = ("true", "t", "yes", "y", "1")
"""The texts, in small letters or capitals, that count as true."""
UTC_NAMES = ("UTC", "Etc/UTC", "+00:00", "Z")
_NUMBERS = (float, int, np.floating, np.integer, np.bool_, Decimal, Fraction)
_MOMENTS = (datetime, np.datetime64)
_LENGTHS = (timedelta, np.timedelta64)
_WHOLE = 2.0**64
_LONG = 1 << 128
_MOST_PLACES = 60


@dataclass(frozen=True, repr=False)
class CodedTexts(Discreet):
    """For each row the position of its text among the different ones, MISSING if it has none."""

    codes: IntArray
    texts: tuple[str, ...]


def as_array(values: ArrayLike) -> "NDArray[Any]":
    """The cells as an array; those of a list as objects, so that no cell changes how another is read."""
    if is_masked(values):
        return _unmasked(values)
    if hasattr(values, "__array__"):
        return np.asarray(values)
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise BadData("the rows are lists of different lengths; give one column, or rows of one length") from None


def as_numbers(values: ArrayLike) -> "NDArray[Any]":
    """The cells as numbers, where they are objects; an array of one type is left as it is."""
    array = as_array(values)
    longer = array.dtype.kind == "f" and array.dtype.itemsize > np.dtype(np.float64).itemsize
    # A warning of numbers that only a longer float can hold would tell of them.
    with np.errstate(over="ignore", under="ignore"):
        if array.dtype.kind == "O" and array.ndim:
            numbers: NDArray[Any] = _numbers(array).astype(np.float64)
            return numbers
        return array.astype(np.float64) if longer else array


def text_cells(values: ArrayLike) -> list[str | None]:
    """The text of each cell of a column, None where it is missing."""
    found = coded_texts(values)
    return [found.texts[code] if code != MISSING else None for code in found.codes.tolist()]


def _unmasked(values: "np.ma.MaskedArray[Any, Any]") -> "NDArray[Any]":
    """The cells as an array of a type that the mask does not decide, missing where they are masked."""
    cells = np.array(values.data)
    if cells.dtype.kind in "fmM":
        missing: Any = np.nan if cells.dtype.kind == "f" else "NaT"
    else:
        cells, missing = cells.astype(object), None
    cells[np.ma.getmaskarray(values)] = missing
    return cells


def as_truths(values: ArrayLike) -> BoolArray:
    """The cells as truth values, of a column of truth values or objects; other types are refused."""
    column = as_array(values)
    if column.dtype.kind == "O" and column.ndim:
        # As above: cells that are numbers are read as such to find out whether they are 1.
        with np.errstate(over="ignore", under="ignore"):
            column = _truths(column).astype(np.bool_)
    if column.ndim != 1 or (column.size and column.dtype.kind != "b"):
        raise BadData(f"having is an array of {column.dtype}; it must be one column of booleans, one for each row")
    return column.astype(np.bool_)


def coded_texts(values: ArrayLike) -> CodedTexts:
    """The texts of a column."""
    column = as_array(values)
    if column.ndim != 1:
        raise BadData(f"the texts have {column.ndim} dimensions; they must be one column")
    if column.dtype.kind in "OUT":
        return _coded(column.tolist())
    # A number has one text, so only the different ones are written out.
    different, place = np.unique(column, return_inverse=True)
    found = _coded(different.tolist() if different.dtype.kind in "iub" or different.dtype == np.float64 else different)
    return CodedTexts(found.codes[place], found.texts)


def owner_codes(values: ArrayLike) -> IntArray:
    """A number for each different owner (a person, a basket) of rows; rows without an owner count as one owner's."""
    column = as_array(values)
    if column.ndim != 1:
        raise BadData(f"people and groups are columns; an array of {column.ndim} dimensions was given")
    if column.dtype.kind in "iubf":
        return np.unique(column, return_inverse=True)[1].astype(np.int64, copy=False)
    found = coded_texts(column)
    return np.where(found.codes == MISSING, len(found.texts), found.codes)


def has_owner(values: ArrayLike) -> BoolArray:
    """Whether each row is somebody's: the cell is neither missing nor an empty text."""
    column = as_array(values)
    if column.dtype.kind in "iubf":
        numbers: BoolArray = ~np.isnan(column)
        return numbers
    found = coded_texts(column)
    # The last entry is that of MISSING.
    named: BoolArray = np.array([*(text != "" for text in found.texts), False])
    owned: BoolArray = named[found.codes]
    return owned


def _coded(cells: Iterable[Any]) -> CodedTexts:
    places: dict[str, int] = {}
    codes = []
    for cell in cells:
        text = cell if type(cell) is str else _text_or_none(cell)
        if text is not None and not text.isascii():
            text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        codes.append(MISSING if text is None else places.setdefault(text, len(places)))
    return CodedTexts(np.array(codes, dtype=np.int64), tuple(places))


def _number(cell: object) -> float:
    try:
        if isinstance(cell, str):
            return _spelled(cell)
        return float(cell) if isinstance(cell, _NUMBERS) else math.nan
    except OverflowError:
        return _infinite(cell)
    except Exception:  # noqa: BLE001 - a Decimal that signals that it is none, or an object that can't say what it is
        return math.nan


def _infinite(cell: Any) -> float:
    try:
        return math.inf if cell > 0 else -math.inf
    except Exception:  # noqa: BLE001 - as above
        return math.nan


def _spelled(text: str) -> float:
    bare = str.strip(text, _BLANKS)
    # Python reads digits of every script, and more characters as blanks.
    if not (bare.isascii() and bare.isprintable()):
        return math.nan
    try:
        return float(bare)
    except ValueError:
        return math.nan


def _is_true(cell: object) -> bool:
    return str.lower(cell) in TRUE_TEXTS if isinstance(cell, str) else _number(cell) == 1.0


_numbers = np.frompyfunc(_number, 1, 1)
_truths = np.frompyfunc(_is_true, 1, 1)


def _text_or_none(cell: Any) -> str | None:
    """The text of a cell; an object that fails to give one has none."""
    try:
        text = _text(cell)
        return None if text is None else "".join(text)
    except Exception:  # noqa: BLE001 - whatever an object raises would tell that it is there
        return None


def _text(cell: Any) -> str | None:
    """The text of a cell, None where it is missing."""
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, (int, np.integer)):
        # Python writes no number of thousands of digits in decimals.
        return str(int(cell)) if abs(int(cell)) < _LONG else hex(cell)
    if isinstance(cell, (float, np.floating)):
        return _float(float(cell))
    if cell is None or type(cell).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return None
    if isinstance(cell, Decimal):
        return None if cell.is_nan() else _decimal(cell)
    if isinstance(cell, _MOMENTS):
        return _moment(cell)
    if isinstance(cell, _LENGTHS):
        return _length(cell)
    if isinstance(cell, time):
        return _without_zeros(str(cell))
    return "".join(map(_byte, cell)) if isinstance(cell, bytes) else str(cell)


def _decimal(cell: Decimal) -> str:
    _, digits, power = cell.as_tuple()
    if not isinstance(power, int) or max(abs(power), len(digits)) > _MOST_PLACES:
        return str(cell)
    text = format(cell, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _float(cell: float) -> str | None:
    """Objects are read as doubles, so this is not the shortest text of a narrower float."""
    if math.isnan(cell):
        return None
    return str(int(cell)) if cell.is_integer() and abs(cell) < _WHOLE else repr(cell).removesuffix(".0")


def _moment(cell: datetime | np.datetime64) -> str | None:
    if not isinstance(cell, datetime) and np.isnat(cell):
        return None
    if isinstance(cell, datetime) and cell.tzinfo is not None:
        if str(cell.tzinfo) in UTC_NAMES:
            return _without_zeros(str(cell.replace(tzinfo=None))) + "+00"
        cell = cell.replace(tzinfo=None)
    return _without_zeros(str(cell).replace("T", " ")).removesuffix(" 00:00:00")


def _length(cell: timedelta | np.timedelta64) -> str | None:
    """Hours, minutes and seconds, with as many digits of a second as it has, down to a millionth."""
    if isinstance(cell, np.timedelta64):
        short = cell.astype("m8[us]").item()
        return None if np.isnat(cell) else _length(short) if isinstance(short, timedelta) else str(cell)
    micros = (cell.days * 86_400 + cell.seconds) * 10**6 + cell.microseconds
    if micros < 0 and getattr(cell, "nanoseconds", False):
        micros += 1  # what is shorter than a millionth is dropped, not rounded down
    seconds, part = divmod(abs(micros), 10**6)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{part:06}"
    return ("-" if micros < 0 else "") + _without_zeros(text)


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _byte(code: int) -> str:
    plain = 32 <= code < 127 and chr(code) not in "\\'\""
    return chr(code) if plain else f"\\x{code:02X}"

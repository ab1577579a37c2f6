"""Numerals: texts read as exact numbers, so that no interval's boundary depends on binary rounding.

All numbers of a column become whole multiples of one power of ten: value = units / 10**digits. Whole-number
arithmetic on the units is exact; 0.3 falls into [0.3, 0.4) and not, as in floating point, below it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, PlainSerializer

from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import show_shapes
from tacit.errors import BadData
from tacit.spelling import many

LONGEST = 400
LARGEST_EXPONENT = 400
SAFE_UNITS = 2**60
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_NUMERAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?")


class Numeral(NamedTuple):
    """The number `mantissa` · 10**`exponent`."""

    mantissa: int
    exponent: int

    def units(self, digits: int) -> int:
        """The number as a multiple of 10**−digits, which it must be."""
        shift = self.exponent + digits
        return int(self.mantissa * 10**shift) if shift else self.mantissa


@dataclass(frozen=True, eq=False, repr=False)
class DecimalNumbers(Discreet):
    """Number i is `units[i]` / 10**`digits`; the array holds Python integers where 64 bits do not suffice."""

    units: NDArray[Any]
    digits: int


def read_numeral(text: str) -> Numeral | None:
    """The number that a text spells, None where it spells none (nor one within 10**±400)."""
    match = _NUMERAL.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if match is None:
        return None
    sign, whole, fraction, exponent = match.groups(default="")
    power = int(exponent or 0)
    figures = whole + fraction
    if not figures or abs(power) > LARGEST_EXPONENT:
        return None
    return Numeral(int(sign + figures), power - len(fraction))


def align(numerals: Sequence[Numeral]) -> DecimalNumbers:
    """The numbers as multiples of one power of ten, fine enough for all of them."""
    places = max(0, -min((numeral.exponent for numeral in numerals), default=0))
    return DecimalNumbers(narrowed(np.array([numeral.units(places) for numeral in numerals], dtype=object)), places)


def scan_numerals(values: Sequence[str]) -> list[Numeral | None]:
    """What `read_numeral` finds in each value."""
    if all(map(_WHOLE.fullmatch, values)):
        return [Numeral(int(value), 0) for value in values]
    return [read_numeral(value) for value in values]


def read_numerals(column: str, values: Sequence[str]) -> list[Numeral]:
    """The numbers that the values spell, or an error that names those that spell none."""
    scanned = scan_numerals(values)
    numerals = [numeral for numeral in scanned if numeral is not None]
    if len(numerals) < len(values):
        strange = [value for value, numeral in zip(values, scanned, strict=True) if numeral is None]
        raise BadData(
            f"column {column!r}: {many(len(strange), 'value is not a number', 'values are not numbers')}: "
            f"{show_shapes(strange)}; clean them, or use a tree or a file for its hierarchy"
        )
    return numerals


def narrowed(units: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers in 64 bits where they fit."""
    if units.dtype != object or not units.size or not -SAFE_UNITS < units.min() <= units.max() < SAFE_UNITS:
        return units
    return units.astype(np.int64)


def spell(units: int, digits: int) -> str:
    """The shortest decimal text of `units` / 10**`digits`."""
    sign, figures = ("-" if units < 0 else ""), str(abs(units)).rjust(digits + 1, "0")
    if not digits:
        return sign + figures
    fraction = figures[-digits:].rstrip("0")
    return sign + figures[:-digits] + ("." + fraction if fraction else "")


def _read_decimal(value: object) -> Decimal:
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= 4 * LARGEST_EXPONENT:
        return value
    numeral = None if isinstance(value, bool) or not isinstance(value, int | float | str) else read_numeral(str(value))
    if numeral is None:
        raise ValueError("must be a number")
    digits = max(-numeral.exponent, 0)
    return Decimal(spell(numeral.units(digits), digits))


def _plain(value: Decimal) -> int | float | str:
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(str(float(value))) == value else format(value, "f")


ExactNumber = Annotated[Decimal, BeforeValidator(_read_decimal), PlainSerializer(_plain)]
"""A number of a plan, kept as it is written: 0.1 is a tenth."""


def numerals_of(numbers: Iterable[Decimal]) -> list[Numeral]:
    """The numbers of a plan, ready to be aligned with those of a column."""
    return [_numeral(number) for number in numbers]


def _numeral(number: Decimal) -> Numeral:
    sign, figures, exponent = number.as_tuple()
    mantissa = int("".join(map(str, figures)))
    return Numeral(-mantissa if sign else mantissa, int(exponent))

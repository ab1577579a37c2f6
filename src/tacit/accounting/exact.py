"""Exact numbers for everything that adds up: rounding of floats must never overdraw a privacy budget.

A float that a person wrote stands for the decimal it prints as: 0.1 is one tenth, not 0.1000000000000000055, so ten
times 0.1 is 1 and fits a budget of 1. Code that calibrates noise to an epsilon must therefore start from
`exact(epsilon)` too. A function that turns a rational into a float rounds in the direction that its name says; a
reported loss goes up, a remaining budget goes down.
"""

import math
import operator
from fractions import Fraction
from numbers import Integral

from tacit.errors import BadParameter

RealNumber = int | float | Fraction

_MOST = 10**150
"""Squares of larger numbers are beyond floats."""


def exact(value: RealNumber) -> Fraction:
    """The rational that `value` prints as; infinities and NaN are refused."""
    if isinstance(value, Fraction):
        return value
    if not is_number(value) or (isinstance(value, float) and not math.isfinite(value)):
        raise BadParameter(f"{value!r} is not a finite number; privacy parameters must be finite")
    return Fraction(repr(float(value))) if isinstance(value, float) else Fraction(operator.index(value))


def is_number(value: object) -> bool:
    """Whether this is of a type that numbers are taken from; others are refused rather than read in some way."""
    return isinstance(value, float | Fraction | Integral) and not isinstance(value, bool)


def rounded_up(value: Fraction) -> float:
    """The least float that, read by `exact`, is not below `value`."""
    near = float(value)
    return math.nextafter(near, math.inf) if exact(near) < value else near


def rounded_down(value: Fraction) -> float:
    """The greatest float that, read by `exact`, is not above `value`."""
    near = float(value)
    return math.nextafter(near, -math.inf) if exact(near) > value else near


def positive(name: str, value: RealNumber) -> Fraction:
    """`value` exactly, refused unless it is finite and above 0."""
    found = _finite(name, value)
    if found <= 0:
        raise BadParameter(f"{name} is {value}; it must be above 0")
    return found


def not_negative(name: str, value: RealNumber) -> Fraction:
    """`value` exactly, refused unless it is finite and at least 0."""
    found = _finite(name, value)
    if found < 0:
        raise BadParameter(f"{name} is {value}; it must be at least 0")
    return found


def probability(name: str, value: RealNumber) -> Fraction:
    """`value` exactly, refused unless 0 <= value < 1 (a delta of 1 would promise nothing)."""
    found = _finite(name, value)
    if not 0 <= found < 1:
        raise BadParameter(f"{name} is {value}; it must be at least 0 and below 1")
    return found


def whole(name: str, value: int, least: int = 1) -> int:
    """`value`, refused unless it is a whole number of at least `least`."""
    found = least - 1 if isinstance(value, bool) or not hasattr(value, "__index__") else operator.index(value)
    if found < least:
        raise BadParameter(f"{name} is {value!r}; it must be a whole number of at least {least}")
    return found


def _finite(name: str, value: RealNumber) -> Fraction:
    if not is_number(value):
        raise BadParameter(
            f"{name} is {value!r}, of type {type(value).__name__}; it must be a finite number, given as an int, a "
            "float or a Fraction"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise BadParameter(f"{name} is {value!r}; it must be a finite number")
    found = exact(value)
    if abs(found) > _MOST:
        size = len(str(int(abs(found)))) - 1
        raise BadParameter(f"{name} is about 10**{size}; nothing beyond 10**150 can be accounted for")
    return found


def kept_short(value: Fraction) -> Fraction:
    """`value`, or the next multiple of 2^-200 above it once its denominator has passed 256 bits.

    Sums of unlike fractions grow without end; a ledger of many thousand entries must stay quick, and err upwards.
    """
    if value.denominator.bit_length() <= 256:
        return value
    return Fraction(-(-(value.numerator << 200) // value.denominator), 1 << 200)


def root_up(value: Fraction) -> Fraction:
    """A rational not below the square root of `value`, and above it by less than 1 in 10**18."""
    return _root(value, up=True)


def root_down(value: Fraction) -> Fraction:
    """A rational not above the square root of `value`, and below it by less than 1 in 10**18."""
    return _root(value, up=False)


def _root(value: Fraction, *, up: bool) -> Fraction:
    """sqrt(n/d) = sqrt(n d)/d, with the whole root of n d taken after a shift by 4^64."""
    product = value.numerator * value.denominator << 128
    root = math.isqrt(product)
    above = up and root * root != product
    return Fraction(root + above, value.denominator << 64)

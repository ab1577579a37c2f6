"""The public grid on which real answers are released: multiples of a power of two, so that nothing leaks in low bits.

A float noise added to a float answer has holes and steps that depend on the answer (Mironov 2012). Here the answer
is rounded to the nearest multiple of the grid (half up), whole-number noise is added, and the sum is published as a
multiple of the grid. Multiples of a power of two are exact floats, so scaling rounds nothing.

Rounding x -> floor(x + 1/2) moves two numbers that are D steps apart to at most ceil(D) steps, so the sensitivity
is rounded up. In a vector of d numbers at L1 distance D at most ceil(D) + d - 1, at L2 distance D at most
D + sqrt(d). Whole answers on a grid of at most 1 are not rounded at all.

Answers are clamped to the range in which steps are exact (2**52 for floats, 2**60 for whole numbers); NaN and what a
NumPy mask hides count as 0. These are fixed rules that change no sensitivity as long as the answer keeps the declared
one, and none is an error, since an error would tell about rows. For the same reason a Python integer is a whole number
however large it is, even where an array of it would hold floats or objects.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import frexp, isqrt
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.arrays import FloatArray, IntArray, is_masked
from tacit.errors import BadData
from tacit.params import Params

P = TypeVar("P", bound=Params)

MOST_STEPS = 1 << 60
_FLOAT_STEPS = 2.0**52
_FINENESS = 16
_HUGE = 1 << 1000
_WHOLE = (int, np.integer)


@dataclass(frozen=True)
class GridAnswers:
    """Answers as whole numbers of grid steps; `rounded` says whether real numbers had to be rounded to get there."""

    counts: IntArray
    rounded: bool


@dataclass(frozen=True)
class Grid:
    """The multiples of 2**power."""

    power: int

    @cached_property
    def step(self) -> Fraction:
        """The distance of two neighbours on the grid."""
        return Fraction(2) ** self.power

    def steps(self, answer: ArrayLike) -> GridAnswers:
        """The answers in steps, each rounded to the nearest (half up) and clamped to the exact range."""
        values = as_vector(answer)
        if values.dtype.kind != "f":
            return self._whole_steps(values)
        # One copy, changed in place: for millions of values new arrays would take longer than what is done to them.
        with np.errstate(over="ignore", under="ignore"):
            scaled = np.nan_to_num(values.astype(np.float64), copy=False, nan=0.0)
            np.ldexp(scaled, -self.power, out=scaled)
        np.clip(scaled, -_FLOAT_STEPS, _FLOAT_STEPS, out=scaled)
        floor = np.floor(scaled)
        counts = floor.astype(np.int64)
        np.subtract(scaled, floor, out=scaled)
        counts += scaled >= 0.5
        return GridAnswers(counts, rounded=True)

    def _whole_steps(self, values: "NDArray[Any]") -> GridAnswers:
        """Half up is the whole part and the bit below it: so nothing is added that machine integers can't hold."""
        held = values if values.dtype.kind == "O" or values.dtype == np.uint64 else values.astype(np.int64)
        most, power = MOST_STEPS >> max(0, -self.power), self.power
        if power > 0:
            held = (held >> power) + (held >> power - 1 & 1)
        whole = np.clip(held, 0 if held.dtype.kind == "u" else -most, most).astype(np.int64)
        return GridAnswers(whole << max(0, -power), rounded=power > 0)

    def rounds(self, whole: bool) -> bool:
        """Whether answers, whole by their type or not, are rounded to get onto the grid."""
        return not whole or self.power > 0

    def values(self, counts: IntArray) -> FloatArray:
        """The numbers at these steps."""
        return np.ldexp(counts.astype(np.float64), self.power)

    def l1(self, sensitivity: Fraction, coordinates: int, rounded: bool = True) -> int:
        """The L1 sensitivity in steps after rounding."""
        return -(-sensitivity // self.step) + (coordinates - 1 if rounded else 0)

    def l2(self, sensitivity: Fraction, coordinates: int, rounded: bool = True) -> Fraction:
        """A bound of the L2 sensitivity in steps after rounding."""
        if coordinates == 1:
            return Fraction(-(-sensitivity // self.step))
        return sensitivity / self.step + (isqrt(coordinates - 1) + 1 if rounded else 0)


def as_vector(answer: ArrayLike) -> "NDArray[Any]":
    """The answer as a vector of numbers; one number is a vector of length 1, Python integers are objects at need."""
    if is_masked(answer):
        answer = answer.filled(0)
    values = np.atleast_1d(np.asarray(answer))
    if values.dtype.kind == "O" or (values.dtype.kind == "f" and isinstance(answer, list | tuple)):
        values = _by_type(values, np.atleast_1d(np.asarray(answer, dtype=object)))
    if not (values.dtype.kind in "iubf" or _holds_only(values, _WHOLE)) or values.ndim != 1 or values.size == 0:
        raise BadData(
            f"the answer is an array of {values.dtype} with shape {values.shape}; "
            "it must be a number or a vector of at least one number"
        )
    return values


def _by_type(values: "NDArray[Any]", objects: "NDArray[Any]") -> "NDArray[Any]":
    """Python integers as such, floats if there is one among them; what is no number stays what it is."""
    if _holds_only(objects, _WHOLE):
        return _held(objects)
    if values.dtype.kind == "O" and _holds_only(objects, (*_WHOLE, float, np.floating)):
        return _held(objects).astype(np.float64)
    return values


def _held(objects: "NDArray[Any]") -> "NDArray[Any]":
    """Integers within what floats can hold, which is far beyond any grid."""
    found = [max(-_HUGE, min(int(one), _HUGE)) if isinstance(one, _WHOLE) else one for one in objects.flat]
    return np.array(found, dtype=object).reshape(objects.shape)


def _holds_only(values: "NDArray[Any]", types: tuple[type, ...]) -> bool:
    return values.dtype.kind == "O" and all(isinstance(one, types) for one in values.flat)


def as_whole(answer: ArrayLike) -> IntArray:
    """The answer as a vector of whole numbers, clamped to 2**60; other types are refused by type, not by value."""
    values = as_vector(answer)
    if values.dtype.kind == "f":
        raise BadData(
            f"the answer is of type {values.dtype}; this mechanism needs whole numbers, cast them or use a grid"
        )
    return Grid(0).steps(values).counts


def grid_for(power: int | None, sensitivity: Fraction, spread: int = 1) -> Grid:
    """The grid of this power, or one so fine that rounding `spread` numbers costs less than 2**-15 of the noise."""
    if power is not None:
        return Grid(power)
    return Grid(frexp(float(sensitivity))[1] - 1 - _FINENESS - (spread - 1).bit_length())


def with_own_grid(params: P, power: int | None, sensitivity: Fraction) -> P | None:
    """The parameters with the grid that one number would get, fixed; None where whole numbers would be rounded."""
    grid = grid_for(power, sensitivity)
    return None if grid.power > 0 else params.model_copy(update={"grid": grid.power})


def clamped_sum(steps: IntArray, noise: IntArray) -> IntArray:
    """The sum within the exact range; clamping comes after the noise, so it costs no privacy."""
    total: IntArray = np.clip(steps + noise, -MOST_STEPS, MOST_STEPS)
    return total

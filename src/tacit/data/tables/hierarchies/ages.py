"""Ages generalise to bands of growing widths with an open end, 20 to 24, 20 to 29, 20 to 39, 90+, then `*`.

Band j of width w holds the ages from j·w to (j + 1)·w − 1 in completed years. The band in which `top` lies, and all
above, are one band without an end; with `under`, the band in which the age before it lies, and all below, are one too.
Each width is a multiple of the one before, so bands never cut one another: 90+ lies in 80+ when bands of ten become
bands of twenty. The default top is 90, as the Safe Harbor method of HIPAA asks (45 CFR 164.514(b)(2)(i)(C)): the very
old are few, and known to many.

Labels are `20 to 24`, since spreadsheets take `10-14` for a date.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from tacit.data.tables.hierarchies.numerals import Numeral, read_numeral
from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, show_shapes
from tacit.errors import BadData
from tacit.params import Params
from tacit.spelling import many, noun

OLDEST = 150
TOP = 90
_OPEN = re.compile(r"(?:>=|≥) ?([0-9]{1,3})|([0-9]{1,3}) ?\+", re.ASCII)

Years = Annotated[int, Field(ge=1, le=OLDEST, strict=True)]


class AgeSpec(Params):
    """Bands of ages with an open end."""

    kind: ClassVar[str] = "ages"

    ages: tuple[Years, ...] = Field(
        description="widths of the bands in years, narrow to wide; each a multiple of the one before",
        examples=[[5, 10, 20, 40]],
    )
    top: Years = Field(default=TOP, description="the age from which on everybody is in one band, such as 90+")
    under: Years | None = Field(
        default=None, description="the age below which everybody is in one band, such as under 15"
    )

    @model_validator(mode="after")
    def _nested(self) -> Self:
        if not self.ages:
            raise ValueError("no width is given; write at least one, such as ages: [5, 10, 20]")
        for narrow, wide in pairwise(self.ages):
            if wide <= narrow or wide % narrow:
                raise ValueError(f"width {wide} must be a multiple of the width {narrow} before it, and larger")
        for name, limit in (("top", self.top), ("under", self.under or 0)):
            if limit % self.ages[0]:
                below = limit // self.ages[0] * self.ages[0]
                raise ValueError(f"{name} {limit} cuts a band of {self.ages[0]} years; write {below + self.ages[0]}")
        return self

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if _first_of_top(self, self.ages[-1]) <= _end_of_young(self, self.ages[-1]):
            raise ValueError(
                f"bands of {self.ages[-1]} years leave no band between the open ends; leave that width out"
            )
        return self


def read_age(text: str) -> int | None:
    """The completed years that a text says, of an open end (90+) the first; None where it says none."""
    open_end = _OPEN.fullmatch(text.strip())
    if open_end:
        return int(open_end[1] or open_end[2])
    numeral = read_numeral(text)
    return None if numeral is None or numeral.mantissa < 0 else _whole(numeral)


def _whole(numeral: Numeral) -> int | None:
    """The number without what is behind its point; None where it is far too large for an age."""
    if numeral.exponent > len(str(OLDEST)):
        return None
    return numeral.units(0) if numeral.exponent >= 0 else numeral.mantissa // int(10**-numeral.exponent)


def build_ages(column: str, spec: AgeSpec, values: Sequence[str]) -> Hierarchy:
    """The hierarchy of the spec over the observed values (none missing), from young to old."""
    read = [read_age(value) for value in values]
    strange = [v for v, age in zip(values, read, strict=True) if age is None or age > OLDEST or _cuts(v, age, spec)]
    if strange:
        raise BadData(
            f"column {column!r}: {many(len(strange), 'value does', 'values do')} not read as an age up to {OLDEST}, "
            f"or {noun(len(strange), 'has', 'have')} an open end below the top of {spec.top}: {show_shapes(strange)}; "
            "clean them, lower `top`, or use a tree or a file"
        )
    known = sorted((age, value) for age, value in zip(read, values, strict=True) if age is not None)
    levels = [[value for _, value in known]]
    levels += [[_band(spec, age, width) for age, _ in known] for width in spec.ages]
    return Hierarchy.from_levels(column, [*levels, [SUPPRESSED] * len(values)])


def _cuts(value: str, age: int, spec: AgeSpec) -> bool:
    """Whether a value with an open end begins below the top, so that it lies in no single band."""
    return age < spec.top and any(sign in value for sign in "+>≥")


def _band(spec: AgeSpec, age: int, width: int) -> str:
    top, young = _first_of_top(spec, width), _end_of_young(spec, width)
    if age >= top:
        return f"{top}+"
    if age < young:
        return f"under {young}"
    first = age // width * width
    return f"{first} to {first + width - 1}" if width > 1 else str(first)


def _first_of_top(spec: AgeSpec, width: int) -> int:
    return spec.top // width * width


def _end_of_young(spec: AgeSpec, width: int) -> int:
    return -(-(spec.under or 0) // width) * width

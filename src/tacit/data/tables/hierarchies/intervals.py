"""Intervals: numbers generalise to half-open intervals of growing widths, `[20, 25)`, then `[20, 30)`, then `*`.

Interval j of width w is [origin + j·w, origin + (j + 1)·w). Each width is a multiple of the one before, so intervals
never cut one another and the levels form a tree. Where the plan states the domain (`from`, `to`, both included) and the
data are whole numbers, every whole number of the domain is a leaf, observed or not; otherwise the leaves are the
observed values. Arithmetic is exact.
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, model_validator

from tacit.data.tables.hierarchies.numerals import (
    ExactNumber,
    Numeral,
    align,
    narrowed,
    numerals_of,
    read_numerals,
    spell,
)
from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, show_shapes
from tacit.errors import BadData, BadParameter
from tacit.params import Params
from tacit.spelling import many

MOST_LEAVES = 1_000_000


class IntervalSpec(Params):
    """Intervals of growing widths."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)
    kind: ClassVar[str] = "intervals"

    intervals: tuple[Annotated[ExactNumber, Field(gt=0)], ...] = Field(
        description="widths, narrow to wide; each a multiple of the one before", examples=[[5, 10, 20]]
    )
    start: ExactNumber | None = Field(default=None, alias="from", description="least value of the domain")
    end: ExactNumber | None = Field(default=None, alias="to", description="greatest value of the domain, included")
    origin: ExactNumber = Field(default=Decimal(0), description="a number where an interval begins")

    @model_validator(mode="after")
    def _nested(self) -> Self:
        if not self.intervals:
            raise ValueError("no width is given; write at least one, such as intervals: [5, 10, 20]")
        widths = align(numerals_of(self.intervals))
        for narrow, wide in pairwise(widths.units.tolist()):
            if wide <= narrow or wide % narrow:
                raise ValueError(_advice(narrow, wide, widths.digits))
        return self

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if (self.start is None) != (self.end is None):
            raise ValueError("a domain needs both `from` and `to`")
        if self.start is not None and self.end is not None and self.start > self.end:
            raise ValueError(f"the domain is empty: from {self.start} is above to {self.end}; swap them")
        return self


def _advice(narrow: int, wide: int, digits: int) -> str:
    width, before = spell(wide, digits), spell(narrow, digits)
    if wide <= narrow:
        return f"width {width} does not exceed the width {before} before it; list widths from narrow to wide, each once"
    below, above = spell(wide // narrow * narrow, digits), spell((wide // narrow + 1) * narrow, digits)
    fix = f"use {above}" if wide < 2 * narrow else f"use {below} or {above}"
    return f"width {width} is not a multiple of {before}, so its intervals would cut those of {before}; {fix}"


def build_intervals(column: str, spec: IntervalSpec, values: Sequence[str]) -> Hierarchy:
    """The hierarchy of the spec over the observed values (none missing), in numeric order."""
    numerals = read_numerals(column, values)
    if spec.start is not None and spec.end is not None:
        _require_within(column, spec, values, numerals)
        unseen = _unseen(column, spec, numerals)
        values = [*values, *(str(number) for number in unseen)]
        numerals = [*numerals, *(Numeral(number, 0) for number in unseen)]
    numbers = align([*numerals, *numerals_of([spec.origin, *spec.intervals])])
    units, (origin, *widths) = numbers.units[: len(values)], numbers.units[len(values) :].tolist()
    order = np.argsort(units, kind="stable")
    levels = [[values[position] for position in order.tolist()]]
    levels += [_labels(units[order], origin, width, numbers.digits) for width in widths]
    return Hierarchy.from_levels(column, [*levels, [SUPPRESSED] * len(values)])


def _labels(units: NDArray[Any], origin: int, width: int, digits: int) -> list[str]:
    steps, inverse = np.unique(narrowed((units - origin) // width), return_inverse=True)
    starts = [origin + step * width for step in steps.tolist()]
    labels = [f"[{spell(start, digits)}, {spell(start + width, digits)})" for start in starts]
    return [labels[position] for position in inverse.tolist()]


def _require_within(column: str, spec: IntervalSpec, values: Sequence[str], numerals: Sequence[Numeral]) -> None:
    numbers = align([*numerals, *numerals_of(_bounds(spec))])
    units, (least, most) = numbers.units[:-2], numbers.units[-2:].tolist()
    outside = np.flatnonzero((units < least) | (units > most))
    if outside.size:
        raise BadData(
            f"column {column!r}: {many(outside.size, 'value lies', 'values lie')} outside its domain from {spec.start} "
            f"to {spec.end}: {show_shapes([values[position] for position in outside.tolist()])}; clean them, or widen "
            "`from` and `to`"
        )


def _bounds(spec: IntervalSpec) -> list[Decimal]:
    return [bound for bound in (spec.start, spec.end) if bound is not None]


def _unseen(column: str, spec: IntervalSpec, numerals: Sequence[Numeral]) -> list[int]:
    """The whole numbers of the domain that no value spells; none where the data are not whole numbers."""
    bounds = numerals_of(_bounds(spec))
    numbers = align([*numerals, *bounds])
    scale = 10**numbers.digits
    if any(unit % scale for unit in numbers.units.tolist()):
        return []
    first, last = (int(bound) for bound in _bounds(spec))
    if last - first >= MOST_LEAVES:
        raise BadParameter(
            f"column {column!r}: its domain from {first} to {last} has more than {MOST_LEAVES} whole numbers; "
            "narrow it, or leave `from` and `to` out: the observed values are then the leaves"
        )
    seen = {unit // scale for unit in numbers.units[: len(numerals)].tolist()}
    return [number for number in range(first, last + 1) if number not in seen]

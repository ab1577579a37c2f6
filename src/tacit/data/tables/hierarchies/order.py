"""Order: an ordered domain is cut into groups of consecutive values, of 3, then of 9, then `*`.

Group j of size s holds the values j·s to (j + 1)·s − 1 of the order; each size is a multiple of the one before, so the
groups nest. The order is the one that is given, or that of the numbers. A group is labelled with its first and last
value, `[low, high]`, a group of one with its value.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field, field_validator

from tacit.data.tables.hierarchies.numerals import align, read_numerals
from tacit.data.tables.hierarchies.tree import leaf_text
from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy, show_some
from tacit.errors import BadParameter
from tacit.params import Params


class OrderSpec(Params):
    """Groups of consecutive values."""

    kind: ClassVar[str] = "order"

    order: tuple[Annotated[int, Field(ge=2, strict=True)], ...] = Field(
        description="sizes of the groups, small to large; each a multiple of the one before", examples=[[3, 9]]
    )
    values: tuple[Annotated[str, BeforeValidator(leaf_text)], ...] | None = Field(
        default=None,
        description="the whole domain in its order; by default the observed numbers",
        examples=[["low", "middle", "high"]],
    )

    @field_validator("order")
    @classmethod
    def _nested(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        if not sizes:
            raise ValueError("no size is given; write at least one, such as order: [3, 9]")
        for small, large in pairwise(sizes):
            if large <= small:
                raise ValueError(f"size {large} follows {small}; list sizes from small to large, each once")
            if large % small:
                below, above = large // small * small, (large // small + 1) * small
                fix = f"{below} or {above}" if below > small else f"{above}"
                raise ValueError(
                    f"size {large} is not a multiple of {small}, so groups would cut one another; use {fix}"
                )
        return sizes

    @field_validator("values")
    @classmethod
    def _distinct(cls, values: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if values is not None and not values:
            raise ValueError("the list of values is empty; leave it out for numbers")
        if double := _repeated(values or ()):
            raise ValueError(f"values are listed twice: {show_some(double)}; write each once")
        return values


def build_order(column: str, spec: OrderSpec, values: Sequence[str]) -> Hierarchy:
    """The hierarchy of the spec over its values, or over the observed numbers (none missing)."""
    leaves = list(spec.values) if spec.values is not None else _sorted_numbers(column, values)
    levels = [leaves]
    for size in spec.order:
        groups = [leaves[start : start + size] for start in range(0, len(leaves), size)]
        names = [_label(group) for group in groups]
        if double := _repeated(names):
            raise BadParameter(
                f"column {column!r}: groups of {size} would share the label {show_some(double, most=1)}; "
                "write the groups as a tree"
            )
        levels.append([name for name, group in zip(names, groups, strict=True) for _ in group])
    return Hierarchy.from_levels(column, [*levels, [SUPPRESSED] * len(leaves)])


def _repeated(names: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _label(group: Sequence[str]) -> str:
    return group[0] if len(group) == 1 else f"[{group[0]}, {group[-1]}]"


def _sorted_numbers(column: str, values: Sequence[str]) -> list[str]:
    numbers = align(read_numerals(column, values))
    return [values[position] for position in np.argsort(numbers.units, kind="stable").tolist()]

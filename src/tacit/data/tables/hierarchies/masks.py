"""Masks: codes generalise by redaction, character by character: 81667, 8166*, 816**, …, `*`.

A value shorter than the longest counts as masked in the places that it lacks, on the masked side: E11 is E11** beside
E11.9, so a code that refines another meets it on the way to the root. At a level that masks n of N characters the
label is determined by the N − n that are kept, so the levels form a prefix tree (a suffix tree from the left).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import Field, StrictBool, StrictInt, field_validator

from tacit.data.tables.hierarchy import SUPPRESSED, Hierarchy
from tacit.errors import BadParameter
from tacit.params import Params

MASK = "*"
MOST_LEVELS = 64

Lengths = StrictBool | StrictInt | tuple[int, ...]


class MaskSpec(Params):
    """Characters masked one after the other, or in the given numbers."""

    kind: ClassVar[str] = "mask"

    mask: Lengths = Field(
        description="how many characters are masked one by one; true for all; or a list with the number at each level"
    )
    side: Literal["right", "left"] = Field(default="right", description="where masking begins")

    @field_validator("mask", mode="before")
    @classmethod
    def _countable(cls, mask: object) -> object:
        numbers = mask if isinstance(mask, list | tuple) else [mask]
        if mask is not True and (not numbers or not all(map(_is_count, numbers))):
            raise ValueError(f"a mask is true, a whole number from 1 to {MOST_LEVELS}, or a rising list of them")
        if any(fewer >= more for fewer, more in pairwise(numbers)):
            raise ValueError("each level must mask more characters than the one before, such as mask: [2, 4]")
        return mask


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= MOST_LEVELS


def build_mask(column: str, spec: MaskSpec, values: Sequence[str]) -> Hierarchy:
    """The hierarchy of the spec over the observed values (none missing)."""
    longest = max(map(len, values), default=0)
    levels = [list(values)]
    for masked in _masked(column, spec, longest):
        kept = longest - masked
        if spec.side == "right":
            levels.append([value[:kept].ljust(longest, MASK) for value in values])
        else:
            levels.append([value[max(len(value) - kept, 0) :].rjust(longest, MASK) for value in values])
    return Hierarchy.from_levels(column, [*levels, [SUPPRESSED] * len(values)])


def _masked(column: str, spec: MaskSpec, longest: int) -> Sequence[int]:
    """How many characters each level below the root masks; masking all of them is the root itself."""
    if isinstance(spec.mask, tuple):
        return [number for number in spec.mask if number < longest]
    if spec.mask is True and longest > MOST_LEVELS:
        raise BadParameter(
            f"column {column!r}: mask: true would make {longest} levels, one for each character of the longest value; "
            f"give a number up to {MOST_LEVELS}, or a list such as mask: [4, 8, 16]"
        )
    return range(1, longest if spec.mask is True else min(spec.mask + 1, longest))

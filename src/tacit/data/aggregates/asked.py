"""What an engine was asked, kept beside what it found: noise is fitted to the question, so both must match.

Sums of values clamped to other bounds, or of more rows of a person, are too large for the noise. Checking the sums
would leak something about them, and would not notice every mistake. So the check compares the questions.
"""

from dataclasses import dataclass
from typing import Any

from tacit.data.aggregates.scale import Scale
from tacit.errors import BadData
from tacit.spelling import many


@dataclass(frozen=True)
class Derivation:
    """The scales that cells were read on, the terms that were added up, and how many rows of a person were read at
    most (None where the engine was not told of people)."""

    scales: tuple[Scale, ...]
    terms: tuple[tuple[Any, ...], ...] = ()
    most: int | None = None


def require_same(asked: Derivation | None, wanted: Derivation, contributions: int) -> None:
    """The question is the expected one, and no person has more rows in it than the noise is made for."""
    if asked is None:
        raise BadData("these numbers do not say what was asked; pass what `wanted(...).found` returned")
    if (asked.scales, asked.terms) != (wanted.scales, wanted.terms):
        raise BadData(
            "what was found was asked with other parameters (bounds, grids, cells or terms); "
            "ask the engine with `wanted` and the same parameters"
        )
    if asked.most is not None and asked.most > contributions:
        raise BadData(
            f"up to {many(asked.most, 'row')} of a person were read, but contributions is {contributions}; "
            "read at most that many rows of each person"
        )

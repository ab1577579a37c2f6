"""The labels of an answer's numbers, in words that a reader understands: `0 to 3`, `quantile 0.25`, `male, f`.

Labels are made of parameters, of the names of columns and of what the answer publishes anyway, so they cost nothing.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

DIGITS = 6


def number(value: float, digits: int = DIGITS) -> str:
    """The number with its thousands marked, and no more digits than that."""
    return f"{int(value):,}" if value == int(value) and abs(value) < 1e15 else f"{value:.{digits}g}"


def between(edges: Sequence[float]) -> list[str]:
    """The bins between these edges, with as many digits as tell the edges apart."""
    texts = next(
        (
            texts
            for digits in range(DIGITS, 17)
            if len(set(texts := [number(edge, digits) for edge in edges])) == len(texts)
        ),
        [repr(float(edge)) for edge in edges],
    )
    return [f"{low} to {high}" for low, high in pairwise(texts)]


def crossed(axes: Sequence[Sequence[str]]) -> Any:
    """The labels of all cells that the axes span: lists in lists, in the shape of the cells."""
    return _crossed("", axes)


def _crossed(before: str, axes: Sequence[Sequence[str]]) -> Any:
    first, *rest = axes
    labels = [f"{before}, {label}" if before else label for label in first]
    return [_crossed(label, rest) for label in labels] if rest else labels

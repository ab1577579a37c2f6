"""The numbers of an answer one by one: each with its group, its place in the answer, and its interval."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.release.answers import PublishedAnswer


@dataclass(frozen=True)
class AnswerLine:
    """One number of an answer; `lower` and `upper` are None where no interval is told."""

    label: str
    value: Any
    lower: float | None
    upper: float | None


def lines_of(answer: PublishedAnswer) -> tuple[AnswerLine, ...]:
    """Every number of the answer, in order."""
    if answer.keys is None:
        return tuple(_numbers("", (answer.values, answer.lower, answer.upper)))
    found: list[AnswerLine] = []
    for place, key in enumerate(answer.keys):
        label = ", ".join(map(str, key)) if isinstance(key, list | tuple) else str(key)
        parts = (_part(answer.values, place), _part(answer.lower, place), _part(answer.upper, place))
        found += _numbers(label, parts)
    return tuple(found)


def _numbers(label: str, parts: tuple[Any, Any, Any]) -> Iterator[AnswerLine]:
    """The numbers of a value, a list of them, or lists in lists; places are named where there are several."""
    values, lower, upper = parts
    if not isinstance(values, list | tuple):
        yield AnswerLine(label, values, _number(lower), _number(upper))
        return
    for place, value in enumerate(values):
        name = label if len(values) == 1 else f"{label} {place + 1}".strip()
        yield from _numbers(name, (value, _part(lower, place), _part(upper, place)))


def _part(values: Any, place: int) -> Any:
    """The part of a list at the place; None where there is no such part."""
    if isinstance(values, Sequence) and not isinstance(values, str):
        return values[place] if place < len(values) else None
    return None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

"""The numbers of an answer one by one: each with its group, what it is, and its interval."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tacit.noise.private_answer import UNKNOWN
from tacit.release.answers import PublishedAnswer


@dataclass(frozen=True)
class AnswerLine:
    """One number of an answer; `lower` and `upper` are None where no interval is told.

    `unknown` says that the interval holds every number: nothing is known of this one.
    """

    label: str
    value: Any
    lower: float | None
    upper: float | None
    unknown: bool = False

    @property
    def width(self) -> float:
        """How far apart the ends are that are known, 0 where fewer than two are."""
        ends = [end for end in (self.lower, self.upper, _number(self.value)) if end is not None]
        return 0.0 if self.lower is None and self.upper is None else max(ends) - min(ends)


@dataclass(frozen=True)
class _AnswerPart:
    """A part of an answer: one number or lists of them, with bounds and labels in the same shape."""

    values: Any
    lower: Any
    upper: Any
    labels: Any

    def at(self, place: int) -> "_AnswerPart":
        """The part of the part at this place."""
        return _AnswerPart(*(_entry(one, place) for one in (self.values, self.lower, self.upper, self.labels)))


def lines_of(answer: PublishedAnswer) -> tuple[AnswerLine, ...]:
    """Every number of the answer, in order; one without bounds is unknown if others have some or a remark says so."""
    whole = _AnswerPart(answer.values, answer.lower, answer.upper, answer.labels)
    found = _lines("", whole) if answer.keys is None else _grouped(answer.keys, whole)
    told = answer.intervals or UNKNOWN in answer.remarks
    return tuple(replace(line, unknown=told and _endless(line)) for line in found)


def _grouped(keys: Sequence[Any], whole: _AnswerPart) -> Iterator[AnswerLine]:
    for place, key in enumerate(keys):
        yield from _lines(_group(key), whole.at(place))


def _endless(line: AnswerLine) -> bool:
    return _number(line.value) is not None and line.lower is None and line.upper is None


def _group(key: Any) -> str:
    return ", ".join(map(str, key)) if isinstance(key, list | tuple) else str(key)


def _lines(before: str, part: _AnswerPart) -> Iterator[AnswerLine]:
    """The numbers of a part; one that has no label is called by its place where there are several."""
    if not isinstance(part.values, list | tuple):
        label = part.labels if isinstance(part.labels, str) else ""
        yield AnswerLine(_joined(before, label), part.values, _number(part.lower), _number(part.upper))
        return
    numbered = part.labels is None and len(part.values) > 1
    for place in range(len(part.values)):
        yield from _lines(f"{before} {place + 1}".strip() if numbered else before, part.at(place))


def _joined(*texts: str) -> str:
    return ", ".join(text for text in texts if text)


def _entry(values: Any, place: int) -> Any:
    """The entry of a list at the place; None where there is no such entry."""
    if isinstance(values, Sequence) and not isinstance(values, str):
        return values[place] if place < len(values) else None
    return None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def remarks_once(answers: Sequence[PublishedAnswer]) -> tuple[tuple[str, ...], ...]:
    """The remarks of each answer, without those that an answer before it has made in the same words."""
    said: set[str] = set()
    told = []
    for answer in answers:
        told.append(tuple(remark for remark in answer.remarks if remark not in said))
        said.update(answer.remarks)
    return tuple(told)

"""Features: numbers made of an output, on which an event is a threshold.

Fixed ones: each number of the output, how fine it is (its lowest set bit, which betrays float noise; Mironov 2012), the
difference of neighbours (which betrays noise that is used twice), their sum, how many there are. Fitted ones, from
runs that are not used to choose the threshold: the likelihood ratio of whole outputs that repeat, and of outputs of
several numbers under the assumption that these are independent. By the lemma of Neyman and Pearson the best events are
thresholds of the likelihood ratio.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from tacit.arrays import FloatArray
from tacit.audit.outputs import ABSENT, Book

MOST_COLUMNS = 12
MOST_POINTS = 64
LEAST_SEEN = 5
FEW = 3
BINS = 32
_NUMBERS = 2.0**890
Side = Literal["at most", "at least"]


class Feature(Protocol):
    """A number of each output."""

    def of(self, rows: FloatArray) -> FloatArray:
        """The number for each row."""
        ...

    def says(self, side: Side, bound: float, book: Book) -> str:
        """In words, the event that the number is at most, or at least, the bound."""
        ...


@dataclass(frozen=True)
class Number:
    """One number of the output."""

    column: int
    name: str

    def of(self, rows: FloatArray) -> FloatArray:
        """The column."""
        return rows[:, self.column]

    def says(self, side: Side, bound: float, book: Book) -> str:
        """The number with its bound."""
        return f"{self.name} is {side} {book.word(bound)}"


@dataclass(frozen=True)
class Fineness:
    """The exponent of the lowest set bit of a number: it is a multiple of 2 to this power and of no higher one."""

    column: int
    name: str

    def of(self, rows: FloatArray) -> FloatArray:
        """The exponents; those of 0 and of what is no number are beyond all others."""
        values = rows[:, self.column]
        mantissa, exponent = np.frexp(values)
        whole = np.abs(np.ldexp(mantissa, 53)).astype(np.int64)
        lowest = np.frexp((whole & -whole).astype(np.float64))[1]
        return np.where((whole == 0) | (np.abs(values) >= _NUMBERS), 2000.0, exponent - 54.0 + lowest)

    def says(self, side: Side, bound: float, book: Book) -> str:
        """Multiple or not of a power of two."""
        power = int(bound) + (side == "at most")
        return f"{self.name} is {'no' if side == 'at most' else 'a'} multiple of 2**{power}"


@dataclass(frozen=True)
class Difference:
    """A number of the output less the next."""

    column: int

    def of(self, rows: FloatArray) -> FloatArray:
        """The differences, rounded so that float rounding makes no two of one."""
        first, second = rows[:, self.column], rows[:, self.column + 1]
        both = (np.abs(first) < _NUMBERS) & (np.abs(second) < _NUMBERS)
        found: FloatArray = np.where(both, np.round(np.where(both, first - second, 0.0), 9), ABSENT)
        return found

    def says(self, side: Side, bound: float, book: Book) -> str:
        """The difference with its bound."""
        return f"number {self.column} less number {self.column + 1} of the output is {side} {book.word(bound)}"


@dataclass(frozen=True)
class Sum:
    """The sum of all numbers."""

    def of(self, rows: FloatArray) -> FloatArray:
        """The sums; what is no number counts as 0."""
        cells = rows[:, 1:]
        found: FloatArray = np.where(np.abs(cells) < _NUMBERS, cells, 0.0).sum(axis=1)
        return found

    def says(self, side: Side, bound: float, book: Book) -> str:
        """The sum with its bound."""
        return f"the sum of the output is {side} {bound:.10g}"


@dataclass(frozen=True, eq=False)
class Points:
    """The log likelihood ratio of outputs that repeat, or of one part of them; 0 for all others."""

    points: FloatArray
    ratios: FloatArray
    column: int | None = None

    def of(self, rows: FloatArray) -> FloatArray:
        """The ratio of each row."""
        cells = rows if self.column is None else rows[:, self.column : self.column + 1]
        found = np.zeros(len(rows))
        for point, ratio in zip(self.points, self.ratios, strict=True):
            known, width = point[: cells.shape[1]], point.size
            if (point[cells.shape[1] :] == ABSENT).all():
                same = (cells[:, :width] == known).all(axis=1) & (cells[:, width:] == ABSENT).all(axis=1)
                found[same] = ratio
        return found

    def says(self, side: Side, bound: float, book: Book) -> str:
        """The outputs, where they are few."""
        chosen = self.ratios <= bound if side == "at most" else self.ratios >= bound
        zero = bound >= 0 if side == "at most" else bound <= 0
        listed = self.points[chosen != zero]
        what = "the output" if self.column is None else f"part {self.column} of the output"
        if len(listed) > FEW:
            return f"{what} is {'none' if zero else 'one'} of {len(listed)} telling ones"
        if not len(listed):
            return f"{what} is {'any' if zero else 'none'} at all"
        words = [book.words(point) if self.column is None else book.word(float(point[0])) for point in listed]
        return f"{what} is {'not ' if zero else ''}{' or '.join(words)}"


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The sum over the numbers of their log likelihood ratios, each estimated in bins."""

    edges: tuple[FloatArray, ...]
    ratios: tuple[FloatArray, ...]

    def of(self, rows: FloatArray) -> FloatArray:
        """The ratio of each row."""
        found = np.zeros(len(rows))
        for column, (edges, ratios) in enumerate(zip(self.edges, self.ratios, strict=True), start=1):
            if column < rows.shape[1]:
                found += ratios[np.searchsorted(edges, rows[:, column], side="right")]
        return found

    def says(self, side: Side, bound: float, book: Book) -> str:
        """The ratio with its bound."""
        return f"the output has an estimated likelihood ratio of {side} {np.exp(bound):.3g}"


def features_of(first: FloatArray, second: FloatArray) -> Iterator[Feature]:
    """The features worth a look, fitted on these runs of two neighbours, those that are easier to say first."""
    both = np.vstack([first, second])
    columns = range(1, min(both.shape[1], MOST_COLUMNS + 1))
    yield from _points(first, second, FEW)
    if both.shape[1] == 2:
        yield from _of_column(first, second, 1, "the output")
    else:
        for column in columns:
            yield from _of_column(first, second, column, f"number {column} of the output")
        yield Number(0, "the number of values in the output")
        yield from (Difference(column) for column in columns[:-1])
        yield Sum()
    yield from _points(first, second, MOST_POINTS)
    yield _likelihood(first, second)


def _of_column(first: FloatArray, second: FloatArray, column: int, name: str) -> Iterator[Feature]:
    """What is no number has no order: it is looked at as points."""
    cells = np.concatenate([first[:, column], second[:, column]])
    if (np.abs(cells) >= _NUMBERS).any():
        for part in _points(first[:, column : column + 1], second[:, column : column + 1], FEW):
            yield replace(part, column=column)
        return
    yield Number(column, name)
    if (cells != np.floor(cells)).any():
        yield Fineness(column, name)


def _points(first: FloatArray, second: FloatArray, most: int) -> Iterator[Points]:
    both = np.vstack([first, second])
    found, inverse, counts = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    place = inverse.ravel()
    here = np.bincount(place[: len(first)], minlength=len(found))
    there = np.bincount(place[len(first) :], minlength=len(found))
    telling = np.where(counts >= LEAST_SEEN, np.abs(here - there) / np.sqrt(counts), -1.0)
    top = np.argsort(-telling, kind="stable")[:most]
    top = top[telling[top] > 0]
    if top.size:
        yield Points(found[top], np.log((here[top] + 0.5) / (there[top] + 0.5)))


def _likelihood(first: FloatArray, second: FloatArray) -> Likelihood:
    edges, ratios = [], []
    for column in range(1, first.shape[1]):
        here, there = first[:, column], second[:, column]
        cuts = np.unique(np.quantile(np.concatenate([here, there]), np.linspace(0, 1, BINS + 1)[1:-1], method="lower"))
        counts = [
            np.bincount(np.searchsorted(cuts, part, side="right"), minlength=cuts.size + 1) for part in (here, there)
        ]
        edges.append(cuts)
        ratios.append(np.log((counts[0] + 0.5) / (counts[1] + 0.5)))
    return Likelihood(tuple(edges), tuple(ratios))

"""Features: numbers made of an output, on which a threshold bounds a set of outputs.

Fixed ones: each number of the output, how fine it is (its lowest set bit, which betrays float noise; Mironov 2012), the
difference of neighbours (which betrays noise that is used twice), their sum, how many there are. Fitted ones, from
runs that are not used to choose the threshold: the likelihood ratio of whole outputs that repeat, and of outputs of
several numbers under the assumption that these are independent; and the linear discriminant (Fisher 1936), which finds
combinations of numbers in which their noise cancels. By the lemma of Neyman and Pearson the best sets are
bounded by thresholds of the likelihood ratio.

Outputs may have hundreds of numbers, most of which tell nothing. Only those that differ most between the two
neighbours, by a chi-square, are looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np

from tacit.arrays import FloatArray
from tacit.auditing.outputs import ABSENT, OutputCodes

MOST_COLUMNS = 12
MOST_POINTS = 64
LEAST_SEEN = 5
FEW = 3
BINS = 32
_RIDGE = 1e-6
_NUMBERS = 2.0**890
_MODEST = 2.0**300
FeatureSide = Literal["at most", "at least"]


class OutputFeature(Protocol):
    """A number of each output."""

    def of(self, rows: FloatArray) -> FloatArray:
        """The number for each row."""
        ...

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """A clause that says that the number is at most, or at least, the bound."""
        ...


@dataclass(frozen=True)
class NumberFeature:
    """One number of the output."""

    column: int
    name: str

    def of(self, rows: FloatArray) -> FloatArray:
        """The column."""
        return rows[:, self.column]

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """The number with its bound."""
        return f"{self.name} is {side} {book.word(bound)}"


@dataclass(frozen=True)
class Fineness:
    """The exponent of the lowest set bit of a number: it is a multiple of 2 to this power and of no higher one."""

    column: int
    name: str

    def of(self, rows: FloatArray) -> FloatArray:
        """The exponents; those of 0 and of what is not a number are beyond all others."""
        values = rows[:, self.column]
        mantissa, exponent = np.frexp(values)
        whole = np.abs(np.ldexp(mantissa, 53)).astype(np.int64)
        lowest = np.frexp((whole & -whole).astype(np.float64))[1]
        return np.where((whole == 0) | (np.abs(values) >= _NUMBERS), 2000.0, exponent - 54.0 + lowest)

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """Multiple or not of a power of two."""
        power = int(bound) + (side == "at most")
        return f"{self.name} is {'no' if side == 'at most' else 'a'} multiple of 2**{power}"


@dataclass(frozen=True)
class Difference:
    """A number of the output less another."""

    column: int
    other: int

    def of(self, rows: FloatArray) -> FloatArray:
        """The differences, rounded so that rounding errors do not make equal ones differ."""
        first, second = rows[:, self.column], rows[:, self.other]
        both = (np.abs(first) < _NUMBERS) & (np.abs(second) < _NUMBERS)
        found: FloatArray = np.where(both, np.round(np.where(both, first - second, 0.0), 9), ABSENT)
        return found

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """The difference with its bound."""
        return f"number {self.column} less number {self.other} of the output is {side} {book.word(bound)}"


@dataclass(frozen=True)
class OutputSum:
    """The sum of all numbers."""

    def of(self, rows: FloatArray) -> FloatArray:
        """The sums; what is not a number counts as 0."""
        cells = rows[:, 1:]
        found: FloatArray = np.where(np.abs(cells) < _NUMBERS, cells, 0.0).sum(axis=1)
        return found

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """The sum with its bound."""
        return f"the sum of the output is {side} {bound:.10g}"


@dataclass(frozen=True, eq=False)
class PointFeature:
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

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
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
class Ratios:
    """The log likelihood ratios of one number, estimated in bins, and how telling it is."""

    column: int
    edges: FloatArray
    ratios: FloatArray
    telling: float

    def of(self, rows: FloatArray) -> FloatArray:
        """The ratio of each row."""
        found: FloatArray = self.ratios[np.searchsorted(self.edges, rows[:, self.column], side="right")]
        return found


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The sum over some numbers of their log likelihood ratios."""

    parts: tuple[Ratios, ...]

    def of(self, rows: FloatArray) -> FloatArray:
        """The ratio of each row."""
        found = np.zeros(len(rows))
        for part in self.parts:
            if part.column < rows.shape[1]:
                found += part.of(rows)
        return found

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """The ratio with its bound."""
        return f"the output has an estimated likelihood ratio of {side} {np.exp(bound):.3g}"


@dataclass(frozen=True, eq=False)
class Discriminant:
    """A weighted sum of some numbers, in which their noise cancels as far as it can."""

    columns: tuple[int, ...]
    weights: FloatArray
    centre: FloatArray

    def of(self, rows: FloatArray) -> FloatArray:
        """The sum, measured from the middle, rounded so that rounding errors do not make equal ones differ."""
        cells = rows[:, self.columns]
        held = np.where(np.abs(cells) < _NUMBERS, cells - self.centre, 0.0)
        found: FloatArray = np.round(held @ self.weights, 9)
        return found

    def says(self, side: FeatureSide, bound: float, book: OutputCodes) -> str:
        """The sum with its bound."""
        terms = " ".join(
            f"{weight:+.3g} × number {column}" for column, weight in zip(self.columns, self.weights, strict=True)
        )
        return f"{terms} of the output is {side} {bound + float(self.centre @ self.weights):.10g}"


def features_of(first: FloatArray, second: FloatArray) -> Iterator[OutputFeature]:
    """The features to try, fitted on these runs of two neighbours, those that are easier to describe first."""
    ratios = _ratios(first, second)
    columns = sorted(part.column for part in ratios if part.column)
    yield from _points(first, second, FEW)
    if first.shape[1] == 2:
        yield from _of_column(first, second, 1, "the output")
    else:
        for column in columns:
            yield from _of_column(first, second, column, f"number {column} of the output")
        yield NumberFeature(0, "the number of values in the output")
        yield from (Difference(*pair) for pair in pairwise(columns))
        yield OutputSum()
        yield from _discriminants(first, second, columns)
    yield from _points(first, second, MOST_POINTS)
    yield from (Likelihood(tuple(ratios[:most])) for most in (FEW, len(ratios)) if most <= len(ratios))


def _of_column(first: FloatArray, second: FloatArray, column: int, name: str) -> Iterator[OutputFeature]:
    """The features of one column; a column with values that are no numbers has no order, so its values are points."""
    cells = np.concatenate([first[:, column], second[:, column]])
    if (np.abs(cells) >= _NUMBERS).any():
        for part in _points(first[:, column : column + 1], second[:, column : column + 1], FEW):
            yield replace(part, column=column)
        return
    yield NumberFeature(column, name)
    if (cells != np.floor(cells)).any():
        yield Fineness(column, name)


def _points(first: FloatArray, second: FloatArray, most: int) -> Iterator[PointFeature]:
    both = np.vstack([first, second]) + 0.0
    whole = np.ascontiguousarray(both).view(np.dtype((np.void, both.itemsize * both.shape[1]))).ravel()
    _, where, place, counts = np.unique(whole, return_index=True, return_inverse=True, return_counts=True)
    here = np.bincount(place[: len(first)], minlength=where.size)
    there = np.bincount(place[len(first) :], minlength=where.size)
    telling = np.where(counts >= LEAST_SEEN, np.abs(here - there) / np.sqrt(counts), -1.0)
    top = np.argsort(-telling, kind="stable")[:most]
    top = top[telling[top] > 0]
    if top.size:
        yield PointFeature(both[where[top]], np.log((here[top] + 0.5) / (there[top] + 0.5)))


def _ratios(first: FloatArray, second: FloatArray) -> list[Ratios]:
    """The most telling numbers first; those that never change are left out."""
    both = np.vstack([first, second])
    changing = np.flatnonzero((both != both[:1]).any(axis=0))
    found = [_ratio(first[:, column], second[:, column], int(column)) for column in changing]
    return sorted(found, key=lambda part: -part.telling)[:MOST_COLUMNS]


def _ratio(here: FloatArray, there: FloatArray, column: int) -> Ratios:
    cuts = np.unique(np.quantile(np.concatenate([here, there]), np.linspace(0, 1, BINS + 1)[1:-1], method="lower"))
    bins = [np.bincount(np.searchsorted(cuts, part, side="right"), minlength=cuts.size + 1) for part in (here, there)]
    telling = ((bins[0] - bins[1]) ** 2 / np.maximum(bins[0] + bins[1], 1)).sum() / cuts.size
    return Ratios(column, cuts, np.log((bins[0] + 0.5) / (bins[1] + 0.5)), float(telling))


def _discriminants(first: FloatArray, second: FloatArray, columns: list[int]) -> Iterator[Discriminant]:
    """The direction in which the two means lie furthest apart for the spread within; one column has none."""
    both = np.vstack([first, second])[:, columns]
    kept = [column for column, cells in zip(columns, both.T, strict=True) if (np.abs(cells) < _MODEST).all()]
    if len(kept) < 2 or min(len(first), len(second)) < 2:
        return
    parts = [side[:, kept] for side in (first, second)]
    means = [part.mean(axis=0) for part in parts]
    scale = np.maximum(np.vstack(parts).std(axis=0), 1e-300)
    spread = sum(np.cov((part / scale).T, bias=True) for part in parts) + _RIDGE * np.eye(len(kept))
    weights = np.linalg.solve(spread, (means[0] - means[1]) / scale) / scale
    largest = float(np.abs(weights * scale).max())
    if largest > 0:
        yield Discriminant(tuple(kept), weights / largest, (means[0] + means[1]) / 2)

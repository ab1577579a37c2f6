"""Neighbouring datasets for auditors of statistics: at and beyond the ends of what the parameters declare.

A row is low or high in everything that is declared: bounds, the first and the last category, a basket of one item or of
all. Datasets of such rows, with one row more or another one, are where sums, counts and medians move most. A choice
moves most where it was undecided: between equal counts, or where all rows agree on a value in the middle and candidates
to its left and right are equally good. Datasets come small, where noise decides, and larger, where a statistic that
says nothing about few people speaks. A row far beyond the bounds, or of a category that was not declared, must count as
one at the bound, or not at all: whoever forgot to clamp is found out.

Where a person may have `contributions` rows, the one who is added has so many, all alike, and each row that is there
stands so often too: sums, counts and ranks all grow by that factor, as the noise must, so a bound comes as near as for
one row a person. Rows are not repeated beyond MOST_ROWS, which does no harm to sums and counts, nor in one pair, for
statistics that declare how many rows there are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tacit.sensitivity.pair import Pair

FEW_ROWS = 6
MANY_ROWS = 60
MOST_ROWS = 12_000
FAR = 1000.0
UNDECLARED = "not declared"


class OfRows(Protocol):
    """Parameters that say who is protected."""

    @property
    def neighbours(self) -> str:
        """The relation."""
        ...

    @property
    def contributions(self) -> int:
        """How many rows a person has at most."""
        ...


class OfNumbers(OfRows, Protocol):
    """The same, with bounds of one column."""

    @property
    def lower(self) -> float:
        """The lower bound."""
        ...

    @property
    def upper(self) -> float:
        """The upper bound."""
        ...


class OfScores(OfNumbers, Protocol):
    """The same, with candidates."""

    @property
    def candidates(self) -> tuple[str, ...]:
        """Their names."""
        ...


class OfColumns(OfRows, Protocol):
    """The same, with bounds of several columns."""

    @property
    def lower(self) -> tuple[float, ...]:
        """The lower bounds."""
        ...

    @property
    def upper(self) -> tuple[float, ...]:
        """The upper bounds."""
        ...


@dataclass(frozen=True)
class Ends:
    """A low row, a high row, rows between them, one beyond what is declared, and how a statistic takes rows.

    A person may have so many rows `each`; `joined` says that they must be known to be one person's.
    """

    low: Any
    high: Any
    between: tuple[Any, ...]
    far: Any
    given: Callable[[Sequence[Any]], Any]
    each: int = 1
    joined: bool = False

    def person(self, row: Any) -> list[Any]:
        """All that one person may have, of one row."""
        return [row * self.each] if self.joined else [row] * self.each


def neighbouring_datasets(ends: Ends, neighbours: str) -> tuple[Pair, ...]:
    """Pairs of datasets that differ by one person with all their rows, more or other as `neighbours` says."""
    lists = [pair for rows in (FEW_ROWS, MANY_ROWS) for pair in _lists(ends, rows, neighbours)]
    return tuple(Pair(ends.given(first), ends.given(second)) for first, second in lists)


def _lists(ends: Ends, rows: int, neighbours: str) -> list[tuple[list[Any], list[Any]]]:
    mixed, low = [ends.low, ends.high] * (rows // 2), [ends.low] * rows
    even = (list(ends.between) * rows)[:rows]
    if neighbours == "replace":
        changes = [(mixed, ends.low), (low, ends.high), (even, ends.high), (mixed, ends.far)]
        parts = [(_crowd(base[:-1], ends.each), base[-1], row) for base, row in changes]
        return [([*crowd, *ends.person(here)], [*crowd, *ends.person(there)]) for crowd, here, there in parts]
    changes = [(mixed, ends.high), (mixed, ends.low), (even, ends.high)]
    if rows == FEW_ROWS:
        changes += [(mixed, ends.between[0]), (low, ends.high), (even, ends.low), (even[:2], ends.high)]
    else:
        changes += [(low, ends.far)]
    crowds = [(_crowd(base, ends.each), row) for base, row in changes]
    if ends.each > 1 and rows == MANY_ROWS:
        crowds += [(low, ends.high)]
    return [(crowd, [*crowd, *ends.person(row)]) for crowd, row in crowds]


def _crowd(base: Sequence[Any], each: int) -> list[Any]:
    """The rows, each as often as one person may have it, but MOST_ROWS in all."""
    return list(base) * min(each, MOST_ROWS // len(base))


def of_truths(params: OfRows) -> tuple[Pair, ...]:
    """Datasets of truth values."""
    return neighbouring_datasets(
        Ends(False, True, (False, True), True, np.array, params.contributions), params.neighbours
    )


def of_numbers(params: OfNumbers) -> tuple[Pair, ...]:
    """Datasets of numbers at the declared bounds."""
    lower, upper = params.lower, params.upper
    ends = Ends(lower, upper, (middle(lower, upper),), beyond(lower, upper), np.array, params.contributions)
    return neighbouring_datasets(ends, params.neighbours)


def of_columns(params: OfColumns) -> tuple[Pair, ...]:
    """Datasets of rows with a number for each pair of declared bounds."""
    both = list(zip(params.lower, params.upper, strict=True))
    between, far = (tuple(place(*pair) for pair in both) for place in (middle, beyond))
    ends = Ends(params.lower, params.upper, (between,), far, np.array, params.contributions)
    return neighbouring_datasets(ends, params.neighbours)


def of_scores(params: OfScores) -> tuple[Pair, ...]:
    """Datasets of rows on which the first candidate does best, or worst."""
    lower, upper, rest = params.lower, params.upper, len(params.candidates) - 1
    low, high = (lower, *[upper] * rest), (upper, *[lower] * rest)
    far = (beyond(lower, upper), *[lower] * rest)
    return neighbouring_datasets(Ends(low, high, (low, high), far, np.array, params.contributions), params.neighbours)


def of_names(names: Sequence[str], params: OfRows) -> tuple[Pair, ...]:
    """Datasets of declared categories."""
    ends = Ends(names[0], names[-1], tuple(names), UNDECLARED, np.array, params.contributions)
    return neighbouring_datasets(ends, params.neighbours)


def of_baskets(names: Sequence[str], most: int | None, neighbours: str, each: int = 1) -> tuple[Pair, ...]:
    """Datasets of baskets: of one item, of all of them, or of `most`."""
    held = tuple(names)
    ends = Ends(held[:1], held[:most], tuple((name,) for name in held), (UNDECLARED,), as_baskets, each)
    return neighbouring_datasets(ends, neighbours)


def of_logs(names: Sequence[str], most: int, neighbours: str) -> tuple[Pair, ...]:
    """Datasets of rows of a log of which `most` of each user count; twice as many lie beyond that."""
    held = tuple((name,) for name in names)
    ends = Ends(held[0], held[-1], held, held[-1] * 2, as_baskets, most, joined=True)
    return neighbouring_datasets(ends, neighbours)


def middle(lower: float, upper: float) -> float:
    """Half-way between declared bounds."""
    return lower + (upper - lower) / 2


def beyond(lower: float, upper: float) -> float:
    """Far above the upper bound."""
    return upper + FAR * (upper - lower)


def as_baskets(rows: Sequence[Sequence[str]]) -> Any:
    """Two columns: whose row it is, and its name."""
    return [
        np.repeat(np.arange(len(rows)), [len(row) for row in rows]),
        np.array([name for row in rows for name in row]),
    ]

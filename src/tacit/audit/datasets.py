"""Neighbouring datasets for statistics: at and beyond the ends of what the parameters declare.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tacit.audit.subject import Pair

FEW_ROWS = 6
MANY_ROWS = 60
MOST_ROWS = 12_000
FAR = 1000.0
UNDECLARED = "not declared"


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


def neighbouring_datasets(params: Mapping[str, Any]) -> tuple[Pair, ...]:
    """Pairs of datasets that differ by one person with all his rows, more or other as `neighbours` says."""
    in_rows = params.get("score") == "rows"
    ends = _logged(params) if in_rows else replace(_ends(params), each=params.get("contributions", 1))
    lists = [pair for rows in (FEW_ROWS, MANY_ROWS) for pair in _lists(ends, rows, params["neighbours"])]
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


def _logged(params: Mapping[str, Any]) -> Ends:
    """Rows of a log of which `most` of each user count: no `contributions`, but the same bound. Twice as many lie
    beyond it."""
    names = tuple((name,) for name in params["vocabulary"])
    return Ends(names[0], names[-1], names, names[-1] * 2, _baskets, params["most"], joined=True)


def _ends(params: Mapping[str, Any]) -> Ends:
    if "items" in params or "vocabulary" in params:
        names = tuple(params.get("items") or params["vocabulary"])
        each = tuple((name,) for name in names)
        return Ends(names[:1], names[: params.get("most")], each, (UNDECLARED,), _baskets)
    if "axes" in params:
        low, high, middle, far = zip(*[_axis(axis) for axis in params["axes"]], strict=True)
        return Ends(low, high, (middle,), far, lambda rows: [np.array(column) for column in zip(*rows, strict=True)])
    if "categories" in params:
        names = tuple(params["categories"])
        return Ends(names[0], names[-1], names, UNDECLARED, np.array)
    if "bounds" in params:
        bounds = params["bounds"]
        return Ends(bounds[0] / 2, bounds[-1], (sum(bounds[:2]) / 2,), FAR * bounds[-1], np.array)
    if "lower" not in params:
        return Ends(False, True, (False, True), True, np.array)
    return _between(params)


def _between(params: Mapping[str, Any]) -> Ends:
    """Rows at the declared bounds: one number, one for each column, or a score for each candidate."""
    lower, upper = params["lower"], params["upper"]
    if isinstance(lower, tuple):
        middle, far = (tuple(place(*pair) for pair in zip(lower, upper, strict=True)) for place in (_middle, _beyond))
        if "regularisation" in params:
            return Ends((*lower, 0.0), (*upper, 1.0), ((*upper, 0.0),), (*far, 1.0), np.array)
        return Ends(lower, upper, (middle,), far, np.array)
    if "candidates" in params:
        rest = len(params["candidates"]) - 1
        low, high = (lower, *[upper] * rest), (upper, *[lower] * rest)
        return Ends(low, high, (low, high), (_beyond(lower, upper), *[lower] * rest), np.array)
    return Ends(lower, upper, (_middle(lower, upper),), _beyond(lower, upper), np.array)


def _axis(axis: Any) -> tuple[Any, Any, Any, Any]:
    if hasattr(axis, "names"):
        return axis.names[0], axis.names[-1], axis.names[len(axis.names) // 2], UNDECLARED
    return axis.lower, axis.upper, _middle(axis.lower, axis.upper), _beyond(axis.lower, axis.upper)


def _middle(lower: float, upper: float) -> float:
    return lower + (upper - lower) / 2


def _beyond(lower: float, upper: float) -> float:
    return upper + FAR * (upper - lower)


def _baskets(rows: Sequence[Sequence[str]]) -> Any:
    """Two columns: whose row it is, and its name."""
    return [
        np.repeat(np.arange(len(rows)), [len(row) for row in rows]),
        np.array([name for row in rows for name in row]),
    ]

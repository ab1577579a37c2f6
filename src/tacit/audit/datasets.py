"""Neighbouring datasets for statistics: small ones at the ends of what the parameters declare.

A row is low or high in everything that is declared: bounds, the first and the last category, item or keyword. Datasets
of such rows, with one row more or another one, are where sums, counts and medians move most.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.audit.subject import Pair

ROWS = 6


@dataclass(frozen=True)
class Ends:
    """A low row, a high row, and how a statistic takes a list of rows."""

    low: Any
    high: Any
    given: Callable[[Sequence[Any]], Any]


def neighbouring_datasets(params: Mapping[str, Any]) -> tuple[Pair, ...]:
    """Pairs of datasets that differ by one row, more or other as `neighbours` says."""
    ends = _ends(params)
    mixed, low = [ends.low, ends.high] * (ROWS // 2), [ends.low] * ROWS
    if params["neighbours"] == "replace":
        lists = [(mixed, [*mixed[:-1], ends.low]), (low, [*low[:-1], ends.high])]
    else:
        lists = [(mixed, [*mixed, ends.high]), (mixed, [*mixed, ends.low]), (low, [*low, ends.high])]
    return tuple(Pair(ends.given(first), ends.given(second)) for first, second in lists)


def _ends(params: Mapping[str, Any]) -> Ends:
    if "items" in params or "vocabulary" in params:
        names = params.get("items") or params["vocabulary"]
        return Ends(names[0], names[-1], lambda rows: [np.arange(len(rows)), np.array(rows)])
    if "axes" in params:
        ends = [_axis(axis) for axis in params["axes"]]
        low, high = zip(*ends, strict=True)
        return Ends(low, high, lambda rows: [np.array(column) for column in zip(*rows, strict=True)])
    if "categories" in params:
        return Ends(params["categories"][0], params["categories"][-1], np.array)
    if "bounds" in params:
        return Ends(params["bounds"][0] / 2, params["bounds"][-1], np.array)
    if "lower" not in params:
        return Ends(False, True, np.array)
    low, high = params["lower"], params["upper"]
    if "candidates" in params:
        count = len(params["candidates"])
        low, high = (low, *[high] * (count - 1)), (high, *[low] * (count - 1))
    if "regularisation" in params:
        low, high = (*low, 0.0), (*high, 1.0)
    return Ends(low, high, np.array)


def _axis(axis: Any) -> tuple[Any, Any]:
    return (axis.names[0], axis.names[-1]) if hasattr(axis, "names") else (axis.lower, axis.upper)

"""Total variation: how far the distribution of each column moved (Gibbs and Su 2002).

½ Σ|p − q| over the leaves, p the shares of the input and q those of the release, where a published label is spread
evenly over the leaves that it covers and a suppressed row over all leaves. It is the largest error in the share of
rows with any property of the column: 0 where no share changed, at most 1. The value is the weighted mean over the
columns or, where asked, the mean over the pairs of columns, whose joint distributions are compared: a pair moves at
least as far as each of its columns. Pairs with a joint domain of more than twenty million cells are left out.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.spread import column_shares, fits_in_memory, pair_shares
from tacit.data.tables.view import Comparison, weighted
from tacit.metrics.tables._distances import total_variation
from tacit.params import Params


class ComparedColumns(Params):
    """What is compared."""

    of: Annotated[Literal["columns", "pairs"], Field(description="the columns, or the pairs of columns")] = "columns"


def compare(
    compared: Comparison, params: ComparedColumns, distance: Callable[[FloatArray, FloatArray], float]
) -> MetricValue:
    """The distance between input and release for columns and, where asked, for pairs of columns."""
    shares = [column_shares(compared, c) for c in range(len(compared.before.columns))]
    per_column = {name: distance(s.before, s.after) for name, s in zip(compared.before.columns, shares, strict=True)}
    if params.of == "columns":
        return MetricValue(weighted(compared, per_column), per_column, {"highest": max(per_column.values())})
    pairs = list(combinations(range(len(compared.before.columns)), 2))
    held = [pair for pair in pairs if fits_in_memory(compared, *pair)]
    joint = (pair_shares(compared, *pair) for pair in held)
    found = np.array([distance(s.before.reshape(-1), s.after.reshape(-1)) for s in joint])
    details = {"highest": float(found.max(initial=0.0)), "pairs": float(len(held))}
    details["left_out"] = float(len(pairs) - len(held))
    return MetricValue(float(found.mean()) if found.size else 0.0, per_column, details)


def measure_variation(compared: Comparison, params: ComparedColumns) -> MetricValue:
    """The total variation of columns or pairs."""
    return compare(compared, params, total_variation)


METRIC = Metric(
    title="Total variation",
    params=ComparedColumns,
    run=measure_variation,
    needs="the hierarchies of the quasi-identifiers and their weights",
    gives="the largest change in the share of rows with any property: 0 if no distribution changed, at most 1",
    standard=("two tables",),
    is_share=True,
    paper="https://doi.org/10.1111/j.1751-5823.2002.tb00178.x",
    example=ComparedColumns(),
)

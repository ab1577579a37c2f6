"""Wasserstein distance: how far values of each column travelled on average (Vallender 1974; Rubner et al. 2000).

The least mass times distance that turns the distribution of the input into that of the release, where a published label
is spread evenly over the leaves that it covers and a suppressed row over all leaves. Distances lie in [0, 1]: between
numbers their difference divided by the span of the column's domain; in a column that has a leaf which is no number (a
missing one too) the level of the lowest common ancestor divided by the height. So, unlike total variation, it counts
less to land nearby. 0 where no share changed.

The value is the weighted mean over the columns or, where asked, the mean over the pairs of columns; two pairs of
leaves are as far apart as the mean of the columns' distances. Pairs whose graph has more than LARGEST_GRAPH edges are
left out.
"""

from itertools import combinations

import numpy as np

from tacit.arrays import FloatArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.spread import ShareChange, column_shares, fits_in_memory, numbers_of, pair_shares
from tacit.data.tables.view import Comparison, weighted
from tacit.metrics.tables._distances import wasserstein_on_line, wasserstein_on_tree
from tacit.metrics.tables._transport import Ways, edges, line, transport, tree
from tacit.metrics.tables.total_variation import ComparedColumns

LARGEST_GRAPH = 50_000


def measure_transport(compared: Comparison, params: ComparedColumns) -> MetricValue:
    """The distance of columns or pairs."""
    hierarchies = compared.before.hierarchies
    per_column = {
        name: _distance(column_shares(compared, c), hierarchies[c]) for c, name in enumerate(compared.before.columns)
    }
    if params.of == "columns":
        return MetricValue(weighted(compared, per_column), per_column, {"highest": max(per_column.values())})
    ways = [_ways(hierarchy) for hierarchy in hierarchies]
    pairs = list(combinations(range(len(ways)), 2))
    held = [(a, b) for a, b in pairs if edges(ways[a], ways[b]) <= LARGEST_GRAPH and fits_in_memory(compared, a, b)]
    found = np.array(
        [_pair(pair_shares(compared, a, b), ways[a], ways[b], max(compared.before.total, 1)) for a, b in held]
    )
    details = {"highest": float(found.max(initial=0.0)), "pairs": float(len(held))}
    details["left_out"] = float(len(pairs) - len(held))
    return MetricValue(float(found.mean()) if found.size else 0.0, per_column, details)


def _distance(shares: ShareChange, hierarchy: Hierarchy) -> float:
    places = places_of(hierarchy)
    if places is None:
        return wasserstein_on_tree(shares.before, shares.after, hierarchy.codes)
    return wasserstein_on_line(shares.before, shares.after, places)


def places_of(hierarchy: Hierarchy) -> FloatArray | None:
    """Where each leaf stands between 0 and 1; None where one of them is no number."""
    numbers = numbers_of(hierarchy)
    if numbers is None or np.isnan(numbers).any():
        return None
    span = float(np.ptp(numbers))
    return np.asarray((numbers - numbers.min()) / (span or 1.0), dtype=np.float64)


def _ways(hierarchy: Hierarchy) -> Ways:
    places = places_of(hierarchy)
    return tree(hierarchy) if places is None else line(places)


def _pair(shares: ShareChange, first: Ways, second: Ways, rows: int) -> float:
    # In rows and not in shares: the solver's tolerance is absolute.
    return transport(shares.before * rows, shares.after * rows, first, second) / max(rows, 1)


METRIC = Metric(
    title="Wasserstein distance",
    params=ComparedColumns,
    run=measure_transport,
    needs="the hierarchies of the quasi-identifiers and their weights",
    gives="how far values travelled on average, as a share of the column's domain: 0 if no distribution changed",
    standard=("two tables",),
    paper="https://doi.org/10.1137/1118101",
    example=ComparedColumns(),
)

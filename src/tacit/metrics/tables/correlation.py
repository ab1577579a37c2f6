"""Correlation: how far the associations between columns moved.

Two columns of numbers: the difference of Pearson's correlations. Any other two: the difference of Cramér's V (1946),
the square root of χ²/(n · (min(r, c) − 1)) of their joint table. A column with many values is taken there at the lowest
level of its hierarchy that has few enough, since V of a table with hardly more rows than cells is near 1 whatever it
holds. In the release a published label is spread evenly over the leaves that it covers, and suppressed rows are left
out. Compared are all pairs of quasi-identifiers, and each quasi-identifier with each sensitive column. A column whose
values all spell numbers is one of numbers, a postal code too; a missing number counts as the mean of its domain.

The value is the mean absolute difference over all pairs; 0 where nothing moved, or where there is no pair.
Generalisation thins associations out, so differences are mostly losses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.features import Feature, as_numbers, category_feature, few_enough, label_means, secret_number
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.moments import moments
from tacit.data.tables.spread import ShareChange
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison
from tacit.metrics.tables._distances import cramers_v
from tacit.metrics.tables._secrets import shown_secrets
from tacit.params import Params

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class _ColumnPair:
    """How far the association of two columns moved."""

    columns: tuple[str, str]
    numeric: bool
    difference: float


class Associations(Params):
    """How finely columns are looked at."""

    most_categories: Annotated[
        int,
        Field(ge=2, le=1000, description="for V, columns are generalised to levels with no more values than this"),
    ] = 20


def measure_correlation(compared: Comparison, params: Associations) -> MetricValue:
    """The mean absolute difference of associations; a column's is the mean over the pairs that it is in."""
    numeric = _numeric(compared)
    pairs = [*_numbers(compared, numeric), *_categories(compared, numeric, params.most_categories)]
    per_column = {}
    for name in dict.fromkeys(name for pair in pairs for name in pair.columns):
        per_column[name] = _mean([pair.difference for pair in pairs if name in pair.columns])
    differences = [pair.difference for pair in pairs]
    details = {
        "highest": max(differences, default=0.0),
        "pairs": float(len(pairs)),
        "numbers": _mean([pair.difference for pair in pairs if pair.numeric]),
        "categories": _mean([pair.difference for pair in pairs if not pair.numeric]),
    }
    return MetricValue(_mean(differences), per_column, details)


def _mean(numbers: list[float]) -> float:
    return float(np.mean(numbers)) if numbers else 0.0


def _numeric(compared: Comparison) -> dict[int, Feature]:
    """The quasi-identifiers that are numbers, by position."""
    found = {c: as_numbers(hierarchy.leaves) for c, hierarchy in enumerate(compared.before.hierarchies)}
    return {
        c: Feature(compared.before.columns[c], values, True, c) for c, values in found.items() if values is not None
    }


def _numbers(compared: Comparison, numeric: dict[int, Feature]) -> Iterator[_ColumnPair]:
    features = list(numeric.values())
    if len(features) > 1:
        difference = _differences(compared, features)
        for i, j in combinations(range(len(features)), 2):
            yield _ColumnPair((features[i].column, features[j].column), True, float(difference[i, j]))
    for part in compared.before.classes.sensitive.values():
        secret = secret_number(part)
        if secret is None or not features:
            continue
        difference = _differences(compared, [*features, secret], part)
        for i, feature in enumerate(features):
            yield _ColumnPair((feature.column, secret.column), True, float(difference[i, -1]))


def _differences(compared: Comparison, features: list[Feature], secret: SensitiveTally | None = None) -> FloatArray:
    sides = moments(compared, features, secret)
    return np.abs(correlation_of(sides.before.covariance) - correlation_of(sides.after.covariance))


def correlation_of(covariance: FloatArray) -> FloatArray:
    """The correlations of a covariance matrix, 0 where a variance is."""
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    # A constant column's variance is rounding, if it is not 0.
    scale = np.where(deviation > 1e-12, 1 / np.maximum(deviation, 1e-12), 0.0)
    matrix: FloatArray = np.clip(covariance * np.outer(scale, scale), -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _categories(compared: Comparison, numeric: dict[int, Feature], most: int) -> Iterator[_ColumnPair]:
    names = compared.before.columns
    features = [category_feature(compared, c, most) for c in range(len(names))]
    for a, b in combinations(range(len(names)), 2):
        if not (a in numeric and b in numeric):
            yield _ColumnPair((names[a], names[b]), False, _moved(_shares(compared, features[a], features[b])))
    for part in compared.before.classes.sensitive.values():
        is_number = secret_number(part) is not None
        node = _nodes(part, most)
        for c, name in enumerate(names):
            if not (c in numeric and is_number):
                yield _ColumnPair((name, part.column), False, _moved(_secret_shares(compared, features[c], part, node)))


def _moved(joint: ShareChange) -> float:
    return abs(cramers_v(joint.before) - cramers_v(joint.after))


def _shares(compared: Comparison, first: Feature, second: Feature) -> ShareChange:
    """The joint tables `[node, node]` of two quasi-identifiers, in rows."""
    before, after, kept = compared.before, compared.after, compared.after.kept
    raw = [feature.values[before.codes[feature.place]] for feature in (first, second)]
    shown = [label_means(compared, feature)[after.codes[feature.place, kept]] for feature in (first, second)]
    joint = (raw[0] * before.rows[:, None]).T @ raw[1]
    return ShareChange(joint, (shown[0] * after.rows[kept, None]).T @ shown[1])


def _nodes(part: SensitiveTally, most: int) -> IntArray:
    """A number for each value of a sensitive column: its own, or that of its node where there are too many."""
    hierarchy = part.hierarchy
    if hierarchy is None or len(part.values) <= most:
        return np.arange(len(part.values))
    if MISSING in part.values:
        hierarchy = hierarchy.with_missing()
    level = few_enough(hierarchy, most)
    return np.asarray(hierarchy.codes[level, hierarchy.place(part.values)], dtype=np.int64)


def _secret_shares(compared: Comparison, feature: Feature, part: SensitiveTally, node: IntArray) -> ShareChange:
    """The joint tables `[node, node]` of a quasi-identifier and a sensitive column, in people."""
    assert feature.place is not None
    leaves, labels = len(feature.values), len(compared.after.labels[feature.place]) + 1
    of_leaf = compared.before.codes[feature.place][part.combination]
    before = _table(of_leaf, node[part.value], part.census.counts(), leaves)
    shown = shown_secrets(compared, part)
    after = _table(compared.after.codes[feature.place][shown.entry], node[shown.value], shown.count, labels)
    return ShareChange(feature.values.T @ before, label_means(compared, feature).T @ after)


def _table(outcome: CodeArray, node: IntArray, count: FloatArray | IntArray, outcomes: int) -> "csr_matrix":
    from scipy.sparse import csr_matrix

    return csr_matrix((count, (outcome, node)), shape=(outcomes, int(node.max(initial=0)) + 1))


METRIC = Metric(
    title="Correlation difference",
    params=Associations,
    run=measure_correlation,
    needs="two columns that are quasi-identifiers or sensitive",
    gives="the mean absolute change of the association between two columns: 0 if none changed, at most 2",
    paper="https://doi.org/10.1111/rssa.12358",
    example=Associations(),
)

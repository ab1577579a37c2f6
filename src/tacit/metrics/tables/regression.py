"""Regression: how a linear model differs before and after (Karr, Kohnen, Oganian, Reiter and Sanil 2006).

Ordinary least squares of a column of numbers on others, from the input and from the release: numbers as they are,
other columns as an indicator for each value but the most frequent. In the release a published label is spread evenly
over the leaves that it covers, and suppressed rows are left out. All features are in units of the input's standard
deviations, on both sides, so coefficients compare. The value is the mean absolute difference of the coefficients.

`sign_changes` is the share of coefficients whose sign is reversed. `overlap` is the mean overlap of the confidence
intervals: half the sum of the shares that their common part has in each, 0 where they have none, 1 where they are the
same. With many rows intervals are narrow, and even small differences leave none. Where features depend on each other
linearly the solution of least norm is taken. Where the table has no number to explain, or nothing that explains it, no
coefficient is compared and the value is 0; `coefficients` says how many were.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.features import Feature, as_numbers, quasi_feature, secret_number
from tacit.data.tables.moments import FeatureMoments, moments
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison, leaf_rows
from tacit.errors import BadParameter
from tacit.params import Params

SMALLEST_VARIANCE = 1e-10
"""In units of the input's variances."""


class Model(Params):
    """What is explained by what."""

    target: Annotated[
        str | None,
        Field(
            description="the column of numbers; by default a sensitive one, else the last quasi-identifier of numbers"
        ),
    ] = None
    predictors: Annotated[tuple[str, ...], Field(description="quasi-identifiers; by default all others")] = ()
    most_categories: Annotated[
        int, Field(ge=2, le=1000, description="columns are generalised to levels with no more values than this")
    ] = 20
    confidence: Annotated[
        float, Field(gt=0, lt=1, description="the level of the intervals whose overlap is reported")
    ] = 0.95


@dataclass(frozen=True, eq=False)
class Fit:
    """Coefficients with the half widths of their intervals, and the share of the variance that is explained."""

    coefficients: FloatArray
    half_width: FloatArray
    explained: float


def measure_regression(compared: Comparison, params: Model) -> MetricValue:
    """The mean absolute difference of the coefficients; a column's is that of its own."""
    target = _target(compared, params.target)
    features = [] if target is None else _predictors(compared, target, params)
    if target is None or not features:
        nothing = Fit(np.empty(0), np.empty(0), 0.0)
        return MetricValue(0.0, {}, _details(nothing, nothing))
    secret = compared.before.classes.sensitive.get(target.column) if target.place is None else None
    sides = moments(compared, [*features, target], secret)
    before, after = (fit(side, params.confidence) for side in (sides.before, sides.after))
    gap = np.abs(before.coefficients - after.coefficients)
    per_column, first = {}, 0
    for feature in features:
        per_column[feature.column] = float(gap[first : first + feature.width].mean())
        first += feature.width
    return MetricValue(float(gap.mean()), per_column, _details(before, after))


def fit(side: FeatureMoments, confidence: float) -> Fit:
    """The regression of the last feature on the others."""
    from scipy.special import stdtrit

    among, with_target = side.covariance[:-1, :-1], side.covariance[:-1, -1]
    inverse = _inverse(among)
    coefficients = inverse @ with_target
    total = max(float(side.covariance[-1, -1]), 0.0)
    left = total - float(coefficients @ with_target)
    # What a perfect fit leaves is rounding.
    left = left if left > SMALLEST_VARIANCE * total else 0.0
    freedom = max(side.rows - coefficients.size - 1, 1.0)
    spread = np.sqrt(np.maximum(left / freedom * np.diag(inverse), 0.0))
    quantile = float(stdtrit(freedom, (1 + confidence) / 2))
    return Fit(coefficients, quantile * spread, 1 - left / total if total > 0 else 0.0)


def _inverse(covariance: FloatArray) -> FloatArray:
    """The inverse where the features vary, 0 in directions where they do not but for rounding."""
    variance, direction = np.linalg.eigh(covariance)
    there = variance > SMALLEST_VARIANCE
    inverse: FloatArray = (direction[:, there] / variance[there]) @ direction[:, there].T
    return inverse


def overlaps(before: Fit, after: Fit) -> FloatArray:
    """The overlap of each coefficient's two intervals."""
    low = np.maximum(before.coefficients - before.half_width, after.coefficients - after.half_width)
    high = np.minimum(before.coefficients + before.half_width, after.coefficients + after.half_width)
    common = np.maximum(high - low, 0.0)
    # An interval of no width, that of a perfect fit, lies within whatever holds its point.
    held = np.where(high - low > -SMALLEST_VARIANCE, 1.0, 0.0)
    widths = 2 * before.half_width, 2 * after.half_width
    parts = [np.where(width > 0, common / np.where(width > 0, width, 1.0), held) for width in widths]
    return np.asarray((parts[0] + parts[1]) / 2)


def _details(before: Fit, after: Fit) -> dict[str, float]:
    gap = np.abs(before.coefficients - after.coefficients)
    # A coefficient that vanishes, but for rounding, has no sign that could be wrong.
    reversed_ = before.coefficients * after.coefficients < -SMALLEST_VARIANCE
    return {
        "highest": float(gap.max(initial=0.0)),
        "coefficients": float(gap.size),
        "sign_changes": float(reversed_.mean()) if gap.size else 0.0,
        "overlap": float(overlaps(before, after).mean()) if gap.size else 1.0,
        "explained_before": before.explained,
        "explained_after": after.explained,
    }


def _target(compared: Comparison, name: str | None) -> Feature | None:
    """What is explained; None where no column is numbers and none is named."""
    found = _numbers(compared)
    if name is not None:
        if name not in found:
            raise BadParameter(f"target is {name!r}; name a column of numbers: {', '.join(map(repr, found)) or 'none'}")
        return found[name]
    secret = [feature for feature in found.values() if feature.place is None]
    return secret[0] if secret else next(reversed(found.values()), None)


def _numbers(compared: Comparison) -> dict[str, Feature]:
    """The columns of numbers that vary: quasi-identifiers and sensitive ones."""
    found = {}
    for c, hierarchy in enumerate(compared.before.hierarchies):
        values = as_numbers(hierarchy.leaves)
        if values is not None and len(compared.before.classes.values[c]) > 1:
            found[hierarchy.column] = Feature(hierarchy.column, values, True, c)
    for part in compared.before.classes.sensitive.values():
        secret = secret_number(part) if _varies(part) else None
        if secret is not None:
            found[part.column] = secret
    return found


def _varies(part: SensitiveTally) -> bool:
    return np.unique(part.value).size > 1


def _predictors(compared: Comparison, target: Feature, params: Model) -> Sequence[Feature]:
    """The features that explain, without those that do not vary."""
    others = [name for name in compared.before.columns if name != target.column]
    unknown = [name for name in params.predictors if name not in others]
    if unknown:
        raise BadParameter(f"predictors name {unknown[0]!r}; name some of the quasi-identifiers {', '.join(others)}")
    places = [compared.before.columns.index(name) for name in params.predictors or others]
    built = [_varying(compared, quasi_feature(compared, place, params.most_categories)) for place in places]
    return [feature for feature in built if feature.width]


def _varying(compared: Comparison, feature: Feature) -> Feature:
    """The feature without indicators that nobody or everybody has, and without the most frequent one."""
    assert feature.place is not None
    mass = leaf_rows(compared, feature.place)
    if feature.numeric:
        constant = np.ptp(feature.values[mass > 0]) == 0 if (mass > 0).any() else True
        return feature.without(0) if constant else feature
    counts = mass @ feature.values
    for outcome in np.flatnonzero((counts == 0) | (np.arange(counts.size) == np.argmax(counts)))[::-1]:
        feature = feature.without(int(outcome))
    return feature


METRIC = Metric(
    title="Regression difference",
    params=Model,
    run=measure_regression,
    needs="a column of numbers to explain, and quasi-identifiers that explain it",
    gives="the mean absolute change of a standardised coefficient; 0 if the model is the same",
    paper="https://doi.org/10.1198/000313006X124640",
    example=Model(),
)

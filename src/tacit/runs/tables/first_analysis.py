"""The analysis that most people would do first, on the table before and on the release.

Means and standard deviations of columns of numbers, their correlations, and one linear regression. A date counts as its
year with a fraction. In the release a label stands for the leaves that it covers, each with the same chance, as for the
metrics `correlation` and `regression`; suppressed rows are left out. Coefficients are in units of the columns. All is
found from combinations and their counts, so the cost does not grow with the rows.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

import numpy as np

from tacit.arrays import FloatArray
from tacit.data.tables.features import Feature, as_numbers, category_feature, secret_number
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.moments import FeatureMoments, moments, plain_moments
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison, leaf_rows
from tacit.metrics.tables.correlation import correlation_of
from tacit.metrics.tables.regression import fit
from tacit.release.analysis import Analysis, CoefficientChange, CorrelationChange, MeanChange, RegressionChange

MOST_COLUMNS = 8
MOST_CATEGORIES = 6
CONFIDENCE = 0.95
DAYS = 365.25
SMALLEST = 1e-9


@dataclass(frozen=True, eq=False)
class _Predictor:
    """Features of a column and what each is called."""

    feature: Feature
    names: tuple[str, ...]


def analyse(compared: Comparison, codes: Collection[str], carried: Mapping[str, SensitiveTally]) -> Analysis | None:
    """The analysis; None where no column is numbers. `codes` only look like numbers, `carried` columns were counted
    besides the sensitive ones."""
    numbers = _numbers(compared, codes)
    secrets = _secrets({**compared.before.classes.sensitive, **carried}, codes)
    if not numbers and not secrets:
        return None
    means, correlations = _of_numbers(compared, numbers)
    for feature, part in secrets:
        more = _of_secret(compared, numbers, feature, part)
        means.append(more[0])
        correlations += more[1]
    return Analysis(
        rows_before=int(compared.before.rows.sum()),
        rows_after=int(compared.after.rows[compared.after.kept].sum()),
        means=tuple(means),
        correlations=tuple(correlations),
        regression=_regression(compared, numbers, secrets),
    )


def _numbers(compared: Comparison, codes: Collection[str]) -> list[Feature]:
    found = []
    for place, hierarchy in enumerate(compared.before.hierarchies):
        values = None if hierarchy.column in codes else _leaf_numbers(hierarchy.leaves)
        if values is not None and np.ptp(values[leaf_rows(compared, place) > 0]) > 0:
            found.append(Feature(hierarchy.column, values, True, place))
    return found[:MOST_COLUMNS]


def _leaf_numbers(leaves: tuple[str, ...]) -> FloatArray | None:
    """The numbers, or dates as years, that all leaves spell."""
    numbers = as_numbers(leaves)
    if numbers is not None or not leaves:
        return numbers
    years = np.array([_years(leaf) for leaf in leaves])
    if any(np.isnan(year) and leaf != MISSING for year, leaf in zip(years, leaves, strict=True)):
        return None
    return None if np.isnan(years).all() else np.where(np.isnan(years), np.nanmean(years), years)[:, None]


def _is_date(compared: Comparison, feature: Feature) -> bool:
    assert feature.place is not None
    return as_numbers(compared.before.hierarchies[feature.place].leaves) is None


def _years(text: str) -> float:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return float("nan")
    return day.year + (day.timetuple().tm_yday - 1) / DAYS


def _secrets(parts: Mapping[str, SensitiveTally], codes: Collection[str]) -> list[tuple[Feature, SensitiveTally]]:
    found = []
    for name, part in parts.items():
        feature = None if name in codes or np.unique(part.value).size < 2 else secret_number(part)
        if feature is not None:
            found.append((feature, part))
    return found[:MOST_COLUMNS]


def _of_numbers(compared: Comparison, features: Sequence[Feature]) -> tuple[list[MeanChange], list[CorrelationChange]]:
    if not features:
        return [], []
    sides = plain_moments(compared, features)
    means = [
        _mean(one.column, sides.before, sides.after, i).model_copy(update={"is_date": _is_date(compared, one)})
        for i, one in enumerate(features)
    ]
    pairs = [_pair(features, sides.before, sides.after, i, j) for i, j in combinations(range(len(features)), 2)]
    return means, pairs


def _of_secret(
    compared: Comparison, features: Sequence[Feature], secret: Feature, part: SensitiveTally
) -> tuple[MeanChange, list[CorrelationChange]]:
    both = [*features, secret]
    sides = plain_moments(compared, both, part)
    last = len(features)
    pairs = [_pair(both, sides.before, sides.after, i, last) for i in range(last)]
    return _mean(secret.column, sides.before, sides.after, last), pairs


def _mean(column: str, before: FeatureMoments, after: FeatureMoments, i: int) -> MeanChange:
    deviations = [float(np.sqrt(max(side.covariance[i, i], 0.0))) for side in (before, after)]
    return MeanChange(
        column=column,
        before=float(before.mean[i]),
        after=float(after.mean[i]),
        deviation_before=deviations[0],
        deviation_after=deviations[1],
    )


def _pair(
    features: Sequence[Feature], before: FeatureMoments, after: FeatureMoments, i: int, j: int
) -> CorrelationChange:
    sides = [float(correlation_of(side.covariance[np.ix_([i, j], [i, j])])[0, 1]) for side in (before, after)]
    return CorrelationChange(columns=(features[i].column, features[j].column), before=sides[0], after=sides[1])


def _regression(
    compared: Comparison, numbers: Sequence[Feature], secrets: Sequence[tuple[Feature, SensitiveTally]]
) -> RegressionChange | None:
    """Of the first sensitive or carried number, else of the last quasi-identifier of numbers, on the others."""
    target, part = secrets[0] if secrets else (numbers[-1], None)
    predictors = _predictors(compared, numbers, target)
    if not predictors:
        return None
    features = [*(one.feature for one in predictors), target]
    scaled, plain = moments(compared, features, part), plain_moments(compared, features, part).before
    deviation = np.sqrt(np.maximum(np.diag(plain.covariance), 0.0))
    unit = deviation[-1] / np.where(deviation[:-1] > 0, deviation[:-1], 1.0)
    before, after = (fit(side, CONFIDENCE) for side in (scaled.before, scaled.after))
    rows = zip(
        (name for one in predictors for name in one.names),
        (_told(before.coefficients) * unit).tolist(),
        (_told(after.coefficients) * unit).tolist(),
        strict=True,
    )
    return RegressionChange(
        target=target.column,
        coefficients=tuple(CoefficientChange(name=name, before=was, after=now) for name, was, now in rows),
        explained_before=before.explained,
        explained_after=after.explained,
    )


def _told(coefficients: FloatArray) -> FloatArray:
    """Standardised coefficients without those that are rounding."""
    return np.where(np.abs(coefficients) > SMALLEST, coefficients, 0.0)


def _predictors(compared: Comparison, numbers: Sequence[Feature], target: Feature) -> list[_Predictor]:
    known, found = {one.place: one for one in numbers}, []
    for place, hierarchy in enumerate(compared.before.hierarchies[:MOST_COLUMNS]):
        if place == target.place:
            continue
        if place in known:
            found.append(_Predictor(known[place], (hierarchy.column,)))
        else:
            found += _category(compared, place)
    return found


def _category(compared: Comparison, place: int) -> list[_Predictor]:
    """An indicator for each node of the lowest level with few of them, but for the most frequent one."""
    feature, hierarchy = category_feature(compared, place, MOST_CATEGORIES), compared.before.hierarchies[place]
    labels = next(level for level in hierarchy.labels if len(level) == feature.width)
    counts = leaf_rows(compared, place) @ feature.values
    usual = int(np.argmax(counts))
    dropped = [i for i in range(feature.width) if counts[i] == 0 or i == usual]
    for outcome in reversed(dropped):
        feature = feature.without(outcome)
    names = [f"{hierarchy.column}: {label or '(missing)'}" for i, label in enumerate(labels) if i not in dropped]
    return [_Predictor(feature, tuple(names))] if names else []

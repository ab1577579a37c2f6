"""Means and covariances of features, in the input and in the release, found without single rows.

Where labels are spread evenly over their leaves, features of different columns are independent within a row: the mean
of their product is the product of their means. For features of one column it is the mean over the leaves of the
product, so a column that is published as the root still varies, and correlates with nothing. Suppressed rows are left
out of the release, as an analyst would. A sensitive column keeps its values; the rows of a combination share its
distribution, even where they go to several classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tacit.arrays import FloatArray
from tacit.data.discreet import Discreet
from tacit.data.tables.features import Feature, label_means
from tacit.data.tables.spread import spread
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison, leaf_rows


@dataclass(frozen=True, eq=False, repr=False)
class FeatureMoments(Discreet):
    """Rows, and mean and covariance of all features side by side."""

    rows: float
    mean: FloatArray
    covariance: FloatArray


@dataclass(frozen=True, eq=False)
class Sides:
    """The same features before and after, all in units of the input's standard deviations."""

    before: FeatureMoments
    after: FeatureMoments


@dataclass(frozen=True, eq=False, repr=False)
class _Block(Discreet):
    """One column's features: their means in each entry, their values for each outcome and its rows."""

    means: FloatArray
    values: FloatArray
    mass: FloatArray


def moments(compared: Comparison, features: Sequence[Feature], secret: SensitiveTally | None = None) -> Sides:
    """Moments of the features, standardised by the input; `secret` holds the values of a sensitive column's feature."""
    scaled = [_standardised(feature, _mass(compared, feature, secret)) for feature in features]
    rows, after_rows = compared.before.rows, compared.after.rows[compared.after.kept]
    before = [_input_block(compared, feature, secret) for feature in scaled]
    after = [_release_block(compared, feature, secret) for feature in scaled]
    return Sides(_joined(before, rows.astype(np.float64)), _joined(after, after_rows.astype(np.float64)))


def plain_moments(compared: Comparison, features: Sequence[Feature], secret: SensitiveTally | None = None) -> Sides:
    """Moments of the features in their own units."""
    rows, after_rows = compared.before.rows, compared.after.rows[compared.after.kept]
    before = [_input_block(compared, feature, secret) for feature in features]
    after = [_release_block(compared, feature, secret) for feature in features]
    return Sides(_joined(before, rows.astype(np.float64)), _joined(after, after_rows.astype(np.float64)))


def _joined(blocks: Sequence[_Block], weights: FloatArray) -> FeatureMoments:
    rows = float(weights.sum())
    means = np.concatenate([block.means for block in blocks], axis=1)
    mean = weights @ means / max(rows, 1.0)
    # Centred before they are squared, so that what is constant has no variance but for rounding, squared.
    centred = means - mean
    covariance = (centred * weights[:, None]).T @ centred / max(rows, 1.0)
    first = 0
    for block in blocks:
        last = first + block.values.shape[1]
        own = block.values - mean[first:last]
        covariance[first:last, first:last] = (own * block.mass[:, None]).T @ own / max(rows, 1.0)
        first = last
    return FeatureMoments(rows, mean, covariance)


def _standardised(feature: Feature, mass: FloatArray) -> Feature:
    share = mass / max(float(mass.sum()), 1.0)
    centred = feature.values - share @ feature.values
    deviation = np.sqrt(share @ centred**2)
    # What does not vary stays as it is: it has no part in anything.
    return replace(feature, values=centred / np.where(deviation > 1e-12 * _size(feature.values), deviation, 1.0))


def _size(values: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(np.abs(values).max(axis=0, initial=0.0), 1e-300))


def _mass(compared: Comparison, feature: Feature, secret: SensitiveTally | None) -> FloatArray:
    """The rows of the input that have each outcome."""
    if feature.place is not None:
        return leaf_rows(compared, feature.place)
    assert secret is not None
    return _secret_mass(compared.before.rows.astype(np.float64), secret)


def _input_block(compared: Comparison, feature: Feature, secret: SensitiveTally | None) -> _Block:
    mass = _mass(compared, feature, secret)
    if feature.place is not None:
        return _Block(feature.values[compared.before.codes[feature.place]], feature.values, mass)
    assert secret is not None
    return _Block(_secret_means(feature, secret, compared.before.rows.size), feature.values, mass)


def _release_block(compared: Comparison, feature: Feature, secret: SensitiveTally | None) -> _Block:
    after, kept = compared.after, compared.after.kept
    if feature.place is not None:
        shown = after.label_rows[feature.place].copy()
        shown[-1] = 0.0
        mass = spread(after.covers[feature.place], shown)
        means = label_means(compared, feature)[after.codes[feature.place][kept]]
        return _Block(means, feature.values, mass)
    assert secret is not None
    # Rows that are those before keep the secrets of their combination; others have their own.
    paired = compared.pairing is not None
    secret = secret if paired else after.classes.sensitive[secret.column]
    number = compared.before.rows.size if paired else after.rows.size
    origin = compared.pairing.origin[kept] if compared.pairing is not None else kept
    of_combination = np.bincount(origin, after.rows[kept], number).astype(np.float64)
    means = _secret_means(feature, secret, number)[origin]
    return _Block(means, feature.values, _secret_mass(of_combination, secret))


def _secret_parts(secret: SensitiveTally, combinations: int) -> FloatArray:
    """The part of each cell in its combination."""
    count = secret.census.counts().astype(np.float64)
    return np.asarray(count / np.maximum(np.bincount(secret.combination, count, combinations), 1)[secret.combination])


def _secret_mass(rows: FloatArray, secret: SensitiveTally) -> FloatArray:
    amounts = rows[secret.combination] * _secret_parts(secret, rows.size)
    return np.bincount(secret.value, amounts, len(secret.values)).astype(np.float64, copy=False)


def _secret_means(feature: Feature, secret: SensitiveTally, combinations: int) -> FloatArray:
    part = _secret_parts(secret, combinations)
    columns = [np.bincount(secret.combination, part * value[secret.value], combinations) for value in feature.values.T]
    return np.array(columns).T.astype(np.float64).reshape(combinations, feature.width)

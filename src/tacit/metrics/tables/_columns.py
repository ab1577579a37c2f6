"""Two versions of the same columns, row by row: how far their distributions and correlations moved.

For columns that were perturbed and not generalised (noise, microaggregation, swapping), where both sides are plain
numbers. Rows may have weights. A cell that is NaN is missing and left out on its side; for correlations the row is.
Numbers are compared in bins of equal frequency of the first side, since two sets of real numbers share next to no
value; to the shares of the second side half a row for each bin is added (Krichevsky and Trofimov 1981), so that the
divergence stays finite.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, FloatArray
from tacit.errors import BadData
from tacit.metrics.tables import _distances

BINS = 20


@dataclass(frozen=True)
class Moved:
    """How far one column moved; `wasserstein` is in units of the column."""

    total_variation: float
    kullback_leibler: float
    wasserstein: float


@dataclass(frozen=True)
class Changed:
    """Absolute differences of the correlations between all pairs of columns."""

    mean: float
    highest: float


def compare_columns(
    before: FloatArray, after: FloatArray, weights: FloatArray | None = None, bins: int = BINS
) -> Moved:
    """How far a column of numbers moved; `weights` are those of the rows."""
    old, new = _present(before, after, weights)
    if not old.mass.sum() > 0 or not new.mass.sum() > 0:
        raise BadData("one of the two columns has no number; there is nothing to compare")
    edges = np.unique(_quantiles(old, np.arange(1, bins) / bins))
    p, q = _binned(old, edges), _binned(new, edges)
    smooth = (q * new.mass.sum() + 0.5) / (new.mass.sum() + 0.5 * q.size)
    return Moved(
        _distances.total_variation(p, q),
        _distances.kullback_leibler(p, smooth),
        _wasserstein(old, new),
    )


def compare_correlations(before: FloatArray, after: FloatArray, weights: FloatArray | None = None) -> Changed:
    """How far the correlations of the columns `[row, column]` moved; a constant column correlates with none."""
    if before.shape != after.shape or before.ndim != 2:
        raise BadData(f"two tables of the same shape are needed; found {before.shape} and {after.shape}")
    mass = np.ones(len(before)) if weights is None else weights
    difference = np.abs(correlations(before, mass) - correlations(after, mass))
    pairs = difference[np.triu_indices(len(difference), k=1)]
    return Changed(float(pairs.mean()) if pairs.size else 0.0, float(pairs.max(initial=0.0)))


def correlations(cells: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation of each pair of columns `[row, column]`, over the rows where both are present."""
    there = ~np.isnan(cells)
    if there.all():
        return _correlation(cells, weights)
    matrix = np.eye(cells.shape[1])
    for i, j in zip(*np.triu_indices(cells.shape[1], k=1), strict=True):
        both: BoolArray = there[:, i] & there[:, j]
        if both.any():
            matrix[i, j] = matrix[j, i] = _correlation(cells[both][:, [i, j]], weights[both])[0, 1]
    return matrix


def correlation_of(covariance: FloatArray) -> FloatArray:
    """The correlations of a covariance matrix, 0 where a variance is."""
    deviation = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    # A constant column's variance is rounding, if it is not 0.
    scale = np.where(deviation > 1e-12, 1 / np.maximum(deviation, 1e-12), 0.0)
    matrix: FloatArray = np.clip(covariance * np.outer(scale, scale), -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _correlation(cells: FloatArray, weights: FloatArray) -> FloatArray:
    total = float(weights.sum())
    scaled = cells - weights @ cells / total
    # Scaled first, so that what counts as constant does not depend on the unit.
    scaled = scaled / np.maximum(np.abs(cells).max(axis=0, initial=0.0), np.finfo(np.float64).tiny)
    return correlation_of((scaled * weights[:, None]).T @ scaled / total)


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers in order, with their mass."""

    number: FloatArray
    mass: FloatArray


def _present(before: FloatArray, after: FloatArray, weights: FloatArray | None) -> tuple[_Numbers, _Numbers]:
    if before.shape != after.shape or before.ndim != 1:
        raise BadData(f"two columns of the same rows are needed; found shapes {before.shape} and {after.shape}")
    mass = np.ones(before.size) if weights is None else weights
    return _sorted(before, mass), _sorted(after, mass)


def _sorted(column: FloatArray, mass: FloatArray) -> _Numbers:
    there = ~np.isnan(column)
    order = np.argsort(column[there], kind="stable")
    return _Numbers(column[there][order], mass[there][order])


def _quantiles(numbers: _Numbers, parts: FloatArray) -> FloatArray:
    running = np.cumsum(numbers.mass)
    place = np.searchsorted(running, parts * running[-1])
    found: FloatArray = numbers.number[np.minimum(place, numbers.number.size - 1)]
    return found


def _binned(numbers: _Numbers, edges: FloatArray) -> FloatArray:
    """The share of each bin; bin i holds the numbers above edge i − 1 and up to edge i."""
    bin_ = np.searchsorted(edges, numbers.number)
    return np.bincount(bin_, numbers.mass, edges.size + 1) / float(numbers.mass.sum())


def _wasserstein(old: _Numbers, new: _Numbers) -> float:
    places, position = np.unique(np.concatenate([old.number, new.number]), return_inverse=True)
    mine, theirs = position[: old.number.size], position[old.number.size :]
    before = np.bincount(mine, old.mass, places.size) / old.mass.sum()
    after = np.bincount(theirs, new.mass, places.size) / new.mass.sum()
    return _distances.wasserstein_on_line(before, after, places)

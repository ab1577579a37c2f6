"""Linear regression by noisy sufficient statistics (Wang 2018): the least-squares line through noisy moments.

The last column is what is to be predicted. Slopes solve (C + ridge I) w = c with C the noisy covariance of the
features and c that of features and target, all scaled to [-1, 1]. The noisy C may be almost singular, so its
eigenvalues are held at or above the ridge, which is the size of the noise in C, sqrt(d) scale / n, and so public.

The interval is for the least-squares coefficients of the clamped rows. These solve A w = b, A and b moments (with a
column of ones), and the noise enters linearly: A' w - b' = N w - m with the noise N of A and m of b. So to first order
the noisy solution is off by A'^-1 (m - N w), a weighted sum of independent noises of public scale. Where the least
eigenvalue of A' is not well above the noise of A no coefficient is known, and the interval is the whole line.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event, in_scope
from tacit.arrays import FloatArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.data.aggregates.sums import Sums, Totals
from tacit.methods.statistics._box import Box
from tacit.methods.statistics._laplace_sum import sum_quantile
from tacit.methods.statistics._moments import Moments, OfMoments, moments_from, noisy_moments, used, wanted_moments
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level
from tacit.noise.private_answer import UNKNOWN, Publishable, scoped
from tacit.noise.values import as_matrix
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_columns

_ENOUGH = 5


class LinearRegression(OfMoments):
    """Least squares; bounds of all features, then of the target."""


@dataclass(frozen=True)
class FittedLine(Publishable):
    """target = intercept + slopes · features, in the columns' own units; `scales` are those of the noises that reach
    each slope and, last, the intercept, none where nothing is known."""

    slopes: FloatArray
    intercept: float
    scales: FloatArray
    gaussian: bool
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The slopes and, last, the intercept."""
        return {"values": self.coefficients}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """The column of each slope; the last column is the target, and has none."""
        return [*(f"slope of {column}" for column in columns[:-1]), "intercept"]

    def remarks(self) -> tuple[str, ...]:
        """That nothing is known, where nothing is."""
        return () if self.scales.size else (UNKNOWN,)

    @property
    def coefficients(self) -> FloatArray:
        """The slopes and, last, the intercept."""
        return np.append(self.slopes, self.intercept)

    def interval(self, level: float = 0.95) -> Interval:
        """For each coefficient bounds that hold that of the least-squares line of the clamped rows with probability
        `level`."""
        check_level(level)
        reach = np.array([self._reach(row, level) for row in self.scales])
        return Interval(self.coefficients - reach, self.coefficients + reach)

    def _reach(self, scales: FloatArray, level: float) -> float:
        if not scales.size:
            return math.inf
        if self.gaussian:
            return NormalDist().inv_cdf((1 + level) / 2) * float(np.linalg.norm(scales))
        return sum_quantile(scales.tolist(), level)

    def predict(self, features: ArrayLike) -> FloatArray:
        """The predicted targets; features are taken as they are."""
        predicted: FloatArray = as_matrix(features, self.slopes.size) @ self.slopes + self.intercept
        return predicted


@scoped
def linear_regression(rows: ArrayLike, params: LinearRegression, bits: RandomBits) -> FittedLine:
    """The line through the noisy moments of features and target."""
    return fit(noisy_moments(rows, params, bits), params.box)


def wanted(columns: Sequence[str], params: LinearRegression) -> Sums:
    """What an engine must add up: steps of each column, the target last, and products of each pair."""
    return wanted_moments(columns, params)


@scoped
def from_aggregates(found: Totals, params: LinearRegression, bits: RandomBits) -> FittedLine:
    """The private answer, computed from the aggregates that an engine found."""
    return fit(moments_from(found, params, bits), params.box)


def fit(moments: Moments, box: Box) -> FittedLine:
    """The line of these moments; post-processing."""
    rows = max(moments.rows, 1.0)
    means = np.clip(moments.first / rows, -1, 1)
    spread = moments.second / rows - np.outer(means, means)
    ridge = moments.scale * (2 if not moments.gaussian else 1) * np.sqrt(len(means)) / rows
    values, vectors = np.linalg.eigh(spread[:-1, :-1])
    inverse = (vectors / np.maximum(values, max(ridge, 1e-12))) @ vectors.T
    slopes = inverse @ spread[:-1, -1]
    halves = box.widths / 2
    middle = np.array(box.lower) + halves
    own = slopes * halves[-1] / halves[:-1]
    centre = middle + means * halves
    intercept = float(centre[-1] - own @ centre[:-1])
    return FittedLine(own, intercept, _scales(moments, box), moments.gaussian, moments.event)


def _scales(moments: Moments, box: Box) -> FloatArray:
    """The scales of the noises in each coefficient: rows of A'^-1 in the columns' units times what each noise meets."""
    system = np.empty((len(box.lower), len(box.lower)))
    system[0, 0] = moments.rows
    system[0, 1:] = system[1:, 0] = moments.first[:-1]
    system[1:, 1:] = moments.second[:-1, :-1]
    size = len(system)
    noise = moments.scale * (1 if moments.gaussian else math.sqrt(2)) * math.sqrt(size)
    if float(np.linalg.eigvalsh(system)[0]) <= _ENOUGH * noise:
        return np.empty((size, 0))
    target = np.append(moments.first[-1], moments.second[:-1, -1])
    inverse = np.linalg.inv(system)
    weights = inverse @ target
    ways = _own_units(box) @ inverse
    rows, columns = np.triu_indices(size)
    met = ways[:, rows] * weights[columns] + np.where(rows == columns, 0.0, ways[:, columns] * weights[rows])
    if moments.rows_known:
        met[:, 0] = 0.0
    scales: FloatArray = np.abs(np.hstack([ways, met])) * moments.scale
    return scales


def _own_units(box: Box) -> FloatArray:
    """How the slopes and the intercept in the columns' own units follow from (intercept, slopes) of scaled columns."""
    halves, size = box.widths / 2, len(box.lower)
    middle = np.array(box.lower) + halves
    units = np.zeros((size, size))
    units[:-1, 1:] = np.diag(halves[-1] / halves[:-1])
    units[-1] = np.append(halves[-1], -halves[-1] * middle[:-1] / halves[:-1])
    return units


def spends(params: LinearRegression) -> Event:
    """What the moments cost."""
    return in_scope(used(params).event, params.scope)


METHOD = Statistic(
    title="Linear regression",
    params=LinearRegression,
    run=linear_regression,
    takes=NumberColumns(least=2),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    delta="delta",
    neighbours=of_columns,
    needs="rows of features and, last, a target, with declared bounds for each column",
    gives="slopes and intercept of the least-squares line through noisy moments, with an interval for each",
    paper="https://arxiv.org/abs/1803.02596",
    example=LinearRegression(epsilon=1.0, lower=(0.0, 0.0), upper=(100.0, 100.0)),
)

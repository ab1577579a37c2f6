"""The covariance matrix of columns between declared bounds, from noisy moments.

Dwork, Talwar, Thakurta and Zhang (2014) perturb the same matrix. cov(j, k) = M_jk / n - M_j M_k / n**2 with noisy sums.
Laplace noise by the L1 sensitivity of all moments at delta 0, Gaussian noise by their L2 sensitivity else: with d
columns the L1 grows as d**2, the L2 as d. Covariances are those of the rows (divided by n). Intervals are to first
order in the noise; where the noisy number of rows is not well above its noise they are the whole range. `nearest` has
no negative eigenvalue, as a covariance matrix must.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event, in_scope
from tacit.arrays import FloatArray
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.data.aggregates.sums import Sums, Totals
from tacit.methods.statistics._laplace_sum import sum_quantile
from tacit.methods.statistics._moments import Moments, OfMoments, moments_from, noisy_moments, used, wanted_moments
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level
from tacit.noise.private_answer import UNKNOWN, DerivedAnswer, scoped
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_columns

_ENOUGH = 10


class Covariance(OfMoments):
    """The covariance matrix of columns between bounds."""


@dataclass(frozen=True)
class CovarianceAnswer(DerivedAnswer):
    """Noisy moments and the half-widths of the columns."""

    source: ClassVar[str] = "moments"

    moments: Moments
    halves: tuple[float, ...]

    def told(self) -> Mapping[str, Any]:
        """The matrix, within what is possible between the bounds: noise makes no variance negative, or too large."""
        return {"values": np.clip(self.values, self._least, self._units)}

    def labels(self, columns: Sequence[str]) -> list[list[str]]:
        """Both columns of each entry."""
        return [[f"{one}, {other}" for other in columns] for one in columns]

    def remarks(self) -> tuple[str, ...]:
        """That nothing is known, where nothing is."""
        return () if self._known else (UNKNOWN,)

    @property
    def values(self) -> FloatArray:
        """The matrix; zeros where the noisy number of rows is too small to say anything."""
        rows = self.moments.rows
        if not self._known:
            return np.zeros_like(self.moments.second)
        means = self.moments.first / rows
        scaled: FloatArray = (self.moments.second / rows - np.outer(means, means)) * self._units
        return scaled

    @property
    def nearest(self) -> FloatArray:
        """The nearest matrix without negative eigenvalues."""
        values, vectors = np.linalg.eigh(self.values)
        near: FloatArray = (vectors * np.maximum(values, 0.0)) @ vectors.T
        return near

    def interval(self, level: float = 0.95) -> Interval:
        """For each entry bounds that hold the true covariance with probability `level`."""
        check_level(level)
        if not self._known:
            return Interval(self._least, self._units)
        reach = self._reaches(level) * self._units
        return Interval(
            np.clip(self.values - reach, self._least, self._units),
            np.clip(self.values + reach, self._least, self._units),
        )

    @property
    def _least(self) -> FloatArray:
        """The least that each entry can be: a variance, on the diagonal, is not negative."""
        least: FloatArray = -self._units
        np.fill_diagonal(least, 0.0)
        return least

    @property
    def _known(self) -> bool:
        return self.moments.rows_known or self.moments.rows > _ENOUGH * self.moments.scale

    @property
    def _units(self) -> FloatArray:
        return np.outer(self.halves, self.halves)

    def _reaches(self, level: float) -> FloatArray:
        size = len(self.halves)
        reach = np.zeros((size, size))
        for j, k in zip(*np.triu_indices(size), strict=True):
            reach[j, k] = reach[k, j] = self._reach(int(j), int(k), level)
        return reach

    def _reach(self, j: int, k: int, level: float) -> float:
        """How far one entry may be off, in scaled units: its slopes in the moments times their noise."""
        rows, first, second = self.moments.rows, self.moments.first, self.moments.second
        slopes = [1 / rows, -first[k] / rows**2, -first[j] / rows**2]
        if j == k:
            slopes = [1 / rows, -2 * first[j] / rows**2]
        if not self.moments.rows_known:
            slopes.append(-second[j, k] / rows**2 + 2 * first[j] * first[k] / rows**3)
        if self.moments.gaussian:
            return NormalDist().inv_cdf((1 + level) / 2) * self.moments.scale * math.hypot(*slopes)
        return sum_quantile([abs(slope) * self.moments.scale for slope in slopes], level)


@scoped
def covariance(rows: ArrayLike, params: Covariance, bits: RandomBits) -> CovarianceAnswer:
    """The covariance matrix of the clamped columns with noise."""
    return _answer(noisy_moments(rows, params, bits), params)


def wanted(columns: Sequence[str], params: Covariance) -> Sums:
    """What an engine must add up: steps of each column and products of each pair."""
    return wanted_moments(columns, params)


@scoped
def from_aggregates(found: Totals, params: Covariance, bits: RandomBits) -> CovarianceAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    return _answer(moments_from(found, params, bits), params)


def _answer(moments: Moments, params: Covariance) -> CovarianceAnswer:
    return CovarianceAnswer(moments, tuple(float(width) / 2 for width in params.box.widths))


def spends(params: Covariance) -> Event:
    """What the moments cost."""
    return in_scope(used(params).event, params.scope)


METHOD = Statistic(
    title="Covariance",
    params=Covariance,
    run=covariance,
    takes=NumberColumns(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    delta="delta",
    neighbours=of_columns,
    needs="rows of numbers and declared bounds for each column",
    gives="the covariance matrix of the clamped columns, with an interval for each entry",
    paper="https://doi.org/10.1145/2591796.2591883",
    example=Covariance(epsilon=1.0, lower=(0.0, 0.0), upper=(100.0, 100.0)),
)

"""Linear regression by noisy sufficient statistics (Wang 2018): the least-squares line through noisy moments.

The last column is what is to be predicted. Slopes solve (C + ridge I) w = c with C the noisy covariance of the
features and c that of features and target, all scaled to [-1, 1]. The noisy C may be almost singular, so its
eigenvalues are held at or above the ridge, which is the size of the noise in C, sqrt(d) scale / n, and so public. No
interval is claimed: the slopes depend on the noise through an inverse.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event
from tacit.arrays import FloatArray
from tacit.card import Method
from tacit.methods.statistics._box import Box
from tacit.methods.statistics._moments import Moments, OfMoments, noisy_moments
from tacit.methods.statistics._values import as_matrix
from tacit.randomness.stream import RandomBits


class LinearRegression(OfMoments):
    """Least squares; bounds of all features, then of the target."""


@dataclass(frozen=True)
class Line:
    """target = intercept + slopes · features, in the columns' own units."""

    slopes: FloatArray
    intercept: float
    event: Event

    def predict(self, features: ArrayLike) -> FloatArray:
        """The predicted targets; features are taken as they are."""
        predicted: FloatArray = as_matrix(features, self.slopes.size) @ self.slopes + self.intercept
        return predicted


def linear_regression(rows: ArrayLike, params: LinearRegression, bits: RandomBits) -> Line:
    """The line through the noisy moments of features and target."""
    return fit(noisy_moments(rows, params, bits), params.box)


def fit(moments: Moments, box: Box) -> Line:
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
    return Line(own, float(centre[-1] - own @ centre[:-1]), moments.event)


METHOD = Method(
    title="Linear regression",
    params=LinearRegression,
    run=linear_regression,
    needs="rows of features and, last, a target, with declared bounds for each column",
    gives="slopes and intercept of the least-squares line through noisy moments",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://arxiv.org/abs/1803.02596",
    example=LinearRegression(epsilon=1.0, lower=(0.0, 0.0), upper=(100.0, 100.0)),
)

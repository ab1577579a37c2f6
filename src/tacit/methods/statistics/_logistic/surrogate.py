"""A stand-in for the features of rows nobody may see: their number, means and covariances, logits spread evenly.

The loss of a logistic regression is sum_i ln(2 cosh(w · x_i / 2)) - w · sum_i (y_i - 1/2) x_i. Labels enter only by the
second sum, which is linear. The first, of features alone, is here n E ln(2 cosh(z / 2)) with z uniform around the mean
logit w · mean with the variance w' S w of the logits. E f(m + s u) of a convex f is convex in (m, s) and grows with s,
and s is a norm of w; so the stand-in is convex in w. It is exact to the second order at w = 0, right where logits are
uniform and close where they are normal; what it misses is measured by rounds and corrected. The expectation is a
Gauss-Legendre sum over 16 points.
"""

import math
from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray

_POINTS, _CHANCES = np.polynomial.legendre.leggauss(16)
POINTS = _POINTS * math.sqrt(3)
CHANCES = _CHANCES / 2
_STEPS = 100
_NEAR = 1e-7
_TINY = 1e-12


@dataclass(frozen=True)
class Surrogate:
    """So many rows with these means and covariances of features; the intercept is the last weight."""

    rows: float
    means: FloatArray
    spread: FloatArray

    def loss(self, weights: FloatArray) -> float:
        """n E ln(2 cosh(z / 2))."""
        logits = self._logits(weights)
        return float(self.rows * (CHANCES @ np.logaddexp(logits / 2, -logits / 2)))

    def gradient(self, weights: FloatArray) -> FloatArray:
        """Of the loss."""
        half = np.tanh(self._logits(weights) / 2) / 2
        along, deviation = self.spread @ weights[:-1], self._deviation(weights)
        level, tilt = CHANCES @ half, CHANCES @ (half * POINTS) / deviation
        slope: FloatArray = self.rows * np.append(level * self.means + tilt * along, level)
        return slope

    def curvature(self, weights: FloatArray) -> FloatArray:
        """The second derivative."""
        logits, deviation = self._logits(weights), self._deviation(weights)
        slope = 0.25 / np.cosh(np.clip(logits / 2, -300, 300)) ** 2
        half = np.tanh(logits / 2) / 2
        level, skew, stretch = (CHANCES @ (slope * POINTS**power) for power in range(3))
        tilt = CHANCES @ (half * POINTS) / deviation
        mean, along = np.append(self.means, 1.0), np.append(self.spread @ weights[:-1], 0.0) / deviation
        wide = np.zeros((mean.size, mean.size))
        wide[:-1, :-1] = self.spread
        cross = np.outer(mean, along)
        around = tilt * (wide - np.outer(along, along)) + stretch * np.outer(along, along)
        curve: FloatArray = self.rows * (level * np.outer(mean, mean) + skew * (cross + cross.T) + around)
        return curve

    def length(self, step: FloatArray) -> float:
        """The root mean square of the logits that these weights give."""
        return math.sqrt(float(step[:-1] @ self.spread @ step[:-1]) + (step[-1] + float(step[:-1] @ self.means)) ** 2)

    def held(self, start: FloatArray, end: FloatArray, most: float) -> FloatArray:
        """The end, or the point before it at which logits have moved by `most`."""
        far = self.length(end - start)
        point: FloatArray = end if far <= most else start + (end - start) * (most / far)
        return point

    def fitted(self, pull: FloatArray, penalty: float, start: FloatArray) -> FloatArray:
        """The weights that minimise the loss less pull · w plus (penalty / 2) |w|**2: Newton's steps, halved while they
        do not descend."""
        weights = start
        for _ in range(_STEPS):
            slope = self.gradient(weights) - pull + penalty * weights
            curve = self.curvature(weights) + (penalty + _TINY * self.rows) * np.eye(pull.size)
            step: FloatArray = np.linalg.solve(curve, slope).astype(np.float64, copy=False)
            moved = self._descended(weights, step, slope, (pull, penalty))
            if float(np.abs(moved - weights).max()) < _NEAR:
                return moved
            weights = moved
        return weights

    def _descended(
        self, weights: FloatArray, step: FloatArray, slope: FloatArray, objective: tuple[FloatArray, float]
    ) -> FloatArray:
        pull, penalty = objective

        def value(at: FloatArray) -> float:
            return self.loss(at) - float(pull @ at) + penalty / 2 * float(at @ at)

        before, gain, part = value(weights), 1e-4 * float(slope @ step), 1.0
        while part > _NEAR and value(weights - part * step) > before - part * gain:
            part /= 2
        moved: FloatArray = weights - part * step
        return moved

    def _deviation(self, weights: FloatArray) -> float:
        return math.sqrt(max(float(weights[:-1] @ self.spread @ weights[:-1]), _TINY))

    def _logits(self, weights: FloatArray) -> FloatArray:
        mean = weights[-1] + float(weights[:-1] @ self.means)
        logits: FloatArray = mean + self._deviation(weights) * POINTS
        return logits

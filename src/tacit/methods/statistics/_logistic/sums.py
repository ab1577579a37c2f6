"""What a logistic regression asks of its rows, in whole numbers: exact sums to which each row adds a bounded vector.

Features are scaled to [-1, 1] in steps of 2**-12, with a 1 as the last column. At public weights w a row's logit
z = w · x is a whole number, found exactly; its probability p and p (1 - p) are read from a table of whole numbers by
the nearest multiple of 2**-10. So what a row adds depends on that row and the weights alone, whatever the order or
number of other rows, and no float is summed.

    count                 1 for each row
    pull(0)               (y - 1/2) x, at most 1/2 in each coordinate
    pull(w)               (y - p) x, at most 1: minus the gradient of the logarithmic loss
    squares, products     x_j and x_j**2, or all x_j x_k: at most 1
    curvature(w)          p (1 - p) x_j x_k, at most 1/4: its second derivative
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from tacit.arrays import FloatArray, IntArray
from tacit.methods.statistics._box import Box
from tacit.noise.values import as_matrix

PULL, PRODUCT, CURVATURE = 26, 24, 28
"""Sums are in steps of 2 to minus this power."""

_UNIT, _COARSE = 12, 3
_CHANCE, _SLOPE = PULL - _UNIT, CURVATURE - 2 * (_UNIT - _COARSE)
_FINE = 10
_FAR = 20 << _FINE
_LARGEST = 2.0**12
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Tables:
    """Probability and its slope p (1 - p) at each logit, as whole numbers of 2**-14 and 2**-10."""

    chance: IntArray
    slope: IntArray


@lru_cache(maxsize=1)
def tables() -> Tables:
    """For logits from -20 to 20."""
    chance = 1 / (1 + np.exp(-np.arange(-_FAR, _FAR + 1) / 2.0**_FINE))
    steps = (np.rint(np.ldexp(*part)) for part in ((chance, _CHANCE), (chance * (1 - chance), _SLOPE)))
    return Tables(*(part.astype(np.int64) for part in steps))


@dataclass(frozen=True)
class LogisticRows:
    """Scaled features with a 1 behind them, in steps, as whole numbers in floats; and yes (1) or no (0). Secret."""

    features: FloatArray
    yes: IntArray

    @classmethod
    def read(cls, rows: ArrayLike, box: Box) -> "LogisticRows":
        """Rows whose last column says yes (above one half) or no, clamped to the box."""
        table = as_matrix(rows, box.columns + 1)
        steps = 2 * box.steps(table[:, :-1], 1 << _UNIT) - (1 << _UNIT)
        ones = np.full((len(steps), 1), 1 << _UNIT)
        features = np.concatenate([steps, ones], axis=1).astype(np.float64)
        return cls(features, (table[:, -1] > 0.5).astype(np.int64))

    @property
    def columns(self) -> int:
        """How many weights there are."""
        return int(self.features.shape[1])

    def count(self) -> IntArray:
        """How many rows there are."""
        return np.array([len(self.yes)])

    def products(self) -> IntArray:
        """The sums of x_j x_k for j <= k, but for the number of rows, which comes last, in steps of 2**-24."""
        return _upper(_summed(self.features, self.features))[:-1]

    def squares(self) -> IntArray:
        """The sums of x_j, then of x_j**2, for the features, in steps of 2**-24."""
        features = self.features[:, :-1]
        ones = np.full((len(features), 1), 1 << _UNIT, dtype=np.float64)
        return np.concatenate([_summed(features, ones).ravel(), _summed(features**2, ones / (1 << _UNIT)).ravel()])

    def pull(self, weights: FloatArray) -> IntArray:
        """Minus the gradient of the loss, in steps of 2**-26."""
        left = (self.yes << _CHANCE) - tables().chance[self._places(weights)]
        return _summed(self.features, left[:, None]).ravel()

    def curvature(self, weights: FloatArray) -> IntArray:
        """The second derivative for j <= k, in steps of 2**-28; features are rounded to 2**-9 for it."""
        coarse = np.floor(self.features / (1 << _COARSE) + 0.5)
        return _upper(_summed(coarse * tables().slope[self._places(weights)][:, None], coarse))

    def _places(self, weights: FloatArray) -> IntArray:
        """Where the tables hold each row's logit."""
        whole = np.rint(np.clip(weights, -_LARGEST, _LARGEST) * 2.0**_FINE)
        logits = np.floor((self.features @ whole) / (1 << _UNIT) + 0.5)
        return np.clip(logits, -_FAR, _FAR).astype(np.int64) + _FAR


def square(upper: FloatArray, columns: int) -> FloatArray:
    """The symmetric matrix whose upper half, row by row, is given."""
    whole = np.zeros((columns, columns))
    whole[np.triu_indices(columns)] = upper
    both: FloatArray = whole + np.triu(whole, 1).T
    return both


def _summed(first: FloatArray, second: "FloatArray | IntArray") -> IntArray:
    """first' second, whose terms are whole numbers up to 2**26: in blocks in which floats hold every sum exactly."""
    sums = np.zeros((first.shape[1], second.shape[1]), dtype=np.int64)
    for start in range(0, len(first), _BLOCK):
        block = slice(start, start + _BLOCK)
        sums += (first[block].T @ second[block].astype(np.float64)).astype(np.int64)
    return sums


def _upper(whole: IntArray) -> IntArray:
    """The upper half, row by row."""
    return whole[np.triu_indices(len(whole))]

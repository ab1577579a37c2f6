"""Numbers as a matrix, as ranks and as normal scores; ties are broken at random so that none is favoured."""

from collections.abc import Sequence

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.errors import BadData
from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.stream import RandomBits

NORMAL_POWER = 20
"""Normal numbers are multiples of 2 to minus this power: a discrete Gaussian of that many steps, drawn exactly."""


def matrix_of(columns: Sequence[FloatArray]) -> FloatArray:
    """`[row, column]`."""
    return np.array(columns, dtype=np.float64).reshape(len(columns), -1).T


def complete(matrix: FloatArray, what: str) -> BoolArray:
    """The rows without a missing number; at least two are needed to know how columns vary."""
    there: BoolArray = np.asarray(~np.isnan(matrix).any(axis=1))
    if there.sum() < 2:
        raise BadData(f"{what} needs at least two rows without a missing number; there are {int(there.sum())}")
    return there


def random_ranks(values: FloatArray, bits: RandomBits) -> IntArray:
    """The rank of each number from 0; equal numbers stand in random order."""
    order = np.lexsort((bits.words(values.size), values))
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order] = np.arange(values.size)
    return ranks


def normal_scores(values: FloatArray) -> FloatArray:
    """Where each number would stand if its ranks were those of a normal sample; equal numbers share the mean rank."""
    from scipy.special import ndtri

    order = np.sort(values)
    low = np.searchsorted(order, values, side="left")
    high = np.searchsorted(order, values, side="right")
    return np.asarray(ndtri((low + high) / (2.0 * values.size)))


def normal_numbers(rows: int, columns: int, bits: RandomBits) -> FloatArray:
    """Independent standard normal numbers on a grid of 2**-20."""
    from fractions import Fraction

    drawn = discrete_gaussian(Fraction(1 << 2 * NORMAL_POWER), rows * columns, bits)
    return np.ldexp(drawn.astype(np.float64), -NORMAL_POWER).reshape(rows, columns)


def root_of(covariance: FloatArray) -> FloatArray:
    """The symmetric root of a covariance matrix, even where columns depend on each other."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)

"""Discrete Gaussian noise, exactly: Pr[x] proportional to exp(-x**2 / (2 sigma**2)) (Canonne, Kamath and Steinke 2020).

Up to sigma = 64 by a table of the values 0, 1, -1, 2, -2, … whose remainder is bounded by a geometric sum and
listed further whenever a draw needs it. Above, by rejection: a discrete Laplace number y of scale t = floor(sigma) + 1
is kept with probability exp(-(|y| - sigma**2 / t)**2 / (2 sigma**2)); three of four are kept. `sigma**2` is the
parameter, not quite the variance, which is smaller by a hair.
"""

from fractions import Fraction
from functools import lru_cache
from math import floor, isqrt

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.errors import BadParameter
from tacit.randomness.bernoulli import bernoulli_exp_each
from tacit.randomness.enclosure import Enclosure, exp_minus
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits
from tacit.randomness.table import CellTable, Weights

_TABLE_SQUARE = 64 * 64
_LARGEST_SQUARE = 1 << 80


def discrete_gaussian(sigma_square: Fraction, size: int, bits: RandomBits) -> IntArray:
    """Independent whole numbers with Pr[x] proportional to exp(-x**2 / (2 sigma_square))."""
    if not 0 < sigma_square <= _LARGEST_SQUARE:
        raise BadParameter(
            "sigma is not a number of grid steps above 0 and at most 2**40; take a coarser grid, or ask "
            "for less privacy"
        )
    if sigma_square <= _TABLE_SQUARE:
        return _unfold(_table(sigma_square).draw(size, bits))
    drawn = np.empty(size, dtype=np.int64)
    filled = 0
    while filled < size:
        kept = _kept(sigma_square, (size - filled) * 4 // 3 + 16, bits)[: size - filled]
        drawn[filled : filled + kept.size] = kept
        filled += kept.size
    return drawn


def _kept(sigma_square: Fraction, size: int, bits: RandomBits) -> IntArray:
    scale = isqrt(floor(sigma_square)) + 1
    drawn = discrete_laplace(Fraction(1, scale), size, bits)
    return drawn[_accepted(np.abs(drawn), sigma_square, scale, bits)]


def _accepted(size: IntArray, sigma_square: Fraction, scale: int, bits: RandomBits) -> BoolArray:
    """A coin for each |y|.

    The float exponent z**2 / 2 has z = |y| / sigma - sigma / t with each term off by less than 2**-51 of itself. Where
    the exponent is at most 64, |y| / sigma is below 13, so z is off by less than 2**-47 and the exponent by less than
    2**-42.
    """
    sigma = float(sigma_square) ** 0.5
    z = size / sigma - sigma / scale
    middle = sigma_square / scale
    return bernoulli_exp_each(z * z / 2, lambda i: (int(size[i]) - middle) ** 2 / (2 * sigma_square), bits)


def _unfold(cells: IntArray) -> IntArray:
    """0, 1, -1, 2, -2, … for the cells 0, 1, 2, 3, 4, …."""
    half = (cells + 1) >> 1
    return np.where(cells & 1, half, -half)


@lru_cache(maxsize=256)
def _table(sigma_square: Fraction) -> CellTable:
    """Weights exp(-k**2 / 2 sigma**2) by products of ratios: w(k) = w(k - 1) r(k), r(k) = r(k - 1) exp(-1 / sigma**2).

    The ratios fall, so beyond the last k the weights are below a geometric sequence with the last ratio.
    """

    def weights(precision: int) -> Weights:
        inner = precision + 32
        step = exp_minus(1 / sigma_square, inner)
        ratio = exp_minus(1 / (2 * sigma_square), inner)
        weight = Enclosure(1 << inner, 1 << inner, inner)
        cells = [weight.at(precision)]
        while cells[-1].high > 1 or ratio.high >= 1 << inner:
            weight, ratio = weight.times(ratio), ratio.times(step)
            cells += [weight.at(precision)] * 2
        beyond = -(-weight.high * ratio.high // ((1 << inner) - ratio.high))
        return Weights(tuple(cells), 2 * -(-beyond >> 32))

    return CellTable(weights)

"""Noise as a public value: how it is drawn and how far it goes.

Each noise knows `beyond(m)`, the probability that it exceeds m steps in size, and from it the least error that all of
`count` independent answers keep with a given probability. For discrete Laplace noise beyond(m) = 2 q**(m + 1) / (1 + q)
with q = exp(-rate). For discrete Gaussian noise up to sigma = 64 the tail is summed; above, beyond(m) is at most
Pr[|N(0, sigma**2)| >= m], since the sum over the grid lies below the integral one step further out and the discrete
density's normaliser is at least the continuous one (Poisson summation; Canonne, Kamath and Steinke 2020).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from tacit.accounting.exact import whole
from tacit.arrays import IntArray
from tacit.errors import BadParameter
from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits

_FAR = 1 << 62


class Noise(Protocol):
    """Symmetric noise on whole numbers."""

    def draw(self, size: int, bits: RandomBits) -> IntArray:
        """Independent values."""
        ...

    def beyond(self, steps: int) -> float:
        """A bound, tight or nearly so, of the probability that a value exceeds `steps` in size."""
        ...


@dataclass(frozen=True)
class LaplaceNoise:
    """Pr[x] proportional to exp(-rate |x|)."""

    rate: Fraction

    def draw(self, size: int, bits: RandomBits) -> IntArray:
        """Independent values."""
        return discrete_laplace(self.rate, size, bits)

    def beyond(self, steps: int) -> float:
        """Exact up to float rounding."""
        rate = float(self.rate)
        return min(1.0, 2 * math.exp(-min(rate * (steps + 1), 745.0)) / (1 + math.exp(-rate)))


@dataclass(frozen=True)
class GaussianNoise:
    """Pr[x] proportional to exp(-x**2 / (2 sigma**2))."""

    sigma: Fraction

    def draw(self, size: int, bits: RandomBits) -> IntArray:
        """Independent values."""
        return discrete_gaussian(self.sigma**2, size, bits)

    def beyond(self, steps: int) -> float:
        """Summed where sigma is at most 64, else the bound by the integral."""
        sigma = float(self.sigma)
        if sigma > 64:
            return math.erfc(steps / (sigma * math.sqrt(2)))
        tail = np.arange(1, int(40 * sigma) + 2, dtype=np.float64)
        weights = np.exp(-((tail / sigma) ** 2) / 2)
        return float(2 * weights[steps:].sum() / (1 + 2 * weights.sum()))


def error_steps(noise: Noise, level: float, count: int = 1) -> int:
    """The least m such that with probability `level` none of `count` independent values exceeds m in size."""
    check_level(level)
    allowed = -math.expm1(math.log(level) / whole("count", count))
    return least(lambda steps: noise.beyond(steps) <= allowed, _FAR)


def root_above(square: Fraction) -> Fraction:
    """A rational number whose square is `square` or hardly more."""
    return Fraction(math.isqrt(-(-square.numerator << 128) // square.denominator) + 1, 1 << 64)


def least(keeps: Callable[[int], bool], high: int) -> int:
    """The least whole number >= 0 at which a condition that stays true once it is true holds."""
    top = 1
    while not keeps(top) and top < high:
        top *= 2
    low = -1
    while top - low > 1:
        middle = (low + top) // 2
        low, top = (low, middle) if keeps(middle) else (middle, top)
    return top


def check_level(level: float) -> None:
    """Refuses a level of confidence that is no probability strictly between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise BadParameter(f"the level is {level}; it must lie strictly between 0 and 1, such as 0.95")

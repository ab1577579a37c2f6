"""The least discrete Gaussian noise that keeps a promise for whole answers (Canonne, Kamath and Steinke 2020).

For rho it is sigma = s / sqrt(2 rho), s the L2 sensitivity. For epsilon and delta it is the least sigma of their
Theorem 7 where the answer is one number and the noise is not wide; otherwise the less of two: what rho gives after
conversion, and what the continuous Gaussian mechanism gives after rounding (`tacit.noise.smoothing`).
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.accounting.conversion import zcdp_epsilon
from tacit.accounting.events import DiscreteGaussian, Gaussian
from tacit.accounting.gaussian import gaussian_sigma
from tacit.noise.noise import GaussianNoise, root_above
from tacit.noise.smoothing import accounted, on_grid

_WIDE = 1000


@dataclass(frozen=True)
class DiscreteGaussianSetting:
    """The noise and what an answer costs; nothing in it depends on data."""

    noise: GaussianNoise
    event: DiscreteGaussian | Gaussian


@dataclass(frozen=True)
class WholeAnswer:
    """Whole numbers that one unit of privacy can move by at most `sensitivity` in L2."""

    sensitivity: int
    coordinates: int = 1


def concentrated(rho: Fraction, answer: WholeAnswer) -> DiscreteGaussianSetting:
    """The least noise at which the answer is rho-zCDP."""
    sigma = root_above(Fraction(answer.sensitivity) ** 2 / (2 * rho))
    return DiscreteGaussianSetting(
        GaussianNoise(sigma), DiscreteGaussian(sigma, answer.sensitivity, answer.coordinates)
    )


@lru_cache(maxsize=64)
def approximate(epsilon: float, delta: float, answer: WholeAnswer) -> DiscreteGaussianSetting:
    """The least noise that is known to make the answer (epsilon, delta)-private."""
    size = answer.sensitivity
    smooth = Fraction(gaussian_sigma(epsilon, delta)) * size
    if answer.coordinates == 1 and smooth <= _WIDE:
        sigma = _from_tails(epsilon, delta, size)
        return DiscreteGaussianSetting(GaussianNoise(sigma), DiscreteGaussian(sigma, size))
    plain = concentrated(_rho(epsilon, delta), answer)
    if plain.noise.sigma <= on_grid(smooth):
        return plain
    return DiscreteGaussianSetting(GaussianNoise(on_grid(smooth)), Gaussian(accounted(smooth), size))


def discrete_gaussian_delta(sigma: float, sensitivity: int, epsilon: float) -> float:
    """The least delta at which one whole answer is (epsilon, delta)-private, by summing the tails."""
    centre = epsilon * sigma**2 / sensitivity
    first, second = math.floor(centre - sensitivity / 2) + 1, math.floor(centre + sensitivity / 2) + 1
    last = max(second, 0) + int(40 * sigma) + 2
    points = np.arange(min(first, -int(40 * sigma) - 1), last + 1, dtype=np.float64)
    log_weight = -((points / sigma) ** 2) / 2
    total = np.exp(log_weight).sum()
    excess = np.exp(log_weight[points >= first]).sum() - np.exp(epsilon + log_weight[points >= second]).sum()
    return max(0.0, float(excess / total))


@lru_cache(maxsize=64)
def _rho(epsilon: float, delta: float) -> Fraction:
    """The greatest rho whose conversion at delta does not exceed epsilon, from below."""
    low, high = 0.0, 1.0
    while zcdp_epsilon(high, delta) <= epsilon:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if zcdp_epsilon(middle, delta) <= epsilon else (low, middle)
    return Fraction(low)


@lru_cache(maxsize=64)
def _from_tails(epsilon: float, delta: float, sensitivity: int) -> Fraction:
    """A sigma that keeps delta, less one part in 10**5 for an accountant's rounding; hardly above one that does not."""
    low, high = 0.0, float(sensitivity)

    def keeps(sigma: float) -> bool:
        return discrete_gaussian_delta(sigma, sensitivity, epsilon) <= delta * (1 - 1e-5)

    while not keeps(high):
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return Fraction(high)

"""The tail of a weighted sum of independent unit Laplace noises, by inversion of its characteristic function.

Pr[X < -x] = 1/2 - (1/pi) * integral of sin(t x) f(t) / t over t > 0, with f(t) = prod 1 / (1 + (w_j t)**2) (Gil-Pelaez
1951). The midpoint rule with step 2 pi / P is exact but for what lies P - x and more from 0, which is nothing here.
Between places of the table lines are drawn; the tail is convex, so they lie above it.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tacit.arrays import FloatArray

_FAR = 12.0
_PLACES = np.linspace(0.0, _FAR, 601)
_PERIOD = 50.0
_FEWEST, _MOST = 128, 2048
_NEGLIGIBLE = 1e-11
_DIGITS = 12


@dataclass(frozen=True)
class Tail:
    """Pr[X < -x] for x up to twelve standard deviations."""

    deviation: float
    chances: FloatArray

    def beyond(self, sizes: FloatArray) -> FloatArray:
        """Pr[X < -size], for sizes of either sign."""
        far: FloatArray = np.interp(np.abs(sizes) / self.deviation, _PLACES, self.chances)
        return np.where(sizes >= 0, far, 1 - far)

    def reach(self, chance: float) -> float:
        """What -X exceeds with this probability, at most one half."""
        return self.deviation * float(np.interp(chance, self.chances[::-1], _PLACES[::-1]))


def tail_of(weights: FloatArray) -> Tail:
    """The tail for these weights, not all of them 0."""
    sizes = np.abs(weights)
    largest = float(sizes.max())
    kinds, times = np.unique(np.round(sizes / largest, _DIGITS), return_counts=True)
    whole = _tail(kinds.tobytes(), times.astype(np.float64).tobytes())
    return Tail(whole.deviation * largest, whole.chances)


@lru_cache(maxsize=4096)
def _tail(kinds: bytes, repeats: bytes) -> Tail:
    squares, times = np.square(np.frombuffer(kinds)), np.frombuffer(repeats)
    deviation = math.sqrt(2 * float(squares @ times))
    number = _number(squares / deviation**2, times)
    values: FloatArray = np.exp(-np.log1p(np.outer(_waves(number) ** 2, squares / deviation**2)) @ times)
    chances: FloatArray = np.clip(0.5 - _sines(number) @ values, 0.0, 0.5)
    return Tail(deviation, np.minimum.accumulate(chances))


def _number(squares: FloatArray, times: FloatArray) -> int:
    """How many steps of the rule it takes until the characteristic function is nothing."""
    number = _FEWEST
    while number < _MOST and float(np.log1p(squares * _waves(number)[-1] ** 2) @ times) < -math.log(_NEGLIGIBLE):
        number *= 2
    return number


def _waves(number: int) -> FloatArray:
    middles: FloatArray = (np.arange(number, dtype=np.float64) + 0.5) * (2 * math.pi / _PERIOD)
    return middles


@lru_cache(maxsize=3)
def _sines(number: int) -> FloatArray:
    """What the values of the characteristic function weigh at each place."""
    waves = _waves(number)
    weights: FloatArray = np.sin(np.outer(_PLACES, waves)) * (2 / _PERIOD / waves)
    return weights

"""Quantiles of a weighted sum of independent Laplace noises, for the intervals of derived statistics.

For scales b_1, …, b_m that differ, Pr[|X| > q] = sum_i w_i exp(-q / b_i) with w_i = prod_(j != i) b_i**2 / (b_i**2 -
b_j**2) (partial fractions of the characteristic function prod 1 / (1 + b_j**2 t**2)). Scales that nearly agree are
moved apart by a thousandth. For more than four scales that matter the quantile is that of Cornish and Fisher (1938)
with the sum's own variance and kurtosis, which for many terms is close to normal.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from tacit.noise.noise import check_level

_APART = 1.001
_SMALL = 1e-3
_MOST = 4
_HALVINGS = 40


def sum_tail(scales: Sequence[float], reach: float) -> float:
    """Pr[|X| > reach] for at most four scales that matter."""
    return _tail(_parts(_distinct(scales)), reach)


def sum_quantile(scales: Sequence[float], level: float) -> float:
    """What |X| does not exceed with probability `level`."""
    check_level(level)
    apart = _distinct(scales)
    if not apart:
        return 0.0
    if len(apart) > _MOST:
        return _cornish_fisher(apart, level)
    parts = _parts(apart)
    low, high = 0.0, sum(apart) * (1 - math.log(1 - level))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _tail(parts, middle) > 1 - level else (low, middle)
    return high


def _parts(apart: Sequence[float]) -> list[tuple[float, float]]:
    """The scales with their weights."""
    return [
        (scale, math.prod(scale**2 / (scale**2 - other**2) for other in apart if other != scale)) for scale in apart
    ]


def _tail(parts: Sequence[tuple[float, float]], reach: float) -> float:
    tail = sum(weight * math.exp(-reach / scale) for scale, weight in parts)
    return min(max(tail, 0.0), 1.0)


def _distinct(scales: Sequence[float]) -> list[float]:
    """The scales that matter, falling; if they are few, none within a thousandth of the next."""
    sizes = np.sort(np.abs(np.asarray(scales, dtype=np.float64)))
    kept: list[float] = sizes[sizes > _SMALL * sizes.max(initial=0.0)].tolist()
    if len(kept) > _MOST:
        return kept[::-1]
    for place in range(1, len(kept)):
        kept[place] = max(kept[place], kept[place - 1] * _APART)
    return kept[::-1]


def _cornish_fisher(scales: Sequence[float], level: float) -> float:
    squares = np.square(np.asarray(scales))
    square, fourth = float(squares.sum()), float(np.square(squares).sum())
    normal = NormalDist().inv_cdf((1 + level) / 2)
    excess = 3 * fourth / square**2
    return math.sqrt(2 * square) * (normal + excess * (normal**3 - 3 * normal) / 24)

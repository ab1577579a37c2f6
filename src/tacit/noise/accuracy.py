"""How far off an answer is, in closed form.

Continuous Laplace noise of scale b exceeds b ln(n / (1 - level)) in none of n answers with probability `level` (union
bound; W25). Which epsilon keeps an error is found from the actual noise (`cards.least_epsilon`).
"""

import math
from statistics import NormalDist

from tacit.noise.noise import check_level


def laplace_error(scale: float, level: float = 0.95, count: int = 1) -> float:
    """What none of `count` Laplace noises of this scale exceeds with probability `level` (union bound)."""
    check_level(level)
    return scale * math.log(count / (1 - level))


def laplace_scale(error: float, level: float = 0.95, count: int = 1) -> float:
    """The scale at which `laplace_error` is `error`."""
    return error / laplace_error(1.0, level, count)


def gaussian_error(sigma: float, level: float = 0.95, count: int = 1) -> float:
    """What none of `count` Gaussian noises of this sigma exceeds with probability `level` (union bound)."""
    check_level(level)
    return sigma * -NormalDist().inv_cdf((1 - level) / (2 * count))


def gaussian_scale(error: float, level: float = 0.95, count: int = 1) -> float:
    """The sigma at which `gaussian_error` is `error`."""
    return error / gaussian_error(1.0, level, count)

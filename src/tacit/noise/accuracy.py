"""How far off an answer is, and which noise keeps an error: the closed forms and the accuracy-first search.

Continuous Laplace noise of scale b exceeds b ln(n / (1 - level)) in none of n answers with probability `level` (union
bound; W25). The search asks the actual noise on its grid, so its answer is exact up to the tolerance of epsilon.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import TypeVar

from tacit.errors import BadParameter, CannotGuarantee
from tacit.noise.noise import check_level
from tacit.params import Params

P = TypeVar("P", bound=Params)

_TOLERANCE = 1e-9


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


def epsilon_for(error: float, error_at: Callable[[float], float], most: float = 100.0) -> float:
    """The least epsilon up to `most` whose error is at most `error`, where error_at falls as epsilon grows."""
    if not (math.isfinite(error) and error > 0):
        raise BadParameter(f"the error is {error}; it must be above 0 and finite")
    if error_at(most) > error:
        raise CannotGuarantee(f"an error of {error:g} would need an epsilon above {most:g}; ask for less accuracy")
    low, high = most * 1e-9, most
    if error_at(low) <= error:
        return low
    while high / low > 1 + _TOLERANCE:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if error_at(middle) <= error else (middle, high)
    return high


def with_least_epsilon(params: P, most: float, error: Callable[[P], float], top: float = 100.0) -> P:
    """The parameters with the least epsilon up to `top` at which `error` of them is at most `most`."""

    def error_at(epsilon: float) -> float:
        return error(params.model_copy(update={"epsilon": epsilon}))

    return params.model_copy(update={"epsilon": epsilon_for(most, error_at, top)})

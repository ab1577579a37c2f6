"""Smooth sensitivity (Nissim, Raskhodnikova and Smith 2007) for an order statistic: noise to the measure of this data.

S = max over k of e**(-beta k) A(k), A(k) the largest local sensitivity within distance k, bounds the local sensitivity
and changes by a factor of at most e**beta between neighbours. Released is f + Lap(2 S / epsilon) (W30), here on whole
steps with S >= 1. Proof for discrete noise: moving f by at most S costs e**(epsilon / 2). Changing the scale by
e**beta costs at most e**(rate (e**beta - 1) |x|), which is e**(epsilon / 2) up to |x| = t / rate with t = (epsilon /
2) / (e**beta - 1); beyond lies a mass of at most 2 e**(-t) / (1 + e**(-epsilon / 2)), which must not exceed delta.
(Narrower to wider costs e**beta <= e**(epsilon / 2).) So beta is the smaller of ln(1 + epsilon / (2 t)) with t = ln(2
/ (delta (1 + e**(-epsilon / 2)))), and the paper's epsilon / (2 ln(2 / delta)), which is the smaller up to epsilon of
about 1.4.

The scale depends on the data, so it is not published, and no interval can be.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Approximate
from tacit.accounting.exact import exact
from tacit.card import Method
from tacit.errors import BadParameter
from tacit.methods.mechanisms._fields import Delta, Epsilon, GridPower, Limit
from tacit.methods.mechanisms._grid import clamped_sum, grid_for
from tacit.methods.mechanisms._robust import Limits, Robust, order_statistic
from tacit.params import Params
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits

_FLOAT_SAFE = 1 - 2.0**-20
_LEAST_BETA = 1e-8


class SmoothSensitivity(Params):
    """An order statistic (the median unless told) with noise to its smooth sensitivity."""

    epsilon: Epsilon
    delta: Delta
    lower: Limit
    upper: Limit
    quantile: Annotated[
        float, Field(ge=0, le=1, description="0.5 is the median, 0 the least, 1 the greatest value")
    ] = 0.5
    reach: Annotated[int, Field(ge=1, le=5000, description="the largest distance that is looked at")] = 1000
    grid: GridPower = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower >= self.upper:
            raise ValueError(f"lower is {self.lower} and upper {self.upper}; lower must be below upper")
        return self


@dataclass(frozen=True)
class SmoothAnswer:
    """The published number and what it cost."""

    value: float
    event: Approximate


def smoothing(epsilon: float, delta: float) -> float:
    """Beta: how fast distant sensitivities may be discounted."""
    tail = math.log(2 / (delta * (1 + math.exp(-epsilon / 2))))
    beta = min(epsilon / (2 * math.log(2 / delta)), math.log1p(epsilon / (2 * tail)), epsilon / 2)
    if beta < _LEAST_BETA:
        raise BadParameter(
            f"epsilon is {epsilon}; with this delta smooth sensitivity needs more, take another mechanism"
        )
    return beta


def smooth_sensitivity(robust: Robust, beta: float) -> float:
    """S in steps, at least 1; discounted a little less than beta allows, so that float rounding can't break
    smoothness."""
    discounts = np.exp(-beta * _FLOAT_SAFE * np.arange(robust.local.size))
    return max(1.0, float((discounts * robust.local).max()))


def smooth_order_statistic(data: ArrayLike, params: SmoothSensitivity, bits: RandomBits) -> SmoothAnswer:
    """The statistic with noise in proportion to its smooth sensitivity."""
    grid = grid_for(params.grid, exact(params.upper) - exact(params.lower))
    robust = order_statistic(data, params.quantile, Limits.of(params.lower, params.upper, grid), params.reach)
    spread = smooth_sensitivity(robust, smoothing(params.epsilon, params.delta))
    rate = exact(params.epsilon) / (2 * Fraction(spread))
    noisy = clamped_sum(np.array([robust.value]), discrete_laplace(rate, 1, bits))
    event = Approximate(exact(params.epsilon), exact(params.delta))
    return SmoothAnswer(float(grid.values(noisy)[0]), event)


METHOD = Method(
    title="Smooth sensitivity",
    params=SmoothSensitivity,
    run=smooth_order_statistic,
    needs="real values within public limits",
    gives="their median (or another order statistic) with noise to the measure of this data",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://doi.org/10.1145/1250790.1250803",
    example=SmoothSensitivity(epsilon=1.0, delta=1e-6, lower=0.0, upper=100.0),
)

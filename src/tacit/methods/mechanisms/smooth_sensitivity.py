"""Smooth sensitivity (Nissim, Raskhodnikova and Smith 2007) for an order statistic: noise fitted to the data.

S = max over k of e**(-beta k) A(k), A(k) the largest local sensitivity within distance k, bounds the local sensitivity
and changes by a factor of at most e**beta between neighbours. Released is f + Lap(2 S / epsilon) (W30), here on whole
steps with S >= 1. Proof for discrete noise: moving f by at most S costs e**(epsilon / 2). Changing the scale by
e**beta costs at most e**(rate (e**beta - 1) |x|), which is e**(epsilon / 2) up to |x| = t / rate with t = (epsilon /
2) / (e**beta - 1); beyond lies a mass of at most 2 e**(-t) / (1 + e**(-epsilon / 2)), which must not exceed delta.
(Narrower to wider costs e**beta <= e**(epsilon / 2).) So beta is the smaller of ln(1 + epsilon / (2 t)) with t = ln(2
/ (delta (1 + e**(-epsilon / 2)))), and the paper's epsilon / (2 ln(2 / delta)), which is the smaller up to epsilon of
about 1.4.

The scale depends on the data, so it is no public fact. But ln S changes by at most beta between neighbours, so
ln S + Lap(beta / e2) is e2-private, for a share e2 of epsilon; the rest e1 pays for the answer. With R the published
scale, |answer - f| / R is (2 / e1) E e**(-v), E exponential and v that Laplace noise: a known law whatever the data
are, whose quantile makes the interval, for the order statistic of the clamped values.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Approximate, Event
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.errors import BadParameter
from tacit.methods.mechanisms._robust import Limits, OrderStatistic, Robust, order_statistic
from tacit.noise.answer import Interval
from tacit.noise.grid import Grid, clamped_sum, grid_for
from tacit.noise.noise import check_level
from tacit.noise.private_answer import Publishable, marked
from tacit.randomness.geometric import discrete_laplace, require_rate
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import values

_FLOAT_SAFE = 1 - 2.0**-20
_LEAST_BETA = 1e-8
_FINE = 256
_BINS = 4000


class SmoothSensitivity(OrderStatistic):
    """An order statistic (the median unless told) with noise to its smooth sensitivity."""

    spread_share: Annotated[
        float,
        Field(gt=0, lt=1, description="the share of epsilon that publishes the scale of the noise, for the interval"),
    ] = 0.15


@dataclass(frozen=True)
class SmoothAnswer(Publishable):
    """The published number, the published width of its noise (both private), and what they cost."""

    value: float
    spread: float
    params: SmoothSensitivity
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The number, and the published width of its noise."""
        return {"values": [self.value], "spread": self.spread}

    def error(self, level: float = 0.95) -> float:
        """What the answer is off by, at most, with probability `level`."""
        return error(self.params, self.spread, level)

    def interval(self, level: float = 0.95) -> Interval:
        """Bounds that hold the order statistic with probability `level`."""
        reach = self.error(level)
        ends = np.clip([self.value - reach, self.value + reach], self.params.lower, self.params.upper)
        return Interval(ends[:1], ends[1:])


@dataclass(frozen=True)
class SmoothSetting:
    """The grid, the shares of epsilon for the answer and for the width, beta, and one step of the width's logarithm."""

    grid: Grid
    answer: Fraction
    spread: Fraction
    beta: float

    @property
    def step(self) -> float:
        """A neighbour moves the logarithm by less than _FINE of these."""
        return self.beta / _FINE

    @property
    def spread_rate(self) -> Fraction:
        """The rate of the logarithm's noise; one step more than needed pays for float rounding."""
        return self.spread / (_FINE + 1)


@lru_cache(maxsize=64)
def setting(params: SmoothSensitivity) -> SmoothSetting:
    """How epsilon is shared; nothing in it depends on data.

    No data are more sensitive than the limits are apart. Noise that wide must be drawable, or else an error would tell
    that these data are that sensitive.
    """
    grid = grid_for(params.grid, exact(params.upper) - exact(params.lower))
    limits = Limits.of(params.lower, params.upper, grid)
    spread = exact(params.epsilon) * exact(params.spread_share)
    answer = exact(params.epsilon) - spread
    require_rate(answer / (2 * (limits.high - limits.low)))
    return SmoothSetting(grid, answer, spread, smoothing(float(answer) * (1 - 1e-12), params.delta))


def smoothing(epsilon: float, delta: float) -> float:
    """Beta: how fast distant sensitivities may be discounted."""
    tail = math.log(2 / (delta * (1 + math.exp(-epsilon / 2))))
    beta = min(epsilon / (2 * math.log(2 / delta)), math.log1p(epsilon / (2 * tail)), epsilon / 2)
    if beta < _LEAST_BETA:
        raise BadParameter(
            f"epsilon is {epsilon}; with this delta, smooth sensitivity needs more; give a larger epsilon, or use "
            "another mechanism"
        )
    return beta


def smooth_sensitivity(robust: Robust, beta: float) -> float:
    """S in steps, at least 1; discounted a little less than beta allows, so that float rounding can't break
    smoothness."""
    discounts = np.exp(-beta * _FLOAT_SAFE * np.arange(robust.local.size))
    return max(1.0, float((discounts * robust.local).max()))


@marked
def smooth_order_statistic(data: ArrayLike, params: SmoothSensitivity, bits: RandomBits) -> SmoothAnswer:
    """The statistic with noise in proportion to its smooth sensitivity, and about how wide that noise is."""
    used = setting(params)
    limits = Limits.of(params.lower, params.upper, used.grid)
    robust = order_statistic(data, params.quantile, limits, params.reach)
    width = smooth_sensitivity(robust, used.beta)
    rate = used.answer / (2 * Fraction(width))
    noisy = clamped_sum(np.array([robust.value]), discrete_laplace(rate, 1, bits))
    return SmoothAnswer(float(used.grid.values(noisy)[0]), _published(width, used, bits), params, spends(params))


def spends(params: SmoothSensitivity, shape: AnswerShape = ONE_NUMBER) -> Approximate:
    """What the answer and the width of its noise cost."""
    return Approximate(exact(params.epsilon), exact(params.delta))


def _published(width: float, used: SmoothSetting, bits: RandomBits) -> float:
    """S with noise on its logarithm, in the unit of the answer; at least one step of the grid, as S is."""
    steps = math.floor(math.log(width) / used.step + 0.5) + int(discrete_laplace(used.spread_rate, 1, bits)[0])
    return math.exp(min(max(steps * used.step, 0.0), 500.0)) * float(used.grid.step)


def error(params: SmoothSensitivity, spread: float, level: float = 0.95) -> float:
    """What an answer is off by, at most, with probability `level`, where this width of the noise was published."""
    check_level(level)
    used = setting(params)
    scale = 2 * spread / float(used.answer) * math.exp(used.step)
    return scale * _pivot(used.step / float(used.spread_rate), level) + 1.5 * float(used.grid.step)


@lru_cache(maxsize=256)
def _pivot(scale: float, level: float) -> float:
    """The quantile of E e**(-v), v Laplace noise of this scale cut into bins that count as their worst ends."""
    edges = np.arange(_BINS) / _BINS
    with np.errstate(divide="ignore"):
        ends = scale * np.where(edges < 0.5, np.log(2 * edges), -np.log(2 * (1 - edges)))
    width = np.exp(np.maximum(ends, -700.0))
    low, high = 0.0, 1.0
    while float(np.exp(-high * width).mean()) > 1 - level:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if float(np.exp(-middle * width).mean()) > 1 - level else (low, middle)
    return high


METHOD = Mechanism(
    title="Smooth sensitivity",
    params=SmoothSensitivity,
    run=smooth_order_statistic,
    spends=spends,
    delta="delta",
    neighbours=lambda params: values(params.lower, params.upper, params.quantile),
    needs="real values within public limits",
    gives="their median (or another order statistic) with noise fitted to the data, and an interval",
    paper="https://doi.org/10.1145/1250790.1250803",
    example=SmoothSensitivity(epsilon=1.0, delta=1e-6, lower=0.0, upper=100.0),
)

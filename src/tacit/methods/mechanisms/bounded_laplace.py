"""Laplace noise conditioned on the answer staying within public limits, with the scale that this needs (W22).

Redrawing until the answer y lies in [L, U] gives it probability q**|y - x| / C(x) with q = exp(-rate) and C(x) the sum
of q**|y - x| over the range. Since C depends on x, rate = epsilon / s is not private enough. For two truths d steps
apart the largest ratio is q**(-d) C(x') / C(x); ln C is concave, so it is attained at the limit, and it grows with d.
The loss is therefore exactly rate s + ln(C(L + s) / C(L)), with C(L + s) / C(L) = (1 + q - q**(s + 1) - q**(n - s +
1)) / (1 - q**(n + 1)) for a range of n steps, and the rate is the largest at which this does not exceed epsilon (the
discrete form of Holohan and others 2018). Where s is the whole range, the plain calibration comes out. One number
only.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Pure
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.errors import BadData, BadParameter
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import GridPower, LimitsQuestion, SensitivityField
from tacit.noise.grid import Grid, grid_for
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import marked
from tacit.randomness.bernoulli import bernoulli_exp_each
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers
from tacit.sensitivity.neighbouring_answers import numbers


class BoundedLaplace(LimitsQuestion):
    """Laplace noise within limits."""

    sensitivity: SensitivityField
    grid: GridPower = None


@dataclass(frozen=True)
class BoundedNoise:
    """The noise around a truth that lies within limits; each side of it is a cut geometric distribution."""

    rate: Fraction
    low: int
    high: int

    def draw(self, size: int, bits: RandomBits) -> IntArray:
        """Noise around the middle of the range."""
        middle = (self.low + self.high) // 2
        return self.around(np.full(size, middle), bits) - middle

    def around(self, truth: IntArray, bits: RandomBits) -> IntArray:
        """For each truth an answer within the limits, with probability proportional to exp(-rate distance)."""
        # Drawn even where there is no truth: whether a noise can't be drawn must not depend on how many there are.
        drawn = self._proposals(truth, bits)
        waiting = np.flatnonzero((drawn < self.low) | (drawn > self.high))
        while waiting.size:
            drawn[waiting] = proposed = self._proposals(truth[waiting], bits)
            waiting = waiting[(proposed < self.low) | (proposed > self.high)]
        return drawn

    def beyond(self, steps: int) -> float:
        """On either side at most q**steps of the mass lies further out, wherever the truth is."""
        return math.exp(-float(self.rate) * steps)

    def _proposals(self, truth: IntArray, bits: RandomBits) -> IntArray:
        """Flat proposals, those not kept moved out of the range, where the noise is wider than it; else plain noise."""
        width = self.high - self.low + 1
        if self.rate * width <= 1:
            flat = self.low + uniform_integers(width, truth.size, bits)
            far = np.abs(flat - truth)
            kept = bernoulli_exp_each(far * float(self.rate), lambda i: int(far[i]) * self.rate, bits)
            return np.where(kept, flat, self.high + 1)
        return truth + discrete_laplace(self.rate, truth.size, bits)


@dataclass(frozen=True)
class BoundedSetting:
    """The grid and the noise on it; the same for all data."""

    grid: Grid
    noise: BoundedNoise


@lru_cache(maxsize=64)
def setting(params: BoundedLaplace) -> BoundedSetting:
    """Limits and sensitivity in steps, and the rate that they need."""
    grid = grid_for(params.grid, exact(params.sensitivity))
    low, high = -(-exact(params.lower) // grid.step), exact(params.upper) // grid.step
    if high <= low:
        raise BadParameter(f"the grid 2**{grid.power} has no two points between the limits; take a finer one")
    if max(abs(low), abs(high)) >= 1 << 52:
        raise BadParameter(f"the limits lie more than 2**52 steps of the grid 2**{grid.power} away; take a coarser one")
    steps = min(grid.l1(exact(params.sensitivity), 1), high - low)
    return BoundedSetting(grid, BoundedNoise(bounded_rate(exact(params.epsilon), steps, high - low), low, high))


def bounded_loss(rate: float, sensitivity: int, width: int) -> float:
    """The exact loss of noise of this rate on a range of `width` steps."""
    q = math.exp(-rate)
    top = -math.expm1(-rate * (sensitivity + 1)) + q * -math.expm1(-rate * (width - sensitivity))
    return rate * sensitivity + math.log(top / -math.expm1(-rate * (width + 1)))


@lru_cache(maxsize=256)
def bounded_rate(epsilon: Fraction, sensitivity: int, width: int) -> Fraction:
    """The largest rate, from below, whose loss is at most epsilon (less one part in 10**9 for float rounding)."""
    target = float(epsilon) * (1 - 1e-9)
    low, high = 0.0, float(epsilon) / sensitivity
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if bounded_loss(middle, sensitivity, width) <= target else (low, middle)
    return Fraction(low)


@marked
def bounded_laplace(answer: ArrayLike, params: BoundedLaplace, bits: RandomBits) -> NoisyAnswer:
    """The answer, one number of this sensitivity, with noise that never leaves the limits."""
    used = setting(params)
    steps = used.grid.steps(answer).counts
    if steps.size != 1:
        raise BadData(f"the answer has {steps.size} numbers; bounded noise is calibrated for one")
    truth = np.clip(steps, used.noise.low, used.noise.high)
    return NoisyAnswer(
        used.grid.values(used.noise.around(truth, bits)),
        used.noise,
        spends(params),
        used.grid.step,
        used.grid.step,
        params.lower,
        params.upper,
    )


def spends(params: BoundedLaplace, shape: AnswerShape = ONE_NUMBER) -> Pure:
    """What the answer costs."""
    return Pure(exact(params.epsilon))


def error(params: BoundedLaplace, level: float = 0.95) -> float:
    """What the answer is not off by more than, with probability at least `level`, wherever the truth lies."""
    used = setting(params)
    return float((error_steps(used.noise, level) + 1) * used.grid.step)


METHOD = Mechanism(
    title="Bounded Laplace mechanism",
    params=BoundedLaplace,
    run=bounded_laplace,
    spends=spends,
    error=error,
    neighbours=lambda params: numbers(params.sensitivity, params.lower, params.upper),
    needs="a real answer of known sensitivity and public limits",
    gives="an answer within the limits, with noise calibrated for that",
    paper="https://doi.org/10.29012/jpc.715",
    example=BoundedLaplace(epsilon=1.0, sensitivity=1.0, lower=0.0, upper=10.0),
)

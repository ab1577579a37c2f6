"""Randomised rounding to a coarse public grid, then geometric noise: an unbiased private answer in whole steps.

x steps become floor(x) or floor(x) + 1, the latter with probability x - floor(x), so the mean is kept. Rounding alone
is not private; the noise that follows is. Think of rounding as floor(x + u) with u uniform and independent of the
data: for every fixed u two numbers D steps apart end at most ceil(D) apart, so noise calibrated to the rounded-up
sensitivity (in a vector ceil(D) + d - 1 by L1) keeps epsilon for each u, hence for the mixture (joint convexity; as in
Kairouz, Liu and Steinke 2021).
"""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import DiscreteLaplace
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Epsilon, GridPower, SensitivityField
from tacit.noise.grid import Grid, as_vector, clamped_sum
from tacit.noise.noise import LaplaceNoise, error_steps
from tacit.noise.private_answer import marked
from tacit.params import Params
from tacit.randomness.bernoulli import bernoulli_each
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers


class RandomisedRounding(Params):
    """Unbiased rounding to multiples of 2**grid, with geometric noise; grid 0 gives whole numbers."""

    epsilon: Epsilon
    sensitivity: SensitivityField
    grid: GridPower = 0


def round_at_random(answer: ArrayLike, grid: Grid, bits: RandomBits) -> IntArray:
    """Each number in steps, up or down so that the mean is kept; NaN is 0 and the range is clamped to 2**52 steps."""
    values = np.nan_to_num(as_vector(answer).astype(np.float64), nan=0.0)
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.clip(np.ldexp(values, -grid.power), -(2.0**52), 2.0**52)
    floor = np.floor(scaled)
    rounded: IntArray = floor.astype(np.int64) + bernoulli_each(scaled - floor, bits)
    return rounded


def spends(params: RandomisedRounding, shape: AnswerShape = ONE_NUMBER) -> DiscreteLaplace:
    """What an answer of so many numbers costs."""
    steps = Grid(params.grid or 0).l1(exact(params.sensitivity), shape.numbers)
    return DiscreteLaplace(steps / exact(params.epsilon), steps)


@marked
def randomised_rounding(answer: ArrayLike, params: RandomisedRounding, bits: RandomBits) -> NoisyAnswer:
    """The answer, a number or a vector of this L1 sensitivity, rounded at random, with geometric noise."""
    grid = Grid(params.grid or 0)
    steps = round_at_random(answer, grid, bits)
    event = spends(params, AnswerShape(steps.size))
    noise = LaplaceNoise(Fraction(1) / exact(event.scale))
    noisy = clamped_sum(steps, noise.draw(steps.size, bits))
    return NoisyAnswer(grid.values(noisy), noise, event, grid.step, grid.step)


def error(params: RandomisedRounding, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    noise = LaplaceNoise(Fraction(1) / exact(spends(params, AnswerShape(coordinates)).scale))
    return float((error_steps(noise, level, coordinates) + 1) * Grid(params.grid or 0).step)


METHOD = Mechanism(
    title="Randomised rounding with geometric noise",
    params=RandomisedRounding,
    run=randomised_rounding,
    spends=spends,
    error=error,
    neighbours=lambda params: numbers(params.sensitivity),
    needs="a real answer, or a vector of them, of known L1 sensitivity",
    gives="an unbiased answer in multiples of a coarse public grid",
    paper="https://arxiv.org/abs/2102.06387",
    example=RandomisedRounding(epsilon=1.0, sensitivity=1.0),
)

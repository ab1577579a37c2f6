"""Laplace noise that never exceeds a public size, at the price of a delta (Geng, Ding, Guo and Kumar 2020).

Noise with Pr[x] proportional to q**|x| for |x| <= A, q = exp(-epsilon / s), is (epsilon, delta)-private with delta the
mass of its last s points, y (e**epsilon - 1) / (1 + q - 2 y) with y = q**(A + 1): there a neighbour has none. A is the
least size that keeps delta, and at least s. In a vector the coordinates' shares of s spend shares of delta that add up
to no more, since that mass is convex in the shift and 0 at 0.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Approximate
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.errors import BadParameter
from tacit.methods.mechanisms._additive import error_of, with_noise
from tacit.methods.mechanisms.bounded_laplace import BoundedNoise
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Delta, Epsilon, GridPower, SensitivityField
from tacit.noise.grid import Grid, as_vector, grid_for, with_own_grid
from tacit.noise.noise import least
from tacit.noise.private_answer import marked
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers

_LEAST_RATE = Fraction(1, 1 << 1000)
"""Below this a float of the rate has lost digits or is 0."""


class FiniteLaplace(Params):
    """Laplace noise of bounded size."""

    epsilon: Epsilon
    delta: Delta
    sensitivity: SensitivityField
    grid: GridPower = None


@dataclass(frozen=True)
class FiniteNoise:
    """Pr[x] proportional to exp(-rate |x|) up to the size `most`."""

    rate: Fraction
    most: int

    def draw(self, size: int, bits: RandomBits) -> IntArray:
        """Independent values; how often one is drawn again says nothing about data."""
        return BoundedNoise(self.rate, -self.most, self.most).around(np.zeros(size, dtype=np.int64), bits)

    def beyond(self, steps: int) -> float:
        """The mass further out than `steps`."""
        if steps >= self.most:
            return 0.0
        rate = float(self.rate)
        kept = math.exp(-rate * (steps + 1)) * -math.expm1(-rate * (self.most - steps))
        return 2 * kept / _whole_mass(rate, self.most)


@dataclass(frozen=True)
class FiniteSetting:
    """The grid and the noise on it; the same for all data."""

    grid: Grid
    noise: FiniteNoise


def edge_mass(rate: float, sensitivity: int, most: int) -> float:
    """The mass of the last `sensitivity` points of noise up to the size `most` >= sensitivity."""
    return math.exp(-rate * (most + 1 - sensitivity)) * -math.expm1(-rate * sensitivity) / _whole_mass(rate, most)


def _whole_mass(rate: float, most: int) -> float:
    """1 + q - 2 q**(most + 1), without cancellation."""
    return -2 * math.expm1(-rate * (most + 1)) + math.expm1(-rate)


@lru_cache(maxsize=64)
def setting(params: FiniteLaplace, coordinates: int = 1, rounded: bool = True) -> FiniteSetting:
    """The grid, the rate and the least size that keep the promise."""
    grid = grid_for(params.grid, exact(params.sensitivity), coordinates)
    steps = grid.l1(exact(params.sensitivity), coordinates, rounded)
    rate = exact(params.epsilon) / steps
    if rate < _LEAST_RATE:
        raise BadParameter(
            f"epsilon is {params.epsilon:g} for a sensitivity of {steps:.3g} steps of the grid; that is too little for "
            "any noise: take a larger epsilon or a coarser grid"
        )
    allowed = params.delta * (1 - 1e-9)
    more = least(lambda extra: edge_mass(float(rate), steps, steps + extra) <= allowed, 1 << 62)
    return FiniteSetting(grid, FiniteNoise(rate, steps + more))


@marked
def finite_laplace(answer: ArrayLike, params: FiniteLaplace, bits: RandomBits) -> NoisyAnswer:
    """The answer, a number or a vector of this L1 sensitivity, with noise of bounded size."""
    size = as_vector(answer).size
    steps = grid_for(params.grid, exact(params.sensitivity), size).steps(answer)
    return with_noise(steps, setting(params, size, steps.rounded), spends(params), bits)


def spends(params: FiniteLaplace, shape: AnswerShape = ONE_NUMBER) -> Approximate:
    """What an answer costs, however many numbers it has."""
    return Approximate(exact(params.epsilon), exact(params.delta))


def error(params: FiniteLaplace, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    return error_of(setting(params, coordinates), level, coordinates)


METHOD = Mechanism(
    title="Laplace mechanism with noise of bounded size",
    params=FiniteLaplace,
    run=finite_laplace,
    spends=spends,
    delta="delta",
    error=error,
    neighbours=lambda params: numbers(params.sensitivity),
    copies=lambda params: with_own_grid(params, params.grid, exact(params.sensitivity)),
    needs="a real answer, or a vector of them, of known L1 sensitivity",
    gives="the answer with noise that never exceeds a public size",
    paper="https://arxiv.org/abs/1810.00877",
    example=FiniteLaplace(epsilon=1.0, delta=1e-6, sensitivity=1.0),
)

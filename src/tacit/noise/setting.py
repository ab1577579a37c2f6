"""Noise on whole numbers for a budget: discrete Laplace by L1, or discrete Gaussian by L2 where there is a delta.

Rates are exact rationals, so that shares of an epsilon add up to it.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.accounting.events import DiscreteLaplace, Event
from tacit.accounting.events import Gaussian as GaussianEvent
from tacit.accounting.exact import exact, rounded_down
from tacit.arrays import FloatArray, IntArray
from tacit.noise.answer import NoisyAnswer
from tacit.noise.grid import MOST_STEPS, Grid, clamped_sum
from tacit.noise.noise import GaussianNoise, LaplaceNoise
from tacit.noise.smoothing import accounted, on_grid
from tacit.randomness.stream import RandomBits

WHOLE = Grid(0)
_MOST_WHOLE = 1 << 40


@dataclass(frozen=True)
class Allowance:
    """What may be spent; delta 0 is pure."""

    epsilon: Fraction
    delta: float = 0.0

    @classmethod
    def of(cls, epsilon: float, delta: float = 0.0) -> "Allowance":
        """The budget as a person wrote it."""
        return cls(exact(epsilon), delta)

    def share(self, part: Fraction) -> "Allowance":
        """A part of it; parts that add up to 1 spend no more than the whole."""
        return Allowance(self.epsilon * part, float(self.delta * part * (1 - Fraction(1, 10**12))))


@dataclass(frozen=True)
class Moves:
    """How far one unit of privacy moves a vector of whole numbers, in steps."""

    l1: int
    l2: Fraction
    coordinates: int = 1


@dataclass(frozen=True)
class NoiseSetting:
    """What is added and what that costs; nothing in it depends on data."""

    noise: LaplaceNoise | GaussianNoise
    event: Event


@lru_cache(maxsize=256)
def setting(moves: Moves, budget: Allowance) -> NoiseSetting:
    """The least noise that keeps the budget."""
    if budget.delta == 0:
        rate = budget.epsilon / moves.l1
        return NoiseSetting(LaplaceNoise(rate), DiscreteLaplace(1 / rate, moves.l1))
    return _gaussian(moves, budget)


def _gaussian(moves: Moves, budget: Allowance) -> NoiseSetting:
    """The least Gaussian noise; only an answer with a delta pays for importing the search of it."""
    from tacit.accounting.gaussian import gaussian_sigma
    from tacit.noise.gaussian_setting import WholeAnswer, approximate

    epsilon = rounded_down(budget.epsilon)
    if moves.l2.denominator == 1 and moves.l2 <= _MOST_WHOLE:
        plain = approximate(epsilon, budget.delta, WholeAnswer(int(moves.l2), moves.coordinates))
        return NoiseSetting(plain.noise, plain.event)
    sigma = Fraction(gaussian_sigma(epsilon, budget.delta)) * moves.l2
    return NoiseSetting(GaussianNoise(on_grid(sigma)), GaussianEvent(accounted(sigma), moves.l2))


def add_noise(steps: IntArray, used: NoiseSetting, grid: Grid, bits: RandomBits) -> NoisyAnswer:
    """The numbers, given in steps of the grid, with noise."""
    held: IntArray = np.clip(steps, -MOST_STEPS, MOST_STEPS)
    noisy = clamped_sum(held, used.noise.draw(held.size, bits))
    values: IntArray | FloatArray = noisy if grid.power == 0 else grid.values(noisy)
    return NoisyAnswer(values, used.noise, used.event, grid.step)


def as_steps(*numbers: int) -> IntArray:
    """Python's whole numbers as an array, clamped to the exact range."""
    return np.array([min(max(number, -MOST_STEPS), MOST_STEPS) for number in numbers], dtype=np.int64)

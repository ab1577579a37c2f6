"""Additive noise on a public grid: what Laplace, finite Laplace and Gaussian noise share once their law is chosen."""

from fractions import Fraction
from typing import Protocol

from tacit.accounting.events import Event
from tacit.noise.answer import NoisyAnswer
from tacit.noise.grid import Grid, GridAnswers, clamped_sum
from tacit.noise.noise import Noise, error_steps
from tacit.randomness.stream import RandomBits


class GridNoise(Protocol):
    """A grid and the noise on it; the same for all data."""

    @property
    def grid(self) -> Grid:
        """The grid that answers are released on."""
        ...

    @property
    def noise(self) -> Noise:
        """The noise, in steps of the grid."""
        ...


def with_noise(steps: GridAnswers, used: GridNoise, event: Event, bits: RandomBits) -> NoisyAnswer:
    """The answer with noise; a real number may have moved by half a step to get onto the grid."""
    noisy = clamped_sum(steps.counts, used.noise.draw(steps.counts.size, bits))
    rounding = used.grid.step / 2 if steps.rounded else Fraction(0)
    return NoisyAnswer(used.grid.values(noisy), used.noise, event, used.grid.step, rounding)


def error_of(used: GridNoise, level: float, coordinates: int) -> float:
    """The error that no number of so many exceeds, with probability `level`, rounding included."""
    return float((error_steps(used.noise, level, coordinates) + Fraction(1, 2)) * used.grid.step)

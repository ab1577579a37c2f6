"""The Gaussian mechanism for real answers of known L2 sensitivity, on a public grid.

Calibration `analytic` (Balle and Wang 2018) gives the least sigma and holds for every epsilon; `classic`,
sigma = s sqrt(2 ln(1.25 / delta)) / epsilon (Dwork and Roth 2014), is larger and holds up to epsilon = 1 only (W28).

The noise on the grid is discrete Gaussian and a hair wider, which makes the release post-processing of the continuous
mechanism in any number of dimensions (`tacit.noise.smoothing`).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Annotated, Literal

from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, Gaussian
from tacit.accounting.exact import exact
from tacit.accounting.gaussian import classic_gaussian_sigma, gaussian_sigma
from tacit.cards.least_epsilon import Dial
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.methods.mechanisms._additive import error_of, with_noise
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Delta, Epsilon, GridPower, SensitivityField
from tacit.noise.grid import Grid, as_vector, grid_for, with_own_grid
from tacit.noise.noise import GaussianNoise
from tacit.noise.private_answer import marked
from tacit.noise.smoothing import accounted, on_grid
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers


class GaussianMechanism(Params):
    """Gaussian noise, calibrated to epsilon and delta."""

    epsilon: Epsilon
    delta: Delta
    sensitivity: SensitivityField
    calibration: Annotated[Literal["analytic", "classic"], Field(description="how sigma follows from epsilon")] = (
        "analytic"
    )
    grid: GridPower = None


@dataclass(frozen=True)
class GaussianSetting:
    """The grid, the noise on it and what an answer costs."""

    grid: Grid
    noise: GaussianNoise
    event: Gaussian


@lru_cache(maxsize=64)
def setting(params: GaussianMechanism, coordinates: int = 1, rounded: bool = True) -> GaussianSetting:
    """How answers of so many numbers are released; nothing in it depends on data."""
    sensitivity = exact(params.sensitivity)
    grid = grid_for(params.grid, sensitivity, isqrt(coordinates - 1) + 1)
    steps = grid.l2(sensitivity, coordinates, rounded)
    sigma = Fraction(multiplier(params)) * steps
    return GaussianSetting(grid, GaussianNoise(on_grid(sigma)), Gaussian(accounted(sigma), steps))


def multiplier(params: GaussianMechanism) -> float:
    """Sigma for a sensitivity of 1."""
    calibrate = gaussian_sigma if params.calibration == "analytic" else classic_gaussian_sigma
    return calibrate(params.epsilon, params.delta)


@marked
def gaussian(answer: ArrayLike, params: GaussianMechanism, bits: RandomBits) -> NoisyAnswer:
    """The answer, a number or a vector of this L2 sensitivity, with Gaussian noise."""
    size = as_vector(answer).size
    steps = grid_for(params.grid, exact(params.sensitivity), isqrt(size - 1) + 1).steps(answer)
    used = setting(params, size, steps.rounded)
    return with_noise(steps, used, used.event, bits)


def spends(params: GaussianMechanism, shape: AnswerShape = ONE_NUMBER) -> Event:
    """What an answer of this shape costs."""
    spread = isqrt(shape.numbers - 1) + 1
    rounded = grid_for(params.grid, exact(params.sensitivity), spread).rounds(shape.whole)
    return setting(params, shape.numbers, rounded).event


def error(params: GaussianMechanism, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    return error_of(setting(params, coordinates), level, coordinates)


METHOD = Mechanism(
    title="Gaussian mechanism",
    params=GaussianMechanism,
    run=gaussian,
    spends=spends,
    delta="delta",
    error=error,
    neighbours=lambda params: numbers(params.sensitivity),
    copies=lambda params: with_own_grid(params, params.grid, exact(params.sensitivity)),
    dial=lambda params: Dial(most=1.0 if params.calibration == "classic" else 100.0),
    needs="a real answer, or a vector of them, of known L2 sensitivity",
    gives="the answer with Gaussian noise on a public grid",
    paper="https://proceedings.mlr.press/v80/balle18a.html",
    example=GaussianMechanism(epsilon=1.0, delta=1e-6, sensitivity=1.0),
)

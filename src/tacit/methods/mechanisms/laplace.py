"""The Laplace mechanism (Dwork, McSherry, Nissim and Smith 2006) for real answers, on a public grid.

Noise with Pr[x] proportional to exp(-|x| / b) steps, b = s / epsilon, s the L1 sensitivity in steps rounded up, is
epsilon-private. With a delta the scale is b = s / (epsilon - ln(1 - delta)) (Holohan, Leith and Mason 2015; W21): the
mechanism is then (epsilon - ln(1 - delta))-private, and for any event S, P(S) - e**epsilon Q(S) is at most
P(S) (1 - (1 - delta)) <= delta.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log1p
from typing import Annotated

from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import DiscreteLaplace, Event
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.methods.mechanisms._additive import error_of, with_noise
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Epsilon, GridPower, Itself, SensitivityField
from tacit.noise.grid import Grid, as_vector, grid_for, with_own_grid
from tacit.noise.noise import LaplaceNoise
from tacit.noise.private_answer import marked
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers


class LaplaceMechanism(Params):
    """Laplace noise; delta 0 is pure privacy."""

    epsilon: Epsilon
    sensitivity: SensitivityField
    delta: Annotated[
        float, Field(ge=0, lt=1, description="the probability with which the loss may exceed epsilon"), Itself
    ] = 0.0
    grid: GridPower = None


@dataclass(frozen=True)
class LaplaceSetting:
    """The grid, the noise on it and what an answer costs."""

    grid: Grid
    noise: LaplaceNoise
    event: DiscreteLaplace


@lru_cache(maxsize=64)
def setting(params: LaplaceMechanism, coordinates: int = 1, rounded: bool = True) -> LaplaceSetting:
    """How answers of so many numbers are released; nothing in it depends on data."""
    sensitivity = exact(params.sensitivity)
    grid = grid_for(params.grid, sensitivity, coordinates)
    steps = grid.l1(sensitivity, coordinates, rounded)
    rate = loss(params) / steps
    return LaplaceSetting(grid, LaplaceNoise(rate), DiscreteLaplace(1 / rate, steps))


def loss(params: LaplaceMechanism) -> Fraction:
    """epsilon - ln(1 - delta), the logarithm rounded towards more noise."""
    return exact(params.epsilon) + Fraction(-log1p(-params.delta)) * (1 - Fraction(1, 10**12))


@marked
def laplace(answer: ArrayLike, params: LaplaceMechanism, bits: RandomBits) -> NoisyAnswer:
    """The answer, a number or a vector of this L1 sensitivity, with Laplace noise."""
    size = as_vector(answer).size
    steps = grid_for(params.grid, exact(params.sensitivity), size).steps(answer)
    used = setting(params, size, steps.rounded)
    return with_noise(steps, used, used.event, bits)


def spends(params: LaplaceMechanism, shape: AnswerShape = ONE_NUMBER) -> Event:
    """What an answer of this shape costs."""
    rounded = grid_for(params.grid, exact(params.sensitivity), shape.numbers).rounds(shape.whole)
    return setting(params, shape.numbers, rounded).event


def error(params: LaplaceMechanism, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    return error_of(setting(params, coordinates), level, coordinates)


METHOD = Mechanism(
    title="Laplace mechanism",
    params=LaplaceMechanism,
    run=laplace,
    spends=spends,
    delta="delta",
    error=error,
    neighbours=lambda params: numbers(params.sensitivity),
    copies=lambda params: with_own_grid(params, params.grid, exact(params.sensitivity)),
    needs="a real answer, or a vector of them, of known L1 sensitivity",
    gives="the answer with Laplace noise on a public grid",
    paper="https://doi.org/10.1007/11681878_14",
    example=LaplaceMechanism(epsilon=1.0, sensitivity=1.0),
)

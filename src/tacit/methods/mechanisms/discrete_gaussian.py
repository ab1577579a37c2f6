"""The discrete Gaussian mechanism for whole answers (Canonne, Kamath and Steinke 2020).

Pr[x] proportional to exp(-x**2 / (2 sigma**2)) is rho-zCDP with rho = s**2 / (2 sigma**2), s the L2 sensitivity, for
any number of coordinates. For one coordinate it is (epsilon, delta)-private exactly when delta >= Pr[X > epsilon
sigma**2 / s - s / 2] - e**epsilon Pr[X > epsilon sigma**2 / s + s / 2] (their Theorem 7); for more, rho is converted.
Either rho is given, or epsilon and delta.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.conversion import zcdp_epsilon
from tacit.accounting.events import DiscreteGaussian as DiscreteGaussianEvent
from tacit.accounting.events import Event
from tacit.accounting.events import Gaussian as GaussianEvent
from tacit.accounting.exact import exact
from tacit.accounting.gaussian import gaussian_sigma
from tacit.cards.least_epsilon import Dial
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Delta, Epsilon, WholeSensitivity
from tacit.noise.grid import as_whole, clamped_sum
from tacit.noise.noise import GaussianNoise, error_steps, root_above
from tacit.noise.private_answer import marked
from tacit.noise.smoothing import accounted, on_grid
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers

_WIDE = 1000


class DiscreteGaussian(Params):
    """Discrete Gaussian noise, by rho or by epsilon and delta."""

    rho: Annotated[float | None, Field(gt=0, le=1e6, description="the loss in zero-concentrated privacy")] = None
    epsilon: Epsilon | None = None
    delta: Delta | None = None
    sensitivity: WholeSensitivity = 1

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.rho is None) == (self.epsilon is None) or (self.epsilon is None) != (self.delta is None):
            raise ValueError("give either rho, or epsilon and delta")
        return self


def discrete_gaussian_delta(sigma: float, sensitivity: int, epsilon: float) -> float:
    """The least delta at which one whole answer is (epsilon, delta)-private, by summing the tails."""
    centre = epsilon * sigma**2 / sensitivity
    first, second = math.floor(centre - sensitivity / 2) + 1, math.floor(centre + sensitivity / 2) + 1
    last = max(second, 0) + int(40 * sigma) + 2
    points = np.arange(min(first, -int(40 * sigma) - 1), last + 1, dtype=np.float64)
    log_weight = -((points / sigma) ** 2) / 2
    total = np.exp(log_weight).sum()
    excess = np.exp(log_weight[points >= first]).sum() - np.exp(epsilon + log_weight[points >= second]).sum()
    return max(0.0, float(excess / total))


@dataclass(frozen=True)
class DiscreteGaussianSetting:
    """The noise and what an answer costs."""

    noise: GaussianNoise
    event: DiscreteGaussianEvent | GaussianEvent


@lru_cache(maxsize=64)
def setting(params: DiscreteGaussian, coordinates: int = 1) -> DiscreteGaussianSetting:
    """The least noise that keeps the promise for answers of so many numbers; nothing in it depends on data."""
    size = params.sensitivity
    if params.epsilon is None or params.delta is None:
        return _concentrated(exact(params.rho or 0), size, coordinates)
    smooth = Fraction(gaussian_sigma(params.epsilon, params.delta)) * size
    if coordinates == 1 and smooth <= _WIDE:
        sigma = _from_tails(params.epsilon, params.delta, size)
        return DiscreteGaussianSetting(GaussianNoise(sigma), DiscreteGaussianEvent(sigma, size))
    plain = _concentrated(_rho(params.epsilon, params.delta), size, coordinates)
    if plain.noise.sigma <= on_grid(smooth):
        return plain
    return DiscreteGaussianSetting(GaussianNoise(on_grid(smooth)), GaussianEvent(accounted(smooth), size))


@marked
def discrete_gaussian(answer: ArrayLike, params: DiscreteGaussian, bits: RandomBits) -> NoisyAnswer:
    """The answer, a whole number or a vector of this L2 sensitivity, with discrete Gaussian noise."""
    truth = as_whole(answer)
    used = setting(params, truth.size)
    return NoisyAnswer(clamped_sum(truth, used.noise.draw(truth.size, bits)), used.noise, used.event)


def spends(params: DiscreteGaussian, shape: AnswerShape = ONE_NUMBER) -> Event:
    """What an answer of this shape costs."""
    return setting(params, shape.numbers).event


def error(params: DiscreteGaussian, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    return float(error_steps(setting(params, coordinates).noise, level, coordinates))


def _concentrated(rho: Fraction, sensitivity: int, coordinates: int) -> DiscreteGaussianSetting:
    sigma = root_above(Fraction(sensitivity) ** 2 / (2 * rho))
    return DiscreteGaussianSetting(GaussianNoise(sigma), DiscreteGaussianEvent(sigma, sensitivity, coordinates))


@lru_cache(maxsize=64)
def _rho(epsilon: float, delta: float) -> Fraction:
    """The greatest rho whose conversion at delta does not exceed epsilon, from below."""
    low, high = 0.0, 1.0
    while zcdp_epsilon(high, delta) <= epsilon:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if zcdp_epsilon(middle, delta) <= epsilon else (low, middle)
    return Fraction(low)


@lru_cache(maxsize=64)
def _from_tails(epsilon: float, delta: float, sensitivity: int) -> Fraction:
    """A sigma that keeps delta, less one part in 10**5 for an accountant's rounding; hardly above one that does not."""
    low, high = 0.0, float(sensitivity)

    def keeps(sigma: float) -> bool:
        return discrete_gaussian_delta(sigma, sensitivity, epsilon) <= delta * (1 - 1e-5)

    while not keeps(high):
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return Fraction(high)


METHOD = Mechanism(
    title="Discrete Gaussian mechanism",
    params=DiscreteGaussian,
    run=discrete_gaussian,
    spends=spends,
    delta=lambda params: params.delta or 0.0,
    error=error,
    neighbours=lambda params: numbers(params.sensitivity),
    dial=lambda params: Dial("epsilon" if params.rho is None else "rho"),
    needs="a whole-number answer, or a vector of them, of known L2 sensitivity",
    gives="the answer with discrete Gaussian noise",
    paper="https://doi.org/10.29012/jpc.784",
    example=DiscreteGaussian(rho=0.5),
)

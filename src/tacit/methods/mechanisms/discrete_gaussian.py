"""The discrete Gaussian mechanism for whole answers (Canonne, Kamath and Steinke 2020).

Pr[x] proportional to exp(-x**2 / (2 sigma**2)) is rho-zCDP with rho = s**2 / (2 sigma**2), s the L2 sensitivity, for
any number of coordinates. For one coordinate it is (epsilon, delta)-private exactly when delta >= Pr[X > epsilon
sigma**2 / s - s / 2] - e**epsilon Pr[X > epsilon sigma**2 / s + s / 2] (their Theorem 7); for more, rho is converted.
Either rho is given, or epsilon and delta.
"""

from typing import Annotated, Self

from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.cards.least_epsilon import Dial
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Delta, Epsilon, WholeSensitivity
from tacit.noise.gaussian_setting import DiscreteGaussianSetting, WholeAnswer, approximate, concentrated
from tacit.noise.grid import as_whole, clamped_sum
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import marked
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers


class DiscreteGaussianMechanism(Params):
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


def setting(params: DiscreteGaussianMechanism, coordinates: int = 1) -> DiscreteGaussianSetting:
    """The least noise that keeps the promise for answers of so many numbers; nothing in it depends on data."""
    answer = WholeAnswer(params.sensitivity, coordinates)
    if params.epsilon is None or params.delta is None:
        return concentrated(exact(params.rho or 0), answer)
    return approximate(params.epsilon, params.delta, answer)


@marked
def discrete_gaussian(answer: ArrayLike, params: DiscreteGaussianMechanism, bits: RandomBits) -> NoisyAnswer:
    """The answer, a whole number or a vector of this L2 sensitivity, with discrete Gaussian noise."""
    truth = as_whole(answer)
    used = setting(params, truth.size)
    return NoisyAnswer(clamped_sum(truth, used.noise.draw(truth.size, bits)), used.noise, used.event)


def spends(params: DiscreteGaussianMechanism, shape: AnswerShape = ONE_NUMBER) -> Event:
    """What an answer of this shape costs."""
    return setting(params, shape.numbers).event


def error(params: DiscreteGaussianMechanism, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    return float(error_steps(setting(params, coordinates).noise, level, coordinates))


METHOD = Mechanism(
    title="Discrete Gaussian mechanism",
    params=DiscreteGaussianMechanism,
    run=discrete_gaussian,
    spends=spends,
    delta="delta",
    error=error,
    neighbours=lambda params: numbers(params.sensitivity),
    dial=lambda params: Dial() if params.rho is None else Dial("rho", is_epsilon=False),
    needs="a whole-number answer, or a vector of them, of known L2 sensitivity",
    gives="the answer with discrete Gaussian noise",
    paper="https://doi.org/10.29012/jpc.784",
    example=DiscreteGaussianMechanism(rho=0.5),
)

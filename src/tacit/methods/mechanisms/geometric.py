"""The geometric mechanism (Ghosh, Roughgarden and Sundararajan 2009) for whole answers, plain and truncated.

Pr[x] = (1 - e**(-1/b)) / (1 + e**(-1/b)) e**(-|x|/b) with b = s / epsilon, s the L1 sensitivity (W36), is
epsilon-private, and for counts no other mechanism serves any user better. Truncated: an answer beyond public
limits is moved to the limit, which is post-processing.
"""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import model_validator

from tacit.accounting.events import DiscreteLaplace
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import Epsilon, WholeLimit, WholeSensitivity
from tacit.noise.grid import as_whole, clamped_sum
from tacit.noise.noise import LaplaceNoise, error_steps
from tacit.noise.private_answer import marked
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers


class Geometric(Params):
    """Two-sided geometric noise, with limits or without."""

    epsilon: Epsilon
    sensitivity: WholeSensitivity = 1
    lower: WholeLimit | None = None
    upper: WholeLimit | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            raise ValueError(f"lower is {self.lower} and upper {self.upper}; lower must be below upper")
        return self


def noise(params: Geometric) -> LaplaceNoise:
    """What is added."""
    return LaplaceNoise(exact(params.epsilon) / params.sensitivity)


def spends(params: Geometric, shape: AnswerShape = ONE_NUMBER) -> DiscreteLaplace:
    """What an answer spends, however many numbers it has: the sensitivity is that of the whole vector."""
    return DiscreteLaplace(params.sensitivity / exact(params.epsilon), params.sensitivity)


@marked
def geometric(answer: ArrayLike, params: Geometric, bits: RandomBits) -> NoisyAnswer:
    """The answer, a whole number or a vector of this L1 sensitivity, with two-sided geometric noise."""
    truth = as_whole(answer)
    added = noise(params)
    noisy = clamped_sum(truth, added.draw(truth.size, bits))
    if params.lower is not None or params.upper is not None:
        noisy = np.clip(noisy, params.lower, params.upper)
    return NoisyAnswer(noisy, added, spends(params), lower=params.lower, upper=params.upper)


def error(params: Geometric, level: float = 0.95, coordinates: int = 1) -> float:
    """The error that no number exceeds, with probability `level`."""
    return float(error_steps(noise(params), level, coordinates))


METHOD = Mechanism(
    title="Geometric mechanism",
    params=Geometric,
    run=geometric,
    spends=spends,
    error=error,
    neighbours=lambda params: numbers(params.sensitivity, params.lower, params.upper),
    copies=lambda params: params,
    needs="a whole-number answer, or a vector of them, of known L1 sensitivity",
    gives="the answer with two-sided geometric noise, within limits if they are given",
    paper="https://doi.org/10.1137/09076828X",
    example=Geometric(epsilon=1.0),
)

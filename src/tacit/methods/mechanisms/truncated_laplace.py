"""Laplace noise with the answer clamped to public limits: post-processing, so the plain calibration is right (W22).

The limits get the mass that would fall beyond them. Redrawing instead of clamping would need more noise (see
`bounded-laplace`), since how often one redraws depends on the data.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.methods.mechanisms.laplace import LaplaceMechanism, laplace
from tacit.methods.mechanisms.laplace import error as laplace_error
from tacit.methods.mechanisms.laplace import spends as laplace_spends
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import GridPower, LimitsQuestion, SensitivityField
from tacit.noise.grid import with_own_grid
from tacit.noise.private_answer import marked
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import numbers


class TruncatedLaplace(LimitsQuestion):
    """Laplace noise, then clamped."""

    sensitivity: SensitivityField
    grid: GridPower = None


@marked
def truncated_laplace(answer: ArrayLike, params: TruncatedLaplace, bits: RandomBits) -> NoisyAnswer:
    """The answer, a number or a vector of this L1 sensitivity, with Laplace noise, within the limits."""
    noisy = laplace(answer, _plain(params), bits)
    values: FloatArray = np.clip(noisy.values.astype(np.float64), params.lower, params.upper)
    return replace(noisy, values=values, lower=params.lower, upper=params.upper)


def spends(params: TruncatedLaplace, shape: AnswerShape = ONE_NUMBER) -> Event:
    """What an answer of this shape costs: clamping is free."""
    return laplace_spends(_plain(params), shape)


def error(params: TruncatedLaplace, level: float = 0.95, coordinates: int = 1) -> float:
    """What none of the numbers is off by more than, with probability at least `level`, where the truth keeps the
    limits."""
    return laplace_error(_plain(params), level, coordinates)


def _plain(params: TruncatedLaplace) -> LaplaceMechanism:
    return LaplaceMechanism(epsilon=params.epsilon, sensitivity=params.sensitivity, grid=params.grid)


METHOD = Mechanism(
    title="Truncated Laplace mechanism",
    params=TruncatedLaplace,
    run=truncated_laplace,
    spends=spends,
    error=error,
    neighbours=lambda params: numbers(params.sensitivity, params.lower, params.upper),
    copies=lambda params: with_own_grid(params, params.grid, exact(params.sensitivity)),
    needs="a real answer, or a vector of them, of known L1 sensitivity and public limits",
    gives="the answer with Laplace noise, clamped to the limits",
    paper="https://doi.org/10.29012/jpc.715",
    example=TruncatedLaplace(epsilon=1.0, sensitivity=1.0, lower=0.0, upper=10.0),
)

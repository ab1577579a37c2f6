"""Three ways to answer counting queries: exactly, with noise of a fixed size, with differential privacy.

Fixed noise has the same scale for every answer, however many are asked; it looks safe and is not, since many answers
together cancel it. Private noise shares one epsilon among all answers that the adversary gets: Laplace noise of scale
queries / epsilon, or Gaussian noise for the whole vector where there are many. Adversaries here are simulated, so
NumPy's generators are good enough; nothing that they return is published.
"""

from collections.abc import Mapping
from math import exp
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.accounting.gaussian import gaussian_sigma
from tacit.arrays import FloatArray
from tacit.cards.contest import Contest, NoiseCurve, WayOfAnswering
from tacit.params import Params
from tacit.release.attacks import Success

Way = Literal["exact", "fixed", "private"]
WAYS: tuple[Way, ...] = ("exact", "fixed", "private")
DELTA = 1e-6


class AnswerNoise(Params):
    """How the answers are made that the adversary sees."""

    noise: Annotated[
        float, Field(ge=0, le=1e6, description="the scale of the noise of fixed size, in people per answer")
    ] = 2.0
    epsilon: Annotated[
        float, Field(gt=0, le=100, description="the privacy loss of all private answers of one attack together")
    ] = 1.0


def contest_of(params: AnswerNoise, by_way: Mapping[Way, Success], curve: NoiseCurve | None = None) -> Contest:
    """How an adversary fared against each of these ways of answering."""
    words = {
        "exact": "exact answers",
        "fixed": f"noise of a fixed size, {params.noise:g}",
        "private": f"differential privacy, epsilon {params.epsilon:g}",
    }
    against = (WayOfAnswering(name=way, words=words[way], success=found) for way, found in by_way.items())
    return Contest(against=tuple(against), curve=curve)


def laplace_answers(truth: FloatArray, way: Way, params: AnswerNoise, generator: np.random.Generator) -> FloatArray:
    """The answers to the queries in the last axis of `truth`; private ones share epsilon among that axis."""
    scales = {"exact": 0.0, "fixed": params.noise, "private": truth.shape[-1] / params.epsilon}
    noisy: FloatArray = truth + scales[way] * generator.laplace(size=truth.shape)
    return noisy


def gaussian_answers(truth: FloatArray, way: Way, params: AnswerNoise, generator: np.random.Generator) -> FloatArray:
    """The answers to all queries of a vector; one person changes each by at most 1."""
    return truth + sigma_of(way, params, truth.size) * generator.normal(size=truth.shape)


def sigma_of(way: Way, params: AnswerNoise, queries: int) -> float:
    """The standard deviation of Gaussian answers; private ones are (epsilon, 1e-6)-private together."""
    if way == "private":
        return gaussian_sigma(params.epsilon, DELTA, float(np.sqrt(queries)))
    return params.noise if way == "fixed" else 0.0


def allowed_rate(epsilon: float) -> float:
    """The most often that anybody who thinks both values equally likely can be right under epsilon."""
    return 1 / (1 + exp(-epsilon))

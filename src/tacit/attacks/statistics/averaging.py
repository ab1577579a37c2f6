"""Averaging: the same question again and again, until the noise is gone (W37).

The mean of m answers with independent noise of scale b misses the truth by about b sqrt(2 / m), the median of Laplace
noise even by b / sqrt(m) only; a count is known once that is below 1/2. Where epsilon is shared among the m answers,
each has noise of scale m / epsilon, and the mean of all is off by sqrt(2 m) / epsilon: asking again makes it worse. A
system that keeps its first answer and repeats it is not attacked by this at all.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.attacks._success import success
from tacit.attacks.statistics._answers import WAYS, AnswerNoise, contest_of, laplace_answers
from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest


class Averaging(AnswerNoise):
    """One question, many times."""

    times: Annotated[int, Field(ge=1, le=100_000, description="how often the question is asked")] = 200
    trials: Annotated[int, Field(ge=1, le=1_000_000, description="how many counts are attacked")] = 1000


def by_mean(answers: FloatArray) -> FloatArray:
    """The whole number next to the mean of the last axis."""
    found: FloatArray = np.rint(answers.mean(axis=-1))
    return found


def by_median(answers: FloatArray) -> FloatArray:
    """The whole number next to the median of the last axis."""
    found: FloatArray = np.rint(np.median(answers, axis=-1))
    return found


def run(params: Averaging, generator: np.random.Generator) -> Contest:
    """How often the median finds the exact count, beside the mean; the baseline is the first answer alone."""
    truth = generator.integers(0, 1000, size=params.trials).astype(np.float64)
    by_way = {}
    for way in WAYS:
        asked = np.broadcast_to(truth[:, None], (params.trials, params.times))
        answers = laplace_answers(asked, way, params, generator)
        hits, mean, first = (
            (found == truth).mean() for found in (by_median(answers), by_mean(answers), np.rint(answers[:, 0]))
        )
        by_way[way] = success(hits * params.trials, params.trials, float(first), mean=float(mean))
    return contest_of(params, by_way)


ATTACK = StatisticsAttack(
    title="Averaging",
    params=Averaging,
    run=run,
    needs="a system that adds fresh noise to the same question",
    gives="the exact count",
    knowledge="nothing but how to ask the same question again",
    story="The adversary asks the same question many times and takes the median.",
    paper="https://doi.org/10.1145/773153.773173",
    example=Averaging(),
)

"""The poll with side information: the adversary knows everybody's answer but one, and the published number of yeses.

An exact count gives the last answer away. Differential privacy promises the opposite, whatever the adversary knows:
who thought 50 in 100 before may think at most e**epsilon / (1 + e**epsilon) after, 73 in 100 for epsilon = 1 (Dwork
and Roth 2014). The best guess from a count with two-sided geometric noise is right exactly that often: the noise is
not negative with probability 1 / (1 + e**-epsilon). Noise of a fixed size that is flat, from -w to w, betrays whoever
falls on its edge with certainty.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import IntArray
from tacit.attacks._success import success
from tacit.attacks.statistics._answers import WAYS, AnswerNoise, Way, allowed_rate, contest_of
from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest


class Poll(AnswerNoise):
    """A poll of yes and no."""

    people: Annotated[int, Field(ge=2, le=1_000_000, description="how many people are asked")] = 20
    trials: Annotated[int, Field(ge=100, le=1_000_000, description="how many polls are attacked")] = 20_000


def published(counts: IntArray, way: Way, params: Poll, generator: np.random.Generator) -> IntArray:
    """The counts as they are published: exact, with flat noise of a fixed width, with geometric noise."""
    if way == "exact":
        return counts
    if way == "fixed":
        width = int(params.noise)
        return counts + generator.integers(-width, width, size=counts.size, endpoint=True)
    rate = -np.expm1(-params.epsilon)
    return counts + generator.geometric(rate, counts.size) - generator.geometric(rate, counts.size)


def gap_verdict(gaps: IntArray, way: Way, params: Poll) -> IntArray:
    """What the published count less the others' tells: 1 for yes, -1 for no, 0 where both are equally likely."""
    if way != "fixed":
        return np.where(gaps >= 1, 1, -1)
    width = int(params.noise)
    return (gaps > width).astype(np.int64) - (gaps <= -width)


def run(params: Poll, generator: np.random.Generator) -> Contest:
    """How often the last answer is guessed, for each way of publishing; `certain` is how often it is beyond doubt."""
    others = generator.binomial(params.people - 1, 0.5, size=params.trials)
    secret = generator.random(params.trials) < 0.5
    by_way = {}
    for way in WAYS:
        told = gap_verdict(published(others + secret, way, params, generator) - others, way, params)
        right = np.where(told == 0, 0.5, (told > 0) == secret)
        certain = 0.0 if way == "private" else float((told != 0).mean())
        limit = allowed_rate(params.epsilon) if way == "private" else 1.0
        by_way[way] = success(float(right.sum()), params.trials, 0.5, certain=certain, allowed=limit)
    return contest_of(params, by_way)


ATTACK = StatisticsAttack(
    title="The poll with side information",
    params=Poll,
    run=run,
    needs="a published number of yeses",
    gives="the answer of the one person whose answer is not known yet",
    knowledge="the answers of all others in the poll, and how the count was blurred",
    story="The adversary subtracts what is known beforehand from what is published.",
    paper="https://doi.org/10.1561/0400000042",
    example=Poll(),
)

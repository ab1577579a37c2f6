"""Tracing: was this person in the group whose means were published? (Homer and others 2008; Dwork and others 2015)

The adversary knows a target's d yes-no attributes y, their frequencies p in the population, and the published means m
of n people. T = sum (y - p)(m - p) is 0 on average for strangers and sum p (1 - p) / n for members, with a deviation
of sqrt(sum (p (1 - p))**2 / n): apart by sqrt(d / n) deviations. So d beyond n attributes betray membership, although
each mean alone is harmless; half-way between, the guess is right with probability Phi(sqrt(d / n) / 2). Noise of
deviation s on each mean adds sum p (1 - p) s**2 to the variance.
"""

from statistics import NormalDist
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray
from tacit.attacks._success import success
from tacit.attacks.statistics._answers import WAYS, AnswerNoise, contest_of, gaussian_answers
from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest


class Tracing(AnswerNoise):
    """The means of many attributes of a group."""

    people: Annotated[int, Field(ge=2, le=20_000, description="how many people are in the group")] = 100
    attributes: Annotated[
        int, Field(ge=1, le=1_000_000, description="how many yes-no attributes have published means")
    ] = 2000


def frequencies(attributes: int, generator: np.random.Generator) -> FloatArray:
    """How common each attribute is in the population."""
    return generator.uniform(0.1, 0.9, size=attributes)


def scores(targets: FloatArray, means: FloatArray, population: FloatArray) -> FloatArray:
    """T for each row of targets."""
    found: FloatArray = (targets - population) @ (means - population)
    return found


def threshold(population: FloatArray, people: int) -> float:
    """Half-way between the averages of strangers and members."""
    return float((population * (1 - population)).sum() / people / 2)


def expected_rate(population: FloatArray, people: int, noise: float = 0.0) -> float:
    """How often the guess is right by theory, with noise of this deviation on each mean."""
    spread = population * (1 - population)
    deviation = np.sqrt((spread**2).sum() / people + spread.sum() * noise**2)
    return NormalDist().cdf(float(threshold(population, people) / deviation))


def run(params: Tracing, generator: np.random.Generator) -> Contest:
    """How often membership is guessed, with as many strangers as members as targets."""
    population = frequencies(params.attributes, generator)
    drawn = generator.random((2 * params.people, params.attributes)) < population
    members, counts = drawn[: params.people], drawn[: params.people].sum(axis=0)
    bar = threshold(population, params.people)
    by_way = {}
    for way in WAYS:
        means = gaussian_answers(counts.astype(np.float64), way, params, generator) / params.people
        told = scores(drawn.astype(np.float64), means, population) > bar
        right = int(told[: params.people].sum() + (~told[params.people :]).sum())
        alarms = float(told[params.people :].mean())
        by_way[way] = success(right, 2 * len(members), 0.5, false_alarms=alarms)
    return contest_of(params, by_way)


ATTACK = StatisticsAttack(
    title="Tracing",
    params=Tracing,
    run=run,
    needs="means of many attributes of one group of people",
    gives="whether a target was in the group",
    knowledge="all attributes of the target and how common they are in the population",
    story="The adversary compares the target with the published means and with the population.",
    paper="https://doi.org/10.1109/FOCS.2015.46",
    example=Tracing(),
)

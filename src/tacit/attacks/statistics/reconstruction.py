"""Reconstruction of a secret column from noisy counts of random subsets (Dinur and Nissim 2003; W37).

Each query counts the secret bits in a random half of n people. If all errors stay well below sqrt(n), the column that
fits the answers best agrees with the true one nearly everywhere: overly accurate answers to too many questions are
blatantly non-private, whatever the noise looks like. Two decoders: the linear programme that minimises the sum of
absolute errors over bits between 0 and 1 (Dwork, McSherry and Talwar 2007), and least squares.

For least squares with q queries and noise of deviation sigma the error of one bit is normal with variance 4 sigma**2
n / ((n + 1) (q - n - 1)), since a query's covariance is (I + 11') / 4; rounding is then right with probability
Phi(1 / (2 deviation)): 96 % at sigma = sqrt(n) / 4 and four queries a person, 67 % at sqrt(n), 54 % at 4 sqrt(n).
"""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray
from tacit.attacks._success import interval, success
from tacit.attacks.statistics._answers import WAYS, AnswerNoise, contest_of, gaussian_answers, sigma_of
from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest, NoiseCurve, NoisePoint

COIN = 0.5
NOISES = (0, 0.1, 0.25, 0.5, 1, 2, 4)


class Reconstruction(AnswerNoise):
    """A secret bit for each person, and counts over random subsets."""

    people: Annotated[int, Field(ge=2, le=2000, description="how many people there are")] = 100
    queries: Annotated[int, Field(ge=1, le=20, description="how many subsets are counted for each person")] = 4
    decoder: Annotated[
        Literal["linear-programme", "least-squares"], Field(description="how the column is fitted to the answers")
    ] = "linear-programme"


def random_subsets(people: int, queries: int, generator: np.random.Generator) -> BoolArray:
    """One row for each query: a random half of the people."""
    return generator.random((queries, people)) < 0.5


def fit_by_linear_programme(subsets: BoolArray, answers: FloatArray) -> FloatArray:
    """Bits between 0 and 1 with the least sum of absolute errors; an error is the sum of two parts that are not
    negative."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack, identity

    queries, people = subsets.shape
    one = identity(queries)
    equal = hstack([csr_matrix(subsets.astype(np.float64)), one, -one])
    cost = np.concatenate([np.zeros(people), np.ones(2 * queries)])
    bounds = [(0.0, 1.0)] * people + [(0.0, None)] * (2 * queries)
    fitted: FloatArray = linprog(cost, A_eq=equal, b_eq=answers, bounds=bounds, method="highs").x[:people]
    return fitted


def fit_by_least_squares(subsets: BoolArray, answers: FloatArray) -> FloatArray:
    """Numbers with the least sum of squared errors, by the normal equations."""
    rows = subsets.astype(np.float64)
    return np.linalg.lstsq(rows.T @ rows, rows.T @ answers, rcond=None)[0].astype(np.float64)


FITS = {"linear-programme": fit_by_linear_programme, "least-squares": fit_by_least_squares}


def expected_rate(sigma: float, people: int, queries: int) -> float:
    """The share of bits that least squares gets right, for more queries than people."""
    if sigma == 0:
        return 1.0
    deviation = sigma * np.sqrt(4 * people / ((people + 1) * (queries - people - 1)))
    return NormalDist().cdf(float(0.5 / deviation))


def curve(params: Reconstruction, generator: np.random.Generator, noises: Sequence[float] = NOISES) -> NoiseCurve:
    """From blatant failure to safety: the share of right bits as the noise passes the root of the number of people."""
    return NoiseCurve(
        about="noise of each answer, n people",
        unit="√n",
        baseline=COIN,
        points=tuple(_point(params, noise, generator) for noise in noises),
        remark="a coin toss is right in 50 % of cases and has no bar; the theory is that of least squares",
    )


def _point(params: Reconstruction, noise: float, generator: np.random.Generator) -> NoisePoint:
    people, queries = params.people, params.people * params.queries
    sigma = noise * float(np.sqrt(people))
    secret = generator.random(people) < COIN
    subsets = random_subsets(people, queries, generator)
    answers = subsets @ secret.astype(np.float64) + sigma * generator.normal(size=queries)
    right = int(((FITS[params.decoder](subsets, answers) > 0.5) == secret).sum())
    expected = expected_rate(sigma, people, queries) if queries > people + 1 else None
    low, high = interval(right, people)
    return NoisePoint(noise=noise, rate=right / people, low=low, high=high, expected=expected)


def run(params: Reconstruction, generator: np.random.Generator) -> Contest:
    """The share of the secret column that is rebuilt, for each way of answering the same subsets."""
    secret = generator.random(params.people) < COIN
    subsets = random_subsets(params.people, params.people * params.queries, generator)
    truth: FloatArray = subsets.astype(np.float64) @ secret
    by_way = {}
    for way in WAYS:
        answers = gaussian_answers(truth, way, params, generator)
        right = int(((FITS[params.decoder](subsets, answers) > 0.5) == secret).sum())
        noise = sigma_of(way, params, truth.size) / np.sqrt(params.people)
        by_way[way] = success(right, params.people, COIN, noise_by_root_of_people=float(noise))
    return contest_of(params, by_way, curve(params, generator))


ATTACK = StatisticsAttack(
    title="Reconstruction",
    params=Reconstruction,
    run=run,
    needs="counts of a secret bit over many overlapping groups",
    gives="almost all of the secret column if the noise is below the square root of the number of people",
    knowledge="who is in each counted subset, and nothing about the secret column",
    story="The adversary looks for the column that fits all published counts best.",
    paper="https://doi.org/10.1145/773153.773173",
    example=Reconstruction(),
)

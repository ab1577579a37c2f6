"""The k best candidates in order, by peeling or in one shot.

Peeling (Durfee and Rogers 2019): the exponential mechanism k times with epsilon / k each, the chosen one taken away;
adding Gumbel noise once and taking the k best is the same. One shot (Qiao, Su and Zhang 2021): Laplace noise of scale
2 k s / epsilon on every score, once, and the k largest in order. Proof for whole numbers: on a neighbour, move the
noise of the k winners so that each noisy score rises by exactly s; that takes at most 2s for each (s where all scores
move in one direction), the winners keep their order and stay ahead of the rest, ties included.

The error is how far any of the chosen scores stays behind the k-th best. Peeling: before each turn at least one of the
k best is left, and each turn loses no more than the exponential mechanism does. One shot: a winner's noisy score is at
least that of one of the k best, so it is behind by at most twice the largest noise.
"""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, Exponential, Pure, Repeated
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.errors import BadParameter
from tacit.methods.mechanisms._ranking import largest
from tacit.methods.mechanisms.exponential import worst_chance
from tacit.noise.noise import LaplaceNoise, check_level, error_steps
from tacit.noise.private_answer import marked
from tacit.noise.scores import Choice, Selection, loss_steps, regrets, score_grid, score_rate, score_steps
from tacit.randomness.selection import exponential_choice
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import scores as neighbouring_scores
from tacit.spelling import many


class TopK(Selection):
    """The k best, in order."""

    k: Annotated[int, Field(ge=1, le=1_000_000, description="how many candidates are named")]
    way: Annotated[
        Literal["peeling", "one-shot"], Field(description="exponential mechanism k times, or Laplace noise once")
    ] = "peeling"


def spends(params: TopK, shape: AnswerShape = ONE_NUMBER) -> Event:
    """What the choice spends; peeling composes better than its epsilon says."""
    if params.way == "one-shot":
        return Pure(exact(params.epsilon))
    return Repeated(Exponential(exact(params.epsilon) / params.k), params.k)


@marked
def choose(scores: ArrayLike, params: TopK, bits: RandomBits) -> Choice:
    """k different candidates, in the order in which they were chosen."""
    steps = score_steps(scores, params)
    if params.k > steps.size:
        raise BadParameter(f"k is {params.k}, but there are only {many(steps.size, 'candidate')} to choose from")
    if params.way == "peeling":
        return Choice(_peel(steps, params, bits), spends(params))
    noise = LaplaceNoise(score_rate(params, params.k)).draw(steps.size, bits)
    return Choice(largest(steps + noise, params.k), spends(params))


def _peel(steps: IntArray, params: TopK, bits: RandomBits) -> IntArray:
    rate = score_rate(params, params.k)
    left = np.arange(steps.size)
    chosen = np.empty(params.k, dtype=np.int64)
    for turn in range(params.k):
        place = int(exponential_choice(regrets(steps[left]), rate, 1, bits)[0])
        chosen[turn] = left[place]
        left = np.delete(left, place)
    return chosen


def loss(params: TopK, candidates: int, level: float = 0.95) -> int:
    """How many steps any of the chosen scores stays behind the k-th best, at most, with probability `level`."""
    check_level(level)
    if params.way == "peeling":
        return loss_steps(worst_chance, params, candidates, level ** (1 / params.k), params.k)
    return 2 * error_steps(LaplaceNoise(score_rate(params, params.k)), level, candidates)


def error(params: TopK, candidates: int, level: float = 0.95) -> float:
    """The same in the unit of the scores, their rounding included."""
    return (loss(params, candidates, level) + 1) * float(score_grid(params).step)


METHOD = Mechanism(
    title="Top k",
    params=TopK,
    run=choose,
    spends=spends,
    error=error,
    neighbours=lambda params: neighbouring_scores(params.sensitivity, params.monotonic, params.k),
    needs="a score for each candidate, of known sensitivity; the candidates themselves are public",
    gives="the names of k candidates, in order; the better a score, the likelier its candidate",
    paper="https://arxiv.org/abs/1905.04273",
    example=TopK(epsilon=1.0, sensitivity=1.0, k=2),
)

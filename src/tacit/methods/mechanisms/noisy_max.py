"""Report noisy max (Dwork and Roth 2014): Laplace noise on every score, and the position of the largest.

Noise of scale 2s / epsilon (s / epsilon where all scores move in one direction) makes the position epsilon-private,
however many candidates there are; the noisy scores stay secret. On whole numbers two may be equal: the first wins, by
a rule that does not look at the data. Proof: keep the noise of the others; on a neighbour the winner's noise, moved up
by at most 2s steps, wins again against every other, ties included, and that changes its probability by at most
e**epsilon.
"""

from numpy.typing import ArrayLike

from tacit.accounting.events import Pure
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.methods.mechanisms._ranking import largest
from tacit.noise.noise import LaplaceNoise, error_steps
from tacit.noise.private_answer import marked
from tacit.noise.scores import Choice, Selection, score_grid, score_rate, score_steps
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import scores as neighbouring_scores


class NoisyMax(Selection):
    """A choice by the largest noisy score."""


def spends(params: NoisyMax, shape: AnswerShape = ONE_NUMBER) -> Pure:
    """What a choice spends."""
    return Pure(exact(params.epsilon))


@marked
def choose(scores: ArrayLike, params: NoisyMax, bits: RandomBits) -> Choice:
    """The candidate whose noisy score is the largest."""
    steps = score_steps(scores, params)
    noise = LaplaceNoise(score_rate(params)).draw(steps.size, bits)
    return Choice(largest(steps + noise, 1), spends(params))


def error(params: NoisyMax, candidates: int, level: float = 0.95) -> float:
    """What the chosen score stays below the best by, at most, with probability `level`: twice the largest noise."""
    noise = error_steps(LaplaceNoise(score_rate(params)), level, candidates)
    return (2 * noise + 1) * float(score_grid(params).step)


METHOD = Mechanism(
    title="Report noisy max",
    params=NoisyMax,
    run=choose,
    spends=spends,
    error=error,
    neighbours=lambda params: neighbouring_scores(params.sensitivity, params.monotonic),
    needs="a score for each candidate, of known sensitivity; the candidates themselves are public",
    gives="the candidate with the largest noisy score",
    paper="https://doi.org/10.1561/0400000042",
    example=NoisyMax(epsilon=1.0, sensitivity=1.0),
)

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
from tacit.card import Method
from tacit.methods.mechanisms._ranking import largest
from tacit.noise.accuracy import with_least_epsilon
from tacit.noise.noise import LaplaceNoise, error_steps
from tacit.noise.scores import Choice, Selection, score_grid, score_rate, score_steps
from tacit.randomness.stream import RandomBits


class NoisyMax(Selection):
    """A choice by the largest noisy score."""


def cost(params: NoisyMax) -> Pure:
    """What a choice spends."""
    return Pure(exact(params.epsilon))


def choose(scores: ArrayLike, params: NoisyMax, bits: RandomBits) -> Choice:
    """The candidate whose noisy score is the largest."""
    steps = score_steps(scores, params)
    noise = LaplaceNoise(score_rate(params)).draw(steps.size, bits)
    return Choice(largest(steps + noise, 1), cost(params))


def error(params: NoisyMax, candidates: int, level: float = 0.95) -> float:
    """What the chosen score stays below the best by, at most, with probability `level`: twice the largest noise."""
    noise = error_steps(LaplaceNoise(score_rate(params)), level, candidates)
    return (2 * noise + 1) * float(score_grid(params).step)


def for_error(most: float, params: NoisyMax, candidates: int, level: float = 0.95) -> NoisyMax:
    """The parameters with the least epsilon at which the chosen score stays behind by at most `most`, so often."""
    return with_least_epsilon(params, most, lambda asked: error(asked, candidates, level))


METHOD = Method(
    title="Report noisy max",
    params=NoisyMax,
    run=choose,
    needs="a score for each candidate, of known sensitivity; the candidates themselves are public",
    gives="the candidate with the largest noisy score",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://doi.org/10.1561/0400000042",
    example=NoisyMax(epsilon=1.0, sensitivity=1.0),
)

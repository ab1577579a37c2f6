"""Permute-and-flip (McKenna and Sheldon 2020): a private choice whose expected score is never below the exponential's.

The candidates are taken in random order; each is chosen with probability e**(epsilon (u_i - best) / 2s), the first
that is ends it. The best is always chosen when its turn comes. It is epsilon-private and, for every input, at least as
good as the exponential mechanism, up to twice. Adding exponential noise and taking the best is the same mechanism
(Ding and others 2021).
"""

import math

from numpy.typing import ArrayLike

from tacit.accounting.events import Pure
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.noise.private_answer import marked
from tacit.noise.scores import Choice, Selection, loss_bound, regrets, score_rate, score_steps
from tacit.randomness.selection import permute_and_flip
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import scores as neighbouring_scores


class PermuteAndFlip(Selection):
    """A choice by coins in random order."""


def spends(params: PermuteAndFlip, shape: AnswerShape = ONE_NUMBER) -> Pure:
    """What a choice spends."""
    return Pure(exact(params.epsilon))


@marked
def choose(scores: ArrayLike, params: PermuteAndFlip, bits: RandomBits) -> Choice:
    """One candidate, the better its score the likelier."""
    chosen = permute_and_flip(regrets(score_steps(scores, params)), score_rate(params), 1, bits)
    return Choice(chosen, spends(params))


def worst_chance(weight: float, candidates: int) -> float:
    """The chance that the only best is not chosen where each other's coin has this probability.

    The best is chosen where none of those before it is: the mean of (1 - weight)**j over its places j in the order.
    """
    if weight >= 1:
        return 1 - 1 / candidates
    return max(0.0, 1 + math.expm1(candidates * math.log1p(-weight)) / (candidates * weight))


def error(params: PermuteAndFlip, candidates: int, level: float = 0.95) -> float:
    """What the chosen score stays behind the best by, at most, with probability `level`, whatever the scores are."""
    return loss_bound(worst_chance, params, candidates, level)


METHOD = Mechanism(
    title="Permute-and-flip",
    params=PermuteAndFlip,
    run=choose,
    spends=spends,
    error=error,
    neighbours=lambda params: neighbouring_scores(params.sensitivity, params.monotonic),
    needs="a score for each candidate, of known sensitivity; the candidates themselves are public",
    gives="one candidate; the better its score, the likelier it is; on average at least as good as the exponential "
    "mechanism's",
    paper="https://arxiv.org/abs/2010.12603",
    example=PermuteAndFlip(epsilon=0.5, sensitivity=1.0),
)

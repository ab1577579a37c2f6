"""Permute-and-flip (McKenna and Sheldon 2020): a private choice whose expected score is never below the exponential's.

The candidates are taken in random order; each is chosen with probability e**(epsilon (u_i - best) / 2s), the first
that is ends it. The best is always chosen when its turn comes. It is epsilon-private and, for every input, at least as
good as the exponential mechanism, up to twice. Adding exponential noise and taking the best is the same mechanism
(Ding and others 2021).
"""

from numpy.typing import ArrayLike

from tacit.accounting.events import Pure
from tacit.accounting.exact import exact
from tacit.card import Method
from tacit.methods.mechanisms._scores import Choice, Selection, regret_bound, regrets, score_rate, score_steps
from tacit.randomness.selection import permute_and_flip
from tacit.randomness.stream import RandomBits

error = regret_bound


class PermuteAndFlip(Selection):
    """A choice by coins in random order."""


def cost(params: PermuteAndFlip) -> Pure:
    """What a choice spends."""
    return Pure(exact(params.epsilon))


def choose(scores: ArrayLike, params: PermuteAndFlip, bits: RandomBits) -> Choice:
    """One candidate, the better its score the likelier."""
    chosen = permute_and_flip(regrets(score_steps(scores, params)), score_rate(params), 1, bits)
    return Choice(chosen, cost(params))


METHOD = Method(
    title="Permute-and-flip",
    params=PermuteAndFlip,
    run=choose,
    needs="a score for each candidate, of known sensitivity; the candidates themselves are public",
    gives="one candidate, the better its score the likelier, better than the exponential mechanism",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://arxiv.org/abs/2010.12603",
    example=PermuteAndFlip(epsilon=0.5, sensitivity=1.0),
)

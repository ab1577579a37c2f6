"""Private choice among candidates, exactly: by exponential weights, and by permute-and-flip.

Each candidate has a regret (the best score minus its own), a whole number, and weighs exp(-rate regret). Adding Gumbel
noise to the scores and taking the best draws from the same distribution as `exponential_choice`, adding exponential
noise from the same as `permute_and_flip` (McKenna and Sheldon 2020; Ding and others 2021); but a float noise has low
bits that tell scores apart and a largest value that excludes candidates. Here only exact coins are tossed, so neither
exists.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.errors import BadParameter
from tacit.randomness.bernoulli import bernoulli_exp_each
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutations, uniform_integers

_BLOCK = 1 << 20
_WORD = 62
_FEW = 64
_LN2 = math.log(2)
_SURELY = 1 - 2.0**-40
"""Keeps the floor of a quotient from being above the true one."""


def exponential_choice(
    regrets: IntArray, rate: Fraction, size: int, bits: RandomBits, times: IntArray | None = None
) -> IntArray:
    """`size` independent candidates, each with probability proportional to exp(-rate regret).

    With `times` each regret stands for so many candidates in a row, as in `np.repeat(regrets, times)`.

    A candidate is proposed with a weight of 2**-h, h whole and at most rate regret / ln 2, and kept with probability
    2**h exp(-rate regret). That is at least a half, unless h is at its end, where hardly any weight is left: so a few
    proposals hold a kept one, however many candidates there are and however their regrets lie.
    """
    _check(regrets, rate)
    ladder = _Ladder.of(regrets, rate, np.ones(regrets.size, dtype=np.int64) if times is None else times)
    chosen = np.empty(size, dtype=np.int64)
    waiting = np.arange(size)
    while waiting.size:
        # A single choice has its proposals at once, so that its time does not tell how many it takes.
        tries = _FEW if waiting.size <= _FEW else 2
        turn = waiting[: _BLOCK // tries]
        proposed = ladder.proposed(turn.size * tries, bits)
        kept = _flips(regrets[proposed.classes], rate, bits, ladder.halvings[proposed.classes])
        kept = kept.reshape(turn.size, tries)
        first = np.arange(turn.size) * tries + kept.argmax(axis=1)
        found = kept.any(axis=1)
        chosen[turn[found]] = proposed.places[first[found]]
        waiting = np.concatenate([turn[~found], waiting[turn.size :]])
    return chosen


@dataclass(frozen=True)
class _Proposals:
    """Candidates by their class, of those with one regret, and by their place among all."""

    classes: IntArray
    places: IntArray


@dataclass(frozen=True)
class _Ladder:
    """Classes of candidates on rungs: rung h holds those of weight 2**-h.

    `order` has the classes rung by rung, `before` how many candidates come before each of them there, `first` the place
    of its first candidate among all, `weights` the weight of each rung, in units of the last one's.
    """

    halvings: IntArray
    order: IntArray
    before: IntArray
    first: IntArray
    members: IntArray
    weights: IntArray

    @classmethod
    def of(cls, regrets: IntArray, rate: Fraction, times: IntArray) -> "_Ladder":
        """The ladder; so many rungs that all weights together are below 2**63."""
        last = _WORD - int(times.sum()).bit_length()
        if last < 1:
            raise BadParameter(f"there are {int(times.sum())} candidates; a choice is made among fewer than 2**61")
        halvings = np.minimum(np.floor(regrets * (float(rate) / _LN2 * _SURELY)), last).astype(np.int64)
        order = np.argsort(halvings.astype(np.uint8), kind="stable")
        members = np.zeros(last + 1, dtype=np.int64)
        np.add.at(members, halvings, times)
        before = np.cumsum(times[order]) - times[order]
        return cls(halvings, order, before, np.cumsum(times) - times, members, members << np.arange(last, -1, -1))

    def proposed(self, size: int, bits: RandomBits) -> _Proposals:
        """Independent candidates, each with probability proportional to its weight."""
        ends, below = np.cumsum(self.weights), np.cumsum(self.members) - self.members
        drawn = uniform_integers(int(ends[-1]), size, bits)
        rung = np.searchsorted(ends, drawn, side="right")
        inside = drawn - (ends[rung] - self.weights[rung])
        among = below[rung] + (inside >> (self.members.size - 1 - rung))
        place = np.searchsorted(self.before, among, side="right") - 1
        classes = self.order[place]
        return _Proposals(classes, self.first[classes] + among - self.before[place])


def permute_and_flip(regrets: IntArray, rate: Fraction, size: int, bits: RandomBits) -> IntArray:
    """`size` independent candidates: the first of a random order whose coin, of probability exp(-rate regret), falls
    heads.

    The best candidate's coin always does, so each order has one.
    """
    _check(regrets, rate)
    chosen = np.empty(size, dtype=np.int64)
    block = max(1, _BLOCK // regrets.size)
    for start in range(0, size, block):
        orders = permutations(min(block, size - start), regrets.size, bits)
        heads = _flips(regrets[orders.ravel()], rate, bits).reshape(orders.shape)
        first = heads.argmax(axis=1)
        chosen[start : start + block] = orders[np.arange(first.size), first]
    return chosen


def _flips(regrets: IntArray, rate: Fraction, bits: RandomBits, halvings: IntArray | None = None) -> BoolArray:
    """A coin for each regret, of probability exp(-rate regret) 2**halvings; a product of a whole number below 2**62 and
    a rounded rate is within 2**-51 of itself."""
    exponents = regrets.astype(np.float64) * float(rate)
    return bernoulli_exp_each(exponents, lambda i: int(regrets[i]) * rate, bits, halvings)


def _check(regrets: IntArray, rate: Fraction) -> None:
    if regrets.size == 0:
        raise BadParameter("there are no candidates; a choice needs at least one")
    if rate <= 0:
        raise BadParameter(f"the rate is {rate}; it must be above 0")
    if regrets.min() != 0:
        raise BadParameter("the least regret must be 0: regrets are measured from the best candidate")

"""Private choice among candidates, exactly: by exponential weights, and by permute-and-flip.

Each candidate has a regret (the best score minus its own), a whole number, and weighs exp(-rate regret). Adding Gumbel
noise to the scores and taking the best draws from the same distribution as `exponential_choice`, adding exponential
noise from the same as `permute_and_flip` (McKenna and Sheldon 2020; Ding and others 2021); but a float noise has low
bits that tell scores apart and a largest value that excludes candidates. Here only exact coins are tossed, so neither
exists.
"""

from fractions import Fraction

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.errors import BadParameter
from tacit.randomness.bernoulli import bernoulli_exp_each
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutations, uniform_integers

_BLOCK = 1 << 20


def exponential_choice(regrets: IntArray, rate: Fraction, size: int, bits: RandomBits) -> IntArray:
    """`size` independent candidates, each with probability proportional to exp(-rate regret).

    Candidates are proposed uniformly and kept with probability exp(-rate regret): the best is kept always, so a block
    of as many proposals as candidates holds a kept one more often than not.
    """
    _check(regrets, rate)
    chosen = np.full(size, -1, dtype=np.int64)
    waiting = np.arange(size)
    while waiting.size:
        turn = waiting[: max(1, _BLOCK // regrets.size)]
        proposed = uniform_integers(regrets.size, turn.size * regrets.size, bits)
        kept = _flips(regrets[proposed], rate, bits).reshape(turn.size, regrets.size)
        first = kept.argmax(axis=1)
        found = kept[np.arange(turn.size), first]
        chosen[turn[found]] = proposed.reshape(kept.shape)[np.arange(turn.size), first][found]
        waiting = np.concatenate([turn[~found], waiting[turn.size :]])
    return chosen


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


def _flips(regrets: IntArray, rate: Fraction, bits: RandomBits) -> BoolArray:
    """A coin for each regret; a product of a whole number below 2**62 and a rounded rate is within 2**-51 of itself."""
    return bernoulli_exp_each(regrets.astype(np.float64) * float(rate), lambda i: int(regrets[i]) * rate, bits)


def _check(regrets: IntArray, rate: Fraction) -> None:
    if regrets.size == 0:
        raise BadParameter("there are no candidates; a choice needs at least one")
    if rate <= 0:
        raise BadParameter(f"the rate is {rate}; it must be above 0")
    if regrets.min() != 0:
        raise BadParameter("the least regret must be 0: regrets are measured from the best candidate")

"""Biased coins, exactly: with a rational probability, or with probability exp(-x) and an exponent for each coin.

One probability for all: a table of two cells. Different exponents: a floating-point filter (Shewchuk 1997) in front of
whole-number arithmetic. The float exp(-x) is off by less than one part in 2**30 (its input by `SLACK`, exp itself by
far less), so a 53-bit uniform number that is further away is decided at once; for the others, about one in 2**30, the
same number is continued with fresh bits and compared with an exact enclosure. The floats never decide a doubtful coin,
so every coin has exactly its probability.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.errors import BadParameter
from tacit.randomness.enclosure import enclose, exp_minus
from tacit.randomness.stream import RandomBits
from tacit.randomness.table import CellTable, Weights

SLACK = 2.0**-32
"""How far a float exponent up to 64 may be from the true one; larger ones need only stay above 60."""

_MARGIN = 2.0**-30
_LEAST = 1e-26
_LN2 = math.log(2)


def bernoulli(probability: Fraction, size: int, bits: RandomBits) -> BoolArray:
    """Independent coins that are true with this rational probability."""
    if not 0 <= probability <= 1:
        raise BadParameter(f"the probability is {probability}; it must lie between 0 and 1")
    if probability in (0, 1):
        return np.full(size, probability == 1)
    heads: BoolArray = _rational(probability).draw(size, bits) == 0
    return heads


def bernoulli_each(probabilities: FloatArray, bits: RandomBits) -> BoolArray:
    """One coin for each float, true with exactly that probability: a float is a rational number.

    Scaling by 2**64 is exact, so a word decides unless it equals the whole part of a scaled probability that has a
    fraction.
    """
    if probabilities.size and not (probabilities.min() >= 0 and probabilities.max() <= 1):
        raise BadParameter("a probability lies outside 0 to 1, or is NaN")
    words = bits.words(probabilities.size)
    scaled = np.minimum(probabilities, 1 - 2.0**-53) * 2.0**64
    whole = np.floor(scaled)
    heads: BoolArray = (words < whole.astype(np.uint64)) | (probabilities == 1)
    for place in np.flatnonzero((words == whole.astype(np.uint64)) & (scaled > whole)):
        heads[place] = bernoulli(Fraction(scaled[place]) - int(whole[place]), 1, bits)[0]
    return heads


def bernoulli_exp_each(
    exponents: FloatArray, exactly: Callable[[int], Fraction], bits: RandomBits, halvings: IntArray | None = None
) -> BoolArray:
    """One coin for each exponent, true with probability exp(-exactly(i)), times 2**halvings[i] where these are given.

    `exponents[i]` is within SLACK of `exactly(i)` where that is at most 64, and above 60 elsewhere. Halvings are whole
    numbers up to 62, and such that no probability exceeds 1: a uniform number whose first so many bits are known to be
    0 is compared with exp(-exactly(i)).
    """
    known = np.zeros(exponents.size, dtype=np.int64) if halvings is None else halvings
    left = np.maximum(exponents - known * _LN2, 0.0)
    words = bits.words(exponents.size)
    uniform = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
    near = np.exp(-np.minimum(left, 60.0))
    heads = uniform + 2.0**-53 <= np.where(left > 60.0, 0.0, near * (1 - _MARGIN))
    open_ = np.flatnonzero(~heads & (uniform < np.maximum(near * (1 + _MARGIN), _LEAST)))
    for place in open_:
        heads[place] = _decide(int(words[place]), exactly(int(place)), int(known[place]), bits)
    return heads


def _decide(word: int, exponent: Fraction, known: int, bits: RandomBits) -> bool:
    """Whether a uniform number of so many known zeros, then the word, then fresh bits, is below exp(-exponent)."""
    precision = 64 + known
    while True:
        bound = exp_minus(exponent, precision)
        if word + 1 <= bound.low:
            return True
        if word >= bound.high:
            return False
        word = word << 64 | bits.word()
        precision += 64


@lru_cache(maxsize=256)
def _rational(probability: Fraction) -> CellTable:
    return CellTable(lambda precision: Weights((enclose(probability, precision), enclose(1 - probability, precision))))

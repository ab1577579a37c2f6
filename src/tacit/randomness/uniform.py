"""Uniform whole numbers, permutations and samples, exactly: a draw that does not fit is thrown away, never folded."""

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.errors import BadParameter
from tacit.randomness.stream import RandomBits


def uniform_integers(bound: int, size: int, bits: RandomBits) -> IntArray:
    """Independent whole numbers from 0 to bound - 1, all equally likely."""
    if not 1 <= bound <= 1 << 63:
        raise BadParameter(f"the number of choices is {bound}; it must be from 1 to 2**63")
    shift = np.uint64(64 - max(1, (bound - 1).bit_length()))
    drawn = (bits.words(size) >> shift).astype(np.int64)
    wrong = np.flatnonzero(drawn >= bound) if bound < 1 << 63 else np.empty(0, dtype=np.int64)
    while wrong.size:
        again = (bits.words(wrong.size) >> shift).astype(np.int64)
        drawn[wrong] = again
        wrong = wrong[again >= bound]
    return drawn


def coins(size: int, bits: RandomBits) -> BoolArray:
    """Independent fair coins."""
    octets = np.frombuffer(bits.octets(-(-size // 8)), dtype=np.uint8)
    return np.unpackbits(octets, count=size).view(np.bool_)


def permutation(size: int, bits: RandomBits) -> IntArray:
    """The numbers 0 to size - 1 in an order that is equally likely to be any."""
    return permutations(1, size, bits).ravel()


def permutations(number: int, size: int, bits: RandomBits) -> IntArray:
    """`number` rows, each the numbers 0 to size - 1 in an independent order that is equally likely to be any.

    They are sorted by random words. Given that no two words are equal all orders are equally likely, so a row in which
    two are equal is drawn again.
    """
    orders = np.empty((number, size), dtype=np.int64)
    waiting = np.arange(number)
    while waiting.size:
        words = bits.words(waiting.size * size).reshape(waiting.size, size)
        drawn = np.argsort(words, axis=1)
        ranked = np.take_along_axis(words, drawn, axis=1)
        orders[waiting] = drawn
        waiting = waiting[(ranked[:, 1:] == ranked[:, :-1]).any(axis=1)]
    return orders


def sample(population: int, size: int, bits: RandomBits) -> IntArray:
    """`size` different numbers from 0 to population - 1 in random order; every such list is equally likely."""
    if not 0 <= size <= population:
        raise BadParameter(f"the sample has {size} members; it must have from 0 to the population's {population}")
    return permutation(population, bits)[:size]

"""Sets of up to 64 members as machine words."""

import numpy as np

from tacit.methods.tables._kernels import compiled, inner

ONE = np.uint64(1)
NONE = np.uint64(0)
ZERO = np.int64(0)
"""Where a counter begins that is handed to others: a plain 0 would have them compiled twice."""


@inner
def count(word):  # type: ignore[no-untyped-def]
    """How many bits are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner
def lowest(word):  # type: ignore[no-untyped-def]
    """The position of the lowest set bit."""
    return count((word & (~word + ONE)) - ONE)


@compiled
def draw(state):  # type: ignore[no-untyped-def]
    """The next number in [0, 1) of a xorshift sequence (Marsaglia 2003); `state` advances."""
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return np.float64(word >> np.uint64(11)) / 9007199254740992.0

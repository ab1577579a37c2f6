"""One draw from a finite distribution for each person, by inversion of the cumulative shares."""

from collections.abc import Sequence

import numpy as np

from tacit.arrays import FloatArray, IntArray


def draw(shares: FloatArray, generator: np.random.Generator) -> IntArray:
    """For each row of `shares[person, option]` (weights, not all zero) one option, with probability in proportion."""
    cumulative = np.cumsum(shares, axis=1)
    aim = generator.random(len(shares)) * cumulative[:, -1]
    return np.asarray((cumulative <= aim[:, None]).sum(axis=1), dtype=np.int64)


def draw_alike(shares: Sequence[float], people: int, generator: np.random.Generator) -> IntArray:
    """The same, where everybody has the same shares."""
    cumulative = np.cumsum(np.asarray(shares, dtype=np.float64))
    aim = generator.random(people) * cumulative[-1]
    return np.asarray(np.searchsorted(cumulative, aim, side="right"), dtype=np.int64)

"""Laws of noise written out on whole numbers, and how far two of them are from epsilon-private."""

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

Law = NDArray[np.float64]


def laplace_law(rate: float, most: int) -> Law:
    """Pr[-most], …, Pr[most] of discrete Laplace noise, from its closed form."""
    q = math.exp(-rate)
    return (1 - q) / (1 + q) * q ** np.abs(np.arange(-most, most + 1.0))


def gaussian_law(sigma: float, most: int) -> Law:
    """Pr[-most], …, Pr[most] of discrete Gaussian noise; next to nothing lies beyond."""
    weights = np.exp(-((np.arange(-most, most + 1.0) / sigma) ** 2) / 2)
    return weights / weights.sum()


def shifted(law: Law, steps: int) -> Law:
    """The law of noise + steps on the same points; what leaves on one side is dropped."""
    moved = np.zeros_like(law)
    if steps >= 0:
        moved[steps:] = law[: law.size - steps]
    else:
        moved[:steps] = law[-steps:]
    return moved


def divergence(one: Law, other: Law, epsilon: float) -> float:
    """The least delta at which `one` is within e**epsilon of `other` (hockey-stick divergence)."""
    return float(np.maximum(one - math.exp(epsilon) * other, 0).sum())


def largest_ratio(one: Law, other: Law) -> float:
    """The largest log ratio of two laws in either direction."""
    return float(np.abs(np.log(one) - np.log(other)).max())


def argmax_law(scores: "tuple[int, ...]", rate: float, most: int, places: int = 1) -> "dict[tuple[int, ...], float]":
    """The law of the positions of the largest noisy scores, ties to the earlier, by summing over all noises."""
    law = laplace_law(rate, most)
    law = law / law.sum()
    found: dict[tuple[int, ...], float] = {}
    points = range(-most, most + 1)
    for noises in product(points, repeat=len(scores)):
        noisy = [-(score + noise) for score, noise in zip(scores, noises, strict=True)]
        order = tuple(sorted(range(len(scores)), key=lambda i: (noisy[i], i))[:places])
        found[order] = found.get(order, 0.0) + math.prod(law[noise + most] for noise in noises)
    return found

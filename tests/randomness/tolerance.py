"""Tolerances of statistical tests, from formulas, at an error rate of 1e-9 for each assertion."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

ALPHA = 1e-9
LOG = math.log(2 / ALPHA)


def dkw(size: int) -> float:
    """Largest distance of an empirical from its true distribution function (Dvoretzky-Kiefer-Wolfowitz-Massart)."""
    return math.sqrt(LOG / (2 * size))


def bernstein(probability: float, size: int) -> float:
    """Largest distance of a frequency from its probability (Bernstein)."""
    return math.sqrt(2 * probability * (1 - probability) * LOG / size) + 2 * LOG / (3 * size)


def fits(drawn: NDArray[np.int64], mass: Callable[[NDArray[np.float64]], NDArray[np.float64]], most: int) -> bool:
    """Whether whole numbers drawn fit the law proportional to `mass`, of which next to nothing lies beyond +-most."""
    points = np.arange(-most, most + 1)
    weights = mass(points.astype(np.float64))
    law = np.cumsum(weights / weights.sum())
    found = np.searchsorted(np.sort(drawn), points, side="right") / drawn.size
    return bool(np.abs(found - law).max() <= dkw(drawn.size) + 1e-12)


def frequencies_fit(chosen: NDArray[np.int64], law: NDArray[np.float64]) -> bool:
    """Whether the frequencies of cells fit their probabilities."""
    found = np.bincount(chosen, minlength=law.size) / chosen.size
    return bool(all(abs(f - p) <= bernstein(float(p), chosen.size) for f, p in zip(found, law, strict=True)))


def laplace_mass(scale: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda x: np.exp(-np.abs(x) / scale)


def gaussian_mass(sigma: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda x: np.exp(-((x / sigma) ** 2) / 2)

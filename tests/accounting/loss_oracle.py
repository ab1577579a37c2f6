"""Brute force for accountants: real mechanisms with few outputs, and the exact loss of their product.

Every event is given an instance: two distributions over a few outputs that a pair of neighbours could produce, as
post-processing (binning) of real noise. What the product of the instances loses is a lower bound on what an accountant
may say.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.accounting.events import (
    Approximate,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSampled,
    Gaussian,
    Group,
    Laplace,
    Parallel,
    PoissonSampled,
    Pure,
    Repeated,
)

BINS = 13


@dataclass(frozen=True)
class Pair:
    """Probabilities of the outputs under one dataset, its neighbour, and one in between (a third dataset)."""

    first: np.ndarray
    second: np.ndarray
    third: np.ndarray


def instances(event: Event, size: int = 1) -> list[Pair]:
    """For each way that neighbours can differ, the distributions of the outputs."""
    match event:
        case Composed(events):
            pairs = [NONE]
            for part in events:
                pairs = [_product(a, b) for a in pairs for b in instances(part, size)]
            return pairs
        case Repeated(inner, times):
            return instances(Composed((inner,) * times), size)
        case Group(inner, more):
            return instances(inner, size * more)
        case Parallel(events):
            return [pair for part in events for pair in instances(part, size)]
        case PoissonSampled(inner, q):
            q = 1 - (1 - float(q)) ** size
            return [Pair(q * p.first + (1 - q) * p.second, p.second, p.second) for p in instances(inner, size)]
        case FixedSampled(inner, sample, population):
            q = sample / population
            return [
                Pair(q * p.first + (1 - q) * p.third, q * p.second + (1 - q) * p.third, p.third)
                for p in instances(inner, size)
            ]
        case _:
            return [_leaf(event, size)]


def _leaf(event: Event, size: int) -> Pair:
    match event:
        case Laplace(scale, shift):
            return _binned(_laplace_cdf, float(scale), float(shift) * size)
        case Gaussian(sigma, shift):
            return _binned(_normal_cdf, float(sigma), float(shift) * size)
        case Concentrated(rho):
            return _binned(_normal_cdf, 1 / math.sqrt(2 * float(rho)), float(size))
        case DiscreteLaplace(scale, shift):
            return _lattice(lambda x: np.exp(-np.abs(x) / float(scale)), float(scale), shift * size)
        case DiscreteGaussian(sigma, shift):
            return _lattice(lambda x: np.exp(-(x**2) / (2 * float(sigma) ** 2)), float(sigma), int(shift) * size)
        case Pure(epsilon):
            return _lattice(lambda x: np.exp(-np.abs(x) * float(epsilon)), 1 / float(epsilon), size)
        case Exponential(epsilon):
            high = 1 / (1 + math.exp(-float(epsilon) * size / 2))
            return Pair(np.array([high, 1 - high]), np.array([1 - high, high]), np.array([0.5, 0.5]))
        case Approximate(epsilon, delta):
            assert size == 1
            keep, high = 1 - float(delta), 1 / (1 + math.exp(-float(epsilon)))
            first = np.array([float(delta), 0, keep * high, keep * (1 - high)])
            return Pair(first, first[[1, 0, 3, 2]], np.array([0, 0, 0.5, 0.5]))
    raise AssertionError(event)


NONE = Pair(np.ones(1), np.ones(1), np.ones(1))


def _product(a: Pair, b: Pair) -> Pair:
    return Pair(
        np.outer(a.first, b.first).ravel(), np.outer(a.second, b.second).ravel(), np.outer(a.third, b.third).ravel()
    )


def _laplace_cdf(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(np.minimum(x, 0)) / 2, 1 - np.exp(-np.maximum(x, 0)) / 2)


def _normal_cdf(x: np.ndarray) -> np.ndarray:
    return np.array([math.erfc(-value / math.sqrt(2)) / 2 for value in x])


def _binned(cdf, scale: float, shift: float) -> Pair:
    cuts = np.linspace(-2 * scale - shift / 2, 2 * scale + shift / 2, BINS - 1)

    def masses(centre: float) -> np.ndarray:
        return np.diff(np.concatenate([[0.0], cdf((cuts - centre) / scale), [1.0]]))

    return Pair(masses(shift / 2), masses(-shift / 2), masses(0.0))


def _lattice(weight, scale: float, shift: int) -> Pair:
    reach = int(60 * scale) + 2 * shift + 2
    x = np.arange(-reach, reach + 1)
    chance = weight(x.astype(float))
    chance = chance / chance.sum()
    cuts = np.unique(np.linspace(reach - 2 * scale, reach + 2 * scale + shift, BINS - 1).astype(int))

    def masses(centre: int) -> np.ndarray:
        return np.add.reduceat(np.roll(chance, centre), np.concatenate([[0], cuts]))

    return Pair(masses(shift), masses(0), masses(shift // 2))


def exact_delta(pair: Pair, epsilon: float) -> float:
    """The larger hockey-stick divergence of the two directions."""
    factor = math.exp(epsilon)
    return max(
        float(np.maximum(pair.first - factor * pair.second, 0).sum()),
        float(np.maximum(pair.second - factor * pair.first, 0).sum()),
    )


def exact_epsilon(event: Event, delta: float) -> float:
    """The least epsilon that the worst instance of the event has at delta (rounded down)."""
    return max((_epsilon(pair, delta) for pair in instances(event)), default=0.0)


def _epsilon(pair: Pair, delta: float) -> float:
    low, high = 0.0, 60.0
    if exact_delta(pair, low) <= delta:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if exact_delta(pair, middle) <= delta else (middle, high)
    return low


def classic_epsilon(rho: Fraction | float, delta: Fraction | float) -> float:
    """The classic conversion of rho-zCDP (Bun and Steinke 2016): rho + 2 sqrt(rho ln(1/delta))."""
    return float(rho) + 2 * math.sqrt(float(rho) * math.log(1 / delta))

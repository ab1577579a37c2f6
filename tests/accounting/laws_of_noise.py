"""Exact laws of noise on numbers.

Each case gives the name of a card, pairs of losses and their event; `weaker` makes the noise less than it is.
"""

import math

import numpy as np
from tests.accounting.answered import BITS, FAR, answered, parsed
from tests.accounting.exact_laws import gaussian_pair, laplace_law, laplace_pair, pair, softmax

from tacit.catalogue import find_method
from tacit.methods.mechanisms import bounded_laplace, finite_laplace


def plain_laplace(weaker):
    """One number that moves by all of the sensitivity, and two that share it."""
    for name, grid in (("mechanisms/laplace", {"grid": -1}), ("mechanisms/geometric", {})):
        for answer, shifts in ((3, [2]), ([3, 3], [1, 1])):
            given = np.array(answer) if name.endswith("geometric") else np.array(answer, dtype=float)
            found = answered(name, given, epsilon=0.5, sensitivity=2, **grid)
            steps = [int(shift / found.step) for shift in shifts]
            yield name, [laplace_pair(float(found.noise.rate) * weaker, step) for step in steps], found.event


def clamped_laplace(weaker):
    """What leaves the limits lies at them."""
    found = answered("mechanisms/truncated-laplace", 1.0, epsilon=0.5, lower=0.0, upper=3.0, grid=0)
    rate = float(found.noise.rate) * weaker

    def law(truth):
        chances = laplace_law(rate, FAR - truth)
        inner = chances[(FAR > 0) & (FAR < 3)]
        return [chances[FAR <= 0].sum(), *inner, 1 - chances[FAR <= 0].sum() - inner.sum()]

    for truth in range(3):
        yield "mechanisms/truncated-laplace", [pair(law(truth), law(truth + 1))], found.event


def laplace_within_limits(weaker):
    params = parsed("mechanisms/bounded-laplace", epsilon=0.5, lower=0.0, upper=5.0, sensitivity=2.0, grid=0)
    noise = bounded_laplace.setting(params).noise
    points = np.arange(noise.low, noise.high + 1)
    event = find_method("mechanisms/bounded-laplace").run(1.0, params, BITS).event
    for truth in range(noise.low, noise.high - 1):
        laws = (softmax(np.abs(points - here), float(noise.rate) * weaker) for here in (truth, truth + 2))
        yield "mechanisms/bounded-laplace", [pair(*laws)], event


def laplace_of_bounded_size(weaker):
    params = parsed("mechanisms/finite-laplace", epsilon=0.5, delta=1e-3, sensitivity=2.0, grid=0)
    noise = finite_laplace.setting(params).noise
    points = np.arange(-noise.most - 2, noise.most + 3)
    far = [np.abs(points - here) for here in (0, 2)]
    weights = [np.where(part <= noise.most, np.exp(-float(noise.rate) * weaker * part), 0.0) for part in far]
    event = find_method("mechanisms/finite-laplace").run(1.0, params, BITS).event
    yield "mechanisms/finite-laplace", [pair(*(part / part.sum() for part in weights))], event


def gaussians(weaker):
    for name, changes in (
        ("mechanisms/gaussian", {"epsilon": 0.5, "delta": 1e-3, "grid": -2}),
        ("mechanisms/discrete-gaussian", {"rho": 0.1}),
        ("mechanisms/discrete-gaussian", {"rho": None, "epsilon": 0.5, "delta": 1e-3}),
    ):
        found = answered(name, 3 if "discrete" in name else 3.0, **changes)
        yield name, [gaussian_pair(float(found.noise.sigma) / weaker, int(1 / found.step))], found.event


def rounding_at_random(weaker):
    """x is floor(x) or one more, then geometric noise."""
    found = answered("mechanisms/randomised-rounding", 0.0, epsilon=0.5, sensitivity=1.5)
    rate = float(found.noise.rate) * weaker

    def law(x):
        low, share = math.floor(x), x - math.floor(x)
        return (1 - share) * laplace_law(rate, FAR - low) + share * laplace_law(rate, FAR - low - 1)

    for x in (0.0, 0.25, 0.5, 0.75):
        first, second = law(x), law(x + 1.5)
        yield "mechanisms/randomised-rounding", [pair(first / first.sum(), second / second.sum())], found.event

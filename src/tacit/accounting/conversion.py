"""Conversions between notions: zCDP and Rényi privacy to (epsilon, delta), each rounded up.

Classic: rho-zCDP implies epsilon = rho + 2 sqrt(rho ln(1/delta)) (Bun and Steinke 2016, W28), and (alpha, r)-RDP
implies epsilon = r + ln(1/delta)/(alpha − 1) (Mironov 2017). Tight: epsilon = r + ln((alpha − 1)/alpha) − ln(delta
alpha)/(alpha − 1) (Canonne, Kamath and Steinke 2020, Prop. 12), with r = rho alpha for zCDP, minimised over alpha > 1.
"""

import math
from fractions import Fraction

import numpy as np

from tacit.accounting.exact import RealNumber, exact, positive, rounded_down
from tacit.arrays import FloatArray
from tacit.errors import BadParameter

SLACK = 1e-12
"""Relative surcharge on a computed epsilon, far above the rounding of a few float operations."""


def raised(epsilon: float) -> float:
    """`epsilon` with the surcharge; never below 0."""
    return max(epsilon, 0.0) * (1 + SLACK)


def zcdp_epsilon(rho: RealNumber, delta: RealNumber) -> float:
    """The least epsilon over all alpha that rho-zCDP implies at `delta`."""
    loss = float(exact(rho))
    if loss == 0:
        return 0.0
    log = log_delta(delta)
    centre = 1 + math.sqrt(-log / loss)
    alphas = 1 + (centre - 1) * np.geomspace(0.05, 4, 4000)
    return renyi_epsilon(alphas, loss * alphas, delta)


def renyi_epsilon(alphas: FloatArray, losses: FloatArray, delta: RealNumber) -> float:
    """The least epsilon that Rényi losses at these orders (all above 1) imply at `delta`."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        epsilons = losses + np.log1p(-1 / alphas) - (log_delta(delta) + np.log(alphas)) / (alphas - 1)
    return raised(float(np.min(np.where(np.isfinite(epsilons), epsilons, np.inf), initial=np.inf)))


def zcdp_rho(epsilon: RealNumber, delta: RealNumber) -> Fraction:
    """A rho, as large as possible, whose classic conversion at `delta` does not exceed epsilon.

    Solved from rho + 2 sqrt(rho L) = epsilon with L = ln(1/delta): sqrt(rho) = sqrt(L + epsilon) − sqrt(L).
    """
    target, log = float(positive("epsilon", epsilon)), -log_delta(delta)
    root = target / (math.sqrt(log + target) + math.sqrt(log))
    return Fraction(root * root * (1 - 8 * SLACK))


def log_delta(delta: RealNumber) -> float:
    """ln(delta), rounded down; delta must be above 0."""
    found = exact(delta)
    if not 0 < found < 1:
        raise BadParameter(f"delta is {delta}; this notion needs a delta above 0 and below 1")
    return math.log(rounded_down(found)) * (1 + 1e-15) if found >= Fraction(1, 10**300) else -math.inf

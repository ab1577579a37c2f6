"""Rényi privacy (Mironov 2017): losses at each order add up; the best order is converted.

Closed forms, with e = 1/scale: Laplace ln(a/(2a−1) e^((a−1)e) + (a−1)/(2a−1) e^(−ae))/(a−1); Gaussian a/(2 sigma²);
randomised response ln((e^(ae) + e^((1−a)e))/(1 + e^e))/(a−1), which dominates every epsilon-private mechanism;
discrete Laplace by summing Pr[x]^a Pr[x−s]^(1−a) (two geometric tails and a geometric middle).
Poisson samples: for Gaussian noise the exact sum over integer orders (Mironov, Talwar and Zhang 2019), else the
general bound with factor 3 (Zhu and Wang 2019). Samples without replacement: Wang, Balle and Kasiviswanathan (2019).
The best of a random number of runs: Theorems 2 and 6 of Papernot and Steinke (2022), with r the loss of one run: for a
negative binomial number r(a) + (1 + eta) min_b ((1 - 1/b) r(b) + ln(1/gamma)/b) + ln(mean)/(a - 1), for a Poisson
number r(a) + mean d + ln(mean)/(a - 1) with d the delta of one run at epsilon ln(1 + 1/(a - 1)).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.accounting.accountant import Curve
from tacit.accounting.atoms import AmplifiedLeaves, Atom, BestOfRuns, EventCase
from tacit.accounting.case_price import price_of_atom, price_of_case
from tacit.accounting.conversion import renyi_epsilon
from tacit.accounting.events import DiscreteLaplace, Exponential, Gaussian, Laplace
from tacit.accounting.exact import exact
from tacit.accounting.runs import NegativeBinomial
from tacit.arrays import FloatArray, IntArray

MOST_WHOLE = 256
ORDERS: FloatArray = np.union1d(1 + np.geomspace(0.002, 100_000, 400), np.arange(2, MOST_WHOLE + 1))
WHOLE: IntArray = np.searchsorted(ORDERS, np.arange(2, MOST_WHOLE + 1))
LOG_FACTORIALS: FloatArray = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, MOST_WHOLE + 1)))])


def renyi_losses(case: EventCase) -> FloatArray:
    """The loss of the case at each of `ORDERS`."""
    total = np.zeros(ORDERS.size)
    for atom, count in case:
        total += count * _atom_losses(atom)
    return total


def _atom_losses(atom: Atom) -> FloatArray:
    if isinstance(atom, AmplifiedLeaves):
        return _sampled_losses(atom)
    if isinstance(atom, BestOfRuns):
        return _chosen_losses(atom)
    price = price_of_atom(atom)
    concentrated = float(price.rho) * ORDERS
    if price.epsilon is None:
        return concentrated
    epsilon = float(price.epsilon)
    if isinstance(atom, Laplace):
        return _laplace(epsilon)
    if isinstance(atom, DiscreteLaplace):
        return _discrete_laplace(float(exact(atom.scale)), atom.sensitivity)
    response = _response(epsilon)
    return np.minimum(response, concentrated) if isinstance(atom, Exponential) else response


def _laplace(epsilon: float) -> FloatArray:
    a = ORDERS
    up = np.log(a / (2 * a - 1)) + (a - 1) * epsilon
    down = np.log((a - 1) / (2 * a - 1)) - a * epsilon
    return _at_least_zero(np.logaddexp(up, down) / (a - 1))


def _response(epsilon: float) -> FloatArray:
    a = ORDERS
    top = np.logaddexp(a * epsilon, (1 - a) * epsilon)
    return _at_least_zero((top - np.logaddexp(0.0, epsilon)) / (a - 1))


def _discrete_laplace(scale: float, sensitivity: int) -> FloatArray:
    """ln of (tails (e^(s(a−1)/b) + e^(−sa/b)) + middle)/(a−1), with r = e^(−1/b)."""
    a, step = ORDERS, 1 / scale
    tails = np.logaddexp(sensitivity * (a - 1) * step, -sensitivity * a * step) - math.log1p(math.exp(-step))
    if sensitivity > 1:
        start = math.log(math.tanh(step / 2)) + sensitivity * (a - 1) * step - (2 * a - 1) * step
        terms = np.log(-np.expm1(-(sensitivity - 1) * (2 * a - 1) * step)) - np.log(-np.expm1(-(2 * a - 1) * step))
        tails = np.logaddexp(tails, start + terms)
    return _at_least_zero(tails / (a - 1))


def _at_least_zero(losses: FloatArray) -> FloatArray:
    return np.maximum(losses * (1 + 1e-13), 0.0) + 1e-16


def _sampled_losses(atom: AmplifiedLeaves) -> FloatArray:
    """Whole orders by the sampling bounds; never above what the unsampled events lose (Rényi losses are quasi-convex).

    (a − 1) times the loss is convex in a and 0 at a = 1, so between whole orders the chord is a bound. Where a delta
    was amplified along with an epsilon, the loss is that of the amplified epsilon: the two belong together.
    """
    price = price_of_atom(atom)
    if price.delta and price.epsilon is not None:
        return _response(float(price.epsilon))
    inner = renyi_losses(atom.inner)
    q, whole = float(atom.probability), inner[WHOLE]
    factor = 1 if all(isinstance(leaf, Gaussian) for leaf, _ in atom.inner) else 3
    pure = price_of_case(atom.inner).epsilon
    top = math.inf if pure is None else float(pure)
    orders = range(2, MOST_WHOLE + 1)
    moments = [_poisson(a, q, whole, factor) if atom.scheme == "poisson" else _fixed(a, q, whole, top) for a in orders]
    chords = np.interp(ORDERS, [1, *orders], [0.0, *moments], right=np.inf) / (ORDERS - 1)
    return np.minimum(inner, chords * (1 + 1e-12) + 1e-15)


def _chosen_losses(atom: BestOfRuns) -> FloatArray:
    """Never above what the pure epsilon says; losses rise with the order, so those above bound those below."""
    price, one = price_of_atom(atom), price_of_case(atom.inner)
    top = math.inf if price.epsilon is None else float(price.epsilon)
    if price.delta:
        return _response(top)
    inner, pure = renyi_losses(atom.inner), math.inf if one.epsilon is None else float(one.epsilon)
    spread = max(math.log(float(atom.runs.mean)), 0.0) / (ORDERS - 1)
    if isinstance(atom.runs, NegativeBinomial):
        others = (1 - 1 / ORDERS) * inner - math.log(float(atom.runs.gamma)) / ORDERS
        more = (1 + float(atom.runs.eta)) * min(float(others.min()), pure) + spread
    else:
        apart = -np.expm1(np.log1p(1 / (ORDERS - 1)) - pure) / (1 + math.exp(-pure))
        more = float(atom.runs.mean) * np.maximum(apart, 0.0) + spread
    losses = np.minimum.accumulate((inner + more)[::-1])[::-1] * (1 + 1e-12)
    return losses if math.isinf(top) else np.minimum(losses, _response(top))


def _poisson(order: int, q: float, inner: FloatArray, factor: int) -> float:
    """a − 1 times the loss at order a: ln(Σ_j C(a,j)(1−q)^(a−j) q^j e^((j−1) r(j))), times `factor` from j = 3 on."""
    j = np.arange(2, order + 1)
    weights = _log_binomial(order, j) + j * math.log(q) + (order - j) * math.log1p(-q)
    terms = weights + (j - 1) * inner[: order - 1]
    terms[1:] += math.log(factor)
    still = (order - 1) * math.log1p(-q) + math.log1p(q * (order - 1))
    return max(float(np.logaddexp(still, np.logaddexp.reduce(terms))), 0.0)


def _fixed(order: int, q: float, inner: FloatArray, pure: float) -> float:
    """Theorem 9 of Wang, Balle and Kasiviswanathan, with `pure` the loss at infinite order."""
    j = np.arange(2, order + 1)
    gap = math.log(math.expm1(pure)) if pure < 700 else math.inf
    capped = np.minimum(math.log(2), j * gap) + (j - 1) * inner[: order - 1]
    two = inner[0]
    capped[0] = min(math.log(4) + math.log(math.expm1(two)) if two < 700 else math.inf, capped[0])
    terms = _log_binomial(order, j) + j * math.log(q) + capped
    return float(np.logaddexp(0.0, np.logaddexp.reduce(terms)))


def _log_binomial(order: int, j: IntArray) -> FloatArray:
    chosen: FloatArray = LOG_FACTORIALS[order] - LOG_FACTORIALS[j] - LOG_FACTORIALS[order - j]
    return chosen


@dataclass(frozen=True)
class Renyi:
    """The sum of the Rényi losses, converted at the best order."""

    name: str = "rdp"

    def curve(self, case: EventCase) -> Curve:
        """Infinite where the deltas of the events leave nothing, unless nothing was spent."""
        losses = renyi_losses(case)
        carried = price_of_case(case).delta

        def epsilon(delta: Fraction) -> float:
            left = delta - carried
            if not case:
                return 0.0
            return renyi_epsilon(ORDERS, losses, left) if left > 0 else math.inf

        return epsilon

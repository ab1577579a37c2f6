"""The price of a case in currencies that add up exactly: epsilon and delta, or rho (approximate zCDP) and delta.
rho is epsilon²/2 for an epsilon-private mechanism, epsilon²/8 where the loss has range epsilon (exponential
mechanism; Cesar and Rogers 2021), sensitivity²/(2 sigma²) for Gaussian and discrete Gaussian noise (Bun and Steinke
2016; Canonne, Kamath and Steinke 2020). An (epsilon, delta)-private mechanism is epsilon-private except with
probability delta (Kairouz, Oh and Viswanath 2015), so its delta is carried along. Sampling with probability q turns a
pure epsilon into ln(1 + q(e^epsilon − 1)) and delta into q delta (Balle, Barthe and Gaboardi 2018); it never raises
rho.

The best of a random number of runs (`runs`) of a pure epsilon is pure again; of an (epsilon, delta) it has the delta
of all runs that are expected, since runs without a failure are runs of the same family, only fewer. Of rho-zCDP, with a
negative binomial number, the Rényi loss at order a is at most rho a + (1 + eta) min_b (rho (b - 1) + ln(1 / gamma) / b)
+ ln(mean) / (a - 1) (Papernot and Steinke 2022). Losses rise with a, and from its least value on this one rises by
less than in proportion to a, so the least value itself serves as a rho.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.atoms import SAFE, AmplifiedLeaves, Atom, BestOfRuns, EventCase
from tacit.accounting.events import (
    Approximate,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    Pure,
)
from tacit.accounting.exact import RealNumber, exact
from tacit.accounting.runs import NegativeBinomial, Runs
from tacit.errors import BadParameter, CannotGuarantee

MOST_EXPONENT = 600


@dataclass(frozen=True)
class Price:
    """What is spent; `epsilon` is None where only rho bounds the loss (Gaussian noise has no pure epsilon)."""

    epsilon: Fraction | None
    delta: Fraction
    rho: Fraction


def price_of_case(case: EventCase) -> Price:
    """The sums over the atoms."""
    parts = [(price_of_atom(atom), count) for atom, count in case]
    epsilons = [part.epsilon * count for part, count in parts if part.epsilon is not None]
    return Price(
        sum(epsilons, Fraction(0)) if len(epsilons) == len(parts) else None,
        sum((part.delta * count for part, count in parts), Fraction(0)),
        sum((part.rho * count for part, count in parts), Fraction(0)),
    )


def price_of_atom(atom: Atom) -> Price:
    """What one atom spends."""
    match atom:
        case Laplace(scale):
            return _pure(1 / exact(scale), 2)
        case DiscreteLaplace(scale, sensitivity):
            return _pure(sensitivity / exact(scale), 2)
        case Exponential(epsilon):
            return _pure(exact(epsilon), 8)
        case Pure(epsilon):
            return _pure(exact(epsilon), 2)
        case Approximate(epsilon, delta):
            return Price(exact(epsilon), exact(delta), exact(epsilon) ** 2 / 2)
        case Gaussian(sigma):
            return Price(None, Fraction(0), 1 / (2 * exact(sigma) ** 2))
        case DiscreteGaussian(sigma, sensitivity):
            return Price(None, Fraction(0), (exact(sensitivity) / exact(sigma)) ** 2 / 2)
        case Concentrated(rho):
            return Price(None, Fraction(0), exact(rho))
        case AmplifiedLeaves(inner, probability):
            return _amplified(price_of_case(inner), probability)
        case BestOfRuns(inner, runs):
            return _chosen(price_of_case(inner), runs)


def amplify(epsilon: RealNumber, probability: RealNumber) -> Fraction:
    """ln(1 + probability (e^epsilon − 1)), rounded up: the loss on a secret sample, never above epsilon."""
    plain, share = exact(epsilon), exact(probability)
    if plain > MOST_EXPONENT or share == 1:
        return plain
    return min(Fraction(math.log1p(float(share) * math.expm1(float(plain)))) * SAFE, plain)


def _pure(epsilon: Fraction, divisor: int) -> Price:
    return Price(epsilon, Fraction(0), epsilon**2 / divisor)


def _amplified(inner: Price, probability: Fraction) -> Price:
    if inner.epsilon is None:
        return inner
    epsilon = amplify(inner.epsilon, probability)
    if inner.delta:
        return Price(epsilon, inner.delta * probability, epsilon**2 / 2)
    return Price(epsilon, Fraction(0), min(inner.rho, epsilon**2 / 2))


def _chosen(inner: Price, runs: Runs) -> Price:
    if inner.epsilon is None:
        return Price(None, Fraction(0), _chosen_rho(inner, runs))
    delta = inner.delta * Fraction(float(runs.mean)) * SAFE
    if delta >= 1:
        raise CannotGuarantee("over all runs that are expected delta reaches 1: nothing is promised")
    if isinstance(runs, NegativeBinomial):
        epsilon = (2 + exact(runs.eta)) * inner.epsilon
    else:
        apart = Fraction(math.tanh(min(float(inner.epsilon), 700.0) / 2))
        epsilon = inner.epsilon + exact(runs.mean) * apart * SAFE
    return Price(epsilon, delta, epsilon**2 / 2)


def _chosen_rho(inner: Price, runs: Runs) -> Fraction:
    if inner.delta or not isinstance(runs, NegativeBinomial):
        raise BadParameter(
            "no bound is known for the best of so many runs of these events; use events with a pure epsilon, "
            "or a negative binomial number of runs"
        )
    rho, spread, mean = float(inner.rho), -math.log(float(runs.gamma)), math.log(max(runs.mean, 1.0))
    second = 2 * math.sqrt(rho * spread) - rho if spread > rho else spread
    return Fraction(rho + 2 * math.sqrt(rho * mean) + (1 + float(runs.eta)) * second) * SAFE

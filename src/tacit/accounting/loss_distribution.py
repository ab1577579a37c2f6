"""Privacy loss distributions: the numerically exact composition, by Google's dp-accounting.

The loss of each atom's dominating pair is laid on a grid, always rounded towards more loss, and composed by convolution
(Koskela, Jälkö and Honkela 2020; Doroshenko et al. 2022; amplified pairs after Zhu, Dong and Wang 2022).

Dominating pairs. A pure epsilon: randomised response (Kairouz, Oh and Viswanath 2015). Laplace noise on a vector of
L1 sensitivity 1: Laplace noise on one number, since along the straight path from one answer to the other the chance p
of any set of outputs obeys |dp/dt| <= min(p, 1 − p)/scale, with equality for half-lines of the one number; likewise,
step by step, discrete Laplace noise. Gaussian noise on a vector is one-dimensional by rotation, and a composition of
Gaussians is one Gaussian. Discrete Gaussian noise of variance sigma² + 4 is continuous noise of variance sigma² rounded
at random to whole numbers by discrete noise of variance 4, but for a factor within 1 ± 1e-33 in each coordinate
(Poisson summation): where sigma is large the continuous pair stands for it, on vectors too. No pair is known for zCDP,
for sampling without replacement of other than pure noise, or for discrete Gaussian noise of small sigma on vectors:
there the bound is infinite, unless a pure epsilon is known.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from tacit.accounting.accountant import Curve
from tacit.accounting.atoms import AmplifiedLeaves, Atom, EventCase
from tacit.accounting.case_price import MOST_EXPONENT, price_of_atom, price_of_case
from tacit.accounting.cases import joined
from tacit.accounting.composed_losses import ComposedLosses
from tacit.accounting.discrete_loss import DiscreteLosses, discrete_gaussian, discrete_laplace, on_grid
from tacit.accounting.events import DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace
from tacit.accounting.exact import exact, root_down, rounded_down, rounded_up
from tacit.accounting.loss_tail import tails_of

NoiseEvent = Laplace | Gaussian | DiscreteLaplace | DiscreteGaussian
NUMERICAL_DELTA = Fraction(1, 10**12)
"""Taken off delta for the rounding of chances and sums; that of convolutions comes on top (`composed_losses`)."""
WIDE = 10_000
"""From this sigma on discrete Gaussian noise is accounted as continuous noise, which costs 2e-8 of epsilon at most."""


@dataclass(frozen=True)
class LossDistribution:
    """Convolution of the atoms' losses on a grid of this interval."""

    interval: float = 1e-4
    name: str = "pld"

    def curve(self, case: EventCase) -> Curve:
        """Infinite where an atom has no known pair, or delta is too small for float convolutions."""
        smooth = _smoothed(case)
        supported = case and all(_supported(atom) for atom, _ in smooth)
        composed = _composed(smooth, self.interval) if supported else None
        tails = [] if composed is None else tails_of(composed.distribution)
        lost = NUMERICAL_DELTA + exact(0.0 if composed is None else composed.rounding)

        def epsilon(delta: Fraction) -> float:
            if not case:
                return 0.0
            if not tails or delta <= lost:
                return math.inf
            return max(tail.least_epsilon(rounded_down(delta - lost)) for tail in tails)

        return epsilon


def _smoothed(case: EventCase) -> EventCase:
    """The case with continuous noise in place of wide discrete Gaussian noise."""
    return joined(((_smooth(atom), count),) for atom, count in case)


def _smooth(atom: Atom) -> Atom:
    if isinstance(atom, AmplifiedLeaves):
        return AmplifiedLeaves(_smoothed(atom.inner), atom.probability, atom.scheme)
    if isinstance(atom, DiscreteGaussian) and exact(atom.sigma) >= WIDE:
        return Gaussian(root_down(exact(atom.sigma) ** 2 - 4) / exact(atom.sensitivity))
    return atom


def _supported(atom: Atom) -> bool:
    price = price_of_atom(atom)
    if price.epsilon is not None:
        return price.epsilon < MOST_EXPONENT
    if isinstance(atom, AmplifiedLeaves):
        return _sampled_noise(atom) is not None
    return isinstance(atom, Gaussian) or (isinstance(atom, DiscreteGaussian) and atom.coordinates == 1)


def _composed(case: EventCase, interval: float) -> ComposedLosses:
    """The losses of all atoms of a case together, of which there is at least one."""
    gaussian = tuple((atom, count) for atom, count in case if isinstance(atom, Gaussian))
    parts = [ComposedLosses(_noise(_joint(gaussian), 1.0, interval))] if gaussian else []
    others = (part for part in case if part not in gaussian)
    parts += [ComposedLosses(_distribution(atom, interval)).times(count) for atom, count in others]
    return reduce(ComposedLosses.beside, parts)


def _joint(gaussians: EventCase) -> Gaussian:
    """The one Gaussian that all of these are, its sigma rounded down."""
    return Gaussian(root_down(1 / (2 * price_of_case(gaussians).rho)))


def _distribution(atom: Atom, interval: float) -> Any:
    if isinstance(atom, AmplifiedLeaves):
        noise = _sampled_noise(atom)
        return _response(atom, interval) if noise is None else _noise(noise, rounded_up(atom.probability), interval)
    if isinstance(atom, NoiseEvent):
        return _noise(atom, 1.0, interval)
    return _response(atom, interval)


def _sampled_noise(atom: AmplifiedLeaves) -> NoiseEvent | None:
    """The one noise that all leaves on the sample are, where its pair is known."""
    if atom.scheme == "fixed":
        return None
    if all(isinstance(leaf, Gaussian) for leaf, _ in atom.inner):
        return _joint(atom.inner)
    leaf, count = atom.inner[0]
    alone = len(atom.inner) == count == 1 and isinstance(leaf, NoiseEvent) and _supported(leaf)
    return leaf if alone else None  # type: ignore[return-value]


def _noise(leaf: NoiseEvent, sampled: float, interval: float) -> Any:
    """The losses of one noise, connected between grid points (Doroshenko et al. 2022), on a Poisson sample."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    grid = {"value_discretization_interval": interval, "sampling_prob": sampled, "use_connect_dots": True}
    match leaf:
        case Laplace(scale):
            return pld.from_laplace_mechanism(rounded_down(exact(scale)), **grid)
        case Gaussian(sigma):
            return pld.from_gaussian_mechanism(rounded_down(exact(sigma)), **grid)
        case DiscreteLaplace(scale, steps):
            epsilon = rounded_up(steps / exact(scale))
            return _listed(discrete_laplace(epsilon, steps, interval, sampled), sampled, interval)
        case DiscreteGaussian(sigma, shift):
            return _listed(discrete_gaussian(rounded_down(exact(sigma)), int(exact(shift))), sampled, interval)


def _listed(losses: DiscreteLosses, sampled: float, interval: float) -> Any:
    """The distribution of losses that were listed for a symmetric pair, on a Poisson sample."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    if sampled == 1:
        masses = on_grid(losses, interval)
        return pld.PrivacyLossDistribution.create_from_rounded_probability(masses, losses.beyond, interval)
    removed, added = on_grid(losses.removed(sampled), interval), on_grid(losses.added(sampled), interval)
    return pld.PrivacyLossDistribution.create_from_rounded_probability(
        removed,
        losses.beyond,
        interval,
        rounded_probability_mass_function_add=added,
        infinity_mass_add=losses.beyond,
        symmetric=False,
    )


def _response(atom: Atom, interval: float) -> Any:
    """Randomised response with the atom's epsilon and delta, the worst mechanism that has them."""
    price = price_of_atom(atom)
    epsilon, delta = rounded_up(price.epsilon or Fraction(0)), rounded_up(price.delta)
    loss = np.array([epsilon, -epsilon])
    return _listed(DiscreteLosses(loss, math.log1p(-delta) - np.logaddexp(0, -loss), delta), 1.0, interval)

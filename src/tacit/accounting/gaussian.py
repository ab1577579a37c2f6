"""Gaussian noise exactly: the analytic curve (Balle and Wang 2018), also of compositions.

With mu = sensitivity/sigma the mechanism is (epsilon, delta)-private exactly when
delta >= Φ(mu/2 − epsilon/mu) − e^epsilon Φ(−mu/2 − epsilon/mu). n Gaussian mechanisms are one with
mu² = Σ mu_i² (Dong, Roth and Su 2022), so a composition is exact too. The textbook sigma = sensitivity
sqrt(2 ln(1.25/delta))/epsilon holds for epsilon <= 1 only (Dwork and Roth 2014, W28).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.accountant import Curve
from tacit.accounting.atoms import EventCase
from tacit.accounting.case_price import price_of_case
from tacit.accounting.conversion import raised
from tacit.accounting.events import Gaussian
from tacit.accounting.exact import RealNumber, positive, probability, rounded_down
from tacit.errors import BadParameter

STEPS = 200
ROUNDING = 1e-15


def gaussian_delta(mu: float, epsilon: float) -> float:
    """The least delta at which noise of this mu is (epsilon, delta)-private, rounded up."""
    from scipy.special import log_ndtr

    if mu <= 0:
        return 0.0
    high = float(log_ndtr(mu / 2 - epsilon / mu))
    low = epsilon + float(log_ndtr(-mu / 2 - epsilon / mu))
    # The two logarithms nearly cancel for small mu, so each is moved by its rounding error to the safe side.
    error = ROUNDING * (1 + abs(high) + abs(low) + epsilon)
    return min(-math.exp(high + error) * math.expm1(min(low - high - 2 * error, 0.0)), 1.0)


def gaussian_epsilon(mu: float, delta: RealNumber) -> float:
    """The least epsilon at which noise of this mu is (epsilon, delta)-private, rounded up."""
    target = _above_zero(delta)
    if gaussian_delta(mu, 0.0) <= target:
        return 0.0
    low, high = 0.0, mu * mu / 2 + mu * math.sqrt(-2 * math.log(target)) + 1e-9
    for _ in range(STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if gaussian_delta(mu, middle) <= target else (middle, high)
    return raised(high)


def gaussian_mu(epsilon: RealNumber, delta: RealNumber) -> float:
    """The greatest mu that is (epsilon, delta)-private, rounded down."""
    bound, target = float(positive("epsilon", epsilon)), _above_zero(delta)
    low, high = 1.0, 2.0
    while gaussian_delta(low, bound) > target:
        low, high = low / 2, low
    while gaussian_delta(high, bound) <= target:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if gaussian_delta(middle, bound) <= target else (low, middle)
    return low


def gaussian_sigma(epsilon: RealNumber, delta: RealNumber, sensitivity: RealNumber = 1) -> float:
    """The least sigma that is (epsilon, delta)-private at this L2 sensitivity, for every epsilon; rounded up."""
    return float(positive("sensitivity", sensitivity)) / gaussian_mu(epsilon, delta) * (1 + 1e-15)


def classic_gaussian_sigma(epsilon: RealNumber, delta: RealNumber, sensitivity: RealNumber = 1) -> float:
    """The textbook sigma; refused above epsilon = 1, where it does not keep its promise."""
    bound, target = positive("epsilon", epsilon), _above_zero(delta)
    if bound > 1:
        raise BadParameter(f"epsilon is {epsilon}; the classic calibration holds only up to 1; use the analytic one")
    return raised(float(positive("sensitivity", sensitivity)) * math.sqrt(2 * math.log(1.25 / target)) / float(bound))


@dataclass(frozen=True)
class GaussianOnly:
    """The accountant of the exact curve: n mechanisms are one with mu² = Σ mu_i²."""

    name: str = "gaussian"

    def curve(self, case: EventCase) -> Curve:
        """Infinite where anything else than Gaussian noise was spent."""
        alike = all(isinstance(atom, Gaussian) for atom, _ in case)
        mu = math.sqrt(2 * float(price_of_case(case).rho)) * (1 + 1e-15) if alike else math.inf

        def epsilon(delta: Fraction) -> float:
            if not case:
                return 0.0
            return gaussian_epsilon(mu, delta) if alike and delta > 0 else math.inf

        return epsilon


def _above_zero(delta: RealNumber) -> float:
    found = probability("delta", delta)
    if found == 0:
        raise BadParameter("delta is 0; Gaussian noise keeps no promise without a delta above 0")
    return rounded_down(found)

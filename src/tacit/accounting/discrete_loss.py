"""The losses of discrete noise, outcome by outcome, in time that does not grow with the scale of the noise.

Discrete Laplace. One step of a loss a takes the chance p of any set of outputs to at most min(e^a p, 1 − e^−a (1 − p)),
and s steps, with E = s a, to at most the least of the lines 1 − e^(x−E) (1 − e^x p) over x = 0, a, 2a, … E (first all
factors e^a, then all e^−a, is the least order). Half-lines of the noise attain it, so these lines are the exact
trade-off, and leaving some out only adds loss. Neighbouring lines x < y cross at 1/(e^x + e^y); hence, with u and w the
gaps to the lines before and after x (infinite at the ends), the loss is 2x − E with chance e^(x−E) (tanh(u/2) +
tanh(w/2))/2. Where there are more lines than grid points, those next to a grid point are kept: for sensitivities of
many million steps nothing is lost beyond what the grid itself adds.

Discrete Gaussian. Outcome z loses s (s − 2z)/(2 sigma²). Tails beyond 11.6 sigma hold less than 1e-30 (Canonne, Kamath
and Steinke 2020: Pr[X >= m] is at most that of continuous noise from m − 1 on) and count as infinite losses.

On a Poisson sample of probability q the pair (P, Q) becomes (q P + (1 − q) Q, Q), and the same turned round.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tacit.arrays import FloatArray

LOWEST = -60.0
"""Losses below are raised to it: their chance is below e^LOWEST, and e^(−loss) must stay within the range of floats."""
REACH = 11.6
BEYOND = 1e-30


@dataclass(frozen=True)
class DiscreteLosses:
    """The loss of each outcome and the logarithm of its chance; what was left out has the chance `beyond`."""

    loss: FloatArray
    log_chance: FloatArray
    beyond: float = 0.0

    def removed(self, sampled: float) -> "DiscreteLosses":
        """The losses of (q P + (1 − q) Q, Q)."""
        first, second = math.log(sampled), math.log1p(-sampled)
        mixture = np.logaddexp(first + self.log_chance, second + self.log_chance - self.loss)
        return DiscreteLosses(np.logaddexp(second, first + self.loss), mixture, self.beyond)

    def added(self, sampled: float) -> "DiscreteLosses":
        """The losses of (Q, q P + (1 − q) Q)."""
        ratio = np.logaddexp(math.log1p(-sampled), math.log(sampled) + self.loss)
        return DiscreteLosses(-ratio, self.log_chance - self.loss, self.beyond)


def discrete_laplace(epsilon: float, steps: int, interval: float, sampled: float = 1.0) -> DiscreteLosses:
    """The losses of discrete Laplace noise that loses epsilon in so many steps, exact up to the grid's interval."""
    step = epsilon / steps
    kept = _steps_near_grid(epsilon, steps, interval, sampled)
    lines = kept * step
    lines[-1] = epsilon
    half_gaps = np.tanh(np.diff(lines) / 2)
    shares = (np.concatenate([[1.0], half_gaps]) + np.concatenate([half_gaps, [1.0]])) / 2
    return DiscreteLosses(2 * lines - epsilon, lines - epsilon + np.log(shares))


def _steps_near_grid(epsilon: float, steps: int, interval: float, sampled: float) -> FloatArray:
    """The numbers of steps whose losses, on the sample, are next to grid points; all, where they are fewer."""
    low, high = (float(np.logaddexp(_log(1 - sampled), math.log(sampled) + loss)) for loss in (-epsilon, epsilon))
    first, last = math.floor(max(low, LOWEST) / interval), math.ceil(high / interval)
    if steps <= last - first:
        return np.arange(steps + 1, dtype=np.float64)
    grid = np.arange(first, last + 1) * interval
    above = np.maximum(-np.expm1(_log(1 - sampled) - grid), math.exp(LOWEST) * sampled)
    plain = grid + np.log(above) - math.log(sampled)
    near = np.clip(np.rint((plain + epsilon) / 2 / epsilon * steps), 0, steps)
    found: FloatArray = np.unique(np.concatenate([[0.0, float(steps)], near]))
    return found


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def discrete_gaussian(sigma: float, shift: int) -> DiscreteLosses:
    """The losses of discrete Gaussian noise; outcomes near either dataset's answer are listed."""
    reach = math.ceil(REACH * sigma) + 1
    around = np.arange(-reach, reach + 1, dtype=np.float64)
    outcomes = np.union1d(around, around + shift)
    total = float(np.log(np.sum(np.exp(-((around / sigma) ** 2) / 2))))
    loss = shift / sigma * ((shift / 2 - outcomes) / sigma)
    return DiscreteLosses(loss, -((outcomes / sigma) ** 2) / 2 - total, BEYOND)


def on_grid(losses: DiscreteLosses, interval: float) -> Mapping[int, float]:
    """The chance of each grid point, counted in intervals.

    A loss between two grid points is spread over both so that the mass under either dataset stays: the likelihood
    ratio keeps its mean and spreads, which only adds loss, and far less than rounding up would.
    """
    loss, chance = np.maximum(losses.loss, LOWEST), np.exp(losses.log_chance)
    below = np.floor(loss / interval)
    upper = np.clip(np.expm1(below * interval - loss) / math.expm1(-interval), 0.0, 1.0)
    points, where = np.unique(np.concatenate([below, below + 1]), return_inverse=True)
    masses = np.bincount(where, np.concatenate([chance * (1 - upper), chance * upper]))
    kept = masses > 0
    return dict(zip(points[kept].astype(np.int64).tolist(), masses[kept].tolist(), strict=True))

"""Propose-test-release (Dwork and Lei 2009): propose a bound on an order statistic's local sensitivity, test, release.

D is the least number of values to change before the local sensitivity exceeds the proposed bound b. D changes by at
most 1 between neighbours, so D + noise is tested privately with half of epsilon, and released is, with the other half,
the statistic with Laplace noise for sensitivity b. Where b is wrong already (D = 0) the test passes with probability
at most delta; else b is right for this data. So it is (epsilon, delta)-private; in W29's letters with epsilon / 2 for
each part.

The threshold is that of the discrete noise: the least whole T with Pr[noise > T] = q**(T + 1) / (1 + q) <= delta. Its
continuous form is ln(1 / (2 delta)) / (epsilon / 2). A refusal is an outcome like any other, and costs the same.

What is released has the plain error of its noise, which is independent of the test; the interval is for the order
statistic of the clamped values themselves.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Approximate, Event
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.errors import BadParameter
from tacit.methods.mechanisms._robust import Limits, OrderStatistic, Robust, order_statistic
from tacit.noise.answer import NoisyAnswer
from tacit.noise.fields import SensitivityField
from tacit.noise.grid import clamped_sum, grid_for
from tacit.noise.noise import LaplaceNoise, check_level, error_steps, least
from tacit.noise.private_answer import Publishable, marked
from tacit.randomness.geometric import require_rate
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import values


class ProposeTestRelease(OrderStatistic):
    """An order statistic (the median unless told) with noise for a proposed bound on its sensitivity."""

    bound: SensitivityField


@dataclass(frozen=True)
class Refusal(Publishable):
    """The test did not pass: the proposed bound is, or nearly is, too small for this data. The cost is the same."""

    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """No value."""
        return {"values": [], "refused": True}


def distance(robust: Robust, bound: int) -> int:
    """The least distance at which the local sensitivity exceeds `bound` steps, or the reach where none does."""
    return int(np.searchsorted(robust.local[:-1], bound, side="right"))


def passing_threshold(rate: Fraction, delta: float) -> int:
    """The least whole number that noise of this rate exceeds with probability at most delta."""
    each = float(rate)
    return least(lambda top: math.exp(-each * (top + 1)) / (1 + math.exp(-each)) <= delta * (1 - 1e-9), 1 << 62)


@marked
def propose_test_release(data: ArrayLike, params: ProposeTestRelease, bits: RandomBits) -> NoisyAnswer | Refusal:
    """The statistic with noise for the proposed bound, or a refusal."""
    grid = grid_for(params.grid, exact(params.bound))
    steps = grid.l1(exact(params.bound), 1)
    half = exact(params.epsilon) / 2
    threshold = passing_threshold(half, params.delta)
    if threshold >= params.reach:
        raise BadParameter(
            f"the test asks for a distance above {threshold}, but reach is {params.reach}; raise it or epsilon"
        )
    robust = order_statistic(data, params.quantile, Limits.of(params.lower, params.upper, grid), params.reach)
    event = spends(params)
    noise = LaplaceNoise(half / steps)
    # Before the test: a refusal by the sampler afterwards would tell that the data passed it.
    require_rate(noise.rate)
    if distance(robust, steps) + LaplaceNoise(half).draw(1, bits)[0] <= threshold:
        return Refusal(event)
    noisy = clamped_sum(np.array([robust.value]), noise.draw(1, bits))
    return NoisyAnswer(
        grid.values(noisy), noise, event, grid.step, grid.step / 2, lower=params.lower, upper=params.upper
    )


def spends(params: ProposeTestRelease, shape: AnswerShape = ONE_NUMBER) -> Approximate:
    """What an answer costs, and a refusal too."""
    return Approximate(exact(params.epsilon), exact(params.delta))


def error(params: ProposeTestRelease, level: float = 0.95) -> float:
    """What a released answer is off by, at most, with probability `level`."""
    grid = grid_for(params.grid, exact(params.bound))
    noise = LaplaceNoise(exact(params.epsilon) / (2 * grid.l1(exact(params.bound), 1)))
    return float((error_steps(noise, level) + Fraction(1, 2)) * grid.step)


def passing_distance(params: ProposeTestRelease, level: float = 0.95) -> int:
    """How many values it must take to break the proposed bound for the test to pass with probability `level`."""
    check_level(level)
    half = exact(params.epsilon) / 2
    return passing_threshold(half, params.delta) + 1 + passing_threshold(half, 1 - level)


METHOD = Mechanism(
    title="Propose-test-release",
    params=ProposeTestRelease,
    run=propose_test_release,
    spends=spends,
    delta="delta",
    error=error,
    neighbours=lambda params: values(params.lower, params.upper, params.quantile),
    needs="real values within public limits and a proposed bound on the sensitivity of their order statistic",
    gives="the order statistic with noise for that bound, or a refusal if the data does not support it",
    paper="https://doi.org/10.1145/1536414.1536466",
    example=ProposeTestRelease(epsilon=2.0, delta=1e-3, bound=5.0, lower=0.0, upper=100.0),
)

"""Logistic regression by rounds of noisy sums; all further computing is on what they published.

1. The number of rows, unless it is public. How far it stands above the noise decides how much is asked.
2. Moments of the features (`moments.py`), and the pull of the labels, sum (y - 1/2) x: they give first weights, those
   of the surrogate (sufficient statistics; Zhang, Zhang, Xiao, Yang and Winslett 2012).
3. In each round, at the weights w so far, the pull sum (y - p) x, which is minus the true gradient. If the curvature
   would stand above its noise it is asked too and the step is Newton's; else the surrogate is corrected so that its
   gradient at w is the measured one, and minimised. Earlier pulls are averaged in.

The shares of the budget that are used add up to 1. Which sums are asked depends on parameters and on what was published
before, so the whole is private by adaptive composition. An interval is claimed only where curvature was measured in the
last of at least two rounds, stood above its noise in every direction, and no row's logit moved by more than 1 (Bach
2010). Penalty, steps and intervals are derived in docs/explanation/logistic-regression.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.accounting.events import Composed, Event
from tacit.arrays import FloatArray
from tacit.methods.statistics._logistic.answer import NoiseLaw, RoundsAnswer
from tacit.methods.statistics._logistic.moments import SHARES as MOMENTS
from tacit.methods.statistics._logistic.moments import MomentScope, described, scope_for
from tacit.methods.statistics._logistic.noise import Noisy, Purse
from tacit.methods.statistics._logistic.sums import CURVATURE, PULL, LogisticRows, square
from tacit.methods.statistics._logistic.surrogate import Surrogate
from tacit.randomness.stream import RandomBits

COUNT, CURVED = Fraction(4, 100), Fraction(1, 4)
"""The count's share of the budget, and the curvature's of a round."""

ROUNDS = (
    (100,),
    (35, 65),
    (15, 25, 60),
    (8, 14, 20, 58),
    (6, 8, 12, 16, 58),
    (5, 6, 8, 11, 15, 55),
    (4, 5, 6, 8, 10, 15, 52),
)
"""Shares of what count and moments leave, in per cent: of the first pull and of each round."""

_ENOUGH = (50, 200, 700, 2500, 8000, 30_000)
"""How many times the noise of a pull the number of rows must be for one more round."""

_FIRST_STEP, _STEP, _SHORT = 2.5, 2.0, 1.0
_LOGITS, _CURVE = 3.0, 0.12
"""The deviation of logits under the prior, and the mean of p (1 - p) at logits of about 2."""

_MISSED = 0.3
"""What the surrogate may miss of a pull's way, as a share of it."""

_STEADY, _UNSTEADY = 0.5, 2.0
"""The most noise of the curvature, as a share of its least eigenvalue, with which it is worth asking."""


@dataclass(frozen=True)
class Pull:
    """A published pull at some weights, the surrogate's gradient there, the deviation of the noise, and its cost."""

    weights: FloatArray
    values: FloatArray
    carried: FloatArray
    deviation: float
    event: Event


@dataclass(frozen=True)
class LogisticStep:
    """New weights, the penalty, how noise reaches the weights (no entry where that is not known), the noises of the
    pulls, and what the step may have missed."""

    weights: FloatArray
    penalty: float
    ways: FloatArray
    noises: FloatArray
    missed: float


@dataclass(frozen=True)
class SecretRows:
    """Secret rows, their surrogate, and how sums of them are published."""

    rows: LogisticRows
    surrogate: Surrogate
    purse: Purse
    bits: RandomBits

    def pull(self, weights: FloatArray, share: Fraction) -> Pull:
        """The pull at these weights; at zero no row moves a coordinate by more than one half."""
        most = 1 << (PULL if weights.any() else PULL - 1)
        noisy = self.purse.noisy(self.rows.pull(weights), most, share, self.bits)
        carried = self.surrogate.gradient(weights)
        return Pull(weights, noisy.values / 2.0**PULL, carried, noisy.deviation / 2.0**PULL, noisy.event)

    def curvature(self, weights: FloatArray, share: Fraction) -> Noisy:
        """The upper half of the curvature at these weights."""
        noisy = self.purse.noisy(self.rows.curvature(weights), 1 << CURVATURE - 2, share, self.bits)
        return Noisy(noisy.values / 2.0**CURVATURE, noisy.deviation / 2.0**CURVATURE, noisy.event)

    def tells(self, weights: FloatArray, last: Pull, share: Fraction) -> bool:
        """Whether curvature at these weights would stand above its noise; where the last round's pull shows that the
        surrogate is off, more noise is taken."""
        size = weights.size
        noise = self.purse.deviation(size * (size + 1) // 2, 0.25, share * CURVED) * math.sqrt(size)
        off = last.weights.any() and float(np.mean(last.values**2)) > 9 * last.deviation**2
        least = float(np.linalg.eigvalsh(self.surrogate.curvature(weights))[0])
        return noise < (_UNSTEADY if off else _STEADY) * least


def rounds(rows: LogisticRows, purse: Purse, known: bool, bits: RandomBits) -> RoundsAnswer:
    """Noisy weights, the intercept last; `known` says whether the number of rows is public."""
    counted = None if known else purse.noisy(rows.count(), 1, COUNT, bits)
    number = max(1.0, len(rows.yes)) if counted is None else max(float(counted.values[0]), counted.deviation, 1.0)
    scope = scope_for(number, rows.columns, purse)
    told = described(rows, number, scope, purse, bits)
    asked = SecretRows(rows, told.surrogate, purse, bits)
    left = 1 - MOMENTS[scope] - (0 if known else COUNT)
    plan = [left * Fraction(part, 100) for part in ROUNDS[_how_many(number, scope, rows.columns, purse)]]
    pulls = [asked.pull(np.zeros(rows.columns), plan[0])]
    step = _step(asked.surrogate, pulls, None)
    events = [*([] if counted is None else [counted.event]), *told.events, pulls[0].event]
    for share in plan[1:]:
        curved = asked.curvature(step.weights, share * CURVED) if asked.tells(step.weights, pulls[-1], share) else None
        pulls.append(asked.pull(step.weights, share * (1 if curved is None else 1 - CURVED)))
        step = _step(asked.surrogate, pulls, curved)
        events += [pulls[-1].event] if curved is None else [curved.event, pulls[-1].event]
    ways = step.ways if len(pulls) > 2 else step.ways[:0]
    law = NoiseLaw(ways, step.noises, step.missed, purse.budget.delta > 0)
    return RoundsAnswer(step.weights, step.penalty, law, Composed(tuple(events)))


def _how_many(number: float, scope: MomentScope, columns: int, purse: Purse) -> int:
    """The rounds that so many rows are worth."""
    most = {"nothing": 0, "squares": 2, "products": len(_ENOUGH)}[scope]
    noise = purse.deviation(columns)
    return min(most, sum(number >= enough * noise for enough in _ENOUGH))


def _step(surrogate: Surrogate, pulls: list[Pull], curved: Noisy | None) -> LogisticStep:
    """From the weights of the last pull to those that answer all pulls; post-processing."""
    last, missed = pulls[-1], _missed(surrogate, pulls)
    start, size = last.weights, last.weights.size
    deviations = np.array([one.deviation for one in pulls])
    shares = 1 / (deviations**2 + missed**2)
    shares /= shares.sum()
    pull = shares @ np.array([one.values + one.carried - last.carried for one in pulls])
    noises = shares * deviations
    penalty = _penalty(surrogate, float(((shares * deviations) ** 2).sum()))
    if curved is None:
        end = surrogate.fitted(last.carried + pull, penalty, start)
        return LogisticStep(_held(surrogate, start, end), penalty, np.empty((0, size)), noises, math.inf)
    least = 2 * math.sqrt(size) * curved.deviation
    values, vectors = np.linalg.eigh(square(curved.values, size))
    ways = (vectors / (np.maximum(values, least) + penalty)) @ vectors.T
    end = _held(surrogate, start, start + ways @ (pull - penalty * start))
    length = float(np.abs(end - start).sum())
    rest = length / 2 * float(np.linalg.norm(pull - penalty * start)) / math.sqrt(size)
    blurred = curved.deviation * float(np.linalg.norm(end - start))
    told = values[0] >= 2 * least and length <= _SHORT
    # These are bounds of errors of either sign, so half of what they come to together is a fair allowance.
    off = math.hypot(shares @ missed, rest, blurred) / 2
    return LogisticStep(end, penalty, ways if told else ways[:0], noises, off)


def _held(surrogate: Surrogate, start: FloatArray, end: FloatArray) -> FloatArray:
    return surrogate.held(start, end, _STEP if start.any() else _FIRST_STEP)


def _missed(surrogate: Surrogate, pulls: list[Pull]) -> FloatArray:
    """What the surrogate may have missed on the way from each pull's weights to the last."""
    curve, last = surrogate.curvature(pulls[-1].weights), pulls[-1].weights
    way = np.array([curve @ (last - one.weights) for one in pulls])
    missed: FloatArray = _MISSED * np.sqrt((way**2).mean(axis=1))
    return missed


def _penalty(surrogate: Surrogate, variance: float) -> float:
    """The ridge that balances the prior and noise of this variance in the pull."""
    spread = float(np.trace(surrogate.spread))
    curve = _CURVE * surrogate.rows * (1 + spread) / (surrogate.means.size + 1)
    return (1 + variance / curve) * spread / _LOGITS**2

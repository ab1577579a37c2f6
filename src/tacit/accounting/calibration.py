"""Calibration: the least noise that keeps a set of events within a target epsilon and delta.

Closed forms where they exist: Laplace scale = sensitivity/epsilon; Gaussian by the analytic curve; zCDP sigma =
sensitivity/sqrt(2 rho). Else bisection over a noise parameter, with the accountant in the loop; the end that keeps the
promise is returned, so the answer errs towards more noise.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.account import METHODS, AccountingMethod, account
from tacit.accounting.events import Event
from tacit.accounting.exact import RealNumber, positive, probability
from tacit.errors import CannotGuarantee

MOST_NOISE = 2.0**60


def laplace_scale(epsilon: RealNumber, sensitivity: RealNumber = 1) -> Fraction:
    """The least scale that is epsilon-private at this L1 sensitivity, exactly (also for discrete Laplace noise)."""
    return positive("sensitivity", sensitivity) / positive("epsilon", epsilon)


def concentrated_sigma(rho: RealNumber, sensitivity: RealNumber = 1) -> float:
    """The least sigma that is rho-zCDP at this L2 sensitivity (Gaussian or discrete Gaussian), rounded up."""
    return float(positive("sensitivity", sensitivity)) / math.sqrt(2 * float(positive("rho", rho))) * (1 + 1e-15)


def calibrate(
    noise_event: Callable[[float], Event],
    epsilon: RealNumber,
    delta: RealNumber = 0,
    methods: Iterable[AccountingMethod] | None = None,
    tolerance: float = 1e-4,
) -> float:
    """The least noise x, up to the relative tolerance, for which `noise_event(x)` spends at most epsilon at delta.

    More noise must mean less loss. The closed-form accountants give the first bracket; the rest uses `methods`.
    """
    target = float(positive("epsilon", epsilon))
    share = probability("delta", delta)
    chosen = tuple(methods) if methods is not None else None
    closed = tuple(name for name in (chosen or METHODS) if name != "pld") or chosen

    def quick(noise: float) -> float:
        return account(noise_event(noise), share, closed).epsilon / target

    def slow(noise: float) -> float:
        return account(noise_event(noise), share, chosen).epsilon / target

    bracket = _narrowed(quick, _bracketed(quick), max(tolerance, 1e-3))
    if closed != chosen:
        bracket = _below(slow, bracket.high)
    return _narrowed(slow, bracket, tolerance).high


@dataclass(frozen=True)
class _Bracket:
    """A noise that is too small and one that is enough, with their losses as multiples of the target."""

    low: float
    high: float
    low_loss: float
    high_loss: float

    def with_noise(self, noise: float, loss: float) -> "_Bracket":
        if loss <= 1:
            return _Bracket(self.low, noise, self.low_loss, loss)
        return _Bracket(noise, self.high, loss, self.high_loss)


def _bracketed(loss: Callable[[float], float]) -> _Bracket:
    """A bracket that is a factor of two wide."""
    noise, found = 1.0, loss(1.0)
    if found <= 1:
        return _below(loss, noise, 0.5)
    while noise < MOST_NOISE:
        before, noise = (noise, found), noise * 2
        found = loss(noise)
        if found <= 1:
            return _Bracket(before[0], noise, before[1], found)
    raise CannotGuarantee("no amount of noise brings these events below the target; raise epsilon or delta")


def _below(loss: Callable[[float], float], high: float, factor: float = 0.8) -> _Bracket:
    """The bracket that is found by lowering a noise that is enough."""
    found = loss(high)
    while high > 1 / MOST_NOISE:
        lower = loss(high * factor)
        if lower > 1:
            return _Bracket(high * factor, high, lower, found)
        high, found = high * factor, lower
    raise CannotGuarantee("these events keep the target with hardly any noise; there is nothing to calibrate")


def _narrowed(loss: Callable[[float], float], bracket: _Bracket, tolerance: float) -> _Bracket:
    """The bracket with ends nearer than the tolerance: by the chord of the logarithms, else by halving."""
    turn = 0
    while bracket.high > bracket.low * (1 + tolerance):
        turn += 1
        width = math.log(bracket.high / bracket.low)
        share = 0.5
        if turn % 3 and 0 < bracket.high_loss < bracket.low_loss < math.inf:
            share = math.log(bracket.low_loss) / math.log(bracket.low_loss / bracket.high_loss)
        # A little beyond the chord's root first, then a little before it, so that both ends close in.
        share += (tolerance / 3 if turn % 3 == 1 else -tolerance / 3) / width
        noise = bracket.low * math.exp(width * min(max(share, 0.02), 0.98))
        bracket = bracket.with_noise(noise, loss(noise))
    return bracket

"""The share of a question's price that each of its parts gets, so that all of them cost what was asked and hardly less.

A question that is answered for single rows, or for one person who goes and another who comes, is paid for as a whole.
Epsilons add up, so each of n parts gets exactly 1/n. Gaussian noise depends on the square of the change and is reported
as an epsilon at the requested delta; no share of (epsilon, delta) undoes that, so the share of epsilon is searched for:
the accountant that will report the whole computes it for every share that is tried, and the greatest share within the
price is taken, so that rounding errs towards more noise.

If an answer has its own delta, a group of two has (2 e, d (1 + e**e)) of (e, d) (Vadhan 2017). Then n answers, each for
one person who goes and one who comes, cost epsilon and delta in all if e is epsilon / (2 n) and d is delta / (n (1 +
e**e)).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tacit.accounting.account import account
from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.accounting.price import price

NEAR = Fraction(1, 10**6)
"""What may be left of a price."""
_TRIES = 48
_LINES = 10
"""After so many tries by lines the loss seems to jump, and what is left is halved."""
_LARGEST_EXPONENT = 700
_BELOW = 1 - Fraction(1, 10**9)
"""Covers the rounding of an exponential function."""
_BEYOND = Fraction(10**9)


@dataclass(frozen=True)
class AskedPrice:
    """What a question may spend in all."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def used(self, event: Event) -> Fraction:
        """Which share of that the event spends: more than 1 if it spends too much."""
        cost = price(event)
        epsilon = cost.epsilon
        if epsilon is None:
            told = account(event, self.delta).epsilon
            epsilon = exact(told) if math.isfinite(told) else _BEYOND * self.epsilon
        failures = cost.delta / self.delta if self.delta else _BEYOND * cost.delta
        return max(epsilon / self.epsilon, failures)


def greatest_share(used: Callable[[Fraction], Fraction], parts: int) -> Fraction | None:
    """The greatest share at which `used`, which grows with it, is at most 1.

    That is 1/parts, or more if the accountant allows it. None if no share is found.
    """
    share, fits, fails = Fraction(1, parts), None, None
    for turn in range(_TRIES):
        tried = _TriedShare(share, used(share))
        fits, fails = (tried, fails) if tried.used <= 1 else (fits, tried)
        if fits is not None and (fits.used >= 1 - NEAR or fits.share == 1 or _meet(fits, fails)):
            break
        share = _next(fits, fails, turn)
    return None if fits is None else fits.share


def delta_share(epsilon: Fraction, answers: int, steps: int) -> Fraction:
    """The share of delta for each of several answers that together cost `epsilon`, for one or two people each."""
    if steps == 1:
        return Fraction(1, answers)
    each = min(float(epsilon / (steps * answers)), _LARGEST_EXPONENT)
    return _BELOW / (answers * (1 + Fraction(math.exp(each))))


@dataclass(frozen=True)
class _TriedShare:
    """A share, and which part of the price it uses."""

    share: Fraction
    used: Fraction


def _meet(fits: _TriedShare, fails: _TriedShare | None) -> bool:
    """Whether no better share is worth looking for: the loss jumps between these two."""
    return fails is not None and fails.share <= fits.share * (1 + NEAR)


def _next(fits: _TriedShare | None, fails: _TriedShare | None, turn: int) -> Fraction:
    """The share to try next: where the line through both ends, on logarithms, meets the price; else between them."""
    if fits is None or fails is None:
        only = fits or fails
        assert only is not None
        factor = min(max(1 / float(only.used), 1 / 64), 64.0) if only.used else 64.0
        return min(Fraction(float(only.share) * factor * float(1 - NEAR / 4)), Fraction(1))
    low, high = math.log(fits.share), math.log(fails.share)
    part = 0.5
    if turn < _LINES and fits.used:
        part = -math.log(fits.used) / (math.log(fails.used) - math.log(fits.used))
    aim = low + min(max(part, 0.001), 0.999) * (high - low) - float(NEAR) / 4
    return Fraction(math.exp(aim if aim > low else (low + high) / 2))

"""What the account says of an event, held against losses that were written out."""

import math
from functools import cache

import numpy as np
from tests.accounting.exact_laws import Pair, together
from tests.accounting.transcripts import sides

from tacit.accounting.account import account
from tacit.accounting.events import Repeated
from tacit.accounting.price import price

SHORT = ((1, 0.0), (1, 1e-3), (2, 1e-6), (10, 1e-3))
LONG = (*SHORT, (2, 0.05), (10, 1e-6), (50, 1e-6), (50, 1e-3))
MANY = 50
"""So many copies are composed in the short form too where an event is a choice or Gaussian, which gain most by it."""


@cache
def told(event, copies, delta):
    """What the account says."""
    return account(Repeated(event, copies), delta).epsilon


def excess(pairs: "list[Pair]", event, copies: int, delta: float) -> float:
    """By how much the divergence of so many copies exceeds delta where the account says that it does not (at delta 0:
    the largest loss what the account says); a lower bound."""
    epsilon = told(event, copies, delta)
    if math.isinf(epsilon):
        return -math.inf
    found = []
    for side in sides(pairs):
        if delta == 0:
            found.append(copies * sum(part.most for part in side) - epsilon * (1 + 1e-9))
        elif copies == len(side) == 1:
            found.append(side[0].delta(epsilon) - delta * (1 + 1e-9) - 1e-12)
        else:
            width = sum(float(np.abs(np.maximum(part.values, -40)).max()) for part in side)
            reached = together(side, max(width, 1e-3) / 3000).times(copies).delta(epsilon)
            found.append(reached - delta * (1 + 1e-6) - 1e-11)
    return max(found)


def check(pairs, event, settings=SHORT) -> None:
    """The event covers these losses."""
    cost = price(event)
    each = float(cost.delta)
    more = ((1, each), (2, 2.5 * each), (10, 12 * each)) if 0 < each < 0.08 else ()
    for copies, delta in (*settings, *more):
        assert excess(pairs, event, copies, delta) <= 0, (event, copies, delta)
    if cost.delta == 0:
        for side in sides(pairs):
            assert sum(part.mean for part in side) <= float(cost.rho) * (1 + 1e-9) + 1e-12, event


def refuted(pairs, event, settings=LONG) -> bool:
    """Whether the event is shown to be too small; where it has a delta, rho says nothing of what is that rare."""
    cost = price(event)
    if cost.delta == 0 and any(sum(part.mean for part in side) > float(cost.rho) * 1.001 for side in sides(pairs)):
        return True
    return any(excess(pairs, event, copies, delta) > 0 for copies, delta in settings)

"""Accuracy first: the least privacy loss at which an error is small enough, found once for all cards.

A card says how large its error is for given parameters. The error falls as the loss grows, so bisection finds the
parameters; it asks the actual noise, so its answer is exact up to the tolerance of the loss.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tacit.cards.card import P
from tacit.errors import BadParameter, CannotGuarantee

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Dial:
    """The parameter that is turned up until the error is small enough; how far it goes; whether it is an epsilon."""

    name: str = "epsilon"
    most: float = 100.0
    is_epsilon: bool = True


def epsilon_for(error: float, error_at: Callable[[float], float], most: float = 100.0) -> float:
    """The least epsilon up to `most` whose error is at most `error`, where error_at falls as epsilon grows."""
    if not (math.isfinite(error) and error > 0):
        raise BadParameter(f"the error is {error}; it must be above 0 and finite")
    if error_at(most) > error:
        raise CannotGuarantee(f"an error of {error:g} would need an epsilon above {most:g}; ask for less accuracy")
    low, high = most * 1e-9, most
    if error_at(low) <= error:
        return low
    while high / low > 1 + _TOLERANCE:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if error_at(middle) <= error else (middle, high)
    return high


def with_least(params: P, most: float, error: Callable[[P], float], dial: Dial) -> P:
    """The parameters with the dial turned up just so far that `error` of them is at most `most`."""

    def error_at(setting: float) -> float:
        return error(params.model_copy(update={dial.name: setting}))

    return params.model_copy(update={dial.name: epsilon_for(most, error_at, dial.most)})

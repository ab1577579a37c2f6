"""Epsilon in plain numbers: how many times as likely an outcome becomes, and how sure one can be."""

import math
from decimal import ROUND_CEILING, Decimal

READABLE = 1_000_000
"""A factor above it says nothing to anybody but that it is large."""

_LARGEST = 700.0
_LEAST = 1e-9
_ROUNDING = 1e-12


def factor_of(epsilon: float) -> float:
    """e**epsilon, or as much of it as a float holds."""
    return math.exp(min(epsilon, _LARGEST))


def is_readable(epsilon: float) -> bool:
    """Whether e**epsilon is a number that can be imagined."""
    return factor_of(epsilon) <= READABLE


def likelier(what: str, epsilon: float) -> str:
    """`no outcome becomes more than 2.72 times as likely`, for an epsilon of 1."""
    if not epsilon:
        return f"no {what} becomes any likelier"
    if not is_readable(epsilon):
        return f"some {what} may become more than a million times as likely (no more than e**{epsilon:g} times)"
    return f"no {what} becomes more than {factor_in_words(epsilon)} times as likely"


def factor_in_words(epsilon: float) -> str:
    """e**epsilon with three digits of what it adds to 1, rounded up, so that it promises no more than what holds."""
    more = max(math.expm1(epsilon) * (1 - _ROUNDING), _LEAST)
    step = Decimal(1).scaleb(min(math.floor(math.log10(more)) - 2, 0))
    shown = f"{1 + Decimal(more).quantize(step, ROUND_CEILING):,}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def in_hundred(belief: float) -> str:
    """`73` for a belief of 0.73; one that is nearly sure has digits until it differs from 100."""
    gap = 100 * (1 - belief)
    digits = max(-math.floor(math.log10(gap)), 0) if 0 < gap < 0.5 else 0
    return f"{100 * belief:.{digits}f}"

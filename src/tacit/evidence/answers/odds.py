"""What epsilon means in odds: how far answers can move a belief about one person (Bayes' rule).

Suppose that somebody believes a statement about one person with probability p. After the answers they believe it with
probability at most p e**epsilon / (1 - p + p e**epsilon) and at least p / (p + (1 - p) e**epsilon), except with
probability delta. Under `add-remove` this compares the world in which the person took part with the one in which the
person did not.

All of this is about the unit of privacy. Where no column tells people apart, that is a row: the promise is about one
row, and for somebody with r rows epsilon is r times as large (group privacy).
"""

import math
from dataclasses import dataclass

BELIEFS = (0.01, 0.1, 0.5, 0.9)
_LARGEST = 700.0
_MOST_DIGITS = 6


@dataclass(frozen=True)
class Belief:
    """A belief before the answers, and the least and the most that it can become."""

    before: float
    least: float
    most: float


def beliefs(epsilon: float) -> tuple[Belief, ...]:
    """What some beliefs can become."""
    factor = math.exp(min(epsilon, _LARGEST))
    return tuple(Belief(p, p / (p + (1 - p) * factor), p * factor / (1 - p + p * factor)) for p in BELIEFS)


ROWS = "What is protected is one row, so that a person with several rows is protected less."


def unit_of(unit: str | None) -> str:
    """What beliefs are about: a person if a column tells people apart, else a row."""
    return "row" if unit is None else "person"


def in_words(epsilon: float, delta: float, unit: str | None, read: str = "these answers") -> str:
    """The most that an even chance can become, in a sentence or two.

    `unit` is the column that tells people apart, if there is one; `read` is what somebody reads.
    """
    even = next(belief for belief in beliefs(epsilon) if belief.before == 0.5)
    but = f" (except with a probability of at most {delta:.3g})" if delta else ""
    digits = _digits(even.least)
    return (
        f"Anyone who gave a statement about a {unit_of(unit)} a chance of 50 in 100 gives it at most "
        f"{100 * even.most:.{digits}f} and at least {100 * even.least:.{digits}f} in 100 after reading {read}, "
        f"whatever else is known{but}.{f' {ROWS}' if unit is None else ''}"
    )


def _digits(least: float) -> int:
    """The number of digits with which a share of 100 is shown as neither 0 nor 100; 0 if no few digits suffice."""
    return next((digits for digits in range(_MOST_DIGITS + 1) if round(100 * least, digits)), 0)

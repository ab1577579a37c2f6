"""Neighbouring answers for auditors of mechanisms.

A mechanism on an answer of sensitivity s is private for all answers that far apart, so answers are enough: no dataset
is needed. Chosen are those that are known to be hard: at and inside limits, all of s in one number or shared among two,
one of many candidates that moves apart, answers on both sides of a threshold, medians that jump between the limits.
"""

from typing import Any

import numpy as np

from tacit.sensitivity.pair import Pair

VALUES = 11
CANDIDATES = 10


def numbers(sensitivity: float, lower: float | None = None, upper: float | None = None) -> tuple[Pair, ...]:
    """Whole numbers stay whole, so that mechanisms on them can be run; vectors where there are no limits."""
    whole = float(sensitivity).is_integer()
    step: Any = int(sensitivity) if whole else sensitivity
    zero: Any = int(lower or 0) if whole else (lower or 0.0)
    pairs = [Pair(zero, zero + step)]
    if upper is not None:
        return (*pairs, Pair(zero + step, zero + 2 * step), Pair(type(step)(upper) - step, type(step)(upper)))
    share: Any = step // 2 if whole else step / 2
    vectors = [([zero, zero], [zero + step, zero])]
    if share:
        vectors.append(([zero, zero], [zero + share, zero + share]))
    return (*pairs, *(Pair(np.array(first), np.array(second)) for first, second in vectors))


def scores(sensitivity: float, monotonic: bool, k: int = 1) -> tuple[Pair, ...]:
    """Scores of candidates, of which one moves apart from the others."""
    size = max(CANDIDATES, k + 2)
    flat, one, rest = np.zeros(size), np.zeros(size), np.full(size, float(sensitivity))
    one[0], rest[0] = sensitivity, 0.0
    pairs = [Pair(flat, one), Pair(flat, rest)]
    if not monotonic:
        pairs += [Pair(flat, one - rest), Pair(rest - one, flat), Pair(one, rest)]
    return tuple(pairs)


def answers(threshold: float, sensitivity: float, monotonic: bool) -> tuple[Pair, ...]:
    """Answers on both sides of a threshold."""
    base = np.full(4, float(threshold))
    last = np.array([0.0, 0.0, 0.0, sensitivity])
    pairs = [Pair(base, base + sensitivity), Pair(base, base + last), Pair(base - last, base - last + sensitivity)]
    if not monotonic:
        pairs += [Pair(base - sensitivity, base - sensitivity + 2 * last), Pair(base - last, base + last - sensitivity)]
    return tuple(pairs)


def values(lower: float, upper: float, quantile: float) -> tuple[Pair, ...]:
    """VALUES numbers, one of them replaced; around the rank that is asked for they jump, spread or agree."""
    rank = min(VALUES, max(1, int(np.ceil(quantile * VALUES))))
    jump = np.array([lower] * rank + [upper] * (VALUES - rank))
    spread = np.linspace(lower, upper, VALUES)
    agree = np.full(VALUES, (lower + upper) / 2)
    changes = ((jump, rank - 1, upper), (spread, rank - 1, upper), (agree, 0, upper), (agree, 0, lower))
    return tuple(Pair(data, _replaced(data, place, value)) for data, place, value in changes)


def _replaced(data: Any, place: int, value: float) -> Any:
    changed = data.copy()
    changed[place] = value
    return changed

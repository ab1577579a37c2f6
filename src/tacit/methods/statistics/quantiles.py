"""Quantiles and the median by a private choice among declared candidates (Smith 2011).

Candidates are equally spaced between the bounds. The score of a candidate z for the quantile q of n rows is minus the
distance of q n from [rows below z, rows up to z]; a row more or less moves it by at most max(q, 1 - q), a replaced row
by at most 1. A single quantile is chosen by permute-and-flip (McKenna and Sheldon 2020), as private as the exponential
mechanism and never worse; clamped values are compared with the candidates as they are, since rounding them first would
give all rows around a candidate one rank.

Several quantiles are found by halving (Kaplan, Schnapp and Stemmer 2022): the middle one first, then the others among
the rows below or above it. At each of the log2(m + 1) levels a row stands in one part only, so m quantiles cost as
much as log2(m + 1) single ones. A replaced row may leave one part for another, so under `replace` each choice counts
twice. Here values are rounded to the nearest candidate, and rows of one candidate are told apart by a random rank of
their own: a part must be cut at the right rank even between two candidates, or the other quantiles would shift. These
choices, and those of the ends below, are the exponential mechanism's: the bounded range of its loss makes many of them
cheaper where a delta is allowed.

The error is in ranks, an upper bound. The exponential mechanism's is that of McSherry and Talwar (2007). In
permute-and-flip one of c candidates is best, and one whose coin has probability w or less is chosen before it with
probability at most (c - 1) w / 2, the mean number of others that come before it times w.

A share of epsilon pays for intervals. The lower end of each is one more choice, among all rows rounded down to a
candidate, for the rank q n - a; below the lowest candidate there is none, so it counts as low enough. Every candidate
above the quantile then misses its rank by at least a, so all of them together are chosen with probability at most
c w / (1 + c w), c their number and w the weight of a. The public shift a makes that half of what `confidence` leaves;
the upper end likewise, with rows rounded up. So the interval holds the quantile of the clamped rows, whatever they are
(all of it, where between two rows any value is one). On rows without wide gaps it holds nearly always. That can't be
mended: any pure mechanism must be off by at least about ln(c) / epsilon ranks on some rows, and it can't know which it
has. Intervals for many quantiles at once, that hold about as often as they say, follow from `ranges`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Composed, Event, Exponential, Pure, Repeated
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray, IntArray
from tacit.card import Method
from tacit.errors import BadParameter
from tacit.methods.mechanisms._accuracy import with_least_epsilon
from tacit.methods.mechanisms._answer import Interval
from tacit.methods.mechanisms._noise import check_level, least
from tacit.methods.mechanisms.exponential import worst_chance
from tacit.methods.statistics._candidates import Candidates
from tacit.methods.statistics._fields import Bounded, Resolution
from tacit.randomness.selection import exponential_choice, permute_and_flip
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers

_PARTS = 10_000
_MOST_PLACES = 1 << 17


class Quantiles(Bounded):
    """Quantiles of values between bounds."""

    quantiles: Annotated[
        tuple[Annotated[float, Field(gt=0, lt=1)], ...],
        Field(min_length=1, max_length=1000, description="which ones, rising; 0.5 is the median"),
    ] = (0.5,)
    resolution: Resolution = 1000
    interval_share: Annotated[
        float, Field(ge=0, lt=1, description="the share of epsilon for the ends of intervals; 0 for none")
    ] = 0.5
    confidence: Annotated[
        float, Field(ge=0.01, le=0.9999, description="how often each interval holds, at least; to be fixed beforehand")
    ] = 0.95

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(first >= second for first, second in pairwise(self.quantiles)):
            raise ValueError("the quantiles must rise and differ")
        if any((exact(share) * _PARTS).denominator != 1 for share in self.quantiles):
            raise ValueError("a quantile has more than four decimals")
        return self

    @property
    def point_epsilon(self) -> Fraction:
        """What pays for the quantiles themselves."""
        return exact(self.epsilon) * (1 - exact(self.interval_share))

    @property
    def end_epsilon(self) -> Fraction:
        """What pays for one end of an interval."""
        return exact(self.epsilon) * exact(self.interval_share) / (2 * len(self.quantiles))

    @property
    def levels(self) -> int:
        """How often the rows are halved."""
        return len(self.quantiles).bit_length()

    @property
    def ranks(self) -> int:
        """How many random ranks tell rows of one value apart; 1 where a single quantile needs none."""
        return 1 if len(self.quantiles) == 1 else max(1, _MOST_PLACES // (self.resolution + 1))


@dataclass(frozen=True)
class QuantilesAnswer:
    """The chosen candidates, rising, the ends of their intervals, how often these hold, and what it all cost."""

    values: FloatArray
    lower: FloatArray
    upper: FloatArray
    confidence: float
    event: Event

    @property
    def value(self) -> float:
        """The (first) quantile."""
        return float(self.values[0])

    def interval(self, level: float = 0.95) -> Interval:
        """For each quantile bounds that hold that of the clamped rows with probability `level`."""
        check_level(level)
        if level > self.confidence:
            raise BadParameter(
                f"the level is {level} but the ends were chosen for {self.confidence}; ask again with that confidence"
            )
        return Interval(self.lower, self.upper)


@dataclass(frozen=True)
class _Part:
    """Sorted places of rows, between two places and two quantiles of the whole; secret but for the borders."""

    rows: IntArray
    low: int
    high: int
    below: Fraction
    above: Fraction


def choices(params: Quantiles) -> int:
    """How many choices a row takes part in: one for each level, two where it may change parts."""
    return params.levels * (2 if params.neighbours == "replace" and params.levels > 1 else 1)


def cost(params: Quantiles) -> Event:
    """What all quantiles and the ends of their intervals together spend."""
    times = choices(params)
    single = params.levels == 1
    points = Pure(params.point_epsilon) if single else Repeated(Exponential(params.point_epsilon / times), times)
    if params.interval_share == 0:
        return points
    return Composed((points, Repeated(Exponential(params.end_epsilon), 2 * len(params.quantiles))))


def quantiles(values: ArrayLike, params: Quantiles, bits: RandomBits) -> QuantilesAnswer:
    """The quantiles, each chosen among the candidates."""
    held = Candidates(params.lower, params.upper, params.resolution)
    rows, points = np.sort(held.clamped(values)), held.rising
    shares = [exact(share) for share in params.quantiles]
    if params.levels == 1:
        chosen = np.array([_single(distances(rows, points, shares[0]), params, bits)])
    else:
        chosen = _many(held.places(rows), shares, params, bits)
    ends = _ends(rows, held, params, bits)
    lower, upper = (np.array(side, dtype=np.int64) for side in zip(*ends, strict=True))
    return QuantilesAnswer(
        points[np.maximum.accumulate(np.clip(chosen, lower, upper))],
        points[lower],
        points[upper],
        params.confidence,
        cost(params),
    )


def _ends(rows: FloatArray, held: Candidates, params: Quantiles, bits: RandomBits) -> list[tuple[int, int]]:
    """The ends of each interval; the outermost candidates without a budget."""
    last = params.resolution
    if params.interval_share == 0:
        return [(0, last)] * len(params.quantiles)
    sides = held.floors(rows), last - held.ceilings(rows)
    return [_pair(sides, exact(share), params, bits) for share in params.quantiles]


def _pair(sides: tuple[IntArray, IntArray], share: Fraction, params: Quantiles, bits: RandomBits) -> tuple[int, int]:
    """Two candidates, one hardly ever above and one hardly ever below the quantile.

    The sides are the places of rows rounded down, and of rows rounded up as counted from the upper bound.
    """
    last = params.resolution
    low, mirrored = (
        int(exponential_choice(end_distances(side, last + 1, part, shift(params, part)), rate, 1, bits)[0])
        for side, part, rate in (
            (sides[0], share, end_rate(params, share)),
            (sides[1], 1 - share, end_rate(params, 1 - share)),
        )
    )
    return min(low, last - mirrored), max(low, last - mirrored)


def end_distances(places: IntArray, number: int, share: Fraction, lowered: int) -> IntArray:
    """How far share * n - lowered is from the ranks of each place, times the denominator, as `lowered` is; secret."""
    counts = np.bincount(places, minlength=number)
    upto = np.cumsum(counts) * share.denominator
    target = share.numerator * places.size - lowered
    over = upto - counts * share.denominator - target
    over[0] = 0
    gap: IntArray = np.maximum(np.maximum(over, target - upto), 0)
    return gap


def end_rate(params: Quantiles, share: Fraction) -> Fraction:
    """The weight of one unit of distance, a row over the share's denominator, in the choice of an end."""
    move = (
        share.denominator
        if params.neighbours == "replace"
        else max(share.numerator, share.denominator - share.numerator)
    )
    return params.end_epsilon / (2 * move * params.contributions)


@lru_cache(maxsize=256)
def shift(params: Quantiles, share: Fraction) -> int:
    """By how many units the rank of an end is moved outwards, so that it misses seldom enough."""
    rate, allowed = float(end_rate(params, share)), (1 - params.confidence) / 2 * (1 - 1e-12)
    return least(lambda far: worst_chance(math.exp(-min(rate * far, 700.0)), params.resolution + 1) <= allowed, 1 << 62)


def _single(gaps: IntArray, params: Quantiles, bits: RandomBits) -> int:
    """The place of the only quantile, by permute-and-flip."""
    rate = choice_rate(params, exact(params.quantiles[0]))
    return int(permute_and_flip(gaps - gaps.min(), rate, 1, bits)[0])


def _many(rough: IntArray, shares: list[Fraction], params: Quantiles, bits: RandomBits) -> IntArray:
    """The places of several quantiles, by halving."""
    places = rough * params.ranks
    if params.ranks > 1:
        places = places + uniform_integers(params.ranks, places.size, bits)
    whole = _Part(np.sort(places), 0, (params.resolution + 1) * params.ranks - 1, Fraction(0), Fraction(1))
    return np.array(_halve(whole, shares, params, bits), dtype=np.int64) // params.ranks


def _halve(part: _Part, shares: list[Fraction], params: Quantiles, bits: RandomBits) -> list[int]:
    """The middle quantile of this part, and the others of the two parts that it makes."""
    if not shares:
        return []
    middle = len(shares) // 2
    share = (shares[middle] - part.below) / (part.above - part.below)
    place = _choose(part, share, params, bits)
    cut = int(np.searchsorted(part.rows, place, side="right"))
    before = _Part(part.rows[:cut], part.low, place, part.below, shares[middle])
    after = _Part(part.rows[cut:], min(place + 1, part.high), part.high, shares[middle], part.above)
    lower = _halve(before, shares[:middle], params, bits)
    return [*lower, place, *_halve(after, shares[middle + 1 :], params, bits)]


def _choose(part: _Part, share: Fraction, params: Quantiles, bits: RandomBits) -> int:
    regrets = distances(part.rows, np.arange(part.low, part.high + 1), share)
    rate = choice_rate(params, share)
    return part.low + int(exponential_choice(regrets - regrets.min(), rate, 1, bits)[0])


def distances(rows: IntArray | FloatArray, candidates: IntArray | FloatArray, share: Fraction) -> IntArray:
    """How far share * n is from the ranks of each candidate among the rising rows, times the share's denominator."""
    target = share.numerator * rows.size
    below = np.searchsorted(rows, candidates, side="left") * share.denominator
    upto = np.searchsorted(rows, candidates, side="right") * share.denominator
    gap: IntArray = np.maximum(np.maximum(below - target, target - upto), 0)
    return gap


def choice_rate(params: Quantiles, share: Fraction) -> Fraction:
    """The weight of one unit of distance, where a unit is a row over the share's denominator."""
    single = params.neighbours == "replace" and params.levels == 1
    move = share.denominator if single else max(share.numerator, share.denominator - share.numerator)
    return params.point_epsilon / (choices(params) * 2 * move * params.contributions)


def error(params: Quantiles, level: float = 0.95) -> float:
    """How many rows lie between a quantile and the chosen value, beyond those that the best candidate leaves there, at
    most, with probability `level` for all quantiles."""
    check_level(level)
    if params.levels == 1:
        share = exact(params.quantiles[0])
        row = float(choice_rate(params, share) * share.denominator)
        return max(0.0, math.log(params.resolution / (2 * (1 - level)))) / row
    number = (params.resolution + 1) * params.ranks
    epsilon = float(params.point_epsilon) / choices(params)
    miss = (1 - level) / len(params.quantiles)
    return params.levels * 2 * params.contributions * math.log(number / miss) / epsilon


def for_error(most: float, params: Quantiles, level: float = 0.95) -> Quantiles:
    """The parameters with the least epsilon at which the error is at most `most` ranks with probability `level`."""
    return with_least_epsilon(params, most, lambda asked: error(asked, level))


METHOD = Method(
    title="Quantiles",
    params=Quantiles,
    run=quantiles,
    needs="a number for each row, declared bounds and the number of candidates between them",
    gives="the median or other quantiles, each a candidate of nearly the right rank, with an interval",
    guarantees=("differential-privacy",),
    kind="answer",
    paper="https://proceedings.mlr.press/v162/kaplan22a.html",
    example=Quantiles(epsilon=1.0, lower=0.0, upper=100.0, quantiles=(0.25, 0.5, 0.75)),
)

"""Quantiles and the median by a private choice among declared candidates (Smith 2011).

Candidates are equally spaced between the bounds; by default whole numbers are among them if the bounds allow it
(`_candidates.py`). Each row is rounded to its nearest candidate first, so that a value which many rows share is one
candidate's, wherever it lies. The score of a candidate for the quantile q of n rows is minus the distance of q n from
its ranks, [rows below] to [rows up to it]. A row more or less moves it by at most max(q, 1 - q), a replaced row by at
most 1. Rounding looks at one row and the bounds alone: neighbours stay neighbours, under both relations, so all this
holds for rounded rows as for any others. One quantile is chosen by permute-and-flip (McKenna and Sheldon 2020); its
ranks are narrowed where rows share a candidate, at the same sensitivity. Several are found by halving (Kaplan, Schnapp
and Stemmer 2022) with the exponential mechanism: at each of L = log2(m + 1) levels a row stands in one part only. Under
`add-remove` and under `replace` a level is one choice whose loss has range epsilon / L, so its rho is (epsilon / L)**2
/ 8.

The error is in ranks of the rounded rows, an upper bound; no row was moved by more than half a step. Intervals cost a
share of epsilon of their own: the rows, as they are, are counted with noise in bins around the chosen quantiles, and
tests at the borders of the bins leave the interval (`_quantiles/`). It holds the quantile of the clamped rows, whatever
they are. Proofs: docs/explanation/quantiles.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Composed, Event, Exponential, Pure, Repeated, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.scale import require_columns
from tacit.methods.statistics._candidates import CandidatesQuestion
from tacit.methods.statistics._quantiles.ranked import RankCounts, rank_counts, rank_values, ranks_wanted
from tacit.methods.statistics._quantiles.surroundings import Surroundings, bin_counts, cuts
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.randomness.selection import exponential_choice, permute_and_flip
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers
from tacit.sensitivity.neighbouring_datasets import of_numbers

_PARTS = 10_000
_MOST_PLACES = 1 << 17
_LIKELY = 0.95
_MOST_ROWS = 1 << 62
"""More than any table has; at a tiny epsilon the error is larger, and no array of whole numbers holds it."""
NO_INTERVAL = "There is no interval, because none was paid for: `interval_share: 0.5` spends half of epsilon on one."


class Quantiles(CandidatesQuestion):
    """Quantiles of values between bounds."""

    quantiles: Annotated[
        tuple[Annotated[float, Field(gt=0, lt=1)], ...],
        Field(min_length=1, max_length=1000, description="the quantiles, in rising order; 0.5 is the median"),
    ] = (0.5,)
    interval_share: Annotated[
        float, Field(ge=0, lt=1, description="the share of epsilon for counts that give intervals; 0 for none")
    ] = 0.0

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
    def interval_epsilon(self) -> Fraction:
        """What pays for the counts around them."""
        return exact(self.epsilon) * exact(self.interval_share)

    @property
    def levels(self) -> int:
        """How often the rows are halved."""
        return len(self.quantiles).bit_length()

    @property
    def ranks(self) -> int:
        """How many random ranks tell rows of one value apart; 1 where a single quantile needs none."""
        return 1 if len(self.quantiles) == 1 else max(1, _MOST_PLACES // (self.steps + 1))


@dataclass(frozen=True)
class QuantilesAnswer(Publishable):
    """The chosen candidates, rising, the counts around them (None where they were not paid for), and what it cost."""

    values: FloatArray
    around: Surroundings | None
    params: Quantiles
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The quantiles, and which ones they are."""
        return {"values": self.values, "quantiles": self.params.quantiles}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """Which quantile each is."""
        return ["median" if share == 0.5 else f"quantile {share:g}" for share in self.params.quantiles]

    def remarks(self) -> tuple[str, ...]:
        """How to get an interval, where none was paid for."""
        return (NO_INTERVAL,) if self.around is None else ()

    @property
    def value(self) -> float:
        """The (first) quantile."""
        return float(self.values[0])

    def interval(self, level: float = 0.95) -> Interval | None:
        """For each quantile bounds that hold that of the clamped rows with probability `level`; None where no epsilon
        was paid for them."""
        check_level(level)
        return None if self.around is None else self.around.interval(self.params.quantiles, level)


@dataclass(frozen=True)
class _SortedPart:
    """Sorted places of rows, between two places and two quantiles of the whole; secret but for the borders."""

    rows: IntArray
    low: int
    high: int
    below: Fraction
    above: Fraction


def cost(params: Quantiles) -> Event:
    """What all quantiles and the counts around them together spend."""
    each = params.point_epsilon / params.levels
    points = Pure(each) if params.levels == 1 else Repeated(Exponential(each), params.levels)
    return points if params.interval_share == 0 else Composed((points, used(params).event))


def spends(params: Quantiles) -> Event:
    """What all of it costs, stated for the people whom the question is about."""
    return in_scope(cost(params), params.scope)


def used(params: Quantiles) -> NoiseSetting:
    """The noise of the counts around the quantiles."""
    return setting(Moves(moves(params), Fraction(moves(params))), Allowance(params.interval_epsilon))


def moves(params: Quantiles) -> int:
    """How far a person moves the counts of all bins, in L1."""
    return params.contributions * (1 if params.neighbours == "add-remove" else 2)


def quantiles(values: ArrayLike, params: Quantiles, bits: RandomBits) -> QuantilesAnswer:
    """The quantiles, each chosen among the candidates, and the counts around them."""
    return _answer(rank_values(values, params.points, params.interval_share > 0), params, bits)


def wanted(columns: Sequence[str], params: Quantiles) -> Cells:
    """What an engine must count: the rows nearest to each candidate; for intervals also those at and between them."""
    require_columns(columns, 1)
    return ranks_wanted(columns[0], params.points, params.interval_share > 0)


def from_aggregates(found: CellCounts, params: Quantiles, bits: RandomBits) -> QuantilesAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["value"], params), params.contributions)
    return _answer(rank_counts(kept, params.points, params.interval_share > 0), params, bits)


@scoped
def _answer(ranked: RankCounts, params: Quantiles, bits: RandomBits) -> QuantilesAnswer:
    points, shares = params.points.rising, [exact(share) for share in params.quantiles]
    if params.levels == 1:
        chosen = np.array([_single(gaps(ranked.below, ranked.upto, shares[0], ties(params)), params, bits)])
    else:
        chosen = _many(ranked.places, shares, params, bits)
    if params.interval_share == 0:
        return QuantilesAnswer(points[np.maximum.accumulate(chosen)], None, params, cost(params))
    cut = cuts(chosen, params.steps)
    counts = add_noise(bin_counts(ranked, cut), used(params), WHOLE, bits).values.astype(np.float64)
    borders = np.concatenate([points[:1], points[cut // 2], points[-1:]])
    around = Surroundings(counts, borders, float(moves(params) / params.interval_epsilon))
    likely = around.interval(params.quantiles, _LIKELY)
    within = np.maximum.accumulate(np.clip(points[chosen], likely.lower, likely.upper))
    return QuantilesAnswer(within, around, params, cost(params))


def _single(far: IntArray, params: Quantiles, bits: RandomBits) -> int:
    """The place of the only quantile, by permute-and-flip."""
    rate = choice_rate(params, exact(params.quantiles[0]))
    return int(permute_and_flip(far - far.min(), rate, 1, bits)[0])


def _many(rough: IntArray, shares: list[Fraction], params: Quantiles, bits: RandomBits) -> IntArray:
    """The places of several quantiles, by halving."""
    places = rough * params.ranks
    if params.ranks > 1:
        places = places + uniform_integers(params.ranks, places.size, bits)
    whole = _SortedPart(np.sort(places), 0, (params.steps + 1) * params.ranks - 1, Fraction(0), Fraction(1))
    return np.array(_halve(whole, shares, params, bits), dtype=np.int64) // params.ranks


def _halve(part: _SortedPart, shares: list[Fraction], params: Quantiles, bits: RandomBits) -> list[int]:
    """The middle quantile of this part, and the others of the two parts that it makes."""
    if not shares:
        return []
    middle = len(shares) // 2
    share = (shares[middle] - part.below) / (part.above - part.below)
    place = _choose(part, share, params, bits)
    cut = int(np.searchsorted(part.rows, place, side="right"))
    before = _SortedPart(part.rows[:cut], part.low, place, part.below, shares[middle])
    after = _SortedPart(part.rows[cut:], min(place + 1, part.high), part.high, shares[middle], part.above)
    lower = _halve(before, shares[:middle], params, bits)
    return [*lower, place, *_halve(after, shares[middle + 1 :], params, bits)]


def _choose(part: _SortedPart, share: Fraction, params: Quantiles, bits: RandomBits) -> int:
    runs = _runs(part)
    regrets = gaps(runs.below, runs.upto, share)[runs.long]
    rate = choice_rate(params, share)
    return part.low + int(exponential_choice(regrets - regrets.min(), rate, 1, bits, runs.length[runs.long])[0])


@dataclass(frozen=True)
class _PlaceRuns:
    """The places of a part in runs, in order: those between two rows, and single ones with rows; secret.

    `below` and `upto` are the rows below and up to each place of a run, `length` is how many places it has.
    """

    below: IntArray
    upto: IntArray
    length: IntArray

    @property
    def long(self) -> BoolArray:
        """Whether a run has a place at all."""
        held: BoolArray = self.length > 0
        return held


def _runs(part: _SortedPart) -> _PlaceRuns:
    """All places of a run have the same rows below and up to them, so the same regret; after the last row is a run."""
    held, rows = _held(part)
    upto = np.cumsum(rows)
    between = np.diff(held, prepend=part.low - 1, append=part.high + 1) - 1
    length = np.ones(2 * held.size + 1, dtype=np.int64)
    length[::2] = between
    steps = np.repeat(np.append(0, upto), 2)
    return _PlaceRuns(steps[:-1], steps[1:], length)


def _held(part: _SortedPart) -> tuple[IntArray, IntArray]:
    """The places that have rows, in order, and how many each has; found by whichever way looks at less."""
    places = part.high - part.low + 1
    if part.rows.size < places:
        begins = np.flatnonzero(np.diff(part.rows, prepend=part.low - 1))
        return part.rows[begins], np.diff(begins, append=part.rows.size)
    rows = np.bincount(part.rows - part.low, minlength=places)
    held = np.flatnonzero(rows)
    return held + part.low, rows[held]


def gaps(below: IntArray, upto: IntArray, share: Fraction, most_ties: int = 0) -> IntArray:
    """How far share * n is from the ranks of each candidate, times the share's denominator, where the rows below and up
    to each candidate are counted; all rows lie up to the last one."""
    part, whole = share.numerator, share.denominator
    held, target = np.minimum(upto - below, most_ties), part * int(upto[-1])
    low, high = below * whole + part * held, upto * whole - (whole - part) * held
    gap: IntArray = np.maximum(np.maximum(low - target, target - high), 0)
    return gap


def ties(params: Quantiles) -> int:
    """By how many rows of one value the ranks of a candidate are narrowed, at most; public."""
    return math.ceil(min(error(params), _MOST_ROWS)) if params.levels == 1 else 0


def choice_rate(params: Quantiles, share: Fraction) -> Fraction:
    """The weight of one unit of distance, where a unit is a row over the share's denominator."""
    move = max(share.numerator, share.denominator - share.numerator)
    if params.neighbours == "replace":
        move = share.denominator if params.levels == 1 else 2 * move
    return params.point_epsilon / (params.levels * 2 * move * params.contributions)


def error(params: Quantiles, level: float = 0.95) -> float:
    """How many ranks, of the rounded rows, further from its quantile than the best candidate a chosen value lies at
    most, with probability `level` for all quantiles; a single quantile takes up to as many ties for one rank."""
    check_level(level)
    if params.levels == 1:
        share = exact(params.quantiles[0])
        row = float(choice_rate(params, share) * share.denominator)
        return max(0.0, math.log(params.steps / (2 * (1 - level)))) / row
    number = (params.steps + 1) * params.ranks
    parts = 1 if params.neighbours == "add-remove" else 2
    epsilon = float(params.point_epsilon) / (params.levels * parts)
    miss = (1 - level) / len(params.quantiles)
    return params.levels * 2 * params.contributions * math.log(number / miss) / epsilon


METHOD = Statistic(
    title="Quantiles",
    params=Quantiles,
    run=quantiles,
    takes=NumberColumn(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_numbers,
    needs="a number for each row, declared bounds and the number of candidates between them",
    gives="the median or other quantiles, each a candidate of nearly the right rank, with an interval",
    paper="https://proceedings.mlr.press/v162/kaplan22a.html",
    example=Quantiles(epsilon=1.0, lower=0.0, upper=100.0, quantiles=(0.25, 0.5, 0.75)),
)

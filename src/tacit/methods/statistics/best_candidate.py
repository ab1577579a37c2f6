"""The best of candidates that are private by themselves, with its score: the best of a secret random number of runs.

Liu and Talwar (2019): run a private mechanism that ends in a score, with a candidate drawn at random, again and again;
stop at random; publish the best result. The price does not grow with the number of runs that are expected, if that is
drawn from the right law (`accounting.runs`): (2 + eta) times the epsilon of one run for a truncated negative binomial
number (Papernot and Steinke 2022; 2 logarithmic, 3 geometric), epsilon + mean tanh(epsilon / 2) for a Poisson number.
`best_of` takes any mechanism (a model trained and scored privately); the card's own scores each candidate by its sum
over the rows, with Laplace noise. For public candidates `best-choice` is the better of the two.

With G the generating function of the number of runs, the published noise exceeds a with probability at most
1 - G(Pr[noise <= a]); with m candidates it lies below t with probability at most the sum of G(1 - i/m + Pr[noise < t]
/ m) - G(1 - i/m) over i = 1, …, m. The error and the interval follow (docs/explanation/best-of-many-runs.md).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import BestOf, Event, in_scope
from tacit.accounting.exact import exact
from tacit.accounting.runs import NegativeBinomial, Poisson, Runs
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import ScoreColumns
from tacit.data.aggregates.sums import Sums, Totals
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.statistics import best_choice
from tacit.methods.statistics.best_choice import BestChoice, score_range, score_sums, sums_from
from tacit.noise.answer import Interval
from tacit.noise.noise import check_level, least
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.setting import Allowance, Moves, NoiseSetting, setting
from tacit.randomness.enclosure import Enclosure, enclose
from tacit.randomness.stream import RandomBits
from tacit.randomness.table import CellTable, Weights
from tacit.randomness.uniform import uniform_integers
from tacit.sensitivity.neighbouring_datasets import of_scores

T = TypeVar("T")
_HALVINGS = 60
_EXACT = 64


class BestCandidate(BestChoice):
    """The best of named candidates, by private scores."""

    runs: Annotated[float, Field(gt=1, le=500, description="how many runs are expected, a few for each candidate")] = (
        30.0
    )
    law: Annotated[
        Literal["logarithmic", "geometric", "poisson"], Field(description="the law of the secret number of runs")
    ] = "geometric"


@dataclass(frozen=True)
class ScoredResult(Generic[T]):
    """What a run ends in: a private result and its private score."""

    score: float
    result: T


@dataclass(frozen=True)
class CandidateAnswer(Publishable):
    """The best candidate that was run, its noisy sum from the lower bound, and what it cost; None where none was."""

    name: str | None
    score: float
    params: BestCandidate
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The noisy sum of the chosen candidate, and its name."""
        return {"values": [] if self.name is None else [self.score], "name": self.name}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """The chosen candidate, where there is one."""
        return [] if self.name is None else [self.name]

    def remarks(self) -> tuple[str, ...]:
        """That no candidate was run, where none was."""
        return () if self.name is not None else ("The random number of runs was 0, so no candidate was run.",)

    def interval(self, level: float = 0.95) -> Interval:
        """Bounds that hold the sum of the chosen candidate with probability `level`."""
        check_level(level)
        if self.name is None:
            return Interval(np.empty(0), np.empty(0))
        most, fewest = most_noise(self.params, (1 - level) / 2), least_noise(self.params, (1 - level) / 2)
        ends = (-most, -fewest) if self.params.goal == "greatest" else (fewest, most)
        return Interval(np.array([self.score + ends[0]]), np.array([self.score + ends[1]]))


def best_of(run: Callable[[RandomBits], ScoredResult[T]], runs: Runs, bits: RandomBits) -> ScoredResult[T] | None:
    """The result of greatest score of a random number of runs, each of which must be private; None where none was run.

    It costs BestOf(event of one run, runs). Between equal scores the first stands.
    """
    found = [run(bits) for _ in range(draw_number(runs, bits))]
    return max(found, key=lambda scored: scored.score, default=None)


@lru_cache(maxsize=64)
def law_of(params: BestCandidate) -> Runs:
    """The law of the number of runs, with the mean that was asked for (nearly, for a logarithmic one)."""
    if params.law == "poisson":
        return Poisson(params.runs)
    if params.law == "geometric":
        return NegativeBinomial(1, 1 / exact(params.runs))
    low, high = 1e-7, 1 - 1e-9
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if NegativeBinomial(0, middle).mean >= params.runs else (low, middle)
    return NegativeBinomial(0, Fraction(low).limit_denominator(10**6))


def run_epsilon(params: BestCandidate) -> Fraction:
    """What one run may spend, so that the best of all spends no more than epsilon."""
    epsilon, runs = exact(params.epsilon), law_of(params)
    if isinstance(runs, NegativeBinomial):
        return epsilon / (2 + exact(runs.eta))
    low, high = 0.0, float(epsilon)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        kept = middle + float(runs.mean) * math.tanh(middle / 2) <= float(epsilon) * (1 - 1e-11)
        low, high = (middle, high) if kept else (low, middle)
    return Fraction(low)


def used(params: BestCandidate) -> NoiseSetting:
    """The noise of one run, in steps of the range."""
    width = score_range(params).width * params.contributions
    return setting(Moves(width, Fraction(width)), Allowance(run_epsilon(params)))


def draw_number(runs: Runs, bits: RandomBits) -> int:
    """How many runs there are, drawn exactly."""
    number = int(_table(runs).draw(1, bits)[0])
    return number if isinstance(runs, Poisson) else number + 1


@lru_cache(maxsize=64)
def _table(runs: Runs) -> CellTable:
    """Cells of weights that follow from one another by public ratios, up to a rest of next to nothing."""
    if isinstance(runs, NegativeBinomial) and not -1 < exact(runs.eta) <= 1:
        raise BadParameter(f"eta is {runs.eta}; numbers of runs are drawn for an eta up to 1")

    def weights(precision: int) -> Weights:
        cells = [Enclosure(1 << precision, 1 << precision, precision)]
        while True:
            ratio = _ratio(runs, len(cells))
            cells.append(cells[-1].times(enclose(ratio.this, precision)))
            if ratio.all_later < 1:
                rest = math.ceil(cells[-1].high * ratio.all_later / (1 - ratio.all_later))
                if rest <= 1 << 80:
                    return Weights(tuple(cells), rest)

    return CellTable(weights)


@dataclass(frozen=True)
class _Ratio:
    """The weight of a cell over that of the one before, and a bound of this for all later cells."""

    this: Fraction
    all_later: Fraction


def _ratio(runs: Runs, cell: int) -> _Ratio:
    if isinstance(runs, Poisson):
        mean = exact(runs.mean)
        return _Ratio(mean / cell, mean / (cell + 1))
    left = 1 - exact(runs.gamma)
    return _Ratio(left * (cell + exact(runs.eta)) / (cell + 1), left)


def best_candidate(rows: ArrayLike, params: BestCandidate, bits: RandomBits) -> CandidateAnswer:
    """The best of the candidates that were run, by their noisy sums of scores; one column for each candidate."""
    return _answer(score_sums(rows, params), params, bits)


def wanted(columns: Sequence[str], params: BestCandidate) -> Sums:
    """What an engine must add up: the steps of each candidate's column of scores above the lower bound."""
    return best_choice.wanted(columns, params)


def from_aggregates(found: Totals, params: BestCandidate, bits: RandomBits) -> CandidateAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    return _answer(sums_from(found, params), params, bits)


@scoped
def _answer(sums: IntArray, params: BestCandidate, bits: RandomBits) -> CandidateAnswer:
    chosen, step = used(params), float(score_range(params).grid.step)
    number = draw_number(law_of(params), bits)
    event = BestOf(chosen.event, law_of(params))
    if number == 0:
        return CandidateAnswer(None, 0.0, params, event)
    ran = uniform_integers(len(params.candidates), number, bits)
    noisy = sums[ran] + chosen.noise.draw(number, bits)
    best = int(np.lexsort((ran, -noisy))[0])
    sign = 1 if params.goal == "greatest" else -1
    return CandidateAnswer(params.candidates[int(ran[best])], sign * float(noisy[best]) * step, params, event)


@lru_cache(maxsize=64)
def most_noise(params: BestCandidate, miss: float) -> float:
    """The bound that the noise of some run exceeds with probability at most `miss`, on the side that is preferred."""
    return _most_steps(params, miss) * float(score_range(params).grid.step)


def _most_steps(params: BestCandidate, miss: float) -> int:
    runs, noise = law_of(params), used(params).noise
    return least(lambda far: 1 - runs.all_within(1 - noise.beyond(far) / 2) <= miss, 1 << 62)


@lru_cache(maxsize=64)
def least_noise(params: BestCandidate, miss: float) -> float:
    """The noise of the published run is below this with probability at most `miss`. With many runs it is above 0."""
    noise, top = used(params).noise, _most_steps(params, miss)

    def below(steps: int) -> float:
        return noise.beyond(-steps) / 2 if steps <= 0 else 1 - noise.beyond(steps - 1) / 2

    lowered = least(lambda down: all_below(params, below(top - down)) <= miss, 1 << 62)
    return (top - lowered) * float(score_range(params).grid.step)


def all_below(params: BestCandidate, chance: float) -> float:
    """An upper bound of the probability that every run of the best candidate drawn has low noise.

    `chance` is the probability that one run has. Beyond the first candidates a chord bounds the convex generating
    function of the number of runs from above.
    """
    within, number = law_of(params).all_within, len(params.candidates)
    first = min(number, _EXACT)
    left = [1 - place / number for place in range(1, first + 1)]
    exactly = sum(within(share + chance / number) - within(share) for share in left)
    return exactly + chance * (within(1 - first / number) - within(0.0))


def spends(params: BestCandidate) -> Event:
    """What the best of all runs costs."""
    return in_scope(BestOf(used(params).event, law_of(params)), params.scope)


def error(params: BestCandidate, level: float = 0.95) -> float:
    """What the chosen sum stays behind the best by, at most, with probability `level`."""
    check_level(level)
    runs, noise, share = law_of(params), used(params).noise, 1 / len(params.candidates)
    if runs.all_within(1 - share) >= 1 - level:
        raise CannotGuarantee(
            f"the best of {len(params.candidates)} candidates is not among {params.runs:g} expected runs that often; "
            "expect more runs, or ask for a lower level"
        )

    def misses(far: int) -> float:
        above = noise.beyond(far) / 2
        return runs.all_within(1 - share * (1 - above)) + 1 - runs.all_within(1 - above)

    return 2 * least(lambda far: misses(far) <= 1 - level, 1 << 62) * float(score_range(params).grid.step)


METHOD = Statistic(
    title="Best candidate",
    params=BestCandidate,
    run=best_candidate,
    takes=ScoreColumns(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_scores,
    needs="a score of every candidate on every row, and declared bounds of the scores",
    gives="the name and the noisy score of the best candidate of a secret random number of private runs",
    paper="https://arxiv.org/abs/2110.03620",
    example=BestCandidate(epsilon=1.0, lower=0.0, upper=1.0, candidates=("small", "large")),
)

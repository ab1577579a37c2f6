"""The sparse vector technique: which of many answers lie above a threshold, for the price of the few that do (W31).

With epsilon = e1 + e2 + e3: the threshold gets Lap(s / e1) once, every answer Lap(2 c s / e2) (c s / e2 where all
answers move in one direction), and the first c answers whose noisy value reaches the noisy threshold are reported;
then it stops. For the numeric variant each reported answer is released with fresh noise Lap(c s / e3). This is the one
variant of six in print that Lyu, Su and Li (2017) prove private and recommend; the broken ones (noise that does not
grow with c, the same noise in test and answer, no noise on the answers) are absent. `even` takes e1 = e2 (W31 with c =
1), `optimal` e1 : e2 = 1 : (2c)**(2/3), which minimises the error.

The error a of m questions: with probability `level` no answer more than a below the threshold is reported and none more
than a above is passed over. Given the noise t of the threshold an answer is judged right with probability F(a + t) or
F(a - t), as it lies below or above, F the law of its own noise. The mean of F(a + t)**i F(a - t)**(m - i) is convex
in i in the logarithm and symmetric, so it is least for i = m / 2, which serves as the bound for all answers.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import Annotated, Any, Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Event, Pure
from tacit.accounting.exact import exact, whole
from tacit.arrays import FloatArray, IntArray
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.errors import BadData, BudgetExceeded, PolicyRefused
from tacit.forks import forks
from tacit.noise.fields import Epsilon, GridPower, Monotonic, SensitivityField
from tacit.noise.grid import Grid, clamped_sum, grid_for
from tacit.noise.noise import LaplaceNoise, check_level, error_steps, least
from tacit.noise.private_answer import Publishable, marked
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import answers as neighbouring_answers

_BINS = 2000


class SparseVector(Params):
    """Answers above a threshold."""

    epsilon: Epsilon
    sensitivity: SensitivityField
    threshold: Annotated[float, Field(ge=-1e100, le=1e100, description="the public threshold")]
    answers: Annotated[int, Field(ge=1, le=10_000, description="how many answers above the threshold are reported")] = 1
    monotonic: Monotonic = False
    numeric: Annotated[float, Field(ge=0, lt=1, description="the share of epsilon kept for the reported values")] = 0.0
    split: Annotated[
        Literal["optimal", "even"], Field(description="how the threshold and the answers share the rest")
    ] = "optimal"
    grid: GridPower = None


@dataclass(frozen=True)
class SparseSetting:
    """The grid, the threshold in steps and the noises; `for_value` is None where no values are released."""

    grid: Grid
    threshold: int
    for_threshold: LaplaceNoise
    for_answer: LaplaceNoise
    for_value: LaplaceNoise | None


@dataclass(frozen=True)
class SparseAnswers(Publishable):
    """Positions of the answers found above, their noisy values (none unless asked for), and how many were looked at."""

    above: IntArray
    values: FloatArray
    asked: int
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The noisy values, where they were asked for, and which answers were found above."""
        return {"values": self.values, "above": self.above, "asked": self.asked}


@lru_cache(maxsize=64)
def setting(params: SparseVector) -> SparseSetting:
    """Noises that together cost epsilon."""
    sensitivity = exact(params.sensitivity)
    grid = grid_for(params.grid, sensitivity)
    steps = grid.l1(sensitivity, 1)
    values = exact(params.numeric) * exact(params.epsilon)
    rest = exact(params.epsilon) - values
    spread = params.answers * (1 if params.monotonic else 2)
    first = rest * _share(params, spread)
    return SparseSetting(
        grid,
        int(grid.steps(params.threshold).counts[0]),
        LaplaceNoise(first / steps),
        LaplaceNoise((rest - first) / (spread * steps)),
        LaplaceNoise(values / (params.answers * steps)) if values else None,
    )


def _share(params: SparseVector, spread: int) -> Fraction:
    if params.split == "even":
        return Fraction(1, 2)
    return Fraction(1 / (1 + spread ** (2 / 3))).limit_denominator(10**6)


@marked
def above_threshold(answers: ArrayLike, params: SparseVector, bits: RandomBits) -> SparseAnswers:
    """The first answers, given in order, that lie above the threshold."""
    used = setting(params)
    steps = used.grid.steps(answers).counts
    bar = used.threshold + used.for_threshold.draw(1, bits)[0]
    noisy = clamped_sum(steps, used.for_answer.draw(steps.size, bits))
    above = np.flatnonzero(noisy >= bar)[: params.answers]
    asked = int(above[-1]) + 1 if above.size == params.answers else steps.size
    return SparseAnswers(above, _values(steps[above], used, bits), asked, spends(params))


def spends(params: SparseVector, shape: AnswerShape = ONE_NUMBER) -> Pure:
    """What all questions spend together, however many they are."""
    return Pure(exact(params.epsilon))


ANEW = "begin a new session with a new budget"


class SparseSession:
    """The same for questions that are asked one by one, each chosen in the light of what came before.

    Threads may share it. It can't be copied, nor be used on both sides of a fork: each copy would report its own
    answers against the same noisy threshold.
    """

    def __init__(self, params: SparseVector, bits: RandomBits) -> None:
        self._bits = bits
        self._used = setting(params)
        self._bar = self._used.threshold + int(self._used.for_threshold.draw(1, bits)[0])
        self._left = params.answers
        self._event = spends(params)
        self._lock = Lock()
        self._forks = forks()

    @property
    def left(self) -> int:
        """How many answers above the threshold may still be reported."""
        return self._left

    def ask(self, answer: float) -> SparseAnswers:
        """Whether this answer, one number, is above (then `above` holds 0); the event is that of the whole session;
        refused when all reports are used up."""
        if self._forks != forks():
            raise PolicyRefused(f"this session was copied by a fork; {ANEW}")
        steps = self._used.grid.steps(answer).counts
        if steps.size != 1:
            raise BadData(f"the answer has {steps.size} numbers; a session is asked about one at a time")
        with self._lock:
            return self._report(steps)

    def __reduce__(self) -> NoReturn:
        """Refused: a copy would report as many answers again."""
        raise PolicyRefused(f"a session can't be copied or pickled; {ANEW}")

    def _report(self, steps: IntArray) -> SparseAnswers:
        """One answer; nobody else asks between the look at what is left and the report."""
        if self._left <= 0:
            raise BudgetExceeded(f"all answers above the threshold have been reported; {ANEW}")
        noisy = clamped_sum(steps, self._used.for_answer.draw(1, self._bits))
        above = np.flatnonzero(noisy >= self._bar)
        self._left -= above.size
        return SparseAnswers(above, _values(steps[above], self._used, self._bits), 1, self._event, self._bits.seeded)


def _values(steps: IntArray, used: SparseSetting, bits: RandomBits) -> FloatArray:
    if used.for_value is None:
        return np.empty(0)
    return used.grid.values(clamped_sum(steps, used.for_value.draw(steps.size, bits)))


def error(params: SparseVector, questions: int, level: float = 0.95) -> float:
    """How far answers on the wrong side of the threshold lie from it, at most, among so many, with probability
    `level`."""
    check_level(level)
    used, number = setting(params), whole("questions", questions)
    steps = least(lambda reach: _all_right(reach, number, used) >= level, 1 << 62)
    return (steps + 1) * float(used.grid.step)


def _all_right(reach: int, questions: int, used: SparseSetting) -> float:
    """The least chance that all are judged right but within `reach` steps, the noise of the threshold cut into bins of
    which each counts as its worst."""
    far = error_steps(used.for_threshold, 1 - 1e-9)
    ends = np.unique(np.ceil(np.linspace(0, far, _BINS)))
    within = 2 * _upto(ends, float(used.for_threshold.rate)) - 1
    rate = float(used.for_answer.rate)
    right = _upto(reach + ends, rate) * _upto(reach - ends, rate)
    return float(np.diff(within, prepend=0.0) @ right ** (questions / 2))


def _upto(steps: FloatArray, rate: float) -> FloatArray:
    """Pr[noise <= steps]."""
    tail = np.exp(-rate * np.where(steps < 0, -steps, steps + 1)) / (1 + np.exp(-rate))
    chance: FloatArray = np.where(steps < 0, tail, 1 - tail)
    return chance


def value_error(params: SparseVector, level: float = 0.95) -> float:
    """What a reported value is off by, at most, with probability `level`; infinite where none is asked for."""
    used = setting(params)
    if used.for_value is None:
        return math.inf
    return float((error_steps(used.for_value, level) + Fraction(1, 2)) * used.grid.step)


METHOD = Mechanism(
    title="Sparse vector",
    params=SparseVector,
    run=above_threshold,
    spends=spends,
    error=error,
    neighbours=lambda params: neighbouring_answers(params.threshold, params.sensitivity, params.monotonic),
    needs="answers in order, each of known sensitivity, and a public threshold",
    gives="the first answers above the threshold, for a price that does not depend on how many were asked",
    paper="https://doi.org/10.14778/3055330.3055331",
    example=SparseVector(epsilon=1.0, sensitivity=1.0, threshold=10.0),
)

"""Scores of candidates as whole numbers on a public grid, and how far a private choice may fall short of the best.

The sensitivity of a score is the most that one unit of privacy can change any single one. Real scores are rounded to
the grid first and the sensitivity is rounded up, so that float rounding in a score can't break the promise.

How far the chosen score falls short of the best depends on all scores. The bound holds for all of them: it is attained
if one candidate is best and all others fall short of it by the same amount. (With noise on every score, raising one
that lies further behind, or lowering one that lies less, only makes it likelier that one of those far behind wins.)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event
from tacit.accounting.exact import exact, whole
from tacit.arrays import IntArray
from tacit.noise.fields import Epsilon, GridPower, Monotonic, SensitivityField
from tacit.noise.grid import Grid, grid_for
from tacit.noise.noise import check_level, least
from tacit.noise.private_answer import Publishable
from tacit.params import Params


class Selection(Params):
    """How a candidate is chosen by score."""

    epsilon: Epsilon
    sensitivity: SensitivityField
    monotonic: Monotonic = False
    grid: GridPower = None


@dataclass(frozen=True)
class Choice(Publishable):
    """The chosen candidates by position, best first as far as the choice knows, and what the choice cost."""

    chosen: IntArray
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The positions of the chosen candidates."""
        return {"values": self.chosen}

    @property
    def index(self) -> int:
        """The (first) chosen candidate."""
        return int(self.chosen[0])


@lru_cache(maxsize=256)
def score_grid(params: Selection) -> Grid:
    """The grid of the scores."""
    return grid_for(params.grid, exact(params.sensitivity))


def score_steps(scores: ArrayLike, params: Selection) -> IntArray:
    """The scores in steps of the grid; a NaN counts as 0, infinities as the ends of the exact range."""
    return score_grid(params).steps(scores).counts


def regrets(steps: IntArray) -> IntArray:
    """How far each candidate is from the best."""
    return np.asarray(steps.max() - steps)


@lru_cache(maxsize=256)
def score_rate(params: Selection, rounds: int = 1) -> Fraction:
    """The weight of one step of score: epsilon / (2 s), or epsilon / s where all scores move together, for each
    round."""
    steps = score_grid(params).l1(exact(params.sensitivity), 1)
    return exact(params.epsilon) / (rounds * steps * (1 if params.monotonic else 2))


Worst = Callable[[float, int], float]
"""The chance that none but the best of so many candidates wins, all others behind by a score of this weight, is one
minus this."""


def loss_steps(worst: Worst, params: Selection, candidates: int, level: float, rounds: int = 1) -> int:
    """The least m such that with probability `level` the chosen score is at most m steps behind, whatever the scores
    are."""
    check_level(level)
    number, rate = whole("candidates", candidates), float(score_rate(params, rounds))
    allowed = (1 - level) * (1 - 1e-12)
    return least(lambda m: worst(exp(-min(rate * (m + 1), 700.0)), number) <= allowed, 1 << 62)


def loss_bound(worst: Worst, params: Selection, candidates: int, level: float) -> float:
    """The same in the unit of the scores, their rounding included."""
    return (loss_steps(worst, params, candidates, level) + 1) * float(score_grid(params).step)

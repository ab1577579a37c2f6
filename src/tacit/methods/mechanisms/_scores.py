"""Scores of candidates as whole numbers on a public grid, and what a private choice among them leaves behind.

The sensitivity of a score is the most that one unit of privacy can change any single one. Real scores are rounded to
the grid first and the sensitivity is rounded up, so that float rounding in a score can't break the promise.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import ArrayLike

from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.methods.mechanisms._fields import Epsilon, GridPower, Monotonic, Sensitivity
from tacit.methods.mechanisms._grid import Grid, grid_for
from tacit.methods.mechanisms._noise import check_level
from tacit.params import Params


class Selection(Params):
    """How a candidate is chosen by score."""

    epsilon: Epsilon
    sensitivity: Sensitivity
    monotonic: Monotonic = False
    grid: GridPower = None


@dataclass(frozen=True)
class Choice:
    """The chosen candidates by position, best first as far as the choice knows, and what the choice cost."""

    chosen: IntArray
    event: Event

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


def regret_bound(params: Selection, candidates: int, level: float = 0.95) -> float:
    """What the chosen score stays below the best by, at most, with probability `level` (McSherry and Talwar 2007)."""
    check_level(level)
    steps = (log(candidates) - log(1 - level)) / float(score_rate(params))
    return (steps + 1) * float(score_grid(params).step)

"""A map by a uniform grid (Qardaji, Yang and Li 2013): equal cells over a declared rectangle, noise on each.

Small cells add up much noise, large ones hide where rows are; m x m cells with m = sqrt(n epsilon / 10) balance both.
The number of rows n is secret, so a public guess of it is declared, or m itself.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumns
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.methods.statistics._map import Map
from tacit.methods.statistics._places import Guess, Places, grid_corners
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_columns

_BALANCE = 10
_MOST = 4096


class UniformGrid(Places):
    """Equal cells over a rectangle; give `side` or `guess`."""

    side: Annotated[int | None, Field(ge=1, le=_MOST, description="how many cells lie along each side")] = None
    guess: Annotated[
        Guess | None,
        Field(
            description="a public guess of the number of rows, from which the size of cells follows; instead of `side`"
        ),
    ] = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.side is None) == (self.guess is None):
            raise ValueError("give either side, or a public guess of the number of rows")
        return self

    @property
    def cells_a_side(self) -> int:
        """How many cells lie along each side."""
        if self.side is not None:
            return self.side
        return min(max(math.ceil(math.sqrt((self.guess or 1) * self.epsilon / _BALANCE)), 1), _MOST)


def used(params: UniformGrid) -> NoiseSetting:
    """The noise of a cell."""
    return setting(Moves(params.moves, exact(params.moves)), Allowance(exact(params.epsilon)))


def cell_counts(rows: ArrayLike, params: UniformGrid) -> IntArray:
    """The exact number of rows in each cell; secret."""
    side = params.cells_a_side
    place = params.box.cells(rows, side)
    return np.bincount(place[:, 0] * side + place[:, 1], minlength=side * side).astype(np.int64)


def uniform_grid(rows: ArrayLike, params: UniformGrid, bits: RandomBits) -> Map:
    """Noisy counts of all cells."""
    return _answer(cell_counts(rows, params), params, bits)


def wanted(columns: Sequence[str], params: UniformGrid) -> Cells:
    """What an engine must count: the rows in each cell, given by two columns."""
    return Cells(params.box.readings(columns, params.cells_a_side))


def from_aggregates(found: CellCounts, params: UniformGrid, bits: RandomBits) -> Map:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["x", "y"], params), params.contributions)
    return _answer(kept.dense(params.cells_a_side**2), params, bits)


@scoped
def _answer(counts: IntArray, params: UniformGrid, bits: RandomBits) -> Map:
    noisy = add_noise(counts, used(params), WHOLE, bits)
    low, high = grid_corners(np.array(params.lower), np.array(params.upper), params.cells_a_side)
    return Map(low, high, noisy.values.astype(np.float64), noisy.event)


def spends(params: UniformGrid) -> Event:
    """What the counts of all cells cost."""
    return in_scope(used(params).event, params.scope)


def error(params: UniformGrid, level: float = 0.95) -> float:
    """What the count of a cell is off by, at most, with probability `level`."""
    return float(error_steps(used(params).noise, level))


METHOD = Statistic(
    title="Map by a uniform grid",
    params=UniformGrid,
    run=uniform_grid,
    takes=NumberColumns(least=2, most=2),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=of_columns,
    needs="two coordinates for each row and a declared rectangle",
    gives="a map of equal cells with noisy counts",
    paper="https://doi.org/10.1109/ICDE.2013.6544872",
    example=UniformGrid(epsilon=1.0, lower=(0.0, 0.0), upper=(1.0, 1.0), guess=1000),
)

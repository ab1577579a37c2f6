"""Rows as points of a declared rectangle, and the cells of grids over it."""

from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from tacit.arrays import FloatArray, IntArray
from tacit.methods.statistics._box import BoxQuestion

Guess = Annotated[
    int,
    Field(ge=1, le=1 << 40, description="a public guess of the number of rows, from which the size of cells follows"),
]


class Places(BoxQuestion):
    """A question about points of a rectangle: two lower and two upper bounds."""

    @model_validator(mode="after")
    def _plane(self) -> Self:
        if len(self.lower) != 2:
            raise ValueError(f"there are {len(self.lower)} columns; a map has two")
        return self

    @property
    def moves(self) -> int:
        """How far a person moves counts of disjoint cells, in L1."""
        return 2 if self.neighbours == "replace" else self.contributions


def grid_corners(low: FloatArray, high: FloatArray, side: int) -> tuple[FloatArray, FloatArray]:
    """The lower and upper corners of side x side equal cells of a rectangle, row by row of x."""
    return split_corners(low[None, :], high[None, :], np.array([side]))


def split_corners(low: FloatArray, high: FloatArray, sides: IntArray) -> tuple[FloatArray, FloatArray]:
    """The same of several rectangles, one after the other, each with a number of cells along its sides."""
    cells = sides**2
    owner = np.repeat(np.arange(sides.size), cells)
    x, y = np.divmod(np.arange(owner.size) - (np.cumsum(cells) - cells)[owner], sides[owner])
    size = ((high - low) / sides[:, None])[owner]
    return low[owner] + np.column_stack([x, y]) * size, low[owner] + np.column_stack([x + 1, y + 1]) * size

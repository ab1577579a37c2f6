"""A box of declared bounds, one pair for each column, and rows as whole numbers within it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.arrays import FloatArray, IntArray
from tacit.data.aggregates.scale import Reading, Shares, require_columns
from tacit.noise.statistic_params import Lower, StatisticParams, Upper
from tacit.noise.values import as_matrix

Lowers = Annotated[
    tuple[Lower, ...], Field(min_length=1, max_length=200, description="the lower bound of each column, declared")
]
Uppers = Annotated[
    tuple[Upper, ...], Field(min_length=1, max_length=200, description="the upper bound of each column, declared")
]


class BoxQuestion(StatisticParams):
    """A question about rows of several numbers between declared bounds."""

    lower: Lowers
    upper: Uppers

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if len(self.lower) != len(self.upper):
            raise ValueError(f"there are {len(self.lower)} lower and {len(self.upper)} upper bounds")
        if any(low >= high for low, high in zip(self.lower, self.upper, strict=True)):
            raise ValueError("a lower bound is not below its upper bound")
        return self

    @property
    def box(self) -> "Box":
        """The declared box."""
        return Box(self.lower, self.upper)


@dataclass(frozen=True)
class Box:
    """Declared bounds of all columns."""

    lower: tuple[float, ...]
    upper: tuple[float, ...]

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.lower)

    @property
    def widths(self) -> FloatArray:
        """The width of each column."""
        widths: FloatArray = np.array(self.upper) - np.array(self.lower)
        return widths

    def shares(self, rows: ArrayLike) -> FloatArray:
        """Each value as its share of the way from bound to bound, clamped; NaN counts as 0 before that."""
        table = np.nan_to_num(as_matrix(rows, self.columns), nan=0.0)
        share: FloatArray = (np.clip(table, self.lower, self.upper) - np.array(self.lower)) / self.widths
        return share

    def steps(self, rows: ArrayLike, most: int) -> IntArray:
        """The shares as whole numbers from 0 to `most`, rounded half up."""
        return np.floor(self.shares(rows) * most + 0.5).astype(np.int64)

    def cells(self, rows: ArrayLike, side: int) -> IntArray:
        """Which of `side` equal parts each value lies in, the upper bound in the last."""
        return np.minimum((self.shares(rows) * side).astype(np.int64), side - 1)

    def readings(
        self, columns: Sequence[str], parts: int, rounded: Literal["down", "nearest"] = "down"
    ) -> tuple[Reading, ...]:
        """The cells, or the nearest steps, of columns in a database."""
        require_columns(columns, self.columns)
        return tuple(
            Reading(column, Shares(low, high, parts, rounded))
            for column, low, high in zip(columns, self.lower, self.upper, strict=True)
        )

    def points(self, shares: FloatArray) -> FloatArray:
        """Shares back in the columns' own units."""
        points: FloatArray = np.array(self.lower) + shares * self.widths
        return points

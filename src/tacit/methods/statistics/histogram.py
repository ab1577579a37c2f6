"""A histogram in one or many dimensions over declared cells: noise on every cell, empty ones too.

A row stands in one cell, so it moves the counts by 1 in L1 (`add-remove`) or by 2 (`replace`: it leaves one cell and
enters another), by 1 or sqrt 2 in L2; the rows of a person by their number times that. Geometric noise is
epsilon-private; with a delta the noise is discrete Gaussian. Every declared cell is answered, so which cells are empty
stays secret.

The consistent counts (not negative; adding up to a total that is declared public) are post-processing. Intervals are
those of the noise, cut at 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event, in_scope
from tacit.arrays import FloatArray, IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import AxisColumns
from tacit.data.aggregates.cells import CellCounts, Cells
from tacit.data.aggregates.scale import Reading, require_columns
from tacit.errors import BadData
from tacit.noise.answer import Interval, NoisyAnswer
from tacit.noise.axes import EXAMPLE_AXES, MOST_CELLS, AnyAxis, OverAxes, count_cells, of_axes
from tacit.noise.axes import Bins as Bins
from tacit.noise.axes import Categories as Categories
from tacit.noise.consistency import not_negative, with_total
from tacit.noise.labels import crossed
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import DerivedAnswer, scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.noise.statistic_params import OptionalDelta
from tacit.randomness.stream import RandomBits
from tacit.sensitivity import tables
from tacit.sensitivity.neighbours import user
from tacit.sensitivity.pair import Pair


class Histogram(OverAxes):
    """Counts of declared cells."""

    axes: Annotated[
        tuple[AnyAxis, ...],
        Field(min_length=1, max_length=16, description="the declared axes of the cells", examples=[EXAMPLE_AXES]),
    ]
    bins: Annotated[
        int,
        Field(ge=1, le=MOST_CELLS, description="how many bins an axis with bounds has if it does not say so itself"),
    ] = 10
    delta: OptionalDelta = 0.0
    total: Annotated[
        int | None, Field(ge=0, le=1 << 50, description="the number of rows in all cells, if it is public")
    ] = None

    @model_validator(mode="after")
    def _not_too_many(self) -> Self:
        if self.cells > MOST_CELLS:
            raise ValueError(
                f"there are {self.cells:,} cells, and at most {MOST_CELLS:,} can be answered; take fewer bins"
            )
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """How many cells there are along each axis."""
        return tuple(axis.size for axis in self.axes)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return int(np.prod([axis.size for axis in self.axes], dtype=object))


@dataclass(frozen=True)
class HistogramAnswer(DerivedAnswer):
    """Noisy counts of all cells; `noisy` as they were drawn, `values` made consistent."""

    noisy: NoisyAnswer
    axes: tuple[Categories | Bins, ...]
    total: int | None = None

    def told(self) -> Mapping[str, Any]:
        """The consistent counts, and what their cells are."""
        return {"values": self.values, "axes": [axis.told() for axis in self.axes]}

    def labels(self, columns: Sequence[str]) -> Any:
        """The category or the bin on every axis, with the name of its column where there are several."""
        if len(self.axes) == 1:
            return crossed([axis.labels for axis in self.axes])
        named = zip(columns, self.axes, strict=True)
        return crossed([[f"{column} {label}" for label in axis.labels] for column, axis in named])

    @property
    def values(self) -> FloatArray:
        """Counts that are not negative and keep the public total, in the shape of the axes."""
        counts = self.noisy.values
        kept = not_negative(counts) if self.total is None else with_total(counts, self.total)
        return kept.reshape([axis.size for axis in self.axes])

    def error(self, level: float = 0.95, together: bool = False) -> float:
        """What each count (or all of them) is off by, at most, with probability `level`."""
        return self.noisy.error(level, together)

    def interval(self, level: float = 0.95, together: bool = False) -> Interval:
        """For each cell bounds that hold the true count with probability `level` (or all at once)."""
        shape = [axis.size for axis in self.axes]
        raw = self.noisy.interval(level, together)
        most = np.inf if self.total is None else self.total
        lower, upper = (np.clip(end, 0, most).reshape(shape) for end in (raw.lower, raw.upper))
        return Interval(lower, upper)


def used(params: Histogram) -> NoiseSetting:
    """The noise of a cell."""
    move = tables.histogram(params.neighbours).for_unit(user(params.contributions))
    return setting(Moves(int(move.l1), move.l2, params.cells), Allowance.of(params.epsilon, params.delta))


def histogram(columns: Sequence[ArrayLike], params: Histogram, bits: RandomBits) -> HistogramAnswer:
    """Noisy counts of rows, given by one column for each axis."""
    if not hasattr(columns, "__iter__"):
        raise BadData(f"the columns are of type {type(columns).__name__}; give a list with one column for each axis")
    return from_counts(count_cells(list(columns), params.axes), params, bits)


@scoped
def from_counts(counts: IntArray, params: Histogram, bits: RandomBits) -> HistogramAnswer:
    """The same, where an engine has counted the cells (in the order of the axes, the last one quickest)."""
    flat = np.asarray(counts)
    if flat.size != params.cells or flat.dtype.kind not in "iu":
        raise BadData(
            f"there are {flat.size} counts of {flat.dtype}; give a whole number for each of {params.cells} cells"
        )
    return HistogramAnswer(
        add_noise(flat.ravel().astype(np.int64), used(params), WHOLE, bits), params.axes, params.total
    )


def wanted(columns: Sequence[str], params: Histogram) -> Cells:
    """What an engine must count: the rows in each cell, given by one column for each axis."""
    require_columns(columns, len(params.axes))
    return Cells(tuple(Reading(column, axis.scale) for column, axis in zip(columns, params.axes, strict=True)))


def from_aggregates(found: CellCounts, params: Histogram, bits: RandomBits) -> HistogramAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.of(wanted(["value"] * len(params.axes), params), params.contributions)
    return from_counts(kept.dense(params.cells), params, bits)


def spends(params: Histogram) -> Event:
    """What a histogram costs."""
    return in_scope(used(params).event, params.scope)


def neighbours(params: Histogram) -> tuple[Pair, ...]:
    """Rows at the ends of all axes, and beyond them."""
    return of_axes(params.axes, params)


def error(params: Histogram, level: float = 0.95, together: bool = False) -> float:
    """What each count (or all of them) is off by, at most, with probability `level`."""
    return float(error_steps(used(params).noise, level, params.cells if together else 1))


METHOD = Statistic(
    title="Histogram",
    params=Histogram,
    run=histogram,
    takes=AxisColumns(),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    delta="delta",
    error=any_rows(error),
    neighbours=neighbours,
    needs="one column for each declared axis",
    gives="a count for every declared cell, including empty ones, made consistent",
    paper="https://doi.org/10.1007/11681878_14",
    example=Histogram(epsilon=0.5, axes=(Bins(lower=0.0, upper=100.0, bins=10),)),
)

"""Independent columns: each column is drawn from its own noisy histogram, independently of the others.

All one-way histograms are measured at once. A row stands in one cell of each of d columns, so it moves the counts by d
in L1 and sqrt(d) in L2 (`add-remove`), or by 2 d and sqrt(2 d) (`replace`), the rows of a person by their number times
that. Geometric noise is epsilon-private; with a delta the noise is discrete Gaussian, of which many columns need less.

What follows is post-processing. How many rows there are is estimated from the sums of all histograms, each weighted by
the inverse of its number of cells, as the variance of a sum grows with it. Each histogram becomes the nearest one that
is not negative and adds up to that number, and is rounded to whole rows, those with the largest remainders upwards. So
a column has in each cell as many rows as was estimated, to within one; drawing rows at random would add an error of its
own. Columns are shuffled apart from each other: what two of them have to do with each other is lost. It is the baseline
that every method with a model of the joint distribution must beat.
"""

from collections.abc import Sequence
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event, in_scope
from tacit.arrays import FloatArray, IntArray
from tacit.cards.asked import any_rows
from tacit.cards.synthesis import SynthesisMethod
from tacit.cards.takes import AxisColumns
from tacit.data.aggregates.combinations import CodedRows, Combinations
from tacit.data.aggregates.scale import Reading, require_columns
from tacit.errors import BadData
from tacit.noise.axes import EXAMPLE_AXES, NOWHERE, AnyAxis, Bins, Categories, OverAxes, of_axes
from tacit.noise.consistency import with_total
from tacit.noise.noise import error_steps
from tacit.noise.private_answer import scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.noise.statistic_params import OptionalDelta
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.noise.values import as_column
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutation
from tacit.sensitivity import tables
from tacit.sensitivity.neighbours import user
from tacit.sensitivity.pair import Pair
from tacit.spelling import many

LARGEST_SCALE = 100_000
"""The largest scale of the noise of a cell at which the number of rows is estimated."""
MOST_ROWS = 20_000_000
"""No table is made longer than this, however large the noise is."""


class Independent(OverAxes):
    """Columns drawn apart from each other."""

    axes: Annotated[
        tuple[AnyAxis, ...],
        Field(min_length=1, max_length=500, description="the declared values of each column", examples=[EXAMPLE_AXES]),
    ]
    bins: Annotated[
        int,
        Field(ge=1, le=1_000_000, description="how many bins a column with bounds has if it does not say so itself"),
    ] = 20
    delta: OptionalDelta = 0.0
    rows: Annotated[
        int | None,
        Field(ge=1, le=MOST_ROWS, description="how many rows are made; by default about as many as the table has"),
    ] = None

    @model_validator(mode="after")
    def _countable(self) -> Self:
        """The noise leaves an idea of how many rows there are, unless that is stated."""
        one_row = len(self.axes) * (1 if self.neighbours == "add-remove" else 2) * self.contributions
        if self.rows is None and one_row > self.epsilon * LARGEST_SCALE:
            raise ValueError(
                f"epsilon {self.epsilon:g} is so little for {many(len(self.axes), 'column')} that not even the number "
                "of rows would be known; spend more, publish fewer columns, or say how many `rows` to make"
            )
        return self

    @property
    def cells(self) -> int:
        """The cells of all columns together, that of missing values among them."""
        return sum(axis.size + 1 for axis in self.axes)


def used(params: Independent) -> NoiseSetting:
    """The noise of a cell."""
    one = tables.histogram(params.neighbours, bins_of_unit=len(params.axes))
    move = one.for_unit(user(params.contributions))
    return setting(Moves(int(move.l1), move.l2, params.cells), Allowance.of(params.epsilon, params.delta))


def wanted(columns: Sequence[str], params: Independent) -> Combinations:
    """What an engine must find of these columns, one for each axis."""
    require_columns(columns, len(params.axes))
    scales = (axis.scale for axis in params.axes)
    return Combinations(tuple(Reading(column, scale) for column, scale in zip(columns, scales, strict=True)))


@scoped
def answer(found: CodedRows, params: Independent, bits: RandomBits) -> SyntheticRows:
    """The rows, made of what an engine found."""
    kept = found.of(wanted(["value"] * len(params.axes), params), params.contributions)
    counts = np.concatenate([kept.counts(axis) for axis in range(len(kept.sizes))])
    noisy = add_noise(counts, used(params), WHOLE, bits)
    measured = np.asarray(noisy.values, dtype=np.float64)
    parts = np.split(measured, np.cumsum([size + 1 for size in kept.sizes])[:-1])
    there = estimated_rows(parts)
    rows = there if params.rows is None else params.rows
    columns = [_column(shares_of(part, there), rows, bits.child(f"column {place}")) for place, part in enumerate(parts)]
    codes = np.column_stack(columns).reshape(rows, len(columns))
    return SyntheticRows(noisy, codes, kept.sizes, tuple((axis,) for axis in range(len(kept.sizes))))


def estimated_rows(histograms: Sequence[FloatArray]) -> int:
    """The number of rows that noisy histograms of the same rows speak of: the unbiased mean of least variance.

    It is at least 1, since a table without rows says nothing of its columns.
    """
    weights = np.array([1 / part.size for part in histograms])
    sums = np.array([float(part.sum()) for part in histograms])
    return int(np.clip(round(float(weights @ sums / weights.sum())), 1, MOST_ROWS))


def shares_of(noisy: FloatArray, rows: int) -> FloatArray:
    """The share of each cell: the nearest counts that are not negative and add up to so many rows, divided by these."""
    return with_total(noisy, rows) / rows


def whole_counts(shares: FloatArray, total: int) -> IntArray:
    """So many rows divided by these shares, in whole numbers, those with the largest remainders rounded upwards."""
    near = shares * total
    counts = np.floor(near).astype(np.int64)
    upwards = np.argsort(counts - near, kind="stable")[: total - int(counts.sum())]
    counts[upwards] += 1
    return counts


def _column(shares: FloatArray, rows: int, bits: RandomBits) -> IntArray:
    """The codes of one column, in random order."""
    codes: IntArray = np.repeat(np.arange(shares.size), whole_counts(shares, rows))[permutation(rows, bits)]
    return codes


def independent(columns: Sequence[ArrayLike], params: Independent, bits: RandomBits) -> SyntheticRows:
    """Synthetic rows from one column for each axis."""
    if isinstance(columns, str) or not hasattr(columns, "__len__") or len(columns) != len(params.axes):
        raise BadData(f"give a list of {len(params.axes)} columns, one for each axis")
    coded = [_codes(axis, column) for axis, column in zip(params.axes, columns, strict=True)]
    if len({codes.size for codes in coded}) != 1:
        raise BadData("the columns differ in length; each row needs a value in every column")
    asked = wanted(["value"] * len(params.axes), params)
    codes, rows = np.unique(np.column_stack(coded), axis=0, return_counts=True)
    return answer(CodedRows(codes, rows.astype(np.int64), asked.sizes, asked.asked), params, bits)


def _codes(axis: Categories | Bins, values: ArrayLike) -> IntArray:
    """The cell of each row; the last code for what is missing or was not declared."""
    codes = axis.codes(values)
    if isinstance(axis, Categories):
        return np.where(codes == NOWHERE, axis.size, codes)
    return np.where(np.isnan(as_column(values).astype(np.float64)), axis.size, codes)


def spends(params: Independent) -> Event:
    """What all histograms cost together."""
    return in_scope(used(params).event, params.scope)


def neighbours(params: Independent) -> tuple[Pair, ...]:
    """Rows at the ends of all axes, and beyond them."""
    return of_axes(params.axes, params)


def error(params: Independent, level: float = 0.95) -> float:
    """What each measured count is off by, at most, with probability `level`."""
    return float(error_steps(used(params).noise, level, 1))


METHOD = SynthesisMethod(
    title="Independent columns",
    params=Independent,
    run=independent,
    takes=AxisColumns(most=500),
    wanted=wanted,
    answer=answer,
    spends=spends,
    delta="delta",
    error=any_rows(error),
    neighbours=neighbours,
    sizes=lambda params: [axis.size for axis in params.axes],
    loses=(
        "Each column was measured by itself. Relations between columns are lost: do not look for them in this table."
    ),
    needs="a declared domain for every column: categories, or bounds",
    gives="a table of invented rows whose columns are distributed as measured, independently of each other",
    paper="https://doi.org/10.1145/3134428",
    example=Independent(epsilon=1.0, axes=(Categories(names=("no", "yes")), Bins(lower=0.0, upper=100.0, bins=10))),
)

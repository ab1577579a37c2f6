"""Axes of a histogram: declared categories, or equal bins between declared bounds; nothing is read from the data.

A value outside the bounds falls into the bin at that end, NaN counts as 0 (then clamped). A category that was not
declared is counted in no cell, since a list of the values that occur would reveal who is in the data; a missing value
has no name, so it is in no cell either. Categories are compared as the texts that DuckDB writes
(`tacit.data.aggregates.array_cells`): a truth value is `true` or `false`, a whole number `1` in a column of floats too.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.arrays import FloatArray, IntArray
from tacit.data.aggregates.array_cells import coded_texts
from tacit.data.aggregates.scale import Names as DeclaredNames
from tacit.data.aggregates.scale import Shares
from tacit.errors import BadData, BadParameter
from tacit.noise.labels import between
from tacit.noise.statistic_params import Lower, NameList, StatisticParams, Upper
from tacit.noise.values import as_column
from tacit.params import Params
from tacit.sensitivity.neighbouring_datasets import UNDECLARED, Ends, OfRows, beyond, middle, neighbouring_datasets
from tacit.sensitivity.pair import Pair

NOWHERE = -1
MOST_CELLS = 10_000_000
"""As many as a machine can hold with their bounds and labels, and more than anybody reads."""


class Categories(Params):
    """Declared categories, compared as text."""

    kind: Literal["categories"] = "categories"
    names: NameList

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        if len(set(self.names)) != len(self.names):
            raise ValueError("a category is declared twice")
        return self

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.names)

    @property
    def unread_as(self) -> None:
        """No number: cells are texts."""
        return

    def told(self) -> dict[str, Any]:
        """What the cells are."""
        return {"categories": self.names}

    @property
    def labels(self) -> tuple[str, ...]:
        """What each cell is called."""
        return self.names

    def codes(self, values: ArrayLike) -> IntArray:
        """The cell of each row; NOWHERE for what was not declared."""
        places = {name: place for place, name in enumerate(self.names)}
        found = coded_texts(values)
        # The last entry is that of what is missing, whose code is -1.
        cells = np.array([*(places.get(text, NOWHERE) for text in found.texts), NOWHERE], dtype=np.int64)
        codes: IntArray = cells[found.codes]
        return codes

    @property
    def scale(self) -> DeclaredNames:
        """The same cells of a column in a database."""
        return DeclaredNames(self.names)

    def position(self, name: str) -> int:
        """The cell of a declared category."""
        if name not in self.names:
            raise BadParameter(f"{name!r} is not a declared category; declare it before anybody looks at the data")
        return self.names.index(name)


class Bins(Params):
    """Equal bins between declared bounds."""

    kind: Literal["bins"] = "bins"
    lower: Lower
    upper: Upper
    bins: Annotated[int, Field(ge=1, le=MOST_CELLS, description="how many bins there are")]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower >= self.upper:
            raise ValueError(f"lower is {self.lower} and upper {self.upper}; lower must be below upper")
        return self

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.bins

    @property
    def edges(self) -> FloatArray:
        """The ends of the bins."""
        return np.linspace(self.lower, self.upper, self.bins + 1)

    @property
    def middles(self) -> FloatArray:
        """The middle of each bin."""
        edges = self.edges
        middles: FloatArray = (edges[:-1] + edges[1:]) / 2
        return middles

    @property
    def unread_as(self) -> float:
        """As what a cell counts that is no number: 0, or the bound nearest to it."""
        return min(max(0.0, self.lower), self.upper)

    def told(self) -> dict[str, Any]:
        """What the cells are."""
        return {"edges": self.edges}

    @property
    def labels(self) -> tuple[str, ...]:
        """What each bin is called: `0 to 3`."""
        return tuple(between(self.edges.tolist()))

    def codes(self, values: ArrayLike) -> IntArray:
        """The bin of each row."""
        column = np.nan_to_num(as_column(values).astype(np.float64), nan=0.0)
        share = (np.clip(column, self.lower, self.upper) - self.lower) / (self.upper - self.lower)
        return np.minimum((share * self.bins).astype(np.int64), self.bins - 1)

    @property
    def scale(self) -> Shares:
        """The same bins of a column in a database."""
        return Shares(self.lower, self.upper, self.bins)


AnyAxis = Annotated[Categories | Bins, Field(discriminator="kind")]
EXAMPLE_AXES = [{"kind": "bins", "lower": 0, "upper": 120, "bins": 12}]
"""How axes are written."""


def count_cells(columns: "list[ArrayLike]", axes: "tuple[Categories | Bins, ...]") -> IntArray:
    """The exact number of rows in each cell, row by row of the last axis; secret."""
    if len(columns) != len(axes):
        raise BadData(f"there are {len(columns)} columns but {len(axes)} axes; give one column for each axis")
    codes = [axis.codes(column) for axis, column in zip(axes, columns, strict=True)]
    if len({code.size for code in codes}) != 1:
        raise BadData("the columns differ in length; each row needs a value in every column")
    inside = np.all([code != NOWHERE for code in codes], axis=0)
    shape = tuple(axis.size for axis in axes)
    flat = np.ravel_multi_index([code[inside] for code in codes], shape) if inside.any() else np.empty(0, np.int64)
    return np.bincount(flat, minlength=int(np.prod(shape))).astype(np.int64)


def of_axes(axes: "Sequence[Categories | Bins]", who: OfRows) -> tuple[Pair, ...]:
    """Neighbouring datasets with rows at the ends of all axes, and beyond them."""
    low, high, between, far = zip(*(_ends(axis) for axis in axes), strict=True)
    ends = Ends(low, high, (between,), far, _columns, who.contributions)
    return neighbouring_datasets(ends, who.neighbours)


def _ends(axis: Categories | Bins) -> tuple[Any, Any, Any, Any]:
    if isinstance(axis, Categories):
        return axis.names[0], axis.names[-1], axis.names[axis.size // 2], UNDECLARED
    return axis.lower, axis.upper, middle(axis.lower, axis.upper), beyond(axis.lower, axis.upper)


def _columns(rows: Sequence[Any]) -> list[Any]:
    return [np.array(column) for column in zip(*rows, strict=True)]


class OverAxes(StatisticParams):
    """Parameters with `axes`, and `bins` for those axes with bounds that do not say how many they have."""

    @model_validator(mode="before")
    @classmethod
    def _with_bins(cls, given: Any) -> Any:
        """Each axis with bounds has a number of bins, its own or that of the question."""
        axes = given.get("axes") if isinstance(given, dict) else None
        if not isinstance(axes, list | tuple):
            return given
        bins = given.get("bins", cls.model_fields["bins"].default)
        return {**given, "axes": [{"bins": bins, **axis} if _lacks_bins(axis) else axis for axis in axes]}


def _lacks_bins(axis: Any) -> bool:
    return isinstance(axis, dict) and axis.get("kind") == "bins" and "bins" not in axis

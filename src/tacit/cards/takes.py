"""What a statistic takes: which columns, in which shape, and which parameters follow from their declarations.

A plan declares bounds and categories of columns once, and says once who is protected. A question then names columns and
what remains: its epsilon, and its own parameters. `columns` are the columns that an engine reads, `parameters` those
that the plan fills in, `read_as` is the type that cells are read as when rows are loaded one by one, and `given` is
what `run` takes from the columns' arrays. `unread_as` and `keys_kept` are what every answer says about itself: what a
cell that can't be read counts as, and how many keys of a person count.

Where a shape fills in a parameter, one of its fields holds the name of that parameter, so that a statistic may choose
the name: `NumberColumn(lower="floor", upper="ceiling")`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tacit.accounting.scope import Neighbours
from tacit.data.aggregates.scale import ReadAs
from tacit.errors import BadParameter, TacitError
from tacit.params import Params
from tacit.spelling import many

STATED = ("neighbours", "contributions")
"""The parameters that a plan states once for all questions, under `privacy`."""
_TRUTHS = frozenset(("true", "t", "yes", "y", "1", "false", "f", "no", "n", "0"))


@dataclass(frozen=True)
class Declaration:
    """What a plan declares about a column; none of it is read from the data."""

    name: str
    bounds: tuple[float, float] | None = None
    categories: tuple[str, ...] | None = None

    @property
    def known_bounds(self) -> tuple[float, float]:
        """The bounds; refused where there are none."""
        if self.bounds is None:
            raise self.lacking("bounds", "[LOWER, UPPER]")
        return self.bounds

    @property
    def known_categories(self) -> tuple[str, ...]:
        """The categories; refused where there are none."""
        if self.categories is None:
            raise self.lacking("categories", "[FIRST, SECOND, ...]")
        return self.categories

    def lacking(self, what: str, form: str) -> BadParameter:
        """The refusal that says what to write."""
        return BadParameter(
            f"column {self.name!r} declares no {what}, and they may not be read from the data; write "
            f"`{self.name}: {{{what}: {form}}}` under `columns` of the plan, or pass {_passed(what)} in the call"
        )


@dataclass(frozen=True)
class Takes:
    """Some columns.

    `by_person` says that the column of the unit comes first, so that a question does not name it; `by_row` that
    `contributions` counts rows, so that the event for 1 holds for one row added or removed.
    """

    by_person: ClassVar[bool] = False
    by_row: ClassVar[bool] = True

    least: int = 1
    most: int | None = 1

    def columns(self, of: Sequence[str], unit: str | None = None) -> tuple[str, ...]:
        """The columns that are read for a question of these; refused where there are too few or too many."""
        named = tuple(of)
        if len(named) < self.least or (self.most is not None and len(named) > self.most):
            raise BadParameter(f"`of` names {many(len(named), 'column')}; it must name {self._number()}")
        if not self.by_person:
            return named
        if unit is None:
            raise BadParameter("this question is about people; name the column that tells them apart as `unit`")
        return (unit, *named)

    def parameters(
        self, columns: Sequence[Declaration], neighbours: Neighbours = "add-remove", contributions: int = 1
    ) -> dict[str, Any]:
        """The parameters that follow from what is declared of the columns that `of` names, and of who is protected."""
        self.columns([column.name for column in columns], "")
        rows = {} if self.by_person else {"contributions": contributions}
        return {"neighbours": neighbours, **rows, **self.declared(columns)}

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """The parameters that follow from the columns alone."""
        return {}

    @property
    def filled(self) -> frozenset[str]:
        """The names of the parameters that a plan fills in, so that no question gives them."""
        # Declared so that every shape takes it: a number, a category and a truth at once.
        any_column, number = Declaration("x", (0, 1), ("true", "false")), max(self.least, 1)
        columns = [any_column] * (number if self.most is None else min(number, self.most))
        return frozenset((*STATED, *self.parameters(columns)))

    def read_as(self, column: Declaration) -> ReadAs:
        """What the cells of a column are taken for: numbers, unless a shape says otherwise.

        The type in which an engine keeps them does not tell: one cell may decide it for a whole column.
        """
        return "number"

    def unread_as(self, of: Sequence[str], params: Params) -> Mapping[str, float]:
        """As what a cell counts that is no number, for each of these columns in which that matters."""
        return {}

    def keys_kept(self, params: Params) -> int | None:
        """How many keys of each person count; None where `contributions` says how many rows do."""
        return None

    def given(self, columns: Sequence[Any]) -> Any:
        """What `run` takes: the only column, unless a shape says otherwise."""
        return columns[0]

    def _number(self) -> str:
        if self.most == self.least:
            return str(self.least)
        return f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"


class TruthColumn(Takes):
    """One column of truth values, or none to count all rows."""

    def read_as(self, column: Declaration) -> ReadAs:
        """Truth values."""
        return "truth"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """Nothing; a column that is declared to hold other things than true and false is refused."""
        for column in columns:
            if column.bounds not in (None, (0, 1)) or not _TRUTHS.issuperset(map(str.lower, column.categories or ())):
                name = column.name
                raise BadParameter(
                    f"`of: {name}` would count the rows in which {name!r} is true, but it is declared to hold other "
                    f"things than true and false; leave `of` out to count all rows, write `by: {name}` to count each "
                    f"of its categories, or ask `statistics/histogram: {{of: {name}}}`"
                )
        return {}


@dataclass(frozen=True)
class NumberColumn(Takes):
    """One column of numbers between declared bounds, unless the statistic has no use for bounds.

    `lower` and `upper` are what the parameters of the bounds are called.
    """

    bounded: bool = True
    lower: str = "lower"
    upper: str = "upper"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """Its bounds."""
        if not self.bounded:
            return {}
        lower, upper = columns[0].known_bounds
        return {self.lower: lower, self.upper: upper}

    def unread_as(self, of: Sequence[str], params: Params) -> Mapping[str, float]:
        """0, or the bound nearest to it."""
        if not self.bounded:
            return {of[0]: 0.0}
        return {of[0]: _zero_within(_parameter(params, self.lower), _parameter(params, self.upper))}


@dataclass(frozen=True)
class CategoryColumn(Takes):
    """One column of declared categories; `parameter` is what they are called."""

    parameter: str = "categories"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """Its categories."""
        return {self.parameter: columns[0].known_categories}

    def read_as(self, column: Declaration) -> ReadAs:
        """Texts."""
        return "text"


@dataclass(frozen=True)
class AxisColumns(Takes):
    """Columns that span cells, each by its declared categories or between its declared bounds.

    `parameter` is what the axes are called, each a `tacit.noise.axes.AnyAxis`.
    """

    most: int | None = 16
    parameter: str = "axes"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """An axis for each column."""
        return {self.parameter: [_axis(column) for column in columns]}

    def unread_as(self, of: Sequence[str], params: Params) -> Mapping[str, float]:
        """0, or the bound nearest to it, where an axis has bounds."""
        counted = {column: axis.unread_as for column, axis in zip(of, _parameter(params, self.parameter), strict=True)}
        return {column: number for column, number in counted.items() if number is not None}

    def read_as(self, column: Declaration) -> ReadAs:
        """Texts where there are categories, else numbers."""
        return "number" if column.categories is None else "text"

    def given(self, columns: Sequence[Any]) -> Any:
        """A list of columns."""
        return list(columns)


@dataclass(frozen=True)
class NumberColumns(Takes):
    """Several columns of numbers between declared bounds; the last may be a label, yes or no, that has none.

    A label is a number too: a truth value is 1 or 0. `lower` and `upper` are what the parameters of the bounds are
    called, each with an entry for each column.
    """

    most: int | None = 200
    labelled: bool = False
    lower: str = "lower"
    upper: str = "upper"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """The bounds of each column but the label."""
        bounds = [column.known_bounds for column in (columns[:-1] if self.labelled else columns)]
        return {self.lower: tuple(low for low, _ in bounds), self.upper: tuple(high for _, high in bounds)}

    def unread_as(self, of: Sequence[str], params: Params) -> Mapping[str, float]:
        """0, or the bound nearest to it, in each column; a label has no bounds, and 0 is no."""
        ends = zip(_parameter(params, self.lower), _parameter(params, self.upper), strict=True)
        bounded, labels = (of[:-1], of[-1:]) if self.labelled else (of, ())
        found = {column: _zero_within(low, high) for column, (low, high) in zip(bounded, ends, strict=True)}
        return found | dict.fromkeys(labels, 0.0)

    def given(self, columns: Sequence[Any]) -> Any:
        """A matrix with a row for each row."""
        return _stacked(columns)


@dataclass(frozen=True)
class ScoreColumns(Takes):
    """A column of scores for each candidate, all between the same declared bounds; each is named after its column.

    `candidates`, `lower` and `upper` are what the parameters of their names and of the bounds are called.
    """

    most: int | None = None
    candidates: str = "candidates"
    lower: str = "lower"
    upper: str = "upper"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """The candidates and the bounds of their scores."""
        lower, upper = columns[0].known_bounds
        other = next((column.name for column in columns if column.known_bounds != (lower, upper)), None)
        if other is not None:
            raise BadParameter(
                f"columns {columns[0].name!r} and {other!r} declare different bounds; scores that are compared need "
                "the same"
            )
        return {self.candidates: tuple(column.name for column in columns), self.lower: lower, self.upper: upper}

    def unread_as(self, of: Sequence[str], params: Params) -> Mapping[str, float]:
        """0, or the bound nearest to it, in all columns."""
        return dict.fromkeys(of, _zero_within(_parameter(params, self.lower), _parameter(params, self.upper)))

    def given(self, columns: Sequence[Any]) -> Any:
        """A matrix with a row for each row."""
        return _stacked(columns)


@dataclass(frozen=True)
class PersonAndKey(Takes):
    """The person and a key of each row of a log; `parameter` is what declared keys are called, None where none are.

    `kept` is the parameter that says how many keys of a person count, None where the statistic has no such parameter.
    """

    by_person: ClassVar[bool] = True
    by_row: ClassVar[bool] = False

    parameter: str | None = None
    kept: str | None = None

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """The keys that may be named."""
        return {} if self.parameter is None else {self.parameter: columns[0].known_categories}

    def keys_kept(self, params: Params) -> int | None:
        """As many as the parameter says."""
        return None if self.kept is None else int(_parameter(params, self.kept))

    def read_as(self, column: Declaration) -> ReadAs:
        """Texts."""
        return "text"

    def given(self, columns: Sequence[Any]) -> Any:
        """A list of both columns."""
        return list(columns)


@dataclass(frozen=True)
class BasketAndItem(Takes):
    """The basket and the item of each row; `parameter` is what the declared items are called.

    `contributions` counts baskets, not rows: one more row changes a basket and adds none.
    """

    by_row: ClassVar[bool] = False

    least: int = 2
    most: int | None = 2
    parameter: str = "items"

    def declared(self, columns: Sequence[Declaration]) -> dict[str, Any]:
        """The items that may be named."""
        return {self.parameter: columns[1].known_categories}

    def read_as(self, column: Declaration) -> ReadAs:
        """Texts."""
        return "text"

    def given(self, columns: Sequence[Any]) -> Any:
        """A list of both columns."""
        return list(columns)


def _parameter(params: Params, name: str) -> Any:
    """The parameter that a shape names; where there is none of that name, the card is at fault."""
    if name not in type(params).model_fields:
        raise TacitError(
            f"the card takes its columns by a parameter {name!r}, which {type(params).__name__} does not have; say in "
            "`takes` of the card what it is called"
        )
    return getattr(params, name)


def _zero_within(lower: float, upper: float) -> float:
    return min(max(0.0, lower), upper)


def _passed(what: str) -> str:
    """The arguments of a call in Python that declare the same."""
    return " or ".join(f"`{name}=`" for name in what.split(" or "))


def _axis(column: Declaration) -> dict[str, Any]:
    if column.categories is not None:
        return {"kind": "categories", "names": column.categories}
    if column.bounds is None:
        raise column.lacking("bounds or categories", "...")
    return {"kind": "bins", "lower": column.bounds[0], "upper": column.bounds[1]}


def _stacked(columns: Sequence[Any]) -> Any:
    """Numbers side by side. If one column holds Python objects, all become objects, so that no cell is read as text."""
    import numpy as np

    arrays = [np.asarray(column) for column in columns]
    plain = all(array.dtype.kind in "iubf" for array in arrays)
    return np.column_stack(arrays if plain else [array.astype(object) for array in arrays])

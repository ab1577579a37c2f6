"""A dataset: a source and what is known about its columns; a column's role says what it reveals about a person."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field, field_validator

from tacit.data.roles import Role
from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest
from tacit.data.tables.hierarchies.spec import HierarchySpec
from tacit.params import Params
from tacit.visible import visible

Words = tuple[str, ...]
Values = Annotated[tuple[str | bool | int | float, ...], Field(min_length=1)]
"""Categories as they may be written."""


def _as_cells_read(given: object) -> object:
    """Categories as their cells are read: numbers, truth values and dates as text; what is missing is no category."""
    from tacit.data.aggregates.array_cells import text_cells

    if not isinstance(given, list | tuple):
        return given
    if any(isinstance(each, list | tuple | dict) for each in given):
        raise ValueError("a category is a text, a number, a date or a truth value; write `categories: [m, f]`")
    cells = np.empty(len(given), dtype=object)
    cells[:] = given
    names = tuple(text_cells(cells))
    if any(name is None or not name for name in names):
        raise ValueError("a category is empty; missing cells are in no group")
    return names


ROW = "row"
"""What a plan writes as its unit where each row is one person."""


class UnitColumn(Params):
    """The column that tells people apart, where its name alone would not say enough."""

    column: Annotated[str, Field(description="the column that tells people apart")]
    exact: Annotated[
        bool,
        Field(
            description="whether values that differ only in capitals, blanks, punctuation, leading zeros, a final .0 "
            "or a check digit that some lack are different people; without it they are refused"
        ),
    ] = False


def unit_column(given: str | UnitColumn | None) -> str | None:
    """The column that tells people apart; none where each row is a person or nothing is said."""
    if isinstance(given, UnitColumn):
        return given.column
    return None if given == ROW else given


def unit_is_exact(given: str | UnitColumn | None) -> bool:
    """Whether somebody said that values of the unit which differ only in spelling are different people."""
    return isinstance(given, UnitColumn) and given.exact


_WITH_EXPONENT = re.compile(r"[-+]?\d+(?:\.\d*)?[eE][-+]?\d+", re.ASCII)


def _is_no_number(end: object) -> bool:
    """Whether a bound is a truth value, or a text other than a number with an exponent."""
    return isinstance(end, bool) or (isinstance(end, str) and _WITH_EXPONENT.fullmatch(end) is None)


class DeclaredColumn(Params):
    """What a column is, and how it may be generalised."""

    role: Annotated[Role, Field(description="what the column reveals about a person")]
    description: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=500,
            description="what the column means, for the codebook that recipients get",
            examples=["nights in hospital"],
        ),
    ] = None
    hierarchy: Annotated[
        HierarchySpec | None,
        Field(description="how its values generalise; by default inferred", examples=[{"intervals": [5, 10, 20]}]),
    ] = None
    weight: Annotated[float, Field(ge=0, le=1_000_000, description="how much its loss counts")] = 1.0
    minimum: Annotated[int, Field(ge=0, description="generalise to at least this level")] = 0
    maximum: Annotated[int | None, Field(ge=0, description="generalise to at most this level")] = None
    order: Annotated[
        Words | None,
        Field(
            description="its values from lowest to highest, for ordered distances, including those that nobody has",
            examples=[["low", "middle", "high"]],
        ),
    ] = None
    bounds: Annotated[
        tuple[float, float] | None,
        Field(
            description="the least and the greatest number, known without the data; values beyond a bound are moved "
            "to it",
            examples=[[0, 120]],
        ),
    ] = None
    categories: Annotated[
        Annotated[Words, Field(min_length=1)] | None,
        BeforeValidator(_as_cells_read, json_schema_input_type=Values | None),
        Field(
            description="the values that it may have, known without the data; spelt as cells are read: 1, not 1.0, and "
            "true, not True",
            examples=[["m", "f"]],
        ),
    ] = None

    decimals: Annotated[
        int | None,
        Field(ge=0, le=15, description="how many decimals invented numbers have; by default as few as suffice"),
    ] = None

    @field_validator("bounds", mode="before")
    @classmethod
    def _numbers(cls, bounds: object) -> object:
        """Numbers that are written as numbers: a text is none, even if it has digits.

        YAML takes a number with an exponent and no point, such as 1e-7, for a text; that is one.
        """
        if isinstance(bounds, list | tuple) and any(_is_no_number(end) for end in bounds):
            raise ValueError("a bound is a number, written without quotes, as in `bounds: [0, 120]`")
        return bounds

    @field_validator("bounds")
    @classmethod
    def _rising(cls, bounds: tuple[float, float] | None) -> tuple[float, float] | None:
        if bounds is not None and not (isfinite(bounds[0]) and isfinite(bounds[1]) and bounds[0] < bounds[1]):
            raise ValueError(f"found {list(bounds)}; give two finite numbers, the lower one first")
        return bounds

    @field_validator("categories")
    @classmethod
    def _different(cls, names: Words | None) -> Words | None:
        if names is not None and len(set(names)) < len(names):
            raise ValueError("a category is named twice")
        return names


class SurveyColumns(Params):
    """How a survey was drawn, for risk only: neither column is changed by it, and no row is left out.

    Publishing a sample of the data is something else: `sample` of the release.
    """

    weight: Annotated[
        str | None, Field(description="the column that says for how many people of the population a row stands")
    ] = None
    household: Annotated[
        str | None, Field(description="the column that names the household of a person; it must be an identifier")
    ] = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows about people and what is known of their columns; `folder` is where hierarchy files are looked for.

    If the rows are a sample of a file, each stands for `scale` of its rows: sampling weights are those of the file and
    are multiplied by `scale`. `each_row_is_a_person` was said by somebody who knows: without it and without a unit, a
    release is refused where a column that tells people apart repeats. `unit_is_exact` was said too: without it, a
    unit is refused whose values differ only in spelling.
    """

    source: Source
    columns: Mapping[str, DeclaredColumn]
    unit: str | None = None
    population: Source | None = None
    folder: Path = field(default_factory=Path)
    survey: SurveyColumns | None = None
    scale: float = 1.0
    each_row_is_a_person: bool = False
    unit_is_exact: bool = False

    def __repr__(self) -> str:
        """The source and how many columns have each role; no cell."""
        roles = Counter(column.role for column in self.columns.values())
        told = ", ".join(f"{number} {role}" for role, number in roles.items()) or "none described"
        return f"Dataset({visible(self.source.name)}; columns: {told}; {visible(self._person)})"

    def _repr_html_(self) -> str:
        """The columns with their roles and hierarchies."""
        from tacit.data.tables.hierarchies.spec import spec_form
        from tacit.hypertext import line, piece, table

        rows = [
            (name, one.role, "" if one.hierarchy is None else spec_form(one.hierarchy))
            for name, one in self.columns.items()
        ]
        person = self._person[0].upper() + self._person[1:] + "."
        return piece(self.source.name, table(("column", "role", "hierarchy"), rows), line(person))

    @property
    def _person(self) -> str:
        """Who is a person, and whether somebody said so."""
        if self.unit is not None:
            return f"people are named by the column {self.unit!r}"
        if self.each_row_is_a_person:
            return "each row is a person"
        return "no unit is named, so rows are counted as people"

    def named(self, role: Role) -> tuple[str, ...]:
        """The columns with this role, in the order of the plan."""
        return tuple(name for name, column in self.columns.items() if column.role == role)

    @property
    def reading(self) -> TallyRequest:
        """What a tally of this dataset counts."""
        return TallyRequest(
            quasi_identifiers=self.named("quasi-identifier"),
            sensitive=self.named("sensitive"),
            unit=self.unit,
            orders={name: column.order for name, column in self.columns.items() if column.order},
        )

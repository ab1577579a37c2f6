"""Scales: how a cell becomes a whole number from 0 to `most`, by its own value and public bounds alone.

One rule for arrays and for databases: a number is a double; what is missing or no number (NaN) counts as 0, infinities
as what lies beyond every bound; then it is clamped. A text that was not declared, or is missing, has no number at all.
"""

from dataclasses import dataclass
from typing import Literal

from tacit.errors import BadParameter
from tacit.spelling import many

ReadAs = Literal["number", "text", "truth", "identity", "rank"]
"""What the cells of a column are taken for: a number, a text, a truth value; something that two cells share where their
texts are the same (`identity`); what they are ordered by where a question wants the first ones (`rank`)."""


@dataclass(frozen=True)
class Form:
    """A column and what its cells are read as."""

    column: str
    read_as: ReadAs


@dataclass(frozen=True)
class GridSteps:
    """The nearest multiple of 2**power, half up, as its place between two multiples: counted upwards from `low`, or
    downwards from `high` where `falling`."""

    power: int
    low: int
    high: int
    falling: bool = False

    @property
    def most(self) -> int:
        """From end to end."""
        return self.high - self.low


@dataclass(frozen=True)
class Shares:
    """The share of the way from bound to bound, in so many parts: the part that holds the value (rounded down, the
    upper bound in the last), or the nearest of the `parts` + 1 borders (half up)."""

    lower: float
    upper: float
    parts: int
    rounded: Literal["down", "nearest"] = "down"

    @property
    def most(self) -> int:
        """The last part or border."""
        return self.parts - (self.rounded == "down")


@dataclass(frozen=True)
class Ranks:
    """The place among points lower + i * (upper - lower) / parts, the last the upper bound: 2 i at the point i itself,
    2 i + 1 strictly between i and the next."""

    lower: float
    upper: float
    parts: int

    @property
    def most(self) -> int:
        """The place of the last point."""
        return 2 * self.parts


@dataclass(frozen=True)
class Borders:
    """How many of these rising numbers lie below the value."""

    rising: tuple[float, ...]

    @property
    def most(self) -> int:
        """All of them."""
        return len(self.rising)


@dataclass(frozen=True)
class Truth:
    """1 for what is true, 0 for what is false or missing."""

    @property
    def most(self) -> int:
        """True."""
        return 1


@dataclass(frozen=True)
class PresentCells:
    """1 for a number, infinities among them; 0 for what is missing or no number."""

    @property
    def most(self) -> int:
        """A number."""
        return 1


@dataclass(frozen=True)
class Names:
    """The place among declared texts."""

    names: tuple[str, ...]

    @property
    def most(self) -> int:
        """The last one's place."""
        return len(self.names) - 1


Numeric = GridSteps | Shares | Ranks | Borders | Truth | PresentCells
Scale = Numeric | Names


@dataclass(frozen=True)
class Reading:
    """A column and the scale on which its cells are read."""

    column: str
    scale: Scale

    @property
    def read_as(self) -> ReadAs:
        """What the cells are first read as."""
        if isinstance(self.scale, Names):
            return "text"
        return "truth" if isinstance(self.scale, Truth) else "number"

    @property
    def form(self) -> Form:
        """The form in which the column is read."""
        return Form(self.column, self.read_as)


@dataclass(frozen=True)
class OfReadings:
    """What all aggregates that read columns on scales have in common."""

    readings: tuple[Reading, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(dict.fromkeys(reading.column for reading in self.readings))

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read."""
        return tuple(dict.fromkeys(reading.form for reading in self.readings))

    @property
    def scales(self) -> tuple[Scale, ...]:
        """The scales of all readings: what is asked, whatever the columns are called."""
        return tuple(reading.scale for reading in self.readings)


def require_columns(columns: object, number: int) -> None:
    """There is this number of columns, given as a list of names."""
    if isinstance(columns, str) or not isinstance(columns, tuple | list) or len(columns) != number:
        raise BadParameter(f"columns are {columns!r}; give a list of {many(number, 'column name')}")

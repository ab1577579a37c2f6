"""Bounding contributions in an engine: of each person the first so many rows are read, which makes a sensitivity true.

Which rows are kept may depend on the rows of the same person only. The first by the columns in `first` are kept, and
where these do not tell, by the other columns that are read; rows that agree in all of them are the same to whatever is
asked, so nothing depends on where a row is stored. Truncation favours what comes first; where that matters, draw rows
by chance (`tacit.sensitivity.contributions`) before. Missing values come last. Rows without a person count as one
person's. With `groups`, the rows of a person's first so many groups are read, and no others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import ReadAs
from tacit.data.sql import identifier, missing_last, unused
from tacit.errors import BadParameter

R = TypeVar("R")
_AS_GROUP: tuple[ReadAs, ...] = ("itself", "text")


@dataclass(frozen=True)
class Groups:
    """The columns that together name a group, and in how many groups a person counts at most."""

    columns: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class People:
    """The column that names a person, and how many of their rows, in how many groups, are read at most."""

    column: str
    most: int
    first: tuple[str, ...] = ()
    groups: Groups | None = None

    def __post_init__(self) -> None:
        """At least one row of a person is read."""
        if isinstance(self.most, bool) or not isinstance(self.most, int) or self.most < 1:
            raise BadParameter(f"most is {self.most!r}; give a whole number of rows of a person, at least 1")

    def of(self, wanted: Aggregate[R]) -> "OfPeople[R]":
        """The same question about no more than so many rows of each person."""
        return OfPeople(self, wanted)

    def bounded(self, relation: str, columns: Sequence[str], express: Express = plain) -> str:
        """The relation with these columns, and with at most so many rows of each person."""
        columns = tuple(columns) or (self.column,)
        by = dict.fromkeys((*self.first, *columns))
        cells = ", ".join(map(identifier, columns))
        # What a cell is ordered by may be less than all of it, which then decides between rows that are equal so far.
        keys = dict.fromkeys([*(express(name, "itself") for name in by), *map(identifier, by)])
        order = ", ".join(map(missing_last, keys))
        window = f"partition by {express(self.column, 'itself')} order by {order}"
        rows, place = self._in_groups(relation, by, express), self._place(by)
        ranked = f"select {cells}, row_number() over ({window}) as {place} from {rows} as tacit_all"
        return f"(select {cells} from ({ranked}) as tacit_ranked where {place} <= {self.most})"

    def _place(self, columns: Iterable[str]) -> str:
        """The name of a column that holds places, which none of these has."""
        return identifier(unused("tacit_place", [self.column, *columns]))

    def _in_groups(self, relation: str, columns: Iterable[str], express: Express) -> str:
        """The rows of the first groups of each person; all rows where groups are not bounded."""
        if self.groups is None:
            return relation
        # A group is a text: values that an engine takes for equal may have two, and are then two groups.
        order = ", ".join(missing_last(express(name, read)) for name in self.groups.columns for read in _AS_GROUP)
        window = f"partition by {express(self.column, 'itself')} order by {order}"
        # Named one by one: a column of the data that is not read may be called as the place is.
        named = tuple(dict.fromkeys((self.column, *columns, *self.groups.columns)))
        cells, place = ", ".join(map(identifier, named)), self._place(named)
        ranked = f"select {cells}, dense_rank() over ({window}) as {place} from {relation} as tacit_grouped"
        return f"(select {cells} from ({ranked}) as tacit_some where {place} <= {self.groups.most})"


@dataclass(frozen=True)
class OfPeople(Generic[R]):
    """A question about the first rows of each person; what is found says how many these were at most."""

    people: People
    wanted: Aggregate[R]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        grouped = () if self.people.groups is None else self.people.groups.columns
        return tuple(dict.fromkeys((*self.wanted.columns, self.people.column, *self.people.first, *grouped)))

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over the rows that are kept."""
        return self.wanted.query(self.people.bounded(relation, self.wanted.columns, express), express)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> R:
        """What it answered."""
        return self.wanted.found(rows, max(most or 0, self.people.most))

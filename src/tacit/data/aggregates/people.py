"""Bounding contributions in an engine: of each person so many rows are read at most, which makes a sensitivity true.

Which rows are kept may depend on the rows of the same person only. The first by the columns in `first` are kept, and
where these do not tell, those with the least lots (`lots.py`), which favour no value. A lot depends on the place of a
row among the person's rows in the order of all columns that are read. Rows that agree in all of them are the same to
whatever is asked, so nothing depends on where a row is stored. Rows without a person count as one person's. With
`groups`, the rows of so many groups of a person are read, chosen by lot too, and no others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.lots import lot
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
        # What a cell is ordered by may be less than all of it, which then decides between rows that are equal so far.
        keys = dict.fromkeys([*(express(name, "itself") for name in by), *map(identifier, by)])
        first = tuple(missing_last(express(name, "itself")) for name in self.first)
        draw = _Draw("row", tuple(map(missing_last, keys)), self.most, first)
        read = tuple(dict.fromkeys((*by, self.column)))
        kept = self._drawn(draw, self._in_groups(relation, read, express), read, express)
        return f"(select {', '.join(map(identifier, columns))} from {kept} as tacit_kept)"

    def _in_groups(self, relation: str, read: Sequence[str], express: Express) -> str:
        """The rows of some groups of each person; all rows where groups are not bounded."""
        if self.groups is None:
            return relation
        # A group is a text: values that an engine takes for equal may have two, and are then two groups.
        order = tuple(missing_last(express(name, how)) for name in self.groups.columns for how in _AS_GROUP)
        named = tuple(dict.fromkeys((*read, *self.groups.columns)))
        return self._drawn(_Draw("group", order, self.groups.most), relation, named, express)

    def _drawn(self, draw: "_Draw", relation: str, read: Sequence[str], express: Express) -> str:
        """The rows that the draw keeps, with the columns that are read."""
        # Named one by one: a column of the data that is not read may be called as the number or the place is.
        cells = ", ".join(map(identifier, read))
        number, place = (identifier(unused(f"tacit_{name}", read)) for name in ("number", "place"))
        person, drawn = express(self.column, "itself"), lot(draw.of, express(self.column, "text"), number)

        def placed(rows: str, order: Sequence[str], name: str) -> str:
            window = f"partition by {person} order by {', '.join(order)}"
            return f"(select {cells}, {draw.placing} over ({window}) as {name} from {rows})"

        numbered = placed(f"{relation} as tacit_all", draw.order, number)
        ranked = placed(f"{numbered} as tacit_numbered", (*draw.first, drawn, number), place)
        return f"(select {cells} from {ranked} as tacit_ranked where {place} <= {draw.most})"


@dataclass(frozen=True)
class _Draw:
    """What is drawn of each person, in which order it is numbered, and how much is kept: the first, then by lot."""

    of: Literal["row", "group"]
    order: tuple[str, ...]
    most: int
    first: tuple[str, ...] = ()

    @property
    def placing(self) -> str:
        """The function that gives places: one to each row, or one to all rows of a group."""
        return "row_number()" if self.of == "row" else "dense_rank()"


@dataclass(frozen=True)
class OfPeople(Generic[R]):
    """A question about some rows of each person; what is found says how many these were at most."""

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

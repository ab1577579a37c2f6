"""Bounding contributions in an engine: a limited number of rows is read of each person, which makes a sensitivity true.

Which rows are kept may depend on the rows of the same person only. The first by the columns in `first` are kept, and
where these do not tell, those with the least lots (`lots.py`), which favour no value. A lot depends on the place of a
row among the person's rows in the order of what is read of them (`order.py`). Rows that agree in all of that are the
same to whatever is asked, so nothing depends on where a row is stored, nor on the types of columns, which a cell of
somebody else may decide. People are distinguished by the texts of their cells. With `groups`, only the rows of that
many groups of a person are read, also chosen by lot.

Rows in which the person is missing, or is an empty text, are not read. They may belong to several people: if they
counted as one person's, removing one of these people would make room for another's row, and the answer would change by
twice as much as a person may change it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.lots import lot
from tacit.data.aggregates.order import in_order, ranks
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form
from tacit.data.sql import identifier, missing_last, unused
from tacit.errors import BadParameter

R = TypeVar("R")


@dataclass(frozen=True)
class Groups:
    """The columns that together name a group, and the most groups in which a person counts."""

    columns: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class People:
    """The column that names a person, and the most rows, in the most groups, that are read of a person."""

    column: str
    most: int
    first: tuple[str, ...] = ()
    groups: Groups | None = None

    def __post_init__(self) -> None:
        """At least one row of a person is read."""
        if isinstance(self.most, bool) or not isinstance(self.most, int) or self.most < 1:
            raise BadParameter(f"most is {self.most!r}; give a whole number of rows of a person, at least 1")

    def of(self, wanted: Aggregate[R]) -> "OfPeople[R]":
        """The same question about no more than this number of rows of each person."""
        return OfPeople(self, wanted)

    def bounded(self, relation: str, forms: Sequence[Form], express: Express = plain) -> str:
        """The relation with the columns of these forms, and with at most this number of rows of each person."""
        columns = tuple(dict.fromkeys(form.column for form in forms)) or (self.column,)
        draw = _PersonDraw("row", in_order(forms, express), self.most, ranks(self.first, express))
        read = tuple(dict.fromkeys((*self.first, *columns, self.column)))
        kept = self._drawn(draw, self._in_groups(relation, read, express), read, express)
        return f"(select {', '.join(map(identifier, columns))} from {kept} as tacit_kept)"

    def _in_groups(self, relation: str, read: Sequence[str], express: Express) -> str:
        """The rows of some groups of each person; all rows where groups are not bounded."""
        if self.groups is None:
            return relation
        # A group is a text: values that an engine takes for equal may have two, and are then two groups.
        order = in_order((Form(name, "text") for name in self.groups.columns), express)
        named = tuple(dict.fromkeys((*read, *self.groups.columns)))
        return self._drawn(_PersonDraw("group", order, self.groups.most), relation, named, express)

    def _drawn(self, draw: "_PersonDraw", relation: str, read: Sequence[str], express: Express) -> str:
        """The rows that the draw keeps, with the columns that are read."""
        # Named one by one: a column of the data that is not read may be called as the number or the place is.
        cells = tuple(map(identifier, read))
        number, place = (identifier(unused(f"tacit_{name}", read)) for name in ("number", "place"))
        person, drawn = express(self.column, "identity"), lot(draw.of, express(self.column, "text"), number)
        # Each key is found once, and not whenever two rows are compared; a column that is a key itself is there.
        keys = {key: identifier(unused(f"tacit_{i}", read)) for i, key in enumerate((*draw.first, *draw.order))}
        keys = {key: key if key in cells else name for key, name in keys.items()}
        first = tuple(keys[key] for key in draw.first)
        found = (*cells, *(f"{key} as {name}" for key, name in keys.items() if key != name))
        keyed = f"(select {', '.join(found)} from {relation} as tacit_all where {named(self.column, express)})"
        order = tuple(map(missing_last, keys.values()))
        numbered = draw.placed(keyed, dict.fromkeys((*cells, *first)), _window(person, order), number)
        by_lot = _window(person, (*map(missing_last, first), drawn, number))
        ranked = draw.placed(numbered, cells, by_lot, place)
        return f"(select {', '.join(cells)} from {ranked} as tacit_ranked where {place} <= {draw.most})"


@dataclass(frozen=True)
class _PersonDraw:
    """What is drawn of each person, in which order it is numbered, and how much is kept: the first, then by lot.

    Rows are numbered by `first` before `order`.
    """

    of: Literal["row", "group"]
    order: tuple[str, ...]
    most: int
    first: tuple[str, ...] = ()

    def placed(self, rows: str, cells: Iterable[str], window: str, name: str) -> str:
        """The rows with places under this name: one for each row, or one for all rows of a group."""
        placing = "row_number()" if self.of == "row" else "dense_rank()"
        return f"(select {', '.join(cells)}, {placing} over ({window}) as {name} from {rows} as tacit_placed)"


def named(column: str, express: Express) -> str:
    """The condition that a row is somebody's."""
    return f"{express(column, 'text')} <> ''"


def _window(person: str, order: Sequence[str]) -> str:
    """The rows of each person in an order; without keys all of them are alike."""
    return f"partition by {person}" + (f" order by {', '.join(order)}" if order else "")


@dataclass(frozen=True)
class OfPeople(Generic[R]):
    """A question about some rows of each person; the finding says how many these were at most."""

    people: People
    wanted: Aggregate[R]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        grouped = () if self.people.groups is None else self.people.groups.columns
        return tuple(dict.fromkeys((*self.wanted.columns, self.people.column, *self.people.first, *grouped)))

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read."""
        grouped = () if self.people.groups is None else self.people.groups.columns
        own = [Form(name, "text") for name in (self.people.column, *self.people.first, *grouped)]
        ranked = [Form(name, "rank") for name in self.people.first]
        return tuple(dict.fromkeys((*self.wanted.forms, *own, *ranked)))

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over the rows that are kept."""
        return self.wanted.query(self.people.bounded(relation, self.wanted.forms, express), express)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> R:
        """What it answered."""
        return self.wanted.found(rows, max(most or 0, self.people.most))

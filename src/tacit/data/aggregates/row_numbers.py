"""Rows that are people of their own: where no column names people, a row's number does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form, ReadAs
from tacit.data.sql import identifier

R = TypeVar("R")


@dataclass(frozen=True)
class RowNumbers(Generic[R]):
    """A question about a column that does not exist: it holds the number of the row."""

    column: str
    wanted: Aggregate[R]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, without the number."""
        return tuple(name for name in self.wanted.columns if name != self.column)

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read."""
        return tuple(form for form in self.wanted.forms if form.column != self.column)

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over the numbered rows."""

        def with_number(column: str, read_as: ReadAs) -> str:
            if column != self.column:
                return express(column, read_as)
            number = identifier(column)
            return f"cast({number} as varchar)" if read_as == "text" else number

        rows = f"(select *, row_number() over () as {identifier(self.column)} from {relation} as tacit_plain)"
        return self.wanted.query(rows, with_number)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> R:
        """What it answered."""
        return self.wanted.found(rows, most)

"""A question about nobody: about no rows, or one row without a value. It shows whether an engine can be asked.

Errors that do not depend on rows (the type of a column, bounds too close for a database) show up this way before
anything is charged. A group may have no rows. A whole table has at least one: if the number of rows is public, a table
without rows is refused, so a question about all rows is tried on one row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.people import named
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form

R = TypeVar("R")


@dataclass(frozen=True)
class OfNobody(Generic[R]):
    """The same question about no rows, or about one row in which every value is missing."""

    wanted: Aggregate[R]
    one_row: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that would be read."""
        return self.wanted.columns

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they would be read."""
        return self.wanted.forms

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over no rows, or over one without a value."""
        nobody = f"(select * from {relation} as tacit_rows where 1 = 0)"
        if self.one_row:
            joined = f"(select 1 as tacit_one) as tacit_place left join {nobody} as tacit_nobody on 1 = 1"
            nobody = f"(select tacit_nobody.* from {joined})"
        return self.wanted.query(nobody, express)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> R:
        """What is found if there is nobody."""
        return self.wanted.found(rows, most)


@dataclass(frozen=True)
class AnyRow:
    """Whether there is a row at all, of somebody where a column names people, for those who may know their number."""

    person: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that names people."""
        return () if self.person is None else (self.person,)

    @property
    def forms(self) -> tuple[Form, ...]:
        """Its form."""
        return tuple(Form(name, "text") for name in self.columns)

    def query(self, relation: str, express: Express = plain) -> str:
        """A select that reads at most one row."""
        where = "" if self.person is None else f" where {named(self.person, express)}"
        return f"select 1 from {relation} as tacit_rows{where} limit 1"

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> bool:
        """Whether the engine found one."""
        return bool(rows)

"""A question about no rows at all: it shows whether an engine can be asked, and tells of nobody.

Errors that do not depend on rows (the type of a column, bounds too close for a database) show up this way before
anything is charged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form

R = TypeVar("R")


@dataclass(frozen=True)
class OfNobody(Generic[R]):
    """The same question, about none of the rows."""

    wanted: Aggregate[R]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that would be read."""
        return self.wanted.columns

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they would be read."""
        return self.wanted.forms

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over no rows."""
        return self.wanted.query(f"(select * from {relation} as tacit_nobody where 1 = 0)", express)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> R:
        """What is found where there is nobody."""
        return self.wanted.found(rows, most)

"""One group of rows: those whose key, read as text, is a declared one.

The filter stands inside the bound on people (`people.py`): of a person the same rows are kept whichever group is asked
for, so what a person can change is bounded for all groups together. A missing key belongs to no group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.sql import literal

R = TypeVar("R")


@dataclass(frozen=True)
class OfGroup(Generic[R]):
    """A question about the rows with this key."""

    column: str
    key: str
    wanted: Aggregate[R]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(dict.fromkeys((*self.wanted.columns, self.column)))

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over the rows of the group."""
        kept = f"{express(self.column, 'text')} = {literal(self.key)}"
        return self.wanted.query(f"(select * from {relation} as tacit_any where {kept})", express)

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> R:
        """What it answered."""
        return self.wanted.found(rows, most)

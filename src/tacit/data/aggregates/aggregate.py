"""An aggregate: one select that any engine can answer, and what its answer says about all rows.

A statistic says in `wanted` what it needs to know; `query` is plain SQL (`rendering.py`), `found` reads the answer of
whatever engine ran it. What comes out is exact, and secret until noise is added.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form

T_co = TypeVar("T_co", covariant=True)


class Aggregate(Protocol[T_co]):
    """What one select of any engine finds about all rows."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        ...

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read: rows that are alike in all of them are the same to this question."""
        ...

    def query(self, relation: str, express: Express = plain) -> str:
        """The select."""
        ...

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> T_co:
        """What the engine answered; at most `most` rows of a person were read, or any number if it is None."""
        ...


class Groupable(Aggregate[T_co], Protocol[T_co]):
    """An aggregate that one select finds for all groups of rows."""

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """What an engine answers if there are no rows."""
        ...

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """The select; `by` are columns of the relation, as SQL, that come first in the answer and name groups."""
        ...

"""All groups of rows in one pass: those whose keys, read as text, are declared.

The groups stand inside the bound on people (`people.py`): of a person the same rows are kept whichever group is asked
for, so what a person can change is bounded for all groups together. A missing key belongs to no group, and rows of a
key that was not declared are dropped. A group that nobody is in is answered as an engine answers about no rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tacit.data.aggregates.aggregate import Groupable
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form
from tacit.data.sql import identifier, literal, unused

R = TypeVar("R")
Key = tuple[str, ...]


@dataclass(frozen=True)
class ByGroup(Generic[R]):
    """The same question about the rows of each key.

    The event of all groups holds for `rows` rows of a person, if the noise is made for one of them.
    """

    by: tuple[str, ...]
    keys: tuple[Key, ...]
    wanted: Groupable[R]
    rows: int = 1

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(dict.fromkeys((*self.wanted.columns, *self.by)))

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms in which they are read: a key is a text."""
        return tuple(dict.fromkeys((*self.wanted.forms, *(Form(column, "text") for column in self.by))))

    def query(self, relation: str, express: Express = plain) -> str:
        """The select over the rows of all groups; the key comes first in each row of the answer."""
        names: list[str] = []
        for _ in self.by:
            names.append(unused("tacit_group", [*self.columns, *names]))
        texts = [express(column, "text") for column in self.by]
        cells = [identifier(column) for column in self.wanted.columns]
        cells += [f"{text} as {identifier(name)}" for text, name in zip(texts, names, strict=True)]
        kept = " and ".join(
            f"{text} in ({', '.join(map(literal, dict.fromkeys(parts)))})"
            for text, parts in zip(texts, zip(*self.keys, strict=True), strict=True)
        )
        rows = f"(select {', '.join(cells)} from {relation} as tacit_any where {kept})"
        return self.wanted.query(rows, express, [identifier(name) for name in names])

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> tuple[R, ...]:
        """What it answered about each key, in their order."""
        width = len(self.by)
        answers: dict[Key, list[Sequence[Any]]] = {key: [] for key in self.keys}
        for row in rows:
            key = tuple(row[:width])
            if key in answers:
                answers[key].append(row[width:])
        each = None if most is None else -(-most // self.rows)
        return tuple(self.wanted.found(answers[key] or self.wanted.nothing, each) for key in self.keys)

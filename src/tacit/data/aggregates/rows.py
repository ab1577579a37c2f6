"""The cells of some columns, row by row, for statistics that one pass of sums and counts can't answer.

They are asked through the same protocol as sums and counts, so that bounds on people and groups apply to them alike.
Like everything that is found, they are secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.data.aggregates.answered import columns_of
from tacit.data.aggregates.rendering import Express, plain


@dataclass(frozen=True)
class Rows:
    """The cells of these columns as they are."""

    columns: tuple[str, ...]

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """No rows."""
        return ()

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """The select."""
        cells = [f"{express(name, 'itself')} as v{place}" for place, name in enumerate(self.columns)]
        return f"select {', '.join([*by, *cells])} from {relation} as tacit_rows"

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> tuple[list[Any], ...]:
        """The columns, cell by cell."""
        return tuple(map(list, columns_of(rows, len(self.columns))))

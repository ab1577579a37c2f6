"""The cells of some columns, row by row, for statistics that one pass of sums and counts can't answer.

They are asked through the same protocol as sums and counts, so that bounds on people and groups apply to them alike.
Like everything that is found, they are secret.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.data.aggregates.answered import columns_of
from tacit.data.aggregates.order import number_or_null
from tacit.data.aggregates.rendering import Express, plain
from tacit.data.aggregates.scale import Form


@dataclass(frozen=True)
class Rows:
    """The cells of columns, each as a number, a text or a truth value, whatever type the engine keeps it in.

    What is missing or no number is None. A column may be read in several forms.
    """

    forms: tuple[Form, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return tuple(dict.fromkeys(form.column for form in self.forms))

    @property
    def nothing(self) -> Sequence[Sequence[Any]]:
        """No rows."""
        return ()

    def query(self, relation: str, express: Express = plain, by: Sequence[str] = ()) -> str:
        """The select."""
        cells = [f"{_cell(form, express)} as v{place}" for place, form in enumerate(self.forms)]
        return f"select {', '.join([*by, *cells])} from {relation} as tacit_rows"

    def found(self, rows: Sequence[Sequence[Any]], most: int | None = None) -> tuple[list[Any], ...]:
        """The cells of each form, row by row."""
        return tuple(map(list, columns_of(rows, len(self.forms))))


def _cell(form: Form, express: Express) -> str:
    value = express(form.column, form.read_as)
    if form.read_as == "truth":
        return f"case when {value} then 1 else 0 end"
    return number_or_null(value) if form.read_as == "number" else value

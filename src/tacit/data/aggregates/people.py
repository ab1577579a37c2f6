"""Bounding contributions in an engine: of each person the first so many rows are read, which makes a sensitivity true.

Which rows are kept may depend on the rows of the same person only. The first by the columns in `first` are kept, and
where these do not tell, by the other columns that are read; rows that agree in all of them are the same to whatever is
asked, so nothing depends on where a row is stored. Truncation favours what comes first; where that matters, draw rows
by chance (`tacit.sensitivity.contributions`) before. Missing values come last. Rows without a person count as one
person's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.data.sql import identifier, missing_last, unused


@dataclass(frozen=True)
class People:
    """The column that names a person, and how many of their rows are read at most."""

    column: str
    most: int
    first: tuple[str, ...] = ()

    def bounded(self, relation: str, columns: Sequence[str]) -> str:
        """The relation with these columns, and with at most so many rows of each person."""
        by = dict.fromkeys((*self.first, *columns))
        place = identifier(unused("tacit_place", [self.column, *by]))
        cells = ", ".join(map(identifier, columns))
        order = ", ".join(missing_last(identifier(name)) for name in by)
        window = f"partition by {identifier(self.column)} order by {order}"
        ranked = f"select {cells}, row_number() over ({window}) as {place} from {relation} as tacit_all"
        return f"(select {cells} from ({ranked}) as tacit_ranked where {place} <= {self.most})"

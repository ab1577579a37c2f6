"""Which rows noisy numbers are about if people have several rows: those that count, perhaps not all of them."""

from tacit.promise import Proven
from tacit.spelling import many


def rows_that_count(proven: Proven, unit: str | None, told: str, unless: str = "") -> str:
    """How many rows of a person count, and what is told of them; empty where every row counts."""
    if unit is None:
        return ""
    rows = many(proven.contributions, "row", "rows")
    return (
        f"Each person counts with at most {rows}, chosen by a hash{unless}; {told}, not about all rows of the data. "
        f"Rows without a value in {unit} do not count."
    )

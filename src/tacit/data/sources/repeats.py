"""Repeats: how often the values of a column come again, counted without looking at what they mean."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Repeats:
    """One column: rows that have a value, distinct values, and whether all values could be keys.

    A key is a text or a whole number: a column with a number that has a fraction is a measurement. `exact` says that
    all rows were counted, and not the first of them only.
    """

    name: str
    present: int
    distinct: int
    may_be_key: bool
    exact: bool = True

    @property
    def rows_each(self) -> float:
        """How many rows a value has on average."""
        return self.present / max(self.distinct, 1)

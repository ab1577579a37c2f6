"""Repeats: how often the values of a column come again, counted without looking at what they mean."""

from dataclasses import dataclass

LAST_PART = "[-_/.:# ][A-Za-z0-9]{1,4}"
"""The last part of a value such as P0263-5 or TCGA-0001-02, as a regular expression of Python and of RE2."""


@dataclass(frozen=True)
class DerivedKey:
    """What may tell rows apart without being a column: columns together, or one without its last `cut` parts."""

    columns: tuple[str, ...]
    cut: int = 0

    @property
    def pattern(self) -> str:
        """What is left of a value after the cut, as the first group of a regular expression."""
        return f"^(.*[A-Za-z0-9])(?:{LAST_PART}){{{self.cut}}}$"


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

"""Repeats: how often the values of a column come again, counted without looking at what they mean."""

from dataclasses import dataclass

_LAST_PART = "[-_/.:# ][A-Za-z0-9]{1,4}"
CUTS = {
    "last part": rf"^(.*[A-Za-z0-9]){_LAST_PART}$",
    "last two parts": rf"^(.*[A-Za-z0-9])(?:{_LAST_PART}){{2}}$",
    "first part": "^[A-Za-z0-9]{1,5}[-_/.:# ](.*[A-Za-z0-9])$",
    "last character": "^(.*[A-Za-z0-9])[A-Za-z0-9]$",
    "last two characters": "^(.*[A-Za-z0-9])[A-Za-z0-9]{2}$",
}
"""What may be cut off a value such as P0263-5, TCGA-0001-02, 2023-0263 or 0263B, and what is left then.

Regular expressions of Python and of RE2, whose first group is the rest.
"""


@dataclass(frozen=True)
class DerivedKey:
    """What may tell rows apart without being a column: columns together, or one of which one of the `CUTS` is taken."""

    columns: tuple[str, ...]
    cut: str = ""

    @property
    def pattern(self) -> str:
        """What is left of a value after the cut, as the first group of a regular expression."""
        return CUTS[self.cut]


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

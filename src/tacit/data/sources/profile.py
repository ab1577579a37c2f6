"""Profiles: what one look at a column tells about it, before anybody has said what it means.

A profile holds values of private data in `minimum`, `maximum` and `examples`: for patterns to be matched against, never
to be shown. Its `repr` leaves them out.
"""

from dataclasses import dataclass, field

MOST_EXAMPLES = 1_000
MISSING_WORDS = frozenset(
    {
        "na", "n/a", "n.a.", "#n/a", "#na", "nan", "null", "#null!", "nil", "none", "\\n", "-", "--", "---", "–", "—",
        ".", "..", "?", "??", "k.a.", "k. a.", "keine angabe", "unbekannt", "unknown", "missing", "n.d.", "nd", "n.v.",
        "not available", "not known", "inconnu", "s.o.", "sin dato", "desconocido", "fehlt", "leer", "blank",
    }
)  # fmt: skip
"""Words that often stand for a missing value, in small letters; a profile tells which of them a column has."""


@dataclass(frozen=True)
class ColumnProfile:
    """One column: how many rows, missing (null or empty), distinct values, values seen once; what they look like.

    `shortest` and `longest` are lengths in characters, 0 where all is missing; where the type is not text they are
    those of the examples and extremes. `numeric` is the share of the values that spell a finite number. `examples` are
    distinct values, at most `MOST_EXAMPLES`, chosen by hash; of very wide tables fewer. `minimum` and `maximum` are
    numbers where all values are. `padded` counts distinct values with spaces around them; `blanks` are the values that
    are among `MISSING_WORDS`, which name nobody.
    """

    name: str
    type: str
    rows: int
    missing: int
    distinct: int
    unique: int
    shortest: int
    longest: int
    numeric: float
    estimated: bool = False
    minimum: str | None = field(default=None, repr=False)
    maximum: str | None = field(default=None, repr=False)
    examples: tuple[str, ...] = field(default=(), repr=False)
    padded: int = 0
    blanks: tuple[str, ...] = ()

    @property
    def present(self) -> int:
        """The number of rows that have a value."""
        return self.rows - self.missing

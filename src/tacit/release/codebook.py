"""A codebook: what the columns of a published file hold, counted in that file and nowhere else."""

from tacit.fact import Fact


class CodeCount(Fact):
    """A value as it is published, and the rows that have it; the empty value is the missing one."""

    value: str
    rows: int


class CodebookColumn(Fact):
    """One published column: how many different values it has, the most frequent of them, and the range of numbers.

    `least` and `greatest` are there where every value is a number; `hidden` rows show `*` instead of a value.
    """

    name: str
    distinct: int
    values: tuple[CodeCount, ...]
    hidden: int = 0
    least: float | None = None
    greatest: float | None = None


class Codebook(Fact):
    """What a recipient can count in a published file; `suppressed` rows show `*` in all columns that protect."""

    rows: int
    suppressed: int
    columns: tuple[CodebookColumn, ...]

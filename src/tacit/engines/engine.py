"""The protocol that every engine keeps: describe, count, make relations of relations, write any of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from tacit.arrays import BoolArray
from tacit.data.aggregates.aggregate import Aggregate
from tacit.data.aggregates.people import People
from tacit.data.columns import Columns
from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.repeats import DerivedKey, Repeats
from tacit.data.sources.source import Format, Source
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.tally import Tally

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


@dataclass(frozen=True)
class Stars:
    """What a suppressed row shows: `*` in these columns, or nothing, since the row is left out."""

    columns: tuple[str, ...]
    rows: Literal["star", "omit"] = "star"


@dataclass(frozen=True)
class Target:
    """What a table looks like, and where it is written.

    `columns` are the columns kept, in order; `starred` are those that show `*` in a suppressed row, which text files
    spell as they are counted. `suppressed`: such rows are written with `*`, or left out. `guard`: a text cell that a
    spreadsheet would run as a formula gets an apostrophe in front. `shuffle_key`: a secret; the rows stand in the order
    that a hash keyed with it gives them, so that nobody without it learns their order in the input.
    """

    columns: tuple[str, ...]
    starred: tuple[str, ...]
    path: Path | None = None
    format: Format = "frame"
    suppressed: Literal["star", "omit"] = "star"
    guard: bool = False
    shuffle_key: str | None = None
    delimiter: str = ","
    table: str = "release"

    @property
    def stars(self) -> Stars:
        """What a suppressed row shows."""
        return Stars(self.starred, self.suppressed)


class Engine(Protocol):
    """Works on rows where they are; what it hands over is small."""

    def columns(self, source: Source) -> dict[str, str]:
        """The columns with their types, in order."""
        ...

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """What one look at each column tells."""
        ...

    def repeats(self, source: Source, columns: Sequence[str], first: int | None = None) -> tuple[Repeats, ...]:
        """How often the values of these columns come again, in all rows or in the first ones."""
        ...

    def spellings(self, source: Source, column: str) -> int:
        """How many values a column has if those count once that differ only in spelling.

        That is in capitals, blanks, punctuation, leading zeros, a final .0 or a check digit that some lack.
        """
        ...

    def groups(self, source: Source, keys: Mapping[str | DerivedKey, int], columns: Sequence[str]) -> "pa.Table":
        """The columns as text (missing is empty), then for each key whether the row's value of it was drawn.

        One in so many values of a key is drawn, by hash; rows are there in which a value of some key was.
        """
        ...

    def tally(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        """Each distinct combination of the columns as text (missing is empty), with its number of `rows`."""
        ...

    def cells(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        """The columns as text (missing is empty), row by row in the order of the source."""
        ...

    def aggregates(self, source: Source, wanted: Aggregate[T], people: People | None = None) -> T:
        """What is wanted about all rows, exactly; with `people`, about so many rows of each person only."""
        ...

    def held(self, source: Source, columns: Sequence[str], named: Sequence[str] = ()) -> Source:
        """The rows with these columns, every cell found to be readable; cells of `named` tell people or groups apart.

        What is asked of it afterwards can't fail because of a cell. It lasts as long as the engine.
        """
        ...

    def replaced(self, source: Source, columns: Columns) -> Source:
        """The same rows with these columns, row by row, in place of their own; it lasts as long as the engine."""
        ...

    def drawn(self, source: Source, rows: BoolArray) -> Source:
        """The rows whose place, in the order of the source, is true; it lasts as long as the engine."""
        ...

    def recoded(self, source: Source, tally: Tally, recoding: Recoding, stars: Stars) -> Source:
        """The same rows with the labels that were decided, read when somebody reads it; for this engine only.

        A row whose combination was not counted is suppressed.
        """
        ...

    def write(self, source: Source, target: Target) -> None:
        """Writes the rows into the target's file."""
        ...

    def frame(self, source: Source, target: Target) -> "pa.Table":
        """The rows in memory, as the target shows them."""
        ...

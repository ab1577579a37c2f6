"""The protocol that every engine keeps: describe, count, recode."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from tacit.data.profile import ColumnProfile
from tacit.data.recoding import Recoding
from tacit.data.source import Format, Source
from tacit.data.tally import Tally

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Target:
    """What a release looks like, and where it is written.

    `columns` are the columns kept, in order; `starred` are those that show `*` in a suppressed row. `suppressed`: such
    rows are written with `*`, or left out. `guard`: a text cell that a spreadsheet would run as a formula gets an
    apostrophe in front. `shuffled`: the order of the rows tells nothing about their order in the input.
    """

    columns: tuple[str, ...]
    starred: tuple[str, ...]
    path: Path | None = None
    format: Format = "frame"
    suppressed: Literal["star", "omit"] = "star"
    guard: bool = False
    shuffled: bool = False
    delimiter: str = ","
    table: str = "release"


class Engine(Protocol):
    """Works on rows where they are; what it hands over is small."""

    def columns(self, source: Source) -> dict[str, str]:
        """The columns with their types, in order."""
        ...

    def profile(self, source: Source) -> tuple[ColumnProfile, ...]:
        """What one look at each column tells."""
        ...

    def tally(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        """Each distinct combination of the columns as text (missing is empty), with its number of `rows`."""
        ...

    def write(self, source: Source, tally: Tally, recoding: Recoding, target: Target) -> None:
        """Writes the release into the target's file."""
        ...

    def frame(self, source: Source, tally: Tally, recoding: Recoding, target: Target) -> "pa.Table":
        """The release in memory."""
        ...

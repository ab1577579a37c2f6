"""The form of a table at each station of its run: counted, decided, written, read back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.data.sources.source import Source
from tacit.data.tables.classes import Classes
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Target
from tacit.release.release import Fingerprint
from tacit.release.tables import Advice, Competition
from tacit.request import TableDecision
from tacit.runs.tables.concealment import ConcealedPeople
from tacit.runs.tables.step import CountedRows, ReleasedRows

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """The rows after the steps before counting, and the table counted from them."""

    rows: CountedRows
    table: Table

    @property
    def before(self) -> Tally:
        """The tally that figures before the release are about."""
        return self.table.tally if self.rows.whole is None else self.rows.whole.tally


@dataclass(frozen=True, eq=False)
class Decision:
    """What the method decided, and the table that is published by it.

    `competition` is the one that it won, if there was one; `advice` is there if much is lost.
    """

    answer: TableDecision
    published: PublishedTable
    competition: Competition | None = None
    advice: Advice | None = None


@dataclass(frozen=True, eq=False)
class WrittenTable:
    """A release where it was written, and how to read it back; `frame` has its rows if it stays in memory."""

    decision: Decision
    target: Target
    source: Source
    fingerprint: Fingerprint
    frame: "pa.Table | None" = None


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """A release as it was read back: its classes beside the population, if any, and the candidates of people.

    `hidden` is present if classes do not show how well people are concealed.
    """

    found: ReleasedRows
    classes: Classes
    hidden: ConcealedPeople | None

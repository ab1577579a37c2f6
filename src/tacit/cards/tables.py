"""Methods on tables: a table of rows about people and a request in, a decision out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tacit.cards.card import P
from tacit.cards.method import Method

if TYPE_CHECKING:
    from tacit.data.tables.table import Table
    from tacit.request import TableDecision, TableRequest


def _a_moment(table: "Table", request: "TableRequest") -> float:
    return 0.0


def _nothing() -> None: ...


@dataclass(frozen=True, kw_only=True)
class TableMethod(Method[P]):
    """Decides how each row is published, so that the guarantees of the request hold.

    A method with a `turn` competes where a plan leaves the choice of a method open, the lowest first; if its
    parameters are `TimedParams`, it is told there how long it may take. `expected` says about how many seconds it takes
    for a table, so that one that would take too long is not tried. `begin_early` begins, and does not wait for, what it
    needs before it can see any table.
    """

    kind: ClassVar[str] = "tables"

    run: "Callable[[Table, TableRequest, P], TableDecision]"
    turn: int | None = None
    expected: "Callable[[Table, TableRequest], float]" = _a_moment
    begin_early: "Callable[[], None]" = _nothing

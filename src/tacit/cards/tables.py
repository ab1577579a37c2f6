"""Methods on tables: a table of rows about people and a request in, a decision out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tacit.cards.card import P
from tacit.cards.method import Method

if TYPE_CHECKING:
    from tacit.data.tables.table import Table
    from tacit.request import TableDecision, TableRequest


@dataclass(frozen=True, kw_only=True)
class TableMethod(Method[P]):
    """Decides how each row is published, so that the guarantees of the request hold."""

    kind: ClassVar[str] = "tables"

    run: "Callable[[Table, TableRequest, P], TableDecision]"

"""Statistics: a question about rows, answered with differential privacy."""

from dataclasses import dataclass
from typing import ClassVar

from tacit.cards.asked import AskedMethod
from tacit.cards.card import P


@dataclass(frozen=True, kw_only=True)
class Statistic(AskedMethod[P]):
    """Answers one question about rows."""

    kind: ClassVar[str] = "statistics"
    data: ClassVar[str] = "tables"

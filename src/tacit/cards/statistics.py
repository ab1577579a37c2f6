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


@dataclass(frozen=True, kw_only=True)
class KeySelection(Statistic[P]):
    """Answers with keys that may be named; with it the groups of a question are chosen where none are declared.

    It takes the person and the key of each row, and its answer has the chosen `keys`. Its parameters have `neighbours`,
    and `most`, the number of keys of a person that count.
    """

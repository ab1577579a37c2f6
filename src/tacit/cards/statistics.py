"""Statistics: a question about rows, answered with differential privacy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tacit.cards.asked import AskedMethod
from tacit.cards.card import P

if TYPE_CHECKING:
    from tacit.accounting.scope import Neighbours
    from tacit.cards.takes import Declaration, PersonAndKey
    from tacit.data.aggregates.aggregate import Groupable
    from tacit.noise.private_answer import PrivateAnswer
    from tacit.randomness.stream import RandomBits


@dataclass(frozen=True, kw_only=True)
class Statistic(AskedMethod[P]):
    """Answers one question about rows."""

    kind: ClassVar[str] = "statistics"
    data: ClassVar[str] = "tables"


@dataclass(frozen=True, kw_only=True)
class KeySelection(Statistic[P]):
    """Answers with keys that may be published; it chooses the groups of a question if none are declared.

    It takes the person and the key of each row; `keys` returns the keys that an answer chose.
    """

    takes: "PersonAndKey"
    wanted: "Callable[[Sequence[str], P], Groupable[Any]]" = field()
    answer: "Callable[[Any, P, RandomBits], PrivateAnswer]" = field()
    keys: Callable[[Any], Sequence[str]]

    def filled(self, key: "Declaration", neighbours: "Neighbours", most: int) -> dict[str, Any]:
        """The parameters that a plan fills in: who is protected, and how many keys of a person count at most."""
        kept = {} if self.takes.kept is None else {self.takes.kept: most}
        return {**self.takes.parameters([key], neighbours), **kept}

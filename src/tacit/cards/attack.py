"""Attacks: ways to challenge a release."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tacit.cards.card import Card, P

if TYPE_CHECKING:
    from tacit.guarantees.guarantee import TableGuarantee
    from tacit.release.attacks import Success

Sees = Literal["table", "releases", "recipe", "numbers"]
"""What an attack on tables is given."""


@dataclass(frozen=True, kw_only=True)
class Attack(Card[P]):
    """A way to challenge a release of tables; a subclass with another `kind` challenges another kind of data.

    `knowledge` says what the adversary has beforehand and `story`, in one sentence, what happens. On tables `sees` says
    what `run` takes: one table, several releases, a release with its recipe, or original and masked numbers; and
    `bound` gives the highest success rate that a guarantee allows, where it allows none higher.
    """

    kind: ClassVar[str] = "tables"

    run: Callable[..., Any]
    knowledge: str = ""
    story: str = ""
    sees: Sees | None = None
    bound: "Callable[[P, TableGuarantee, Success], float | None] | None" = None


@dataclass(frozen=True, kw_only=True)
class StatisticsAttack(Attack[P]):
    """A way to challenge answers to statistical questions."""

    kind: ClassVar[str] = "statistics"

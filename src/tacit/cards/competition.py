"""Competitions: a choice between methods, made by trying them on the table.

A method on tables says on its card whether it competes, and in which turn. A competition is handed the methods that do,
ready to be tried; how long each may take is for it to say, and which of them wins follows from the plan's objective.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from tacit.cards.card import P
from tacit.cards.method import Method


class Attempt(Protocol):
    """What became of a competitor."""

    @property
    def is_made(self) -> bool:
        """Whether there is a release that keeps the promises."""


class Competitor(Protocol):
    """A method that is ready to be tried."""

    @property
    def expected(self) -> float:
        """About how many seconds it takes."""

    def attempt(self, seconds: float) -> Attempt:
        """What it reaches within about so many seconds."""

    def leave_out(self, why: str) -> Attempt:
        """That it was not tried, and why."""


@dataclass(frozen=True, kw_only=True)
class TableCompetition(Method[P]):
    """Tries the table methods that compete; the release that costs least wins."""

    kind: ClassVar[str] = "tables"

    run: "Callable[[Sequence[Competitor], P], Sequence[Any]]"

"""A private choice among public names: the answer of the mode and of the best choice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.accounting.events import Event
from tacit.noise.private_answer import Publishable
from tacit.noise.scores import Choice


@dataclass(frozen=True)
class NamedChoice(Publishable):
    """The chosen name, its position among the declared ones, and what the choice cost."""

    name: str
    index: int
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The name."""
        return {"values": [self.name]}


def named(choice: Choice, names: tuple[str, ...]) -> NamedChoice:
    """The choice by name."""
    return NamedChoice(names[choice.index], choice.index, choice.event)

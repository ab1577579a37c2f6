"""Attacks on statistics: each invents its people, has them asked in several ways, and counts how often it is right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest
from tacit.catalogue import attacks
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.request import Progress, Stage, be_silent

FAMILY = "statistics"
"""Where attacks on statistics stand; by itself it stands for all of them."""


@dataclass(frozen=True, eq=False)
class StatisticsAttackRun:
    """One attack that was run, with its parameters and what it found."""

    name: str
    card: StatisticsAttack[Any]
    params: Params
    contest: Contest

    def values(self) -> dict[str, Any]:
        """The same as plain values."""
        curve = self.contest.curve
        return {
            "name": self.name,
            "title": self.card.title,
            "knowledge": self.card.knowledge,
            "story": self.card.story,
            "parameters": self.params.model_dump(mode="json"),
            "ways": {way.name: way.words for way in self.contest.against},
            "answers": {way: found.model_dump(mode="json") for way, found in self.contest.by_way.items()},
            "curve": [] if curve is None else [point.model_dump(mode="json") for point in curve.points],
        }


def attack_statistics(
    target: str, settings: Mapping[str, Any] | None = None, seed: int | None = None, progress: Progress = be_silent
) -> tuple[StatisticsAttackRun, ...]:
    """The attack of this name, or all of them for `statistics`; `settings` are parameters of one attack."""
    import numpy as np

    names = [name for name in attacks() if name.startswith(f"{FAMILY}/")] if target == FAMILY else [target]
    if settings and target == FAMILY:
        raise BadParameter(f"settings are for one attack, such as {names[0]}; name it")
    found = []
    for number, name in enumerate(names):
        card = _card(name)
        params = card.params.parse(name, card.example.model_dump() | dict(settings or {}))
        progress(Stage(f"attacking: {name}", number, len(names)))
        found.append(StatisticsAttackRun(name, card, params, card.run(params, np.random.default_rng(seed))))
    return tuple(found)


def _card(name: str) -> StatisticsAttack[Any]:
    """The card of this name; refused if it is about something else."""
    card = attacks().find(name)
    if not isinstance(card, StatisticsAttack):
        raise BadParameter(
            f"{name} is not an attack on statistics but a {type(card).__name__}; `tacit methods` lists them"
        )
    return card

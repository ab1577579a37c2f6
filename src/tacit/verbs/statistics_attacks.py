"""Attacks on statistics: an invented world, three ways of answering, how often the adversary is right."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.request import Progress, be_silent

if TYPE_CHECKING:
    from tacit.attacks.statistics._answers import Fared
    from tacit.cards.attack import Attack
    from tacit.params import Params

FAMILY = "statistics"


@dataclass(frozen=True, eq=False)
class StatisticsAttacked:
    """One attack that was run, with its parameters and how it fared."""

    name: str
    card: "Attack[Any]"
    params: "Params"
    fared: "Fared"

    def values(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "name": self.name,
            "title": self.card.title,
            "knowledge": self.card.knowledge,
            "story": self.card.story,
            "parameters": self.params.model_dump(mode="json"),
            "answers": {way: found.model_dump(mode="json") for way, found in self.fared.by_way.items()},
            "curve": [asdict(point) for point in self.fared.curve],
        }


def attack_statistics(
    target: str, settings: Mapping[str, Any] | None = None, seed: int | None = None, progress: Progress = be_silent
) -> tuple[StatisticsAttacked, ...]:
    """The attack of this name, or all of them for `statistics`; `settings` are parameters of one attack."""
    import numpy as np

    from tacit.catalogue import attacks, find_attack

    names = [name for name in attacks() if name.startswith(f"{FAMILY}/")] if target == FAMILY else [target]
    if settings and len(names) > 1:
        raise BadParameter(f"settings are for one attack, such as {names[0]}; name it")
    found = []
    for name in names:
        card = find_attack(name)
        params = card.params.parse(name, card.example.model_dump() | dict(settings or {}))
        progress(f"attacking: {name}")
        fared: Fared = card.run(params, np.random.default_rng(seed))
        found.append(StatisticsAttacked(name, card, params, fared))
    return tuple(found)

"""A counting task: the sides, the method that chooses what is left out, and its parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.cards.counts import CountsMethod, HiddenCounts
from tacit.catalogue import find_method
from tacit.errors import BadParameter
from tacit.usual import COUNTS


@dataclass(frozen=True, eq=False)
class CountsTask:
    """What is counted, how small counts are kept, and the method that does it, by name."""

    by: tuple[str, ...]
    params: HiddenCounts
    guard: bool = False
    method: str = COUNTS

    @property
    def card(self) -> CountsMethod[Any]:
        """The method itself."""
        return counts_method(self.method)


def counts_task(by: Sequence[str], method: str, parameters: Mapping[str, Any], guard: bool = False) -> CountsTask:
    """The task, with the parameters of the method."""
    return CountsTask(tuple(by), counts_method(method).params.parse("tabulate", parameters), guard, method)


def counts_method(name: str) -> CountsMethod[Any]:
    """The method of this name; refused if it is not a method on tables of counts."""
    card = find_method(name)
    if not isinstance(card, CountsMethod):
        raise BadParameter(f"the method {name} is of the kind {card.kind!r}, not 'counts'; try {COUNTS}")
    return card

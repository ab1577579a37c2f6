"""Methods in general: a way to protect data, with the guarantees that it can give."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tacit.cards.card import Card, P


@dataclass(frozen=True, kw_only=True)
class Method(Card[P]):
    """A way to protect data.

    `guarantees` names the guarantees that it can give; each kind says what its `run` takes.
    """

    kind: ClassVar[str] = "any"

    run: Callable[..., Any]
    guarantees: tuple[str, ...] | Literal["any"] = ()

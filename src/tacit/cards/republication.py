"""Methods of republication: the next state of a table that is published again and again."""

from dataclasses import dataclass
from typing import ClassVar

from tacit.cards.card import P
from tacit.cards.method import Method


@dataclass(frozen=True, kw_only=True)
class RepublicationMethod(Method[P]):
    """Decides the next release of a table in the light of the earlier ones."""

    kind: ClassVar[str] = "republication"

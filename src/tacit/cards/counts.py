"""Methods on tables of counts with their totals."""

from dataclasses import dataclass
from typing import ClassVar

from tacit.cards.card import P
from tacit.cards.method import Method


@dataclass(frozen=True, kw_only=True)
class CountsMethod(Method[P]):
    """Decides which counts of a table are published."""

    kind: ClassVar[str] = "counts"

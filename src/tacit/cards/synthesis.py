"""Synthesis: rows that nobody lived, drawn from what was learnt of a table with differential privacy."""

from dataclasses import dataclass
from typing import ClassVar

from tacit.cards.asked import AskedMethod
from tacit.cards.card import P


@dataclass(frozen=True, kw_only=True)
class SynthesisMethod(AskedMethod[P]):
    """Answers with a table of invented rows.

    Its answer is a `tacit.noise.synthetic_rows.SyntheticRows`; which cells a code stands for follows from the axes of
    the parameters.
    """

    kind: ClassVar[str] = "synthesis"
    data: ClassVar[str] = "tables"

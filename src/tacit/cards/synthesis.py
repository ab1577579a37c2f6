"""Synthesis: invented rows, drawn from what was learnt about a table with differential privacy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tacit.cards.asked import AskedMethod
from tacit.cards.card import P


@dataclass(frozen=True, kw_only=True)
class SynthesisMethod(AskedMethod[P]):
    """Answers with a table of invented rows, a `tacit.noise.synthetic_rows.SyntheticRows`.

    `sizes` are the numbers of cells of its columns, in their order and without that of missing values. The content of a
    cell follows from that and from the declaration of the column: its categories, or equal bins between its bounds.
    `loses` says, in sentences, what the table has lost by design and its readers must know.
    """

    kind: ClassVar[str] = "synthesis"
    data: ClassVar[str] = "tables"

    sizes: Callable[[P], Sequence[int]]
    loses: str = ""

    @property
    def filled_in(self) -> frozenset[str]:
        """What a plan fills in: also what is spent, which the guarantee says."""
        return super().filled_in | frozenset(self.stated)

    @property
    def stated(self) -> tuple[str, ...]:
        """The parameters that a guarantee states: the epsilon, then the delta where the method has one."""
        loss = self.dial(self.example).name
        return (loss,) if self.delta is None else (loss, self.delta)

"""The evidence of a table of counts: what was counted, how small counts are kept, what a reader sees of that.

It may be given away with the table, so it holds nothing that a reader could not count: which cells are small, how many
are, and what the choice of the others cost would be further equations for whoever tries to solve the table. These are
told at the terminal only.
"""

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field
from pydantic_core import to_json

from tacit.methods.frequencies.suppression import Suppressed
from tacit.release import Fact, Fingerprint

NOT_COVERED = (
    "Readers are taken to know all published cells, all sums, that counts are whole, that every name along a side "
    "occurs, and, unless the parameters say zeros, that no suppressed cell is empty. A reader who stands in a "
    "suppressed cell knows more, and so does one who holds another table over the same people, or who works out which "
    "tables would have led to this choice of cells."
)


class Tabulation(Fact):
    """What was published, from what, and how well it is protected."""

    evidence: Literal["tacit/tabulation/1"] = "tacit/tabulation/1"
    created: str
    command: Annotated[str, Field(description="what repeats it")]
    input: Fingerprint
    plan: Fingerprint
    output: Fingerprint
    by: Annotated[tuple[str, ...], Field(description="the sides of the table, COLUMN or COLUMN@LEVEL")]
    counted: Literal["people", "rows"]
    parameters: dict[str, Any]
    versions: dict[str, str]
    total: Annotated[int, Field(description="how many were counted")]
    cells: Annotated[int, Field(description="of the table, sums among them")]
    left_out: Annotated[int, Field(description="cells that are not published")]
    note: str = NOT_COVERED

    @classmethod
    def of(cls, table: Suppressed, **facts: Any) -> "Tabulation":
        """The evidence of a table, with the facts that it does not tell itself."""
        return cls(
            **facts,
            total=int(table.margins.counts.flat[-1]),
            cells=int(table.margins.counts.size),
            left_out=int((table.primary | table.secondary).sum()),
        )

    def text(self) -> str:
        """The evidence as JSON."""
        return to_json(self.model_dump(), indent=2).decode("utf-8") + "\n"


def tabulation_lines(facts: Tabulation, table: Suppressed) -> list[str]:
    """The outcome in a few lines, for whoever may see the raw data."""
    small, partners = int(table.primary.sum()), int(table.secondary.sum())
    head = f"{facts.total:,} {facts.counted} in {facts.cells:,} cells by {', '.join(facts.by)}, totals among them"
    if not small:
        return [head, "no count is small, so none is left out"]
    hidden = np.isin(table.intervals.cells, np.flatnonzero(table.primary))
    width = float((table.intervals.upper - table.intervals.lower)[hidden].min())
    choice = " (the cheapest choice there is)" if table.optimal and partners else ""
    return [
        head,
        f"{facts.left_out:,} cells left out: {small:,} small, {partners:,} so that these can't be deduced{choice}",
        f"a reader can tell no small count better than to an interval {width:,.0f} wide",
    ]

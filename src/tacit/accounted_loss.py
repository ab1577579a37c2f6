"""What accounting tells of a run: its privacy loss, and between which datasets. A guarantee says what that proves."""

from dataclasses import dataclass
from typing import Any, Literal

Neighbours = Literal["add-remove", "replace"]
"""What may change about one unit of privacy: it comes or goes, or another takes its place."""

ROW = "row"
"""What the unit is called where each row is a person of its own."""


@dataclass(frozen=True)
class AccountedLoss:
    """What the privacy events of a run cost together, and between which datasets: all that a run can prove.

    For neighbours D and D' and every set S of outcomes Pr[M(D) in S] <= e**epsilon Pr[M(D') in S] + delta. `unit` is
    the column that names people, of whose rows so many count (`contributions`); None where each row is one person.
    `events` are what was accounted, in JSON.
    """

    epsilon: float
    delta: float
    neighbours: Neighbours
    unit: str | None = None
    contributions: int = 1
    events: tuple[dict[str, Any], ...] = ()

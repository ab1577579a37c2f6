"""What a table method is asked for, and what it answers: the one signature that all of them share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tacit.data.tables.recoding import Recoding
from tacit.guarantees.guarantee import TableGuarantee

Objective = Literal["loss", "distortion", "precision", "discernibility", "average-class-size", "non-uniform-entropy"]

Progress = Callable[[str], None]
"""Told in a few words how far the work is."""
PUBLISHED = "published"
"""The last words of a run: whatever ends the process from now on, the work is done."""


def be_silent(state: str) -> None:
    """The progress that nobody watches."""


@dataclass(frozen=True)
class TableRequest:
    """The promises to keep, the largest share of rows that may be suppressed, and the metric to minimise."""

    guarantees: tuple[TableGuarantee, ...]
    suppression: float = 0.0
    objective: Objective = "loss"
    progress: Progress = field(default=be_silent, compare=False)


@dataclass(frozen=True, eq=False)
class TableDecision:
    """What a method decided. `bound`: no release of this kind costs less; `optimal`: none costs less than this one."""

    recoding: Recoding
    levels: tuple[int, ...] | None = None
    cost: float | None = None
    optimal: bool | None = None
    bound: float | None = None
    candidates: int | None = None
    evaluated: int | None = None

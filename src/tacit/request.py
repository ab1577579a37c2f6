"""What a table method is asked for, and what it answers: the one signature that all of them share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tacit.data.tables.recoding import Recoding
from tacit.guarantees.guarantee import TableGuarantee

Objective = Literal["loss", "distortion", "precision", "discernibility", "average-class-size", "non-uniform-entropy"]

Progress = Callable[[str], None]
"""Told in a few words how far the work is; a `Stage` says which share of it is done."""
PUBLISHED = "published"
"""The last words of a run: whatever ends the process from now on, the work is done."""


class Stage(str):
    """Words of progress, with the share of the work that is done, from 0 to 1."""

    share: float

    def __new__(cls, words: str, done: float, whole: float = 1.0) -> "Stage":
        """The words, when `done` of the `whole` is done."""
        stage = super().__new__(cls, words)
        stage.share = min(max(done / whole, 0.0), 1.0) if whole else 0.0
        return stage


def share_done(words: str) -> float:
    """The share that words of progress tell; 0 where they tell none."""
    return words.share if isinstance(words, Stage) else 0.0


def portion(progress: Progress, number: int, whole: int) -> Progress:
    """The progress of one part of the work, of which `number` of the `whole` went before."""
    return lambda words: progress(Stage(words, number + share_done(words), whole))


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

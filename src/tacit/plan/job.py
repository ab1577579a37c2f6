"""A job: a dataset, what is asked for it, and how the run is called in the evidence; and what came out of it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from tacit.data.published import Published
from tacit.data.tally import Tally
from tacit.guarantees.guarantee import TableGuarantee
from tacit.plan.dataset import Dataset
from tacit.plan.files import Stamp
from tacit.plan.released import Released
from tacit.plan.schema import ReleaseSection
from tacit.release import Drawn, Fingerprint
from tacit.request import Answer, Progress, be_silent


@dataclass(frozen=True)
class Treated:
    """What was done to columns before anything was counted: an action for each, and notes for the evidence."""

    actions: Mapping[str, str]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Whole:
    """The file that a sample was drawn from, as it was counted; the draw, and notes on it for the evidence."""

    dataset: Dataset
    tally: Tally
    drawn: Drawn
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Job:
    """What is to be done; `whole` is there where its dataset is a sample.

    `promised` are the guarantees as objects where a caller gave such, whose classes the catalogue need not know.
    """

    dataset: Dataset
    section: ReleaseSection
    input: Fingerprint
    plan: Fingerprint
    form: Mapping[str, Any]
    command: str
    progress: Progress = be_silent
    stamp: Stamp | None = None
    treated: Treated | None = None
    whole: Whole | None = None
    promised: tuple[TableGuarantee, ...] = ()

    def require_unchanged(self) -> None:
        """The file that was counted is the file whose fingerprint was taken."""
        path = self.dataset.source.path
        if path is not None and self.stamp is not None:
            self.stamp.require_still(path)


@dataclass(frozen=True, eq=False)
class Made:
    """What was decided, and what was read back."""

    guarantees: tuple[TableGuarantee, ...]
    answer: Answer
    published: Published
    released: Released
    output: Fingerprint


@dataclass
class Stopwatch:
    """How long each step took."""

    seconds: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=perf_counter)

    @contextmanager
    def time(self, step: str) -> Iterator[None]:
        """Adds the time of the block to the step."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.seconds[step] = self.seconds.get(step, 0.0) + perf_counter() - begin

    def total(self) -> dict[str, float]:
        """All steps, and the time since the start."""
        return {**self.seconds, "total": perf_counter() - self.started}

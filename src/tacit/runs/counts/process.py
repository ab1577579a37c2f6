"""A table of counts on its way to a release.

What is left out is chosen by the method of the task. The table is written and read back: what a reader of the written
file can deduce is computed from the file alone and compared with the counts that must stay hidden.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from tacit.data.counts.suppressed import SuppressedTable
from tacit.data.dataset import Dataset
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.promise import Promise
from tacit.release.counts import CountsBody
from tacit.release.fingerprints import fingerprint
from tacit.release.release import Fingerprint
from tacit.runs.counts.file import ReadTable, cells_of, read_table, require_hidden, write_table
from tacit.runs.counts.tabulate import counted, sides_of, tabulate
from tacit.runs.counts.task import CountsTask
from tacit.runs.job import Job
from tacit.runs.run import Description, Place, Process
from tacit.usual import COUNTS

NOT_COVERED = (
    "Readers are assumed to know all published cells, all sums, that counts are whole, that every name along a side "
    "occurs, and, unless the parameters say zeros, that no suppressed cell is empty. A reader who is counted in "
    "a suppressed cell knows more, and so does one who has another table over the same people, or who works out which "
    "tables would have led to this choice of cells."
)


@dataclass(frozen=True, eq=False)
class WrittenCounts:
    """A table of counts, and the file that it was written to."""

    table: SuppressedTable
    path: Path
    fingerprint: Fingerprint


class CountsProcess(Process[CountsBody, SuppressedTable, WrittenCounts, ReadTable]):
    """The stations of a table of counts."""

    kind = "counts"

    def __init__(self, job: Job[Dataset], task: CountsTask, engine: Engine) -> None:
        self.job = job
        self.task = task
        self.engine = engine

    def refuse(self) -> None:
        """The sides are columns that may be counted by."""
        sides_of(self.job.dataset, self.task.by)

    def prepare(self) -> SuppressedTable:
        """The people of each cell, and the choice of cells that are left out."""
        self.job.progress("counting and choosing what is left out")
        with self.job.watch.time("decide"):
            return tabulate(self.job.dataset, self.engine, self.task)

    def make(self, prepared: SuppressedTable, place: Place | None) -> WrittenCounts:
        """The table in the file that stands aside."""
        if place is None:
            raise BadParameter("a table of counts is written to a file; name one")
        with self.job.watch.time("write"):
            cells = cells_of(prepared, counted(self.job.dataset), self.task.guard)
            write_table(self.engine, cells, place.aside, self.task.guard)
        return WrittenCounts(prepared, place.aside, fingerprint(place.aside, place.path.name))

    def read_back(self, prepared: SuppressedTable, made: WrittenCounts) -> ReadTable:
        """What a reader of the file sees."""
        return read_table(made.path, prepared.margins.axes)

    def promises(self, prepared: SuppressedTable, made: WrittenCounts, back: ReadTable) -> tuple[Promise, ...]:
        """None: `measure_again` requires that small counts stay hidden, and a measure would reveal some of them."""
        return ()

    def measure_again(
        self, prepared: SuppressedTable, made: WrittenCounts, back: ReadTable, promises: tuple[Promise, ...]
    ) -> None:
        """No small count is in the file, and none can be deduced from it."""
        require_hidden(back, prepared, self.task.params)

    def describe(
        self, prepared: SuppressedTable, made: WrittenCounts, back: ReadTable, promises: tuple[Promise, ...]
    ) -> Description[CountsBody]:
        """What a reader could count."""
        counts = prepared.margins.counts
        body = CountsBody(
            by=tuple(str(side) for side in sides_of(self.job.dataset, self.task.by)),
            counted=counted(self.job.dataset),
            total=int(counts.flat[-1]),
            cells=int(counts.size),
            left_out=int((prepared.primary | prepared.secondary).sum()),
        )
        return Description(
            body=body,
            method=self.task.method,
            parameters=self.task.params.model_dump(mode="json"),
            inputs=self.job.inputs,
            outputs=(made.fingerprint,),
            unit=self.job.dataset.unit,
            notes=(NOT_COVERED,),
        )


def options_of(dataset: Dataset, task: CountsTask) -> tuple[str, ...]:
    """The options that repeat the run: the sides, and every method or parameter that differs from its default."""
    chosen = task.params.model_dump(mode="json", exclude_defaults=True)
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in chosen.items()}
    sides = [word for side in sides_of(dataset, task.by) for word in ("--by", str(side))]
    method = [] if task.method == COUNTS else ["--method", task.method]
    return (*sides, *method, *(word for name, text in texts.items() for word in ("--set", f"{name}={text}")))

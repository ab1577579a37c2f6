"""The next release of a table that is published again and again, bound by the history of the earlier ones.

The history binds the release and is added to. It is the first of the files that take their places, so a release that
the history does not know is never seen; after a crash the next run finishes what was begun.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacit.atomic import private_file
from tacit.data.dataset import Dataset
from tacit.data.tables.classes import classes_of
from tacit.engines.engine import Engine, Target
from tacit.errors import BadParameter, PolicyRefused
from tacit.guarantees.guarantee import RepublicationFinding, check
from tacit.promise import Measured, Promise
from tacit.randomness.stream import RandomBits
from tacit.release.fingerprints import fingerprint, sha256_of
from tacit.release.release import Fingerprint
from tacit.release.tables import TableBody
from tacit.request import TableDecision
from tacit.runs.files import OutcomeFiles
from tacit.runs.job import Job
from tacit.runs.republication.history import History, HistoryEntry, history_bytes
from tacit.runs.republication.plan import RepublicationPlan
from tacit.runs.republication.rows import (
    CurrentPeople,
    RepublicationReadBack,
    RepublishedRows,
    case_of_release,
    counterfeit_lines,
    decided_rows,
    read_people,
    read_release,
    remembered_release,
    write_rows,
)
from tacit.runs.republication.unknown_releases import require_free, require_known
from tacit.runs.run import Description, Place, Process
from tacit.runs.tables.describe import UNGUARDED, describe_table
from tacit.runs.tables.process import target_of
from tacit.runs.tables.recode import written_source
from tacit.runs.tables.stations import Decision, PreparedTable, ReleasedTable, WrittenTable
from tacit.runs.tables.step import CountedRows, ReleasedRows
from tacit.spelling import many, noun
from tacit.verification.republication import require_releases_agreement
from tacit.verification.verify import require_agreement


@dataclass(frozen=True, eq=False)
class WrittenRepublication:
    """The rows that were written, where, and the history that belongs to them once they are checked."""

    rows: RepublishedRows
    target: Target
    fingerprint: Fingerprint


@dataclass(frozen=True, eq=False)
class CheckedRepublication:
    """A release as it was read back, and the history with it."""

    back: RepublicationReadBack
    history: History
    found: RepublicationFinding


class RepublicationProcess(Process[TableBody, CurrentPeople, WrittenRepublication, CheckedRepublication]):
    """The stations of the next release, given the earlier ones."""

    kind = "republication"

    def __init__(self, job: Job[Dataset], asked: RepublicationPlan, history: History, engine: Engine) -> None:
        self.job = job
        self.asked = asked
        self.history = history
        self.engine = engine

    @property
    def keeps(self) -> tuple[Path, ...]:
        """The history, which is added to and never replaced by anything else."""
        return (self.asked.history,)

    def admit(self, files: OutcomeFiles) -> None:
        """The history knows all releases that are there, and none of them is replaced."""
        there = self.history.number_of(sha256_of(files.release)) if files.release.is_file() else None
        if there is not None:
            raise PolicyRefused(f"the output {files.release} is release {there} of this history; choose another name")
        require_known(self.asked, self.history, files)
        if not self.job.named:
            require_free(files)

    def refuse(self) -> None:
        """The plan was found suitable before the history was read."""

    def prepare(self) -> CurrentPeople:
        """The people of today, and the history that knows all their values."""
        self.job.progress("counting")
        with self.job.watch.time("count"):
            return read_people(self.job.dataset, self.engine, self.history)

    def make(self, prepared: CurrentPeople, place: Place | None) -> WrittenRepublication:
        """The rows of the release in the file that stands aside."""
        if place is None:
            raise BadParameter(f"{self.asked.plan.release.method} republishes a table; run `tacit protect PLAN`")
        asked, watch = self.asked, self.job.watch
        self.job.progress("forming classes")
        with watch.time("decide"):
            earlier, people = prepared.history.earlier, prepared.people
            # A method does not know which promise it keeps, and the error about a changed value names it.
            earlier.find(people, asked.guarantee.title)
            made = asked.method.run(earlier, people, asked.m, asked.params, RandomBits.from_os())
            rows = decided_rows(prepared, made, asked.params.class_column)
        self.job.progress("writing the release")
        target = replace(target_of(self.job.dataset, asked.task, place), columns=rows.names, starred=())
        target = replace(target, shuffle_key=None)
        with watch.time("write"):
            write_rows(self.engine, rows, target)
        return WrittenRepublication(rows, target, fingerprint(place.aside, place.path.name))

    def read_back(self, prepared: CurrentPeople, made: WrittenRepublication) -> CheckedRepublication:
        """The release as it reads in the file, and the history as it would be with it."""
        back = read_release(self.engine, made.target, prepared, made.rows)
        entry = HistoryEntry(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            input_sha256=self.job.inputs[0].sha256,
            name=made.fingerprint.name,
            sha256=made.fingerprint.sha256,
            counterfeits=int(made.rows.made.counterfeits.sum()),
        )
        seen = remembered_release(back, prepared, made.rows)
        history = prepared.history.with_release(made.rows.made.after, entry, seen)
        return CheckedRepublication(back, history, self.asked.guarantee.check_releases(history.releases))

    def promises(
        self, prepared: CurrentPeople, made: WrittenRepublication, back: CheckedRepublication
    ) -> tuple[Measured, ...]:
        """The guarantee on this release, together with what all releases show."""
        return (in_all(check(self.asked.guarantee, classes_of(back.back.released.tally)), back.found),)

    def measure_again(
        self,
        prepared: CurrentPeople,
        made: WrittenRepublication,
        back: CheckedRepublication,
        promises: tuple[Promise, ...],
    ) -> None:
        """SQL over the rows that were read agrees on this release, and other code on all releases."""
        single = check(self.asked.guarantee, classes_of(back.back.released.tally))
        require_agreement(case_of_release(back.back, made.rows.names), (self.asked.guarantee,), (single,))
        require_releases_agreement(self.asked.guarantee, back.history.releases, back.found)

    def describe(
        self,
        prepared: CurrentPeople,
        made: WrittenRepublication,
        back: CheckedRepublication,
        promises: tuple[Promise, ...],
    ) -> Description[TableBody]:
        """The body of a table, and what must be said about republication."""
        rows, released = made.rows, back.back.released
        step_rows = CountedRows(self.job.dataset)
        decision = Decision(TableDecision(rows.published.recoding), rows.published)
        written = WrittenTable(decision, made.target, written_source(made.target), made.fingerprint)
        found = ReleasedRows(step_rows, rows.published, made.target, released)
        seen = ReleasedTable(found, classes_of(released.tally), None)
        told = describe_table(self.job, self.asked.task, (PreparedTable(step_rows, prepared.table), written, seen), ())
        number, total = len(back.history.entries), int(rows.made.counterfeits.sum())
        return replace(
            told,
            title=f"{self.job.title}, release {number}",
            body=_with_counterfeits(told.body, total),
            notes=tuple(_notes(self.asked, rows, number, back.found)),
        )

    def write_beside(self, made: WrittenRepublication, back: CheckedRepublication, staged: Mapping[Path, Path]) -> None:
        """How many counterfeits each class has, and the history, which only its owner may read."""
        for place, waiting in staged.items():
            if place == self.asked.history:
                private_file(waiting, history_bytes(back.history))
            elif place.name.endswith(".counterfeits.csv"):
                waiting.write_text(counterfeit_lines(made.rows), encoding="utf-8", newline="\n")


def _with_counterfeits(body: TableBody, total: int) -> TableBody:
    """The body with the treatment of sensitive values, and the number of counterfeits."""
    action = "kept; counterfeit rows have values of their class"
    columns = [
        column.model_copy(update={"action": action}) if column.role == "sensitive" else column
        for column in body.columns
    ]
    parts: dict[str, Any] = {"columns": columns, "metrics": {**body.metrics, "counterfeits": float(total)}}
    return TableBody.model_validate({**dict(body), **parts})


def _notes(asked: RepublicationPlan, rows: RepublishedRows, number: int, found: RepublicationFinding) -> Iterator[str]:
    """What a reader must know about republication."""
    counterfeits = rows.made.counterfeits
    false, classes = int(counterfeits.sum()), int((counterfeits > 0).sum())
    yield f"This is release {number} of a table that is published again and again: {found.says}."
    yield (
        f"{false:,} of {many(int(rows.made.rows.sum()), 'row')}, in {many(classes, 'class', 'classes')}, "
        f"{noun(false, 'is a counterfeit that keeps', 'are counterfeits that keep')} sets of values whole; a "
        "file beside the release says how many each class has."
    )
    yield "Sizes of classes and risks after the release count counterfeits: nobody can distinguish them from people."
    yield (
        "Rows are sorted by class and value; classes are numbered at random, again in each release, in "
        f"{rows.names[0]!r}."
    )
    if not asked.plan.release.guard_formulas:
        yield UNGUARDED


def in_all(finding: Measured, found: RepublicationFinding) -> Measured:
    """The finding on one release together with what all releases show."""
    says = f"{finding.says}; {found.says}"
    return finding.model_copy(update={"holds": finding.holds and found.holds, "says": says})

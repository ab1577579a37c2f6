"""A table on its way to a release: count, decide, recode, read back, check, describe.

The stations are those of `tacit.runs.run`; what a plan asks for besides (a sample, treatments, a survey, a population,
people with several rows) is a step each, and the process goes through those that the task has.
"""

import secrets
from dataclasses import replace
from functools import reduce
from pathlib import Path

from tacit.data.dataset import Dataset
from tacit.data.sources.header import read_header
from tacit.data.sources.source import Source, format_of
from tacit.data.tables.classes import classes_of
from tacit.data.tables.population import beside_population
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import PolicyRefused
from tacit.guarantees.guarantee import check
from tacit.promise import Measured, Promise
from tacit.release.fingerprints import fingerprint, frame_fingerprint
from tacit.release.release import Release
from tacit.release.tables import TableBody
from tacit.runs.files import OutcomeFiles
from tacit.runs.job import Job
from tacit.runs.run import Description, Place, Process
from tacit.runs.tables.advice import advise, time_for
from tacit.runs.tables.analysis import analysis_of
from tacit.runs.tables.competition import begin_early, decide
from tacit.runs.tables.concealment import checked_again, concealed, linkage_of, require_unlinked
from tacit.runs.tables.count import require_no_formula
from tacit.runs.tables.describe import describe_table, named
from tacit.runs.tables.known_values import known_in_release
from tacit.runs.tables.prepare import prepare_table
from tacit.runs.tables.read_back import case_of, read_back, require_as_decided
from tacit.runs.tables.recode import recoded_frame, write_recoded, written_source
from tacit.runs.tables.stations import Decision, PreparedTable, ReleasedTable, WrittenTable
from tacit.runs.tables.step import ReleasedRows, Task
from tacit.verification.verify import require_agreement

KEY_BYTES = 32


class TableProcess(Process[TableBody, PreparedTable, WrittenTable, ReleasedTable]):
    """The stations of a release of a table."""

    kind = "tables"

    def __init__(self, job: Job[Dataset], task: Task, engine: Engine) -> None:
        self.job = job
        self.task = task
        self.engine = engine

    def admit(self, files: OutcomeFiles) -> None:
        """A release that may not be published has no page for recipients."""
        if files.public is not None and self.task.is_seeded:
            raise PolicyRefused(
                f"a release from a seed may not be published, so it has no page for recipients; leave `seed` out, or "
                f"`public` and {files.public.name}"
            )

    def refuse(self) -> None:
        """Every step and every guarantee is possible as the plan says."""
        require_unlinked(self.job.dataset, self.task.steps, self.task.guarantees)
        if self.task.section.guard_formulas:
            require_no_formula(self.job.dataset)
        for step in self.task.steps:
            step.require(self.job.dataset, self.task)

    def prepare(self) -> PreparedTable:
        """The rows that steps leave, counted, with hierarchies and weights."""
        begin_early(self.task)
        return prepare_table(self.job, self.task, self.engine)

    def make(self, prepared: PreparedTable, place: Place | None) -> WrittenTable:
        """The release in the file aside, or in memory."""
        with self.job.watch.time("decide"):
            decision = decide(self.job, self.task, self.engine, prepared)
        with self.job.watch.time("advise"):
            seconds = time_for(self.job.watch.seconds["decide"])
            advice = advise(self.task, prepared.table, decision, seconds, self.job.progress)
            decision = replace(decision, advice=advice)
        self.job.progress("writing the release")
        with self.job.watch.time("write"):
            return self._write(prepared.rows.dataset, decision, place)

    def _write(self, dataset: Dataset, decision: Decision, place: Place | None) -> WrittenTable:
        target = target_of(self.job.dataset, self.task, place)
        if place is None:
            table = recoded_frame(self.engine, dataset.source, decision.published, target)
            source, written = Source("frame", frame=table), frame_fingerprint(table, "release")
            return WrittenTable(decision, target, source, written, table)
        write_recoded(self.engine, dataset.source, decision.published, target)
        written = fingerprint(place.aside, name=place.path.name)
        return WrittenTable(decision, target, written_source(target), written)

    def read_back(self, prepared: PreparedTable, made: WrittenTable) -> ReleasedTable:
        """The release as it reads in the file, found to be what was decided."""
        published, dataset = made.decision.published, prepared.rows.dataset
        reading = replace(dataset.reading, unit=None)
        back = read_back(self.engine, made.source, reading, published.table.tally.sensitive)
        require_as_decided(back, published, made.target)
        found = ReleasedRows(prepared.rows, published, made.target, back)
        for step in self.task.steps:
            found = replace(found, back=step.read_again(found, self.engine))
        people, tally = self._people_beside(published), found.back.tally
        beside = tally if people is None else beside_population(tally, people)
        hidden = concealed(self.task.guarantees, published.table, found.back.tally, dataset.unit)
        return ReleasedTable(found, classes_of(beside), hidden)

    def _people_beside(self, published: PublishedTable) -> Tally | None:
        """The people that the released classes are compared with, if a step knows some."""
        found = (step.people_beside(published) for step in self.task.steps)
        return next((people for people in found if people is not None), None)

    def promises(self, prepared: PreparedTable, made: WrittenTable, back: ReleasedTable) -> tuple[Measured, ...]:
        """What the guarantees measure on the classes that were read back."""
        measured = tuple(check(guarantee, back.classes) for guarantee in self.task.guarantees)
        shown = tuple(named(one, back.found) for one in measured)
        return shown if back.hidden is None else checked_again(self.task.guarantees, shown, back.hidden)

    def measure_again(
        self, prepared: PreparedTable, made: WrittenTable, back: ReleasedTable, promises: tuple[Promise, ...]
    ) -> None:
        """Steps find nothing that undoes the promise, and SQL over the rows that were read agrees."""
        for step in self.task.steps:
            step.check(back.found.rows, back.found.back.tally)
        measured = tuple(promise for promise in promises if isinstance(promise, Measured))
        published, released = made.decision.published, back.found.back
        linkage = linkage_of(self.task.guarantees, published.table, released.tally, self.job.dataset.unit)
        case = case_of(released, self._people_beside(published), linkage)
        require_agreement(case, self.task.guarantees, measured)

    def describe(
        self, prepared: PreparedTable, made: WrittenTable, back: ReleasedTable, promises: tuple[Promise, ...]
    ) -> Description[TableBody]:
        """The body: every risk from what was read back, every metric from what was decided."""
        facts = [step.tell(back.found, self.task, self.engine) for step in self.task.steps]
        facts.append(known_in_release(prepared, made, self.task.steps, self.engine))
        told = describe_table(self.job, self.task, (prepared, made, back), facts)
        if back.hidden is not None:
            return told
        analysis = analysis_of(self.engine, prepared.rows.dataset, made.decision.published)
        return replace(told, body=told.body.model_copy(update={"analysis": analysis}))

    def write_public(self, release: Release[TableBody], made: WrittenTable, place: Path) -> None:
        """The codebook of the written file, and the promises."""
        from tacit.runs.tables.public import public_page

        place.write_text(public_page(release, made.source, self.engine), encoding="utf-8", newline="\n")


def target_of(dataset: Dataset, task: Task, place: Place | None) -> Target:
    """The columns of the release: identifiers are gone unless a step keeps them, all others keep their places."""
    source, section = dataset.source, task.section
    delimiter = read_header(source).delimiter if source.format == "csv" else ","
    target = Target(
        columns=tuple(name for name, column in dataset.columns.items() if column.role != "identifier"),
        starred=(*dataset.named("quasi-identifier"), *dataset.named("sensitive")),
        path=None if place is None else place.aside,
        format="frame" if place is None else format_of(place.path),
        suppressed=section.suppressed,
        guard=section.guard_formulas,
        shuffle_key=secrets.token_hex(KEY_BYTES) if section.shuffle else None,
        delimiter="\t" if place is not None and place.path.suffix.lower() == ".tsv" else delimiter,
    )
    return reduce(lambda shaped, step: step.shape(dataset, task, shaped), task.steps, target)

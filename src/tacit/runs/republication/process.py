"""The next release of a table that is published again and again: as other releases, but for the history.

The history binds the release and is added to. It is the first of the files that take their places, so a release that
the history does not know is never seen; after a crash the next run finishes what was begun.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tacit.atomic import private_file
from tacit.catalogue import find_method
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, shown_names
from tacit.data.tables.classes import classes_of
from tacit.data.tables.counting import Reading
from tacit.engines.engine import Engine, Target
from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.guarantees._series import SeriesFinding, check_series
from tacit.guarantees.catalogue import given_by
from tacit.guarantees.guarantee import TableGuarantee, check
from tacit.methods.tables.republish import Republish, republish
from tacit.plan.load import Plan
from tacit.promise import Measured, Promise
from tacit.publication import repair
from tacit.randomness.stream import RandomBits
from tacit.release.fingerprints import fingerprint, sha256_of
from tacit.release.release import Fingerprint
from tacit.release.tables import TableBody
from tacit.request import Answer
from tacit.runs.files import OutcomeFiles, default_output, input_files, refuse_overwriting, table_files
from tacit.runs.job import Job
from tacit.runs.republication.history import About, Entry, History, history_bytes, read_history
from tacit.runs.republication.rows import (
    CurrentPeople,
    RepublicationReadBack,
    Rows,
    case_in_series,
    counterfeit_lines,
    decided_rows,
    in_series,
    read_classes,
    read_people,
    read_release,
    write_rows,
)
from tacit.runs.run import Description, Place, Process
from tacit.runs.tables.check import TableCheck, check_tally
from tacit.runs.tables.count import build_table, count
from tacit.runs.tables.describe import UNGUARDED, describe_table
from tacit.runs.tables.process import Decision, PreparedTable, ReleasedTable, WrittenTable, target_of
from tacit.runs.tables.recode import written_source
from tacit.runs.tables.step import ReleasedRows
from tacit.runs.tables.step import Rows as StepRows
from tacit.runs.tables.task import Task, guarantees_of
from tacit.verification.series import require_series_agreement
from tacit.verification.verify import require_agreement

COUNTERFEITS = "counterfeits"


@dataclass(frozen=True, eq=False)
class RepublicationPlan:
    """A plan that was found fit for a series."""

    plan: Plan
    params: Republish
    guarantee: TableGuarantee

    @property
    def m(self) -> int:
        """How many different values each class has at the least."""
        return int(self.guarantee.bound)

    @property
    def history(self) -> Path:
        """Where the series is remembered."""
        return self.plan.dataset.folder / self.params.history

    @property
    def task(self) -> Task:
        """What is asked, parsed."""
        section = self.plan.release
        return Task(section, (self.guarantee,), find_method(section.method), self.params, ())

    @property
    def about(self) -> About:
        """What the series is about."""
        dataset = self.plan.dataset
        return About(
            m=self.m,
            unit=dataset.unit or "",
            sensitive=dataset.named("sensitive")[0],
            quasi_identifiers=tuple(sorted(dataset.named("quasi-identifier"))),
        )


def republication_plan(plan: Plan) -> RepublicationPlan:
    """The plan as one of a series; what can't be is refused before any work."""
    section = plan.release
    params = Republish.parse(section.method, section.parameters)
    guarantees = guarantees_of(section)
    if len(guarantees) != 1 or guarantees[0].subject != "series":
        names = ", ".join(guarantee.name for guarantee in guarantees)
        able = ", ".join(given_by(("series",)))
        raise BadParameter(f"{section.method} promises {able} and nothing else; the plan promises {names}")
    _require_series_data(plan, params, guarantees[0])
    if section.treatments or section.steps:
        raise BadParameter(f"{section.method}: treatments would change values that must stay, or link releases")
    if section.sample is not None:
        raise BadParameter(
            f"{section.method}: a series follows everybody, and people who come and go by chance would cost it "
            "counterfeits for nothing; leave `sample` out, or draw people once and publish that file again and again"
        )
    if section.seed is not None:
        raise BadParameter(f"{section.method}: a series can't be made from a seed; leave it out")
    if section.objective != "loss":
        raise BadParameter(f"{section.method} loses little; it knows no {section.objective}. Take objective: loss")
    return RepublicationPlan(plan, params, guarantees[0])


def _require_series_data(plan: Plan, params: Republish, guarantee: TableGuarantee) -> None:
    """Columns and unit are such that people can be followed and counterfeits made up."""
    dataset = plan.dataset
    sensitive, insensitive = dataset.named("sensitive"), dataset.named("insensitive")
    bounded = [name for name, one in dataset.columns.items() if one.maximum is not None]
    column = getattr(guarantee, "column", None)
    wrong: tuple[tuple[bool, str], ...] = (
        (dataset.unit is None, "the plan names no unit; name the column that tells people apart in all releases"),
        (len(sensitive) != 1, f"it needs one sensitive column, and the plan has {len(sensitive)}"),
        (
            bool(insensitive),
            f"{shown_names(insensitive)} is insensitive, and counterfeit rows could have no cells there; make such "
            "columns identifiers, which are left out, or quasi-identifiers",
        ),
        (dataset.population is not None, "a population is not taken into account; leave it out"),
        (dataset.sampling is not None, "sampling weights and households are not taken into account; leave them out"),
        (bool(bounded), f"{shown_names(bounded)} has a maximum level, but a class may have to reach the root"),
        (params.class_column in dataset.columns, f"{params.class_column!r} is a column of the data; set class_column"),
        (column not in (None, *sensitive), f"{guarantee.name} is about {column!r}, which is no secret"),
    )
    for applies, reason in wrong:
        if applies:
            raise BadParameter(f"{plan.release.method}: {reason}")


def republication_files(asked: RepublicationPlan, history: History, output: Path | None) -> OutcomeFiles:
    """Where the release goes: numbered, unless a name is given; never onto its inputs or an earlier release."""
    base = output or default_output(asked.plan)
    number = len(history.entries) + 1
    files = table_files(base if output else base.with_name(f"{base.stem}-{number}{base.suffix}"))
    beside = {COUNTERFEITS: files.release.with_suffix(".counterfeits.csv")}
    files = replace(files, beside=beside, first=(asked.history,))
    refuse_overwriting(files, (asked.plan.path, *input_files(asked.plan.dataset), asked.history))
    there = history.number_of(sha256_of(files.release)) if files.release.is_file() else None
    if there is not None:
        raise PolicyRefused(f"the output {files.release} is release {there} of this series; choose another name")
    return files


@dataclass(frozen=True, eq=False)
class WrittenRepublication:
    """The rows that were written, where, and with which history they belong together once they are checked."""

    rows: Rows
    target: Target
    fingerprint: Fingerprint


@dataclass(frozen=True, eq=False)
class CheckedRepublication:
    """A release as it was read back, and the history with it."""

    back: RepublicationReadBack
    history: History
    found: SeriesFinding


class RepublicationProcess(Process[TableBody, CurrentPeople, WrittenRepublication, CheckedRepublication]):
    """The stations of the next release in the light of the earlier ones."""

    kind = "republication"

    def __init__(self, job: Job[Dataset], asked: RepublicationPlan, history: History, engine: Engine) -> None:
        self.job = job
        self.asked = asked
        self.history = history
        self.engine = engine

    def refuse(self) -> None:
        """The plan was found fit before the history was read."""

    def prepare(self) -> CurrentPeople:
        """The people of today, and the history that knows all their values."""
        self.job.progress("counting")
        with self.job.watch.time("count"):
            return read_people(self.job.dataset, self.engine, self.history)

    def make(self, prepared: CurrentPeople, place: Place | None) -> WrittenRepublication:
        """The rows of the release in the file that stands aside."""
        if place is None:
            raise BadParameter(f"{self.asked.plan.release.method} makes a series of releases; run `tacit protect PLAN`")
        asked, watch = self.asked, self.job.watch
        self.job.progress("forming classes")
        with watch.time("decide"):
            series, people = prepared.history.series, prepared.people
            made = republish(series, people, asked.m, RandomBits.from_os(), asked.params.sweeps)
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
        entry = Entry(
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            input_sha256=self.job.inputs[0].sha256,
            name=made.fingerprint.name,
            sha256=made.fingerprint.sha256,
            counterfeits=int(made.rows.made.counterfeits.sum()),
        )
        seen = in_series(back, prepared, made.rows)
        history = prepared.history.with_release(made.rows.made.series, entry, seen)
        return CheckedRepublication(back, history, check_series(self.asked.m, history.releases))

    def promises(
        self, prepared: CurrentPeople, made: WrittenRepublication, back: CheckedRepublication
    ) -> tuple[Measured, ...]:
        """The guarantee on this release, together with what the whole series shows."""
        return (in_all(check(self.asked.guarantee, classes_of(back.back.released.tally)), back.found),)

    def measure_again(
        self,
        prepared: CurrentPeople,
        made: WrittenRepublication,
        back: CheckedRepublication,
        promises: tuple[Promise, ...],
    ) -> None:
        """SQL over the rows that were read agrees on this release, and other code on the whole series."""
        single = check(self.asked.guarantee, classes_of(back.back.released.tally))
        require_agreement(case_in_series(back.back, made.rows.names), (self.asked.guarantee,), (single,))
        require_series_agreement(self.asked.m, back.history.releases, back.found)

    def describe(
        self,
        prepared: CurrentPeople,
        made: WrittenRepublication,
        back: CheckedRepublication,
        promises: tuple[Promise, ...],
    ) -> Description[TableBody]:
        """The body of a table, and what must be said of the series."""
        rows, released = made.rows, back.back.released
        step_rows = StepRows(self.job.dataset)
        decision = Decision(Answer(rows.published.recoding), rows.published)
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
    """The body with what became of sensitive values, and the number of counterfeits."""
    action = "kept; counterfeit rows have values of their class"
    columns = [
        column.model_copy(update={"action": action}) if column.role == "sensitive" else column
        for column in body.columns
    ]
    parts: dict[str, Any] = {"columns": columns, "metrics": {**body.metrics, "counterfeits": float(total)}}
    return TableBody.model_validate({**dict(body), **parts})


def _notes(asked: RepublicationPlan, rows: Rows, number: int, found: SeriesFinding) -> Iterator[str]:
    """What a reader must know of the series."""
    counterfeits = rows.made.counterfeits
    yield f"This is release {number} of a series: {found.says}."
    yield (
        f"{int(counterfeits.sum()):,} of {int(rows.made.rows.sum()):,} rows, in {int((counterfeits > 0).sum()):,} "
        "classes, are counterfeits that keep sets of values whole; how many each class has stands in a file beside the "
        "release."
    )
    yield "Sizes of classes and risks after the release count counterfeits: nobody can tell them from people."
    yield (
        "Rows stand in order of class and value; classes are numbered at random, anew in each release, in "
        f"{rows.names[0]!r}."
    )
    if not asked.plan.release.guard_formulas:
        yield UNGUARDED


def in_all(finding: Measured, found: SeriesFinding) -> Measured:
    """The finding on one release together with what the whole series shows."""
    says = f"{finding.says}; {found.says}"
    return finding.model_copy(update={"holds": finding.holds and found.holds, "says": says})


def history_of(asked: RepublicationPlan) -> History:
    """The history of the plan, once what a crash left undone is done."""
    repair(asked.history)
    return read_history(asked.history, asked.about)


def check_release(plan: Plan, data: Source, engine: Engine) -> TableCheck:
    """Whether the file is m-unique and a release of the series, and the series as a whole m-invariant."""
    asked = republication_plan(plan)
    names = (asked.params.class_column, *plan.dataset.named("quasi-identifier"))
    reading = Reading(names, plan.dataset.named("sensitive"))
    lacking = [name for name in reading.columns if name not in engine.columns(data)]
    if lacking:
        raise BadData(f"{data.name} has no column {shown_names(lacking)}, which a release of the series has")
    table = build_table(plan.dataset, count(plan.dataset, engine))
    back = read_classes(engine, data, reading, table)
    checked = check_tally((asked.guarantee,), back.released, None, plan.release.risk_threshold)
    require_agreement(case_in_series(back, reading.columns), (asked.guarantee,), checked.promises)
    history = history_of(asked)
    found = check_series(asked.m, history.releases)
    require_series_agreement(asked.m, history.releases, found)
    number = history.number_of(sha256_of(data.path)) if data.path else None
    (finding,) = checked.promises
    if number is None:
        says = f"{finding.says}; but {data.name} is none of the {len(history.entries)} releases of {asked.history.name}"
        return replace(checked, promises=(finding.model_copy(update={"holds": False, "says": says}),))
    named = in_all(finding, found)
    says = f"{named.says}; this is release {number} of {len(history.entries)}"
    return replace(checked, promises=(named.model_copy(update={"says": says}),))


def released_files(plan: Plan) -> tuple[Path, ...]:
    """The releases of the series that stand where its next one would, the latest first."""
    asked = republication_plan(plan)
    folder = default_output(plan).parent
    names = [entry.name for entry in history_of(asked).entries]
    return tuple(path for path in (folder / name for name in reversed(names)) if path.is_file())


@contextmanager
def alone(history: Path) -> Iterator[None]:
    """No other run works on a history in this folder; one that does is waited for, where the system has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        history.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(history.parent, os.O_RDONLY)
    except OSError as error:
        raise BadData(f"the folder of the history {history} can't be used: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)

"""The next release of a series: as other releases, but for the history that binds it and that it adds to.

The history takes its place first, then release, counts of counterfeits, evidence and report. If the work is cut off in
between, the history knows a release that nobody has seen, which harms nobody; a release that the history does not know
would be one that the next may contradict. What was left standing aside takes its place in the next run.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.aside import aside
from tacit.data.counting import Reading
from tacit.data.source import Source, format_of, shown_names
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.guarantees._series import SeriesFinding, check_series
from tacit.guarantees.catalogue import given_by, parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._keys import private_file
from tacit.methods.tables.republish import Republish, republish
from tacit.plan.dataset import build_table, count
from tacit.plan.files import Outcome, OutcomeFiles, default_output, input_files, outcome_files, refuse_overwriting
from tacit.plan.history import About, Entry, History, history_bytes, read_history
from tacit.plan.job import Job, Made, Stopwatch
from tacit.plan.load import Plan
from tacit.plan.outcome import describe
from tacit.plan.protect import plan_job, require_holding, target_of
from tacit.plan.series import (
    Back,
    Rows,
    Today,
    case_in_series,
    counterfeit_lines,
    decided_rows,
    in_series,
    read_classes,
    read_release,
    read_today,
    write_rows,
)
from tacit.promise import Measured
from tacit.randomness.stream import RandomBits
from tacit.release import Release
from tacit.request import Answer, Progress
from tacit.verification.series import require_series_agreement
from tacit.verification.verify import require_agreement

if TYPE_CHECKING:
    from tacit.plan.check import Checked

PARTIAL = ".partial-"
"""How the name of a file begins that stands aside."""


@dataclass(frozen=True, eq=False)
class SeriesPlan:
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
    def about(self) -> About:
        """What the series is about."""
        dataset = self.plan.dataset
        return About(
            m=self.m,
            unit=dataset.unit or "",
            sensitive=dataset.named("sensitive")[0],
            quasi_identifiers=tuple(sorted(dataset.named("quasi-identifier"))),
        )


def series_plan(plan: Plan) -> SeriesPlan:
    """The plan as one of a series; what can't be is refused before any work."""
    section = plan.release
    params = Republish.parse(section.method, section.parameters)
    guarantees = tuple(parse_table_guarantee(entry) for entry in section.guarantees)
    if len(guarantees) != 1 or guarantees[0].subject != "series":
        names = ", ".join(guarantee.name for guarantee in guarantees)
        able = ", ".join(given_by(("series",)))
        raise BadParameter(f"{section.method} promises {able} and nothing else; the plan promises {names}")
    _require_series_data(plan, params, guarantees[0])
    if section.treatments:
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
    return SeriesPlan(plan, params, guarantees[0])


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


def protect_series(plan: Plan, engine: Engine, output: Path | None, progress: Progress) -> Outcome:
    """Makes the next release of the series: history, release, counterfeits, evidence and report take their places."""
    asked = series_plan(plan)
    with _alone(asked.history):
        history = read_history(asked.history, asked.about)
        _finish(history, progress)
        files = _files(asked, history, output)
        counterfeits = files.release.with_suffix(".counterfeits.csv")
        job = plan_job(plan, output, progress)
        with (
            aside(files.report) as report,
            aside(files.evidence) as evidence,
            aside(counterfeits) as counts,
            aside(files.release) as partial,
            aside(asked.history) as remembered,
        ):
            made = _run(asked, job, engine, history, (partial, files.release))
            _write(made.release, evidence, report)
            counts.write_text(counterfeit_lines(made.rows), encoding="utf-8", newline="\n")
            places = {files.release: partial, counterfeits: counts, files.evidence: evidence, files.report: report}
            staged = {str(place.absolute()): str(waiting.absolute()) for place, waiting in places.items()}
            last = made.history.entries[-1].model_copy(update={"staged": staged})
            whole = replace(made.history, entries=(*made.history.entries[:-1], last))
            private_file(remembered, history_bytes(whole))
    return Outcome(made.release, files.release, files.evidence, files.report, {"counterfeits": counterfeits})


def _files(asked: SeriesPlan, history: History, output: Path | None) -> OutcomeFiles:
    """Where the release goes: numbered, unless a name is given; never onto its inputs or an earlier release."""
    from tacit.evidence.files import sha256_of

    base = output or default_output(asked.plan)
    number = len(history.entries) + 1
    files = outcome_files(base if output else base.with_name(f"{base.stem}-{number}{base.suffix}"))
    beside = OutcomeFiles(files.release.with_suffix(".counterfeits.csv"), files.evidence, files.report)
    inputs = (asked.plan.path, *input_files(asked.plan.dataset), asked.history)
    refuse_overwriting(files, inputs)
    refuse_overwriting(beside, inputs)
    there = history.number_of(sha256_of(files.release)) if files.release.is_file() else None
    if there is not None:
        raise PolicyRefused(f"the output {files.release} is release {there} of this series; choose another name")
    return files


@dataclass(frozen=True, eq=False)
class _Finished:
    """What a run leaves: the evidence, the rows, and the history with the new release."""

    release: Release
    rows: Rows
    history: History


def _run(asked: SeriesPlan, job: Job, engine: Engine, history: History, places: tuple[Path, Path]) -> _Finished:
    """The release in the first place, with the name of the second, read back and checked with all before it."""
    watch, m = Stopwatch(), asked.m
    job.progress("counting")
    with watch.time("count"):
        today = read_today(job.dataset, engine, history)
    job.progress("forming classes")
    with watch.time("decide"):
        made = republish(today.history.series, today.people, m, RandomBits.from_os(), asked.params.sweeps)
        rows = decided_rows(today, made, asked.params.class_column)
    job.progress("writing the release")
    target = replace(target_of(job, places[0], format_of(places[1])), columns=rows.names, starred=(), shuffle_key=None)
    with watch.time("write"):
        write_rows(engine, rows, target)
    job.require_unchanged()
    job.progress("reading the release back")
    with watch.time("check"):
        back = read_release(engine, target, today, rows)
        finished = _checked(asked, job, (today, rows, back), places)
    return replace(finished, release=finished.release.model_copy(update={"seconds": watch.total()}))


def _checked(asked: SeriesPlan, job: Job, parts: tuple[Today, Rows, Back], places: tuple[Path, Path]) -> _Finished:
    """The evidence and the new history; CannotGuarantee where the series as a whole breaks its promise."""
    from tacit.evidence.files import fingerprint

    today, rows, back = parts
    written = fingerprint(places[0]).model_copy(update={"name": places[1].name})
    answer = Answer(rows.published.recoding)
    release = describe(job, Made((asked.guarantee,), answer, rows.published, back.released, written))
    require_agreement(case_in_series(back, rows.names), (asked.guarantee,), release.guarantees)
    entry = Entry(
        created=release.created,
        input_sha256=job.input.sha256,
        name=written.name,
        sha256=written.sha256,
        counterfeits=int(rows.made.counterfeits.sum()),
        staged={},
    )
    history = today.history.with_release(rows.made.series, entry, in_series(back, today, rows))
    found = check_series(asked.m, history.releases)
    require_series_agreement(asked.m, history.releases, found)
    told = _told(release, job, rows, history, found)
    require_holding(told)
    return _Finished(told, rows, history)


def _told(release: Release, job: Job, rows: Rows, history: History, found: SeriesFinding) -> Release:
    """The evidence with what it must say of the series."""
    number, counterfeits = len(history.entries), rows.made.counterfeits
    total = int(counterfeits.sum())
    sensitive = "kept; counterfeit rows have values of their class"
    columns = [
        column.model_copy(update={"action": sensitive}) if column.role == "sensitive" else column
        for column in release.columns
    ]
    notes = [
        f"This is release {number} of a series: {found.says}.",
        f"{total:,} of {int(rows.made.rows.sum()):,} rows, in {int((counterfeits > 0).sum()):,} classes, are "
        "counterfeits that keep sets of values whole; how many each class has stands in a file beside the release.",
        "Sizes of classes and risks after the release count counterfeits: nobody can tell them from people.",
        f"Rows stand in order of class and value; classes are numbered at random, anew in each release, in "
        f"{rows.names[0]!r}.",
    ]
    if not job.section.guard_formulas:
        notes.append("Cells that a spreadsheet would run as formulas are written as they are (guard_formulas is off).")
    return release.model_copy(
        update={
            "title": f"{release.title}, release {number}",
            "guarantees": tuple(in_all(finding, found) for finding in release.guarantees),
            "metrics": {**release.metrics, "counterfeits": float(total)},
            "columns": tuple(columns),
            "notes": tuple(notes),
        }
    )


def in_all(finding: Measured, found: SeriesFinding) -> Measured:
    """The finding on one release together with what the whole series shows."""
    says = f"{finding.says}; {found.says}"
    return finding.model_copy(update={"holds": finding.holds and found.holds, "says": says})


def check_release(plan: Plan, data: Source, engine: Engine) -> "Checked":
    """Whether the file is m-unique and a release of the series, and the series as a whole m-invariant."""
    from tacit.evidence.files import sha256_of
    from tacit.plan.check import check_tally

    asked = series_plan(plan)
    names = (asked.params.class_column, *plan.dataset.named("quasi-identifier"))
    reading = Reading(names, plan.dataset.named("sensitive"))
    lacking = [name for name in reading.columns if name not in engine.columns(data)]
    if lacking:
        raise BadData(f"{data.name} has no column {shown_names(lacking)}, which a release of the series has")
    table = build_table(plan.dataset, count(plan.dataset, engine))
    back = read_classes(engine, data, reading, table)
    checked = check_tally((asked.guarantee,), back.released, None, plan.release.risk_threshold)
    require_agreement(case_in_series(back, reading.columns), (asked.guarantee,), checked.findings)
    history = read_history(asked.history, asked.about)
    found = check_series(asked.m, history.releases)
    require_series_agreement(asked.m, history.releases, found)
    number = history.number_of(sha256_of(data.path)) if data.path else None
    (finding,) = checked.findings
    if number is None:
        says = f"{finding.says}; but {data.name} is none of the {len(history.entries)} releases of {asked.history.name}"
        return replace(checked, findings=(finding.model_copy(update={"holds": False, "says": says}),))
    named = in_all(finding, found)
    says = f"{named.says}; this is release {number} of {len(history.entries)}"
    return replace(checked, findings=(named.model_copy(update={"says": says}),))


def released_files(plan: Plan) -> tuple[Path, ...]:
    """The releases of the series that stand where its next one would, the latest first."""
    asked = series_plan(plan)
    folder = default_output(plan).parent
    names = [entry.name for entry in read_history(asked.history, asked.about).entries]
    return tuple(path for path in (folder / name for name in reversed(names)) if path.is_file())


def _write(release: Release, evidence: Path, report: Path) -> None:
    from tacit.evidence.files import evidence_text
    from tacit.evidence.report import render_report

    evidence.write_text(evidence_text(release), encoding="utf-8", newline="\n")
    report.write_text(render_report(release), encoding="utf-8", newline="\n")


def _finish(history: History, progress: Progress) -> None:
    """What the last run left standing aside is in its place."""
    waiting = history.entries[-1].staged if history.entries else {}
    for place, partial in waiting.items():
        left, final = Path(partial), Path(place)
        if left.is_file() and left.parent == final.parent and left.name.startswith(PARTIAL):
            progress(f"finishing release {len(history.entries)}: {final.name}")
            left.replace(final)


@contextmanager
def _alone(history: Path) -> Iterator[None]:
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

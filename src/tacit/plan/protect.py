"""The main job: count, decide, recode, read back, check, measure, and write the evidence down.

A release takes its place only if every guarantee holds in the file that was written, read back from disk. Until then it
stands aside, and an older release stays whole.
"""

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tacit.aside import aside
from tacit.cards.republication import RepublicationMethod
from tacit.cards.tables import TableMethod
from tacit.catalogue import find_method
from tacit.data.header import read_header
from tacit.data.published import Published, publish
from tacit.data.source import Format, Source, file_source, format_of
from tacit.data.table import Table
from tacit.data.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadParameter, CannotGuarantee
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.concealed import require_unlinked, with_candidates
from tacit.plan.dataset import build_table
from tacit.plan.drawn import count_drawn, draw_rows
from tacit.plan.files import Outcome, Stamp, default_output, input_files, outcome_files, refuse_overwriting
from tacit.plan.job import Job, Made, Stopwatch
from tacit.plan.load import Plan
from tacit.plan.outcome import describe, generalised_population
from tacit.plan.released import Released, case_of, read_back, require_as_decided, require_tellable
from tacit.plan.sampling import with_sample_risk
from tacit.plan.schema import ReleaseSection
from tacit.plan.treatments import (
    kept_identifiers,
    require_together,
    require_treatments,
    secret_files,
    told_together,
    treat,
)
from tacit.release import Fingerprint, Release
from tacit.request import Answer, Progress, Request, be_silent
from tacit.verification.verify import require_agreement

if TYPE_CHECKING:
    import pyarrow as pa

KEY_BYTES = 32


def protect_plan(plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent) -> Outcome:
    """Runs the plan: the release, the evidence and the report take their places together, or none does."""
    from tacit.evidence.files import evidence_text
    from tacit.evidence.report import render_report

    if find_method(plan.release.method).kind == RepublicationMethod.kind:
        from tacit.plan.republish import protect_series

        return protect_series(plan, engine, output, progress)
    files = outcome_files(output or default_output(plan))
    secrets_ = secret_files(plan.dataset, plan.release)
    refuse_overwriting(files, (plan.path, *input_files(plan.dataset), *secrets_))
    job = plan_job(plan, output, progress)
    with aside(files.report) as report, aside(files.evidence) as evidence, aside(files.release) as partial:
        release = run(job, engine, partial, files.release)
        progress("writing the evidence")
        evidence.write_text(evidence_text(release), encoding="utf-8", newline="\n")
        report.write_text(render_report(release), encoding="utf-8", newline="\n")
    return Outcome(release, files.release, files.evidence, files.report)


def plan_job(plan: Plan, output: Path | None, progress: Progress) -> Job:
    """The job that the plan describes; `output` is named in the command that repeats it."""
    from shlex import join

    from tacit.evidence.files import fingerprint

    source = plan.dataset.source.path
    assert source is not None
    command = join(["tacit", "protect", plan.path.name, *(["-o", output.name] if output else [])])
    stamp = Stamp.of(source)
    facts = (fingerprint(source), fingerprint(plan.path))
    return Job(plan.dataset, plan.release, facts[0], facts[1], plan.form, command, progress, stamp)


@dataclass(frozen=True, eq=False)
class InMemory:
    """A release that was not written to a file: its evidence and its rows as an Arrow table."""

    release: Release
    table: "pa.Table"


@dataclass(frozen=True, eq=False)
class Decided:
    """What is to be published, and for which promises."""

    guarantees: tuple[Guarantee, ...]
    answer: Answer
    published: Published

    @property
    def tally(self) -> Tally:
        """The input, counted."""
        return self.published.table.tally


def run(job: Job, engine: Engine, partial: Path, path: Path) -> Release:
    """The release in `partial`, checked, with the name of `path`; CannotGuarantee where a guarantee fails."""
    from tacit.evidence.files import fingerprint

    watch = Stopwatch()
    target = target_of(job, partial, format_of(path))
    treated = _treated(job, engine, watch)
    decided = _decided(treated, engine, watch)
    job.progress("writing the release")
    with watch.time("write"):
        engine.write(treated.dataset.source, decided.tally, decided.answer.recoding, target)
    job.require_unchanged()
    written = fingerprint(partial).model_copy(update={"name": path.name})
    return _described(treated, engine, decided, Written(target, _written(target), written), watch)


def run_in_memory(job: Job, engine: Engine) -> InMemory:
    """The release as an Arrow table, checked in the same way."""
    watch = Stopwatch()
    treated = _treated(job, engine, watch)
    decided = _decided(treated, engine, watch)
    target = target_of(job, None, "frame")
    with watch.time("write"):
        table = engine.frame(treated.dataset.source, decided.tally, decided.answer.recoding, target)
    written = Written(target, Source("frame", frame=table), frame_fingerprint(table, "release"))
    return InMemory(_described(treated, engine, decided, written, watch), table)


def _treated(job: Job, engine: Engine, watch: Stopwatch) -> Job:
    """The job on drawn and treated rows, once the plan is found possible."""
    require_able(job.section, _promised(job))
    require_unlinked(job.dataset, job.section, _promised(job))
    require_treatments(job.dataset, job.section)
    with watch.time("treat" if job.section.sample is None else "draw and treat"):
        return treat(draw_rows(job, engine), engine)


def _promised(job: Job) -> tuple[Guarantee, ...]:
    return tuple(parse_guarantee(entry) for entry in job.section.guarantees)


def _decided(job: Job, engine: Engine, watch: Stopwatch) -> Decided:
    guarantees = _promised(job)
    job.progress("counting")
    with watch.time("count"):
        table = build_table(job.dataset, count_drawn(job, engine))
    with watch.time("decide"):
        answer = decide(table, job.section, guarantees, job.progress)
        published = publish(table, answer.recoding)
        require_tellable(published)
        return Decided(guarantees, answer, published)


def _described(job: Job, engine: Engine, decided: Decided, written: "Written", watch: Stopwatch) -> Release:
    """The release, read back, found to be what was decided and to keep its promises."""
    job.progress("reading the release back")
    with watch.time("check"):
        released = released_by(job, engine, decided.published, written)
        made = Made(decided.guarantees, decided.answer, decided.published, released, written.fingerprint)
        release = with_candidates(describe(job, made), made)
        release = with_sample_risk(release, job, engine, (decided.published, written.target))
        require_holding(release)
        require_together(job.dataset, job.section, released.tally)
        require_agreement(case_of(released, generalised_population(decided.published)), release.guarantees)
    return release.model_copy(update={"seconds": watch.total()})


def require_able(section: ReleaseSection, guarantees: tuple[Guarantee, ...]) -> None:
    """The method of the plan works on tables, takes its parameters and can give all guarantees."""
    method = find_method(section.method)
    if method.kind == RepublicationMethod.kind:
        raise BadParameter(f"{section.method} makes a series of releases; write a plan and run `tacit protect PLAN`")
    if method.kind != TableMethod.kind:
        raise BadParameter(f"the method {section.method} is of the kind {method.kind!r}, not {TableMethod.kind!r}")
    method.params.parse(section.method, section.parameters)
    of_one = tuple(guarantee.name for guarantee in guarantees if not getattr(guarantee, "about_series", False))
    able = of_one if method.guarantees == "any" else method.guarantees
    lacking = [guarantee.name for guarantee in guarantees if guarantee.name not in able]
    if lacking:
        raise BadParameter(
            f"the method {section.method} can't give {', '.join(lacking)}; it gives {', '.join(able)}. "
            "Take another method, such as tables/lattice, or leave the guarantee out"
        )


def decide(table: Table, section: ReleaseSection, guarantees: tuple[Guarantee, ...], progress: Progress) -> Answer:
    """What the method of the plan decides."""
    method = find_method(section.method)
    params = method.params.parse(section.method, section.parameters)
    request = Request(guarantees, section.suppression, section.objective, progress)
    answer: Answer = method.run(table, request, params)
    return answer


def target_of(job: Job, path: Path | None, form: Format) -> Target:
    """What the release looks like: identifiers are gone unless they are treated, all else keeps its place."""
    dataset, section = job.dataset, job.section
    source, kept = dataset.source, kept_identifiers(dataset, section)
    delimiter = read_header(source).delimiter if source.format == "csv" else ","
    return Target(
        columns=tuple(name for name, column in dataset.columns.items() if column.role != "identifier" or name in kept),
        starred=(*dataset.named("quasi-identifier"), *dataset.named("sensitive"), *told_together(dataset, section)),
        path=path,
        format=form,
        suppressed=section.suppressed,
        guard=section.guard_formulas,
        shuffle_key=secrets.token_hex(KEY_BYTES) if section.shuffle else None,
        delimiter="\t" if path is not None and path.suffix.lower() == ".tsv" else delimiter,
    )


@dataclass(frozen=True, eq=False)
class Written:
    """A release where it was written, and how to read it back."""

    target: Target
    source: Source
    fingerprint: Fingerprint


def released_by(job: Job, engine: Engine, published: Published, written: Written) -> Released:
    """The release as it reads in the file, found to be what was decided.

    Where people have several rows, the file can't tell who they are; a twin that keeps the unit is counted instead.
    """
    reading = replace(job.dataset.reading, unit=None)
    original = published.table.tally.sensitive
    released = read_back(engine, written.source, reading, original)
    require_as_decided(released, published, written.target)
    unit = job.dataset.unit
    if unit is None:
        return released
    with TemporaryDirectory(prefix="tacit-") as folder:
        columns = tuple(dict.fromkeys((*written.target.columns, unit)))
        twin = replace(written.target, path=Path(folder) / "twin.parquet", format="parquet", columns=columns)
        twin = replace(twin, shuffle_key=None)
        engine.write(job.dataset.source, published.table.tally, published.recoding, twin)
        counted = read_back(engine, _written(twin), job.dataset.reading, original)
    require_as_decided(counted, published, twin)
    return counted


def _written(target: Target) -> Source:
    assert target.path is not None
    if target.format == "csv":
        return file_source(target.path, format="csv", delimiter=target.delimiter)
    return file_source(target.path, format=target.format)


def require_holding(release: Release) -> None:
    """Every guarantee holds in what was written."""
    failing = [finding for finding in release.guarantees if not finding.holds]
    if failing:
        words = "; ".join(f"{finding.name}: {finding.says}" for finding in failing)
        raise CannotGuarantee(f"the release was made but does not keep its promise, so it is not published: {words}")


def frame_fingerprint(table: "pa.Table", name: str) -> Fingerprint:
    """The fingerprint of a table in memory: of its Arrow stream."""
    from hashlib import sha256

    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content = sink.getvalue()
    return Fingerprint(
        name=name, bytes=content.size, sha256=sha256(memoryview(content)).hexdigest(), rows=table.num_rows
    )

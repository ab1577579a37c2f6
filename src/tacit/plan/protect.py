"""The main job: count, decide, recode, read back, check, measure, and write the evidence down.

A release takes its place only if every guarantee holds in the file that was written, read back from disk. Until then it
stands aside, and an older release stays whole.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tacit.aside import aside
from tacit.catalogue import find_method
from tacit.data.published import Published, publish
from tacit.data.source import Format, Source, file_source, format_of, read_header
from tacit.data.table import Table
from tacit.data.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadParameter, CannotGuarantee, PolicyRefused
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.dataset import build_table, count
from tacit.plan.job import Job, Made, Stopwatch
from tacit.plan.load import Plan
from tacit.plan.outcome import describe
from tacit.plan.released import Released, read_back, require_as_decided
from tacit.plan.schema import ReleaseSection
from tacit.release import Fingerprint, Release
from tacit.request import Answer, Progress, Request, be_silent

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Outcome:
    """A release and where its parts were written."""

    release: Release
    output: Path
    evidence: Path
    report: Path


def protect_plan(plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent) -> Outcome:
    """Runs the plan: writes the release, and the evidence and the report beside it."""
    from tacit.evidence.files import fingerprint, write_evidence
    from tacit.evidence.report import write_report

    path = output or default_output(plan)
    source = plan.dataset.source.path
    assert source is not None
    refuse_overwriting(path, (source, plan.path))
    command = f"tacit protect {plan.path.name}" + (f" -o {path.name}" if output else "")
    job = Job(plan.dataset, plan.release, fingerprint(source), fingerprint(plan.path), plan.form, command, progress)
    release = run(job, engine, path)
    outcome = Outcome(release, path, path.with_suffix(".evidence.json"), path.with_suffix(".report.html"))
    progress("writing the evidence")
    write_evidence(release, outcome.evidence)
    write_report(release, outcome.report)
    return outcome


def default_output(plan: Plan) -> Path:
    """Where the plan wants its release, by default beside the plan."""
    if plan.release.output:
        return plan.path.parent / plan.release.output
    source = plan.dataset.source
    assert source.path is not None
    suffix = source.path.suffix if source.format in ("csv", "parquet", "sqlite") else ".csv"
    return plan.path.parent / f"{source.path.stem}.release{suffix}"


def refuse_overwriting(output: Path, inputs: tuple[Path, ...]) -> None:
    """The release never takes the place of what it was made from."""
    for path in inputs:
        if output.resolve() == path.resolve() or (output.exists() and output.samefile(path)):
            raise PolicyRefused(f"the output {output} is the input; choose another name, the original must stay whole")


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


def run(job: Job, engine: Engine, path: Path) -> Release:
    """The release in `path`, checked; CannotGuarantee and no new file where a guarantee fails."""
    from tacit.evidence.files import fingerprint

    watch = Stopwatch()
    decided = _decided(job, engine, watch)
    with aside(path) as partial:
        target = target_of(job, partial, format_of(path))
        job.progress("writing the release")
        with watch.time("write"):
            engine.write(job.dataset.source, decided.tally, decided.answer.recoding, target)
        written = fingerprint(partial).model_copy(update={"name": path.name})
        return _described(job, engine, decided, Written(target, _written(target), written), watch)


def run_in_memory(job: Job, engine: Engine) -> InMemory:
    """The release as an Arrow table, checked in the same way."""
    watch = Stopwatch()
    decided = _decided(job, engine, watch)
    target = target_of(job, None, "frame")
    with watch.time("write"):
        table = engine.frame(job.dataset.source, decided.tally, decided.answer.recoding, target)
    written = Written(target, Source("frame", frame=table), frame_fingerprint(table, "release"))
    return InMemory(_described(job, engine, decided, written, watch), table)


def _decided(job: Job, engine: Engine, watch: Stopwatch) -> Decided:
    guarantees = tuple(parse_guarantee(entry) for entry in job.section.guarantees)
    job.progress("counting")
    with watch.time("count"):
        table = build_table(job.dataset, count(job.dataset, engine))
    with watch.time("decide"):
        answer = decide(table, job.section, guarantees, job.progress)
        return Decided(guarantees, answer, publish(table, answer.recoding))


def _described(job: Job, engine: Engine, decided: Decided, written: "Written", watch: Stopwatch) -> Release:
    """The release, read back, found to be what was decided and to keep its promises."""
    job.progress("reading the release back")
    with watch.time("check"):
        released = released_by(job, engine, decided.published, written)
        made = Made(decided.guarantees, decided.answer, decided.published, released, written.fingerprint)
        release = describe(job, made)
        require_holding(release)
    return release.model_copy(update={"seconds": watch.total()})


def decide(table: Table, section: ReleaseSection, guarantees: tuple[Guarantee, ...], progress: Progress) -> Answer:
    """What the method of the plan decides."""
    method = find_method(section.method)
    if method.kind != "table":
        raise BadParameter(f"the method {section.method} works on {method.kind}, not on tables")
    params = method.params.parse(section.method, section.parameters)
    request = Request(guarantees, section.suppression, section.objective, progress)
    answer: Answer = method.run(table, request, params)
    return answer


def target_of(job: Job, path: Path | None, form: Format) -> Target:
    """What the release looks like: identifiers are gone, all else keeps its place."""
    dataset, section = job.dataset, job.section
    if form == "excel":
        raise BadParameter("a release can be written as CSV, Parquet or SQLite, not as an Excel workbook")
    source = dataset.source
    delimiter = read_header(source).delimiter if source.format == "csv" else ","
    return Target(
        columns=tuple(name for name, column in dataset.columns.items() if column.role != "identifier"),
        starred=(*dataset.named("quasi-identifier"), *dataset.named("sensitive")),
        path=path,
        format=form,
        suppressed=section.suppressed,
        guard=section.guard_formulas,
        shuffled=section.shuffle,
        delimiter="\t" if path is not None and path.suffix == ".tsv" else delimiter,
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
    omitted = job.section.suppressed == "omit"
    released = read_back(engine, written.source, reading, original)
    require_as_decided(released, published, omitted)
    unit = job.dataset.unit
    if unit is None:
        return released
    with TemporaryDirectory(prefix="tacit-") as folder:
        columns = (*written.target.columns, unit)
        twin = replace(written.target, path=Path(folder) / "twin.parquet", format="parquet", columns=columns)
        engine.write(job.dataset.source, published.table.tally, published.recoding, twin)
        counted = read_back(engine, _written(twin), job.dataset.reading, original)
    require_as_decided(counted, published, omitted)
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

"""What a call in Python is made of: its data, its job, what it asks in the words of a plan, and what it gives back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.dataset import Dataset
from tacit.data.sources.frames import column_names
from tacit.data.sources.source import Source, file_source, require_names
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.schema import ReleaseSection
from tacit.release.release import Release
from tacit.request import Progress, be_silent

if TYPE_CHECKING:
    from tacit.runs.job import Job
    from tacit.runs.release_kind import ReleaseKind
    from tacit.runs.run import Process


@dataclass(frozen=True, eq=False)
class ProtectedData:
    """A release: its evidence, and its rows as the same kind of data frame that was given, or as a file."""

    release: Release[Any]
    data: Any = None
    output: Path | None = None

    def public_report(self) -> str:
        """The page for recipients as HTML: a codebook and the promises, and no figure of the data before."""
        from tacit.runs.tables.public import public_page
        from tacit.verbs.engine import engine

        with engine() as database:
            return public_page(self.release, source_of(self.data if self.output is None else self.output), database)

    @property
    def seeded(self) -> bool:
        """Whether it drew from a seed that somebody knows, so that it may not be published."""
        return self.release.seeded

    def __repr__(self) -> str:
        """A short form without data."""
        from tacit.runs.evidence_kinds import evidence_kind

        measured = [f"{finding.name} {finding.measured:g}" for finding in self.release.measured]
        proven = [f"{promise.name} epsilon {promise.epsilon:g}" for promise in self.release.proven]
        brief = evidence_kind(self.release.kind).brief(self.release)
        seeded = "made from a seed, so it may not be published" if self.seeded else ""
        return f"ProtectedData({'; '.join(part for part in (', '.join([*measured, *proven]), brief, seeded) if part)})"

    def _repr_html_(self) -> str:
        """The report, inside a frame of its own."""
        from tacit.evidence.notebook import framed
        from tacit.runs.evidence_kinds import evidence_kind

        return framed(evidence_kind(self.release.kind).render(self.release))


FRAME_OPTIONS = ("missing", "trim", "decimal", "thousands")
"""What can be said of the cells of a data frame; all other options say how to read a file."""


def source_of(data: Any, **options: Any) -> Source:
    """The source of a path or a data frame."""
    if isinstance(data, Source):
        return data
    if isinstance(data, str | Path):
        return file_source(Path(data), **_frozen(options))
    others = sorted(set(options) - set(FRAME_OPTIONS))
    if others:
        raise BadParameter(
            f"a data frame does not have the option {', '.join(others)}; it has only {', '.join(FRAME_OPTIONS)}"
        )
    source = Source("frame", frame=data, **_frozen(options))
    require_names(source.name, column_names(data), place="")
    return source


def _frozen(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with lists of words as they are kept."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


def asked_guarantees(given: Any) -> tuple[Guarantee, ...]:
    """The guarantees of a call: one or several, each an object, a name, or a name with its parameters."""
    from tacit.guarantees.catalogue import parse_guarantee

    listed = [given] if isinstance(given, Guarantee | str | Mapping | type) else given
    if not isinstance(listed, Iterable):
        raise BadParameter(_no_guarantee(given))
    return tuple(parse_guarantee(entry) for one in listed for entry in _entries(one))


def _entries(given: Any) -> list[Any]:
    """The entries of a plan that are meant; a mapping may name several guarantees."""
    if isinstance(given, Guarantee):
        return [given]
    if isinstance(given, str):
        return [{given: {}}]
    if isinstance(given, Mapping):
        return [{name: parameters} for name, parameters in given.items()]
    raise BadParameter(_no_guarantee(given))


def _no_guarantee(given: Any) -> str:
    """What is wrong with something that is no guarantee, without showing what it holds."""
    if isinstance(given, type) and issubclass(given, Guarantee):
        return f"{given.__name__} is a class of guarantees; give it its parameters, as in tacit.KAnonymity(5)"
    return (
        f"a value of type {type(given).__name__} is not a guarantee; write tacit.KAnonymity(5), or "
        "{'k-anonymity': {'k': 5}}, or a list of such"
    )


def section_of(verb: str, guarantees: Sequence[Guarantee], options: Mapping[str, Any]) -> ReleaseSection:
    """What is asked, in the words of a plan's release section."""
    entries = [{one.name: one.model_dump(exclude_defaults=True)} for one in guarantees]
    return ReleaseSection.parse(verb, {"guarantees": entries, **options})


def promised_by(verb: str, guarantees: Any, drafted: Mapping[str, Any], options: Mapping[str, Any]) -> "AskedRelease":
    """The release that a call asks for.

    Without guarantees it is that of the draft, with the options of the call in the place of its own; whoever names
    guarantees takes nothing of the draft but what it says of the data.
    """
    if guarantees is not None:
        asked = asked_guarantees(guarantees)
        return AskedRelease(asked, section_of(verb, asked, options))
    if not drafted:
        raise BadParameter(f"`tacit.{verb}` needs a guarantee to keep; give one, as in tacit.KAnonymity(5)")
    section = ReleaseSection.parse(verb, {**drafted, **options})
    return AskedRelease(tuple(entry for one in section.guarantees for entry in asked_guarantees(one)), section)


@dataclass(frozen=True)
class AskedRelease:
    """What is promised, as guarantees, and the whole release section that says so."""

    guarantees: tuple[Guarantee, ...]
    section: ReleaseSection


def call_job(dataset: Dataset, form: Mapping[str, Any], command: str, others: Sequence[Path] = ()) -> "Job[Dataset]":
    """The job of a call: the data and `others` are its inputs, and the call itself stands for a plan."""
    from tacit.release.fingerprints import call_fingerprint, frame_fingerprint
    from tacit.runs.job import InputFiles, Job

    source = dataset.source
    found = InputFiles.of(source.path, others, dataset.folder)
    frame = () if source.path else (frame_fingerprint(source.arrow, "data frame"),)
    inputs, reads = (*frame, *found.fingerprints), (*found.stamps, *others)
    return Job(dataset, inputs, call_fingerprint(form), form, command, stamps=found.stamps, reads=reads)


def release_job(dataset: Dataset, section: ReleaseSection, progress: Progress = be_silent) -> "Job[Dataset]":
    """The job of a call that makes a release, or compares several."""
    from tacit.release.fingerprints import frame_fingerprint
    from tacit.runs.files import input_files
    from tacit.runs.tables.task import secret_files

    form = {"release": section.model_dump(mode="json", exclude_defaults=True)}
    job = call_job(dataset, form, "tacit.protect(…)", input_files(dataset))
    population = dataset.population
    if population is not None and population.path is None:
        job = replace(job, inputs=(*job.inputs, frame_fingerprint(population.arrow, "population")))
    return replace(job.keeping(secret_files(dataset, section)), promised=section.guarantees, progress=progress)


def made_by(
    process: "Process[Any, Any, Any, Any]", kind: "ReleaseKind", like_this: Any, output: Any, *, public: bool = False
) -> ProtectedData:
    """The release that the process makes: in a file with its evidence and report, or as a data frame `like_this`.

    A `public` page stands beside a file if one is wanted.
    """
    from tacit.data.sources.frames import like
    from tacit.runs.files import table_files
    from tacit.runs.run import publish, run_in_memory

    if output is None:
        done = run_in_memory(process)
        return ProtectedData(done.release, data=like(like_this, kind.frame_of(done.made)))
    files = table_files(Path(output)).with_public(public)
    return ProtectedData(publish(process, files, kind).release, output=files.release)

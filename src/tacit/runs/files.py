"""The files of a run: what it reads, what it writes, and that an output never replaces an input."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tacit.data.dataset import Dataset
from tacit.data.sources.source import PACKINGS, SUFFIXES, format_of, known_format
from tacit.data.tables.hierarchies.files import FileSpec
from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.plan.load import Plan
from tacit.publication import repair
from tacit.release.fingerprints import CALL

EVIDENCE = ".evidence.json"
PUBLIC = ".public.html"
WRITTEN = {"csv": ".csv", "parquet": ".parquet", "sqlite": ".sqlite", "excel": ".xlsx"}
"""The formats in which a release can be written, and their usual endings."""


@dataclass(frozen=True)
class OutcomeFiles:
    """Where a release, its evidence and its report are; `beside` are other files that belong to it, by name.

    `first` are private files that must know of the release before anybody sees it. `public` is the page for recipients,
    where there is one.
    """

    release: Path
    evidence: Path
    report: Path
    beside: Mapping[str, Path] = field(default_factory=dict)
    first: tuple[Path, ...] = ()
    public: Path | None = None

    @property
    def pages(self) -> tuple[Path, ...]:
        """The report, and the page for recipients if there is one."""
        return (self.report,) if self.public is None else (self.report, self.public)

    @property
    def all(self) -> tuple[Path, ...]:
        """All places, in the order in which they are taken."""
        return (*self.first, self.release, *self.beside.values(), self.evidence, *self.pages)

    @property
    def named(self) -> dict[str, Path]:
        """The files that a reader is told about, by name."""
        public = {} if self.public is None else {"public": self.public}
        return {"release": self.release, "evidence": self.evidence, "report": self.report, **public, **self.beside}

    def with_public(self, wanted: bool) -> "OutcomeFiles":
        """The files with a page for recipients, if one is wanted or an older one would stay behind without its file."""
        place = self.release.with_suffix(PUBLIC)
        return replace(self, public=place) if wanted or place.exists() else self


@dataclass(frozen=True)
class Stamp:
    """What changes when a file is written to."""

    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> "Stamp":
        """The stamp of the file as it is now."""
        try:
            stat = path.stat()
        except OSError as error:
            raise BadData(f"{path} can't be read: {error.strerror}") from None
        return cls(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)

    def require_still(self, path: Path) -> None:
        """The file is unchanged."""
        if Stamp.of(path) != self:
            raise BadData(f"{path.name} changed while it was read, so nothing is published; run it again")


def table_files(release: Path) -> OutcomeFiles:
    """The files of a table, which has a format that can be written."""
    if release.suffix.lower() in PACKINGS or known_format(release) not in WRITTEN:
        endings = ", ".join(WRITTEN.values())
        raise BadParameter(
            f"{release}: a release can be written as CSV, Parquet, SQLite or Excel; give a name that ends in one of "
            f"{endings}"
        )
    return outcome_files(release)


def outcome_files(release: Path) -> OutcomeFiles:
    """The evidence and the report are beside the release."""
    return OutcomeFiles(release, release.with_suffix(".evidence.json"), release.with_suffix(".report.html"))


def evidence_in(folders: Iterable[Path]) -> Iterator[Path]:
    """The files in these folders whose names are those of evidence, folder by folder, none twice."""
    for folder in {folder.resolve(): folder for folder in folders}.values():
        yield from sorted(folder.glob(f"*{EVIDENCE}"))


def default_output(plan: Plan) -> Path:
    """Where the plan wants its release, by default beside the plan."""
    if plan.release.output:
        return plan.path.parent / plan.release.output
    source = plan.dataset.source
    assert source.path is not None
    usual = SUFFIXES.get(source.path.suffix.lower()) == source.format in WRITTEN
    suffix = source.path.suffix if usual else WRITTEN.get(source.format, ".csv")
    return plan.path.parent / f"{plan.name}.release{suffix}"


def counts_files(plan: Plan, output: Path | None) -> OutcomeFiles:
    """Where a table of counts, its evidence and its report go, by default beside the plan."""
    table = output or plan.folder / f"{plan.name}.counts.csv"
    if format_of(table) != "csv":
        raise BadParameter(f"{table}: a table of counts is written as CSV; give a name that ends in .csv")
    return OutcomeFiles(table, table.with_suffix(".evidence.json"), table.with_suffix(".report.html"))


def input_files(dataset: Dataset) -> tuple[Path, ...]:
    """The files that a run on the dataset reads."""
    sources = (dataset.source, dataset.population)
    specs = [column.hierarchy for column in dataset.columns.values()]
    hierarchies = [dataset.folder / spec.file for spec in specs if isinstance(spec, FileSpec)]
    return (*(source.path for source in sources if source and source.path), *hierarchies)


def refuse_overwriting(files: OutcomeFiles, inputs: Iterable[Path]) -> None:
    """No output replaces what it was made from, under whatever name."""
    for read in inputs:
        for written in (files.release, files.evidence, *files.pages, *files.beside.values()):
            if _same(written, read):
                raise PolicyRefused(
                    f"the output {written} is the input {read}; choose another name, because the original must stay as "
                    "it is"
                )


def refuse_replacing(files: OutcomeFiles, plan: str) -> None:
    """No output replaces what a plan other than this one made."""
    repair(files.evidence)
    found = _names(files.evidence)
    if found is None or found[0] == plan:
        return
    other, release = found
    made = "a call in Python" if other == CALL else other
    raise PolicyRefused(
        f"{files.evidence} is the evidence of {release}, which was made by {made}, and that of {plan} would "
        f"take its place; write what you make elsewhere with `-o`, or replace it with `-o {files.release.name}`. "
        "Nothing was changed"
    )


def _names(evidence: Path) -> tuple[str, str] | None:
    """The plan and the release that the evidence names; None if there is no readable evidence."""
    try:
        found = json.loads(evidence.read_bytes())
        names = found["plan"]["name"], found["outputs"][0]["name"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return names if all(isinstance(name, str) for name in names) else None


def _same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve() or (one.exists() and other.exists() and one.samefile(other))
    except (OSError, RuntimeError):
        # Links that lead in a circle, or a folder that can't be looked into: reading or writing will say so.
        return False

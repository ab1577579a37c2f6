"""The one order in which every release is made, whatever its kind.

Refuse what can't be, before any work. Prepare: read the data. Make the release aside. Read it back from there. Measure
what was promised on what was read, and measure it a second time by other code. Describe. Then all files of the release
take their places as one. A process says what each station does for its kind; nothing is published if one fails.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast

from tacit import distribution
from tacit.errors import CannotGuarantee, TacitError
from tacit.promise import Measured, Promise
from tacit.publication import publication
from tacit.release.release import Body, Expense, Fingerprint, Recipe, Release
from tacit.request import PUBLISHED
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.files import OutcomeFiles, refuse_overwriting, refuse_replacing
from tacit.runs.job import Job
from tacit.runs.packages import packages_of
from tacit.runs.peak_memory import peak_bytes
from tacit.runs.promised import require_promised
from tacit.scratch import sweep

B = TypeVar("B", bound=Body)
P = TypeVar("P")
M = TypeVar("M")
R = TypeVar("R")

PACKAGES = ("duckdb", "numpy", "pyarrow")


@dataclass(frozen=True)
class Place:
    """Where a release is made: the file `aside`, and the `path` that it will take."""

    aside: Path
    path: Path


@dataclass(frozen=True, eq=False)
class Description(Generic[B]):
    """What a process says about its release; the envelope is filled from it.

    Time and memory depend on rows, so private answers do not report them (`tells_effort`). `remarks` are for the user
    who runs the command, and are not published. `uses` names the parts that other packages may provide, beside the
    kind, the method and the promises: `metrics/tables/loss`, `steps/sample`, further methods.
    """

    body: B
    method: str
    parameters: Mapping[str, Any]
    inputs: tuple[Fingerprint, ...]
    outputs: tuple[Fingerprint, ...]
    promises_before: tuple[Promise, ...] = ()
    title: str | None = None
    unit: str | None = None
    spent: Expense | None = None
    seeded: bool = False
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    tells_effort: bool = True
    uses: tuple[str, ...] = ()


class Process(ABC, Generic[B, P, M, R]):
    """What happens at each station of the run of one kind. `place` is None where the release stays in memory."""

    kind: ClassVar[str]
    job: Job[Any]

    @property
    def keeps(self) -> tuple[Path, ...]:
        """Its own files, such as a ledger, which no published file may replace."""
        return ()

    def admit(self, files: OutcomeFiles) -> None:
        """Raises an error if a release of this kind may not take these places."""

    @abstractmethod
    def refuse(self) -> None:
        """Raises an error if the release can't be made as asked."""

    def rehearse(self, place: Place | None) -> None:
        """Raises an error if the release could not be written whatever the data is; no row is read."""

    @abstractmethod
    def prepare(self) -> P:
        """The data, read and counted."""

    @abstractmethod
    def make(self, prepared: P, place: Place | None) -> M:
        """The release, decided and written aside."""

    @abstractmethod
    def read_back(self, prepared: P, made: M) -> R:
        """The release as it reads where it was written, found to be what was decided."""

    @abstractmethod
    def promises(self, prepared: P, made: M, back: R) -> tuple[Promise, ...]:
        """What was promised, as it was found in what was read back, or as it was proven."""

    @abstractmethod
    def measure_again(self, prepared: P, made: M, back: R, promises: tuple[Promise, ...]) -> None:
        """Raises an error if code that shares nothing with the first measure finds something else."""

    @abstractmethod
    def describe(self, prepared: P, made: M, back: R, promises: tuple[Promise, ...]) -> Description[B]:
        """The body, and what the process knows about the envelope."""

    def write_beside(self, made: M, back: R, staged: Mapping[Path, Path]) -> None:
        """Writes the other files of the release; `staged` says where each place waits."""

    def write_public(self, release: Release[B], made: M, place: Path) -> None:
        """Writes the page for recipients, which says nothing of the data before."""
        raise TacitError(f"a release of {self.kind} has no page for recipients; leave `public` out")

    def note(self, release: Release[B]) -> None:
        """Records, if something must be recorded, that the release was given away."""


@dataclass(frozen=True, eq=False)
class Done(Generic[B, M, R]):
    """A release that keeps its promises, as it was made aside and as it was read back."""

    release: Release[B]
    made: M
    back: R
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Generic[B, M]):
    """A release that was published, where its files are, what it was made from, and remarks for its maker."""

    release: Release[B]
    files: OutcomeFiles
    made: M
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """What was made and where it is, in a line; nothing of its content."""
        return f"<{self.release.kind} in {self.output}; evidence in {self.evidence}>"

    @property
    def output(self) -> Path:
        """Where the release is."""
        return self.files.release

    @property
    def evidence(self) -> Path:
        """Where its evidence is."""
        return self.files.evidence

    @property
    def report(self) -> Path:
        """Where its report is."""
        return self.files.report

    @property
    def beside(self) -> Mapping[str, Path]:
        """Where the other files that belong to it are, by name."""
        return self.files.beside


def run(process: Process[B, P, M, R], place: Place | None = None) -> Done[B, M, R]:
    """The release, made aside and checked; CannotGuarantee if a promise does not hold in it."""
    job = process.job
    process.refuse()
    process.rehearse(place)
    prepared = process.prepare()
    made = process.make(prepared, place)
    job.require_unchanged()
    job.progress("reading the release back")
    with job.watch.time("check"):
        back = process.read_back(prepared, made)
        promises = process.promises(prepared, made, back)
        require_holding(promises)
        process.measure_again(prepared, made, back, promises)
        described = process.describe(prepared, made, back, promises)
    return Done(_release(process.kind, job, described, promises), made, back, described.remarks)


def run_in_memory(process: Process[B, P, M, R]) -> Done[B, M, R]:
    """The release as it is handed to the caller, and noted."""
    with process.job.deeds.noted():
        done = run(process)
        require_promised(process.job.promised, done.release.promises)
        process.note(done.release)
        return done


def publish(process: Process[B, P, M, R], files: OutcomeFiles, kind: EvidenceKind) -> Outcome[B, M]:
    """The release with its evidence and its report, which take their places as one, or not at all.

    Every kind of release is published in this way: nothing that it was made from is replaced, nor, unless the user
    named the place, what another plan made.
    """
    job, deeds = process.job, process.job.deeds
    refuse_overwriting(files, (*job.reads, *process.keeps))
    if not job.named:
        refuse_replacing(files, job.plan.name)
    process.admit(files)
    sweep()
    with deeds.noted():
        with publication(files.all, private=files.first) as staged:
            done = run(process, Place(staged[files.release], files.release))
            require_promised(job.promised, done.release.promises)
            job.progress("writing the evidence")
            kind.write(done.release, staged[files.evidence], staged[files.report])
            process.write_beside(done.made, done.back, staged)
            if files.public is not None:
                process.write_public(done.release, done.made, staged[files.public])
            deeds.begin_publication(files.release)
        deeds.end_publication(files.release)
        process.note(done.release)
        job.progress(PUBLISHED)
        return Outcome(done.release, files, done.made, done.remarks)


def require_holding(promises: tuple[Promise, ...]) -> None:
    """Every promise holds in what was written."""
    failing = [promise for promise in promises if isinstance(promise, Measured) and not promise.holds]
    if failing:
        words = "; ".join(f"{promise.name}: {promise.says}" for promise in failing)
        raise CannotGuarantee(f"the release was made but does not keep its promise, so it is not published: {words}")


def versions() -> dict[str, str]:
    """The versions of what made the release."""
    others = {name: _version(name) for name in PACKAGES}
    return {"tacit": distribution.VERSION, **others, "python": sys.version.split()[0]}


@cache
def _version(package: str) -> str:
    """The installed version, which stays the same while the process runs."""
    return version(package)


def _parts(kind: str, job: Job[Any], told: Description[Any], promises: tuple[Promise, ...]) -> tuple[str, ...]:
    """All parts of the run that some package may provide."""
    data = job.form.get("data")
    kinds = [kind, *([str(data["kind"])] if isinstance(data, Mapping) and data.get("kind") else [])]
    promised = [promise.name for promise in (*promises, *told.promises_before)]
    return (
        *(f"kinds/{name}" for name in kinds),
        f"methods/{told.method}",
        *(f"guarantees/{name}" for name in promised),
        *told.uses,
    )


def _release(kind: str, job: Job[Any], told: Description[B], promises: tuple[Promise, ...]) -> Release[B]:
    """The envelope around the body."""
    if not told.inputs or not told.outputs:
        raise TacitError(
            f"a release of {kind} does not say from which files it was made, or what its own files are, so nothing is "
            "published. This is a defect of the kind: its description needs `inputs` and `outputs`"
        )
    recipe = Recipe(method=told.method, parameters=dict(told.parameters), command=job.command, plan=dict(job.form))
    sort = cast("type[Release[B]]", Release[type(told.body)])  # type: ignore[misc]
    return sort(
        kind=kind,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        title=told.title or job.title,
        unit=told.unit,
        inputs=told.inputs,
        plan=job.plan,
        outputs=told.outputs,
        promises=promises,
        promises_before=told.promises_before,
        spent=told.spent,
        recipe=recipe,
        seeded=told.seeded,
        notes=told.notes,
        seconds=job.watch.total() if told.tells_effort else {},
        peak_memory_bytes=peak_bytes() if told.tells_effort else None,
        versions=versions(),
        packages=packages_of(_parts(kind, job, told, promises)),
        body=told.body,
    )

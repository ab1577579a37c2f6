"""A job: a dataset, the files that it came from, and how the run is called in the evidence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import join
from time import perf_counter
from typing import Any, Generic, Self, TypeVar

from tacit.errors import TacitError
from tacit.plan.load import Plan
from tacit.release.fingerprints import fingerprint
from tacit.release.release import Fingerprint
from tacit.request import Progress, be_silent
from tacit.runs.deeds import Deeds
from tacit.runs.files import Stamp
from tacit.runs.promised import AskedGuarantee

D = TypeVar("D")


@dataclass
class Stopwatch:
    """How long each step took."""

    seconds: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=perf_counter)

    @contextmanager
    def time(self, step: str) -> Iterator[None]:
        """Adds the time of the block to the step."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.seconds[step] = self.seconds.get(step, 0.0) + perf_counter() - begin

    def total(self) -> dict[str, float]:
        """All steps, and the time since the start."""
        return {**self.seconds, "total": perf_counter() - self.started}


@dataclass(frozen=True)
class Command:
    """The command that repeats the run: its verb, its options, and the place that the user named, if any."""

    verb: str = "protect"
    output: Path | None = None
    options: tuple[str, ...] = ()

    def line(self, plan: Plan) -> str:
        """As it is typed; files appear by name alone, without their folders."""
        output = ["-o", self.output.name] if self.output else []
        return join(["tacit", self.verb, plan.path.name, *self.options, *output])


PROTECT = Command()


@dataclass(frozen=True, eq=False)
class Job(Generic[D]):
    """A dataset to work on; the first of `inputs` is its data, the others are what else is read.

    `form` is the plan as plain values.

    `stamps` are those of all files that are read, which may not change until the release is made. `promised` are the
    guarantees that a release must keep, as the plan names them, with their parameters. `reads` are files that must not
    change: no output replaces them. Unless the user `named` the place of the release, nothing that another plan made is
    replaced either.
    """

    dataset: D
    inputs: tuple[Fingerprint, ...]
    plan: Fingerprint
    form: Mapping[str, Any]
    command: str
    progress: Progress = be_silent
    stamps: Mapping[Path, Stamp] = field(default_factory=dict)
    watch: Stopwatch = field(default_factory=Stopwatch)
    deeds: Deeds = field(default_factory=Deeds)
    reads: tuple[Path, ...] = ()
    named: bool = True
    promised: tuple[AskedGuarantee, ...] = ()

    @property
    def title(self) -> str:
        """The name of the data."""
        return self.inputs[0].name

    def keeping(self, files: Iterable[Path]) -> Self:
        """The job with further files that must not change; the evidence does not name them and nothing watches them."""
        return replace(self, reads=(*self.reads, *files))

    def require_unchanged(self) -> None:
        """The files that were read are those whose fingerprints were taken."""
        for path, stamp in self.stamps.items():
            stamp.require_still(path)


def plan_job(
    plan: Plan, dataset: D, inputs: Sequence[Path], command: Command = PROTECT, progress: Progress = be_silent
) -> Job[D]:
    """The job of a plan whose data is the first of the files that it reads."""
    if not inputs:
        raise TacitError(
            f"no file is named that a run of {plan.path.name} reads, which is a defect of the kind of data: `inputs` "
            "names them, the data first. Nothing was read"
        )
    found = InputFiles.of(inputs[0], inputs[1:], plan.folder)
    return Job(
        dataset,
        found.fingerprints,
        fingerprint(plan.path),
        plan.form,
        command.line(plan),
        progress,
        found.stamps,
        reads=(plan.path, *inputs),
        named=command.output is not None,
        promised=plan.release.guarantees if command.verb == PROTECT.verb and plan.file.release else (),
    )


@dataclass(frozen=True)
class InputFiles:
    """Files before anything is read from them: what the evidence says about each, and what would show a change."""

    fingerprints: tuple[Fingerprint, ...]
    stamps: Mapping[Path, Stamp]

    @classmethod
    def of(cls, data: Path | None, others: Iterable[Path], folder: Path) -> "InputFiles":
        """The data, if it is in a file, and all other files that exist: a run that needs another one says so.

        The data goes by its name alone, the others by their path below the folder, where they are looked for again.
        """
        first = {} if data is None else {data: data.name}
        names = first | {path: _below(folder, path) for path in others if path != data and path.is_file()}
        stamps = {path: Stamp.of(path) for path in names}
        return cls(tuple(fingerprint(path, name) for path, name in names.items()), stamps)


def _below(folder: Path, path: Path) -> str:
    """The path relative to the folder; the name alone if it is elsewhere."""
    try:
        return path.absolute().relative_to(folder.absolute()).as_posix()
    except ValueError:
        return path.name

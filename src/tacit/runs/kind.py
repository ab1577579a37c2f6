"""A kind of data: what ties its plan, its runs, its evidence and its pages together.

Tables use the same interface as a kind from an installed package (entry point group `tacit.kinds`). A kind says how its
data is read from a plan, how it is looked at without one, and what happens at the stations of its run. It is also the
kind of release that goes by its name; others of the same data are a `ReleaseKind` each. Checks, attacks and comparisons
then follow from three more things that it knows: the data as guarantees, metrics and attacks see it, the same of a
released file, and what a guarantee measures on that.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tacit.engines.engine import Engine
from tacit.guarantees.catalogue import parse_guarantee_about
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.promise import Measured
from tacit.request import Progress, be_silent
from tacit.runs.attack import AttackOutcome, attack_views
from tacit.runs.check import CheckResult
from tacit.runs.files import OutcomeFiles, outcome_files
from tacit.runs.job import Command, Job, plan_job
from tacit.runs.release_kind import ReleaseKind
from tacit.runs.run import Outcome, Process, publish

if TYPE_CHECKING:
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.compare import ComparisonPage

D = TypeVar("D")


@dataclass(frozen=True, eq=False)
class Look:
    """A first look at data without a plan: as plain values, as lines for a terminal, and as a draft plan.

    `draft` takes the path of the data as the plan is to name it. There may be files `beside` the plan, given by name
    and text, which hold values of the data; `draft_beside` also takes the folder in which they are, and names them.
    """

    values: Mapping[str, Any]
    lines: Sequence[str]
    draft: Callable[[str], str]
    beside: Mapping[str, str] = field(default_factory=dict, repr=False)
    draft_beside: Callable[[str, str], str] | None = None

    def plan(self, data: str, folder: str) -> str:
        """The draft plan for the data at this path, with the files beside it in this folder."""
        return self.draft(data) if self.draft_beside is None else self.draft_beside(data, folder)


class Kind(ReleaseKind, Generic[D]):
    """One kind of data; `D` is its dataset."""

    @abstractmethod
    def claims(self, path: Path) -> bool:
        """Whether a file without a plan is of this kind, by its name."""

    @abstractmethod
    def dataset(self, plan: Plan) -> D:
        """The data that a plan describes."""

    @abstractmethod
    def inputs(self, plan: Plan) -> tuple[Path, ...]:
        """The files that a run of the plan reads; the data first.

        The evidence gives their names and hashes, and nothing is published if one changes during the run.
        """

    def secrets(self, plan: Plan) -> tuple[Path, ...]:
        """Files that a run of the plan reads or changes and that the evidence says nothing about, such as keys."""
        return ()

    @abstractmethod
    def inspect(self, path: Path, engine: Engine, options: Mapping[str, Any]) -> Look:
        """What the file seems to hold."""

    @abstractmethod
    def process(self, job: Job[D], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of the run that the plan asks for."""

    @abstractmethod
    def view(self, dataset: D, engine: Engine) -> Any:
        """The data as guarantees, metrics and attacks see it."""

    @abstractmethod
    def read(self, dataset: D, path: Path, engine: Engine) -> Any:
        """A file, raw or released, as guarantees, metrics and attacks see it."""

    @abstractmethod
    def measure(self, guarantee: Any, view: Any) -> Measured:
        """What a guarantee measures on data."""

    def guarantees(self, section: ReleaseSection) -> tuple[Any, ...]:
        """What a release section promises: guarantees about this kind of data."""
        return tuple(parse_guarantee_about(entry, self.name) for entry in section.guarantees)

    def default_output(self, plan: Plan) -> Path:
        """Where the plan wants its release, by default beside the plan."""
        if plan.release.output:
            return plan.folder / plan.release.output
        return plan.folder / f"{plan.name}.release{Path(plan.file.data.path).suffix}"

    def files(self, plan: Plan, output: Path | None) -> OutcomeFiles:
        """Where the release goes with its evidence and its report."""
        return outcome_files(output or self.default_output(plan))

    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[Any, Any]:
        """The release of the plan, published."""
        job = plan_job(plan, self.dataset(plan), self.inputs(plan), Command(output=output), progress)
        job = job.keeping(self.secrets(plan))
        return publish(self.process(job, plan, engine), self.files(plan, output), self)

    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> CheckResult:
        """Whether the file keeps the guarantees of the plan."""
        view = self.read(self.dataset(plan), path, engine)
        return CheckResult(tuple(self.measure(guarantee, view) for guarantee in self.guarantees(plan.release)))

    def attack(
        self, plan: Plan, engine: Engine, releases: Sequence[Path] = (), progress: Progress = be_silent
    ) -> AttackOutcome:
        """What the adversaries of this kind learn from the data and from the release."""
        return attack_views(self, plan, engine, tuple(releases), progress)

    def compare(
        self,
        plan: Plan,
        engine: Engine,
        wanted: "ComparisonRequest",
        page: Path | None = None,
        progress: Progress = be_silent,
    ) -> "ComparisonPage":
        """The methods of this kind, tried and measured in the same way."""
        from tacit.runs.compare import compare_methods

        return compare_methods(self, plan, engine, wanted, page, progress)

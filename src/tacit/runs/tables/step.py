"""A step: an optional part of a run on a table, in one file that defines `STEP`.

A step has parameters, which a plan gives by its name under `steps` of `release`; a step that has a key of its own in
the plan says which (`key`). It says what it requires, which rows it keeps and which columns it changes before anything
is counted, what it checks in what was read back, and what it tells in the evidence. It also says what checks, attacks
and comparisons must know about it, so that nothing else in the package knows a step by its name. Every part may be left
out. The plan's whole request is a `Task`: it holds the steps, and each of them is given it.

The run goes through the steps of a plan in the order of their `place`. It leaves rows out and puts columns back itself,
so it always knows the whole file: figures before the release are about that.

Steps are found in `steps/` and in installed packages, which name a module, or a package of such files, as an entry
point of the group `tacit.steps`.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from tacit.arrays import BoolArray
from tacit.brought import modules_of
from tacit.cards.method import Method
from tacit.data.columns import Columns
from tacit.data.dataset import Dataset
from tacit.data.discreet import Discreet
from tacit.data.sources.source import Source
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadPackage
from tacit.guarantees.guarantee import TableGuarantee
from tacit.params import Params
from tacit.plan.schema import ReleaseSection
from tacit.request import Progress, TableDecision, TableRequest, be_silent

if TYPE_CHECKING:
    from tacit.runs.tables.read_back import ReadBack

GROUP = "tacit.steps"
"""The group of entry points under which installed packages bring steps."""
BY_NAME = "release.steps"
"""Where a plan asks for a step that has no key of its own."""


class NoParameters(Params):
    """No parameters: the step can only be asked for."""


G = TypeVar("G", bound=Params)


@dataclass(frozen=True, eq=False)
class WholeFile:
    """The file from which rows were left out, as it was counted, and how many of its rows are left."""

    dataset: Dataset
    tally: Tally
    left: int


@dataclass(frozen=True, eq=False)
class CountedRows:
    """The rows that a run counts, and what steps did to them before.

    `whole` is present if a step leaves rows out: figures before the release are about it. `actions` says what was done
    to columns; `body` has fields of the evidence that are known already.
    """

    dataset: Dataset
    whole: WholeFile | None = None
    actions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress = be_silent

    @property
    def original(self) -> Dataset:
        """The dataset that figures before the release are about."""
        return self.dataset if self.whole is None else self.whole.dataset

    @property
    def number(self) -> int:
        """How many rows there are; known to steps that leave rows out."""
        assert self.whole is not None
        return self.whole.left


@dataclass(frozen=True, eq=False, repr=False)
class KeptRows(Discreet):
    """Which rows are left, by their places, with notes and fields of the body for the evidence.

    Where they were drawn, each stands for `scale` of the rows that there were: sampling weights count so many times.
    """

    rows: BoolArray
    scale: float = 1.0
    notes: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ChangedColumns:
    """Columns that take the place of their own, with what was done to each and notes for the evidence.

    Each has a cell for each row, in the order of the rows.
    """

    columns: Columns
    actions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepEffects:
    """What is known about a step before it runs.

    `changed` are the columns that it changes: their distributions in the input are no measure for the release.
    `concealed` are those of them in which somebody who knows a value does not know the cell that it became.
    `may_repeat` are those of them in which a changed cell may have an old value by chance. `kept_identifiers` stay in
    the release. No output may take the place of a file among `secret_files`.
    """

    changed: frozenset[str] = frozenset()
    may_repeat: frozenset[str] = frozenset()
    concealed: frozenset[str] = frozenset()
    kept_identifiers: frozenset[str] = frozenset()
    secret_files: tuple[Path, ...] = ()


@dataclass(frozen=True, eq=False)
class ReleasedRows:
    """What a step may look at once the release was read back."""

    rows: CountedRows
    published: PublishedTable
    target: Target
    back: "ReadBack"


@dataclass(frozen=True)
class StepFacts:
    """What a step adds to the evidence: notes, fields of the body, and fields of the risk before and after."""

    notes: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    risk_before: Mapping[str, Any] = field(default_factory=dict)
    risk_after: Mapping[str, Any] = field(default_factory=dict)


class Step(Generic[G]):
    """A step that does nothing; a real one overrides what it needs."""

    name: ClassVar[str]
    place: ClassVar[int] = 50
    """Steps are gone through from the lowest place to the highest."""
    key: ClassVar[str] = BY_NAME
    """Where a plan asks for it: by name, or at a key of its own, such as `sample` of the release section."""
    params: type[G] = NoParameters  # type: ignore[assignment]
    """Its parameters; unknown ones and values out of range are refused."""
    example: ClassVar[Any] = {}
    """What a plan may write at that place; it must run on the table of `tacit.testing`."""
    is_random: ClassVar[bool] = False
    """Whether it draws at random: from the seed of the plan, if there is one, so that the same seed gives the same."""
    is_draw: ClassVar[bool] = False
    """Whether the rows that are left stand for all of them: 1 divided by `share` is then the scale of a release."""
    in_republication: ClassVar[str | None] = (
        "it could change values that must not change, or link releases; leave it out"
    )
    """Why it can't be had where a table is published again and again; None where it can."""
    given: G
    """The parameters that the plan gives; there once the step was asked for."""

    @property
    def leaves_rows_out(self) -> bool:
        """Whether rows may be missing from what is counted, such as those that were not drawn."""
        return type(self).keep is not Step.keep

    def asked(self, dataset: Dataset, section: ReleaseSection | None) -> Self | None:
        """The step with the parameters that the plan gives; None if the plan does not ask for it."""
        if section is None or self.name not in section.steps:
            return None
        return self.giving(self.params.parse(f"the step {self.name}", section.steps[self.name]))

    def giving(self, given: G) -> Self:
        """The step with these parameters."""
        step = copy(self)
        step.given = given
        return step

    def require(self, dataset: Dataset, task: "Task") -> None:
        """Refuses what is impossible, before any work."""

    def effects(self, dataset: Dataset) -> StepEffects:
        """What is known about it before it runs."""
        return StepEffects()

    def runs(self) -> tuple[str, ...]:
        """The methods that it runs, by name, which other packages may have brought."""
        return ()

    def keep(self, rows: CountedRows, task: "Task", engine: Engine) -> KeptRows | None:
        """Which rows are left; None for all of them."""
        return None

    def share(self, whole: Tally, unit: str | None) -> float | None:
        """The share of the people of a file, or of its rows without a unit, that is left; None if only a run can say.

        What this says, a release is checked against.
        """
        return None if self.leaves_rows_out else 1.0

    def change(self, rows: CountedRows, task: "Task", engine: Engine) -> ChangedColumns | None:
        """The columns that it changes, all of them named by its effects; None if it changes nothing."""
        return None

    def shape(self, dataset: Dataset, task: "Task", target: Target) -> Target:
        """What the release looks like."""
        return target

    def read_again(self, found: ReleasedRows, engine: Engine) -> "ReadBack":
        """What was read back; a step may read it differently if the file alone does not say enough."""
        return found.back

    def people_beside(self, published: PublishedTable) -> Tally | None:
        """The people that the released classes are compared with, under its labels, if there are some."""
        return None

    def check(self, rows: CountedRows, released: Tally) -> None:
        """Refuses a release that was read back, or that a comparison tried."""

    def risk_of(self, dataset: Dataset, source: Source, engine: Engine, threshold: float) -> Mapping[str, Any]:
        """Fields that it adds to the risk of the rows in a source, which may lack columns of the dataset."""
        return {}

    def tell(self, found: ReleasedRows, task: "Task", engine: Engine) -> StepFacts:
        """What the evidence says about this step."""
        return StepFacts()

    def lighter(self, dataset: Dataset) -> Self | None:
        """The step for a comparison, which writes no file; None if nothing is left to do."""
        return self

    def compared(self, rows: CountedRows, seeded: bool) -> tuple[str, ...]:
        """What a reader of a comparison must know about it."""
        return ()


@dataclass(frozen=True, eq=False)
class Task:
    """What is promised, the method with its parameters, and the optional steps that the plan asks for."""

    section: ReleaseSection
    guarantees: tuple[TableGuarantee, ...]
    method: Method[Any]
    params: Any
    steps: tuple[Step[Any], ...]

    @property
    def is_seeded(self) -> bool:
        """Whether the randomness comes from a seed that somebody knows."""
        return self.section.seed is not None

    def decide(self, table: Table, progress: Progress) -> TableDecision:
        """What the method decides about the table."""
        request = TableRequest(self.guarantees, self.section.suppression, self.section.objective, progress)
        answer: TableDecision = self.method.run(table, request, self.params)
        return answer


def example_of(step: Step[Any]) -> Any:
    """The example as a plan writes it where it asks for the step."""
    example = step.example
    return example.model_dump(mode="json", exclude_unset=True) if isinstance(example, Params) else example


def in_plan(step: Step[Any], value: Any) -> dict[str, Any]:
    """The part of a plan that asks for the step with this value."""
    asked = {step.name: value} if step.key == BY_NAME else value
    for part in reversed(step.key.split(".")):
        asked = {part: asked}
    found: dict[str, Any] = asked
    return found


def all_steps() -> tuple[Step[Any], ...]:
    """All steps, ours and those of installed packages, in the order of their places."""
    from tacit.runs.tables import steps

    found: dict[str, Step[Any]] = {}
    for module in modules_of(steps.__name__, GROUP, "steps"):
        step = getattr(module, "STEP", None)
        if not isinstance(step, Step):
            raise BadPackage(f"{module.__name__} defines no STEP; define one, or begin the name with an underscore")
        other = found.setdefault(step.name, step)
        if other is not step:
            raise BadPackage(
                f"two steps are called {step.name!r}, one in {type(other).__module__} and one in "
                f"{type(step).__module__}; uninstall one of the packages"
            )
    return tuple(sorted(found.values(), key=lambda step: step.place))

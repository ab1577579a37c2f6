"""A step: an optional part of a run on a table, in one file that defines `STEP`.

A step says when a plan asks for it, what it requires, what it does to the rows before they are counted, what it checks
in what was read back, and what it tells in the evidence. Every part of it may be left out. The run goes through the
steps of a plan in the order of their `place`. A plan asks for a step that has no field of its own by its
name, under `steps` of `release`.

Steps are found in `steps/` and in installed packages, which name a module, or a package of such files, as an entry
point of the group `tacit.steps`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tacit.brought import modules_of
from tacit.data.dataset import Dataset
from tacit.data.tables.published import Published
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import TacitError
from tacit.plan.schema import ReleaseSection
from tacit.release.tables import Drawn
from tacit.request import Progress, be_silent

if TYPE_CHECKING:
    from tacit.runs.tables.read_back import ReadBack
    from tacit.runs.tables.task import Task

GROUP = "tacit.steps"
"""The group of entry points under which installed packages bring steps."""


@dataclass(frozen=True, eq=False)
class WholeFile:
    """The file that a sample was drawn from, as it was counted, and the draw."""

    dataset: Dataset
    tally: Tally
    drawn: Drawn


@dataclass(frozen=True, eq=False)
class CountedRows:
    """The rows that a run counts, and what steps did to them before.

    `whole` is there where rows were left out: figures before the release are about it. `actions` says what was done to
    columns.
    """

    dataset: Dataset
    whole: WholeFile | None = None
    actions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    progress: Progress = be_silent

    @property
    def original(self) -> Dataset:
        """The dataset that figures before the release are about."""
        return self.dataset if self.whole is None else self.whole.dataset


@dataclass(frozen=True, eq=False)
class ReleasedRows:
    """What a step may look at when the release was read back."""

    rows: CountedRows
    published: Published
    target: Target
    back: "ReadBack"


@dataclass(frozen=True)
class StepFacts:
    """What a step adds to the evidence: notes, fields of the body, and fields of the risk before and after."""

    notes: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict)
    risk_before: Mapping[str, Any] = field(default_factory=dict)
    risk_after: Mapping[str, Any] = field(default_factory=dict)


class Step:
    """A step that does nothing; a real one overrides what it needs."""

    name: ClassVar[str]
    place: ClassVar[int] = 50
    is_random: ClassVar[bool] = False
    """Whether it draws from the seed of the plan, if there is one."""
    leaves_rows_out: ClassVar[bool] = False
    """Whether rows may be lacking in what is counted, such as those that were not drawn."""

    def is_asked(self, dataset: Dataset, section: ReleaseSection) -> bool:
        """Whether the plan asks for this step."""
        return self.name in section.steps

    def require(self, dataset: Dataset, task: "Task") -> None:
        """Refuses what can't be done, before any work."""

    def apply(self, rows: CountedRows, task: "Task", engine: Engine) -> CountedRows:
        """The rows as they are counted."""
        return rows

    def count(self, rows: CountedRows, tally: Tally) -> Tally:
        """The tally of the rows, as methods see it."""
        return tally

    def shape(self, dataset: Dataset, task: "Task", target: Target) -> Target:
        """What the release looks like."""
        return target

    def read_again(self, found: ReleasedRows, engine: Engine) -> "ReadBack":
        """What was read back; a step may read it in another way if the file alone does not say enough."""
        return found.back

    def beside(self, published: Published, tally: Tally) -> Tally:
        """The released tally with what it is measured against."""
        return tally

    def check(self, found: ReleasedRows, task: "Task") -> None:
        """Refuses a release that was read back."""

    def tell(self, found: ReleasedRows, task: "Task", engine: Engine) -> StepFacts:
        """What the evidence says of this step."""
        return StepFacts()


def all_steps() -> tuple[Step, ...]:
    """The steps that there are, ours and those of installed packages, in the order of their places."""
    from tacit.runs.tables import steps

    found: dict[str, Step] = {}
    for module in modules_of(steps.__name__, GROUP, "steps"):
        step = getattr(module, "STEP", None)
        if not isinstance(step, Step):
            raise TacitError(f"{module.__name__} defines no STEP; define one, or begin the name with an underscore")
        other = found.setdefault(step.name, step)
        if other is not step:
            raise TacitError(
                f"two steps are called {step.name!r}, one in {type(other).__module__} and one in "
                f"{type(step).__module__}; uninstall one of the packages"
            )
    return tuple(sorted(found.values(), key=lambda step: step.place))

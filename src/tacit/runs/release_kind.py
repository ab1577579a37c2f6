"""A kind of release: what a plan's `release` section may ask for, of some kind of data.

A kind of data has one kind of release that goes by its own name, and may have others: a table is published recoded,
again and again, or as invented rows. The method of a plan says which is meant, by the kind on its card.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.plan.load import Plan
from tacit.plan.schema import TABLES, ReleaseSection
from tacit.request import Progress, be_silent
from tacit.runs.check import CheckResult
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.release_call import ReleaseCall
from tacit.runs.run import Outcome, Process

if TYPE_CHECKING:
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.compare import ComparisonPage


class ReleaseKind(EvidenceKind):
    """One kind of release; `data` is the kind of data that it is made from, if that has another name.

    A plan may say only what the kind heeds: `plan_fields` are the sections and fields of the plan that mean something
    to it, and `data_fields` those below `data`, where it is not about tables; `release_fields` are those below
    `release`. Whatever else a plan says is refused: a sample that nobody draws must not stand in the evidence.
    """

    data: ClassVar[str] = ""
    plan_fields: ClassVar[frozenset[str]] = frozenset({"version", "data", "about", "release", "privacy"})
    release_fields: ClassVar[frozenset[str]] = frozenset({"guarantees", "method", "parameters", "output"})
    data_fields: ClassVar[frozenset[str]] = frozenset({"kind", "path"})

    @property
    def about(self) -> str:
        """The kind of data that it is made from."""
        return self.data or self.name

    def require_heeded(self, plan: Plan) -> None:
        """Raises an error if the plan says something that means nothing to this kind."""
        file = plan.file
        if file.release is not None:
            self.require_release_heeded(file.release, f"{plan.path}: release")
        if self.about != TABLES:
            self._require(_said(file) - self.plan_fields, str(plan.path))
            self._require(_said(file.data) - self.data_fields, f"{plan.path}: data")

    def require_release_heeded(self, section: ReleaseSection, where: str) -> None:
        """Raises an error if the release section says something that means nothing to this kind."""
        self._require(_said(section) - self.release_fields, where)

    def _require(self, unheeded: set[str], where: str) -> None:
        if unheeded:
            raise BadParameter(f"{where}: `{min(unheeded)}` does not apply to {self._title}; leave it out")

    @property
    def _title(self) -> str:
        """The title inside a sentence."""
        return self.title[0].lower() + self.title[1:]

    @abstractmethod
    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[Any, Any]:
        """The release of the plan, published."""

    def called(self, call: ReleaseCall, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of the release that `tacit.protect` asks for in Python, of a dataset and without a plan.

        Refused, unless a kind says otherwise.
        """
        raise BadParameter(
            f"{call.section.method} makes {self._title}, and only from a plan; write a plan and run "
            "`tacit protect PLAN`"
        )

    def frame_of(self, made: Any) -> Any:
        """The released rows of a run that was `called` and stayed in memory, as a data frame of any library."""
        raise BadParameter(f"{self._title} are written to a file; name it as `output`")

    @abstractmethod
    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> CheckResult:
        """Whether the file keeps the guarantees of the plan."""

    @abstractmethod
    def attack(
        self, plan: Plan, engine: Engine, releases: Sequence[Path] = (), progress: Progress = be_silent
    ) -> "AttackOutcome":
        """What adversaries learn from the data and from the release."""

    @abstractmethod
    def compare(
        self,
        plan: Plan,
        engine: Engine,
        wanted: "ComparisonRequest",
        page: Path | None = None,
        progress: Progress = be_silent,
    ) -> "ComparisonPage":
        """Several ways to make the release, tried and measured in the same way."""


def _said(section: Params) -> set[str]:
    """The fields that were written."""
    return section.model_fields_set | set(section.model_extra or {})

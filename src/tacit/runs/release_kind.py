"""A kind of release: what a plan's `release` section may ask for, of some kind of data.

A kind of data has one kind of release that goes by its own name, and may have others: a table is published recoded,
again and again, or as rows that nobody lived. The method of a plan says which is meant, by the kind on its card.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tacit.engines.engine import Engine
from tacit.plan.load import Plan
from tacit.request import Progress, be_silent
from tacit.runs.check import CheckResult
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.run import Outcome

if TYPE_CHECKING:
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.candidates import Wanted
    from tacit.runs.compare import ComparisonPage


class ReleaseKind(EvidenceKind):
    """One kind of release; `data` is the kind of data that it is made of, where that has another name."""

    data: ClassVar[str] = ""

    @property
    def about(self) -> str:
        """The kind of data that it is made of."""
        return self.data or self.name

    @abstractmethod
    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[Any, Any]:
        """The release of the plan, published."""

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
        self, plan: Plan, engine: Engine, wanted: "Wanted", page: Path | None = None, progress: Progress = be_silent
    ) -> "ComparisonPage":
        """Several ways to make the release, tried and measured alike."""

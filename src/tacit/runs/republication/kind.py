"""Republication: a table that is published again and again while people come and go."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.release.release import Release
from tacit.release.tables import TableBody
from tacit.request import Progress, be_silent
from tacit.runs.check import CheckResult
from tacit.runs.files import input_files
from tacit.runs.job import Command, plan_job
from tacit.runs.release_kind import ReleaseKind
from tacit.runs.republication.check import check_release
from tacit.runs.republication.history import found_history
from tacit.runs.republication.plan import alone, history_of, released_files, republication_files, republication_plan
from tacit.runs.republication.process import RepublicationProcess, WrittenRepublication
from tacit.runs.run import Outcome, publish
from tacit.runs.tables.check import is_own
from tacit.runs.tables.kind import KIND as TABLES

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.compare import ComparisonPage


class RepublicationKind(ReleaseKind):
    """Tables whose releases are bound by a history; each looks like any release of a table."""

    name = "republication"
    title = "Tables that are published again and again"
    data = "tables"
    body = TableBody
    release_fields = frozenset(ReleaseSection.model_fields) - {"public"}

    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[TableBody, WrittenRepublication]:
        """The next release; history, release, counterfeits, evidence and report take their places as one."""
        asked = republication_plan(plan)
        with alone(asked.history):
            history = history_of(asked)
            job = plan_job(plan, plan.dataset, input_files(plan.dataset), Command(output=output), progress)
            files = republication_files(asked, history, output)
            return publish(RepublicationProcess(job, asked, history, engine), files, self)

    def page(self, release: Release[Any]) -> "BodyPage":
        """As of any release of a table."""
        return TABLES.page(release)

    def lines(self, release: Release[Any]) -> list[str]:
        """As of any release of a table."""
        return TABLES.lines(release)

    def superseded(self, release: Release[Any], folder: Path) -> str:
        """Which release it is, if the history that the evidence names exists and has a later one."""
        place = folder / str(release.recipe.parameters.get("history", ""))
        history = found_history(place)
        number = None if history is None else history.number_of(release.output.sha256 or "")
        if history is None or number is None or number == len(history.entries):
            return ""
        made = f"release {number} of {len(history.entries)} by {place.name}"
        return f"this is {made}; what it was made of may have changed since, its own files may not"

    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> CheckResult:
        """Whether the file is one of the releases, and all of them keep the promise."""
        source = file_source(path, **options)
        if is_own(plan, source):
            return TABLES.check(plan, path, engine, options)
        return check_release(plan, source, engine)

    def attack(
        self, plan: Plan, engine: Engine, releases: Sequence[Path] = (), progress: Progress = be_silent
    ) -> "AttackOutcome":
        """The attacks on tables, on all releases that are there; the latest has the board."""
        return TABLES.attack(plan, engine, tuple(releases) or released_files(plan), progress)

    def compare(
        self,
        plan: Plan,
        engine: Engine,
        wanted: "ComparisonRequest",
        page: Path | None = None,
        progress: Progress = be_silent,
    ) -> "ComparisonPage":
        """Always refused: only republication gives this promise, and a trial would have to write its history."""
        return TABLES.compare(plan, engine, wanted, page, progress)


KIND = RepublicationKind()

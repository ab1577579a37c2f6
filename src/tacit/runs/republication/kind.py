"""Republication: a table that is published again and again while people come and go."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tacit.data.dataset import Dataset
from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.plan.load import Plan
from tacit.release.tables import TableBody
from tacit.request import Progress, be_silent
from tacit.runs.check import CheckResult
from tacit.runs.files import default_output
from tacit.runs.job import Job, plan_job
from tacit.runs.republication.check import check_release
from tacit.runs.republication.plan import alone, history_of, released_files, republication_files, republication_plan
from tacit.runs.republication.process import RepublicationProcess
from tacit.runs.run import Outcome, Process, publish
from tacit.runs.tables.check import is_own
from tacit.runs.tables.kind import TablesKind


class RepublicationKind(TablesKind):
    """Tables whose releases are bound by a history."""

    name = "republication"
    title = "Tables that are published again and again"

    def claims(self, path: Path) -> bool:
        """A file without a plan is a table."""
        return False

    def process(self, job: Job[Dataset], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of the next release."""
        asked = republication_plan(plan)
        return RepublicationProcess(job, asked, history_of(asked), engine)

    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[TableBody, Any]:
        """The next release; history, release, counterfeits, evidence and report take their places as one."""
        asked = republication_plan(plan)
        with alone(asked.history):
            history = history_of(asked)
            files = republication_files(asked, history, output)
            source = plan.dataset.source.path
            assert source is not None
            job = plan_job(plan, plan.dataset, source, output, progress)
            return publish(RepublicationProcess(job, asked, history, engine), files, self.render)

    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> CheckResult:
        """Whether the file is a release of the series, and the series keeps its promise."""
        source = file_source(path, **options)
        if is_own(plan, source):
            return super().check(plan, path, engine, options)
        return check_release(plan, source, engine)

    def releases(self, plan: Plan) -> tuple[Path, ...]:
        """All releases that are there, the latest first."""
        return released_files(plan) or (default_output(plan),)


KIND = RepublicationKind()

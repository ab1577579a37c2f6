"""Counts: a table that is published as numbers of people, without its small cells."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.engines.engine import Engine
from tacit.plan.load import Plan
from tacit.release.counts import CountsBody
from tacit.release.release import Release
from tacit.request import Progress, be_silent
from tacit.runs.counts.process import CountsProcess, WrittenCounts, options_of
from tacit.runs.counts.task import CountsTask
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.files import counts_files
from tacit.runs.job import Command, plan_job
from tacit.runs.run import Outcome, publish
from tacit.runs.tables.kind import KIND as TABLES

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.evidence.reading import Headline


class CountsKind(EvidenceKind):
    """Tables of counts."""

    name = "counts"
    title = "Tables of counts of people"
    body = CountsBody
    command = "tacit tabulate PLAN --by COLUMN"

    def tabulate(
        self, plan: Plan, engine: Engine, task: CountsTask, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[CountsBody, WrittenCounts]:
        """The table in its file, with its evidence and its report; nothing is written if it can't be protected."""
        command = Command("tabulate", output, options_of(plan.dataset, task))
        job = plan_job(plan, plan.dataset, TABLES.inputs(plan), command, progress).keeping(TABLES.secrets(plan))
        return publish(CountsProcess(job, task, engine), counts_files(plan, output), self)

    def verdict(self, release: Release[Any]) -> "Headline":
        """That small counts stay hidden, which was checked in the written table."""
        from tacit.evidence.counts import counts_headline

        return counts_headline(release)

    def page(self, release: Release[Any]) -> "BodyPage":
        """How many were counted, and how many cells were left out."""
        from tacit.evidence.counts import counts_page

        return counts_page(release)


KIND = CountsKind()

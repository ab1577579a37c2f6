"""Counts: a table that is published as numbers of people, without its small cells."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.dataset import Dataset
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.plan.load import Plan
from tacit.release.counts import CountsBody
from tacit.release.release import Release
from tacit.request import Progress, be_silent
from tacit.runs.counts.process import CountsProcess, CountsTask, WrittenCounts, counts_job
from tacit.runs.files import counts_files, refuse_overwriting, refuse_replacing
from tacit.runs.job import Job
from tacit.runs.run import Outcome, Process, publish
from tacit.runs.tables.kind import TablesKind

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.evidence.reading import Headline


class CountsKind(TablesKind):
    """Tables of counts."""

    name = "counts"
    title = "Tables of counts of people"
    body = CountsBody

    def claims(self, path: Path) -> bool:
        """A file without a plan is a table."""
        return False

    def process(self, job: Job[Dataset], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """A table of counts needs sides, which no plan names."""
        raise BadParameter(f"a table of counts is made with `tacit tabulate {plan.path.name} --by COLUMN`")

    def tabulate(
        self, plan: Plan, engine: Engine, task: CountsTask, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[CountsBody, WrittenCounts]:
        """The table in its file, with its evidence and its report; nothing is written where it can't be protected."""
        files = counts_files(plan, output)
        refuse_overwriting(files, (plan.path, *self.inputs(plan)))
        refuse_replacing(files, plan, output)
        job = counts_job(plan, task, output, progress)
        return publish(CountsProcess(job, task, engine), files, self.render)

    def verdict(self, release: Release[Any]) -> "Headline":
        """That small counts stay hidden, which was checked in the written table."""
        from tacit.evidence.counts import counts_headline

        return counts_headline(release)

    def page(self, release: Release[Any]) -> "BodyPage":
        """How many were counted, and how many cells were left out."""
        from tacit.evidence.counts import counts_page

        return counts_page(release)

    def lines(self, release: Release[Any]) -> list[str]:
        """Nothing is added to what is said of every release."""
        return []


KIND = CountsKind()

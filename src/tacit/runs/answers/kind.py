"""Answers: what a table says in reply to questions, with noise, charged before it is asked."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.dataset import Dataset
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.plan.load import Plan
from tacit.release.answers import AnswersBody
from tacit.release.release import Release
from tacit.request import Progress, be_silent
from tacit.runs.answers.ask import answers_files, note_answered, require_remembered, task_of
from tacit.runs.answers.process import AnswersProcess
from tacit.runs.files import input_files, refuse_overwriting, refuse_replacing
from tacit.runs.job import Job, command_of, file_job
from tacit.runs.run import Outcome, Process, publish
from tacit.runs.tables.kind import TablesKind

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage


class AnswersKind(TablesKind):
    """Private answers."""

    name = "answers"
    title = "Private answers to questions about a table"
    body = AnswersBody

    def claims(self, path: Path) -> bool:
        """A file without a plan is a table."""
        return False

    def process(self, job: Job[Dataset], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """Answers are no release of the rows."""
        raise BadParameter("private answers are made with `tacit ask`; to protect a table, name a method of tables/")

    def ask(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[Any, Any]:
        """The answers to the questions of the plan, charged and published with their evidence and report."""
        source = plan.dataset.source.path
        assert source is not None
        task, files = task_of(plan), answers_files(plan, output)
        refuse_overwriting(files, (plan.path, *input_files(plan.dataset), *task.files))
        refuse_replacing(files, plan, output)
        require_remembered(files.evidence, task.ledger)
        job = file_job(plan, plan.dataset, source, command_of("ask", plan, output), progress)
        with job.deeds.noted():
            outcome = publish(AnswersProcess(job, task, engine), files, self.render)
            note_answered(task, outcome.release)
            return outcome

    def page(self, release: Release[Any]) -> "BodyPage":
        """Each answer with its interval and its price."""
        from tacit.evidence.answers.page import answers_page

        return answers_page(release)

    def summary(self, release: Release[Any], written: Mapping[str, str]) -> list[str]:
        """The answers, what they cost and what is left."""
        from tacit.evidence.answers.summary import answers_lines

        return answers_lines(release, written)


KIND = AnswersKind()

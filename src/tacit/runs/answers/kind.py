"""Answers: what a table says in reply to questions, with noise, charged before it is asked."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.engines.engine import Engine
from tacit.plan.load import Plan
from tacit.release.answers import AnswersBody
from tacit.release.release import Release
from tacit.request import Progress, be_silent
from tacit.runs.answers.ask import answers_files, task_of
from tacit.runs.answers.process import AnswersProcess, WrittenAnswers
from tacit.runs.evidence_kind import EvidenceKind
from tacit.runs.files import input_files
from tacit.runs.job import Command, plan_job
from tacit.runs.run import Outcome, publish

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage


class AnswersOutcome(Outcome[AnswersBody, WrittenAnswers]):
    """The answers to the questions of a plan; printed they show what `tacit ask` shows."""

    def __str__(self) -> str:
        """The answers, what they cost and what is left, and where they stand."""
        files = {name: str(path) for name, path in self.files.named.items()}
        return "\n".join(KIND.summary(self.release, {"answers": files.pop("release"), **files}))


class AnswersKind(EvidenceKind):
    """Private answers."""

    name = "answers"
    title = "Private answers to questions about a table"
    body = AnswersBody
    command = "tacit ask PLAN"

    def ask(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> AnswersOutcome:
        """The answers to the questions of the plan, charged and published with their evidence and report."""
        files = answers_files(plan, output)
        task = task_of(plan, files)
        data, *others = input_files(plan.dataset)
        job = plan_job(plan, plan.dataset, (data,), Command("ask", output), progress).keeping(others)
        done = publish(AnswersProcess(job, task, engine), files, self)
        return AnswersOutcome(done.release, done.files, done.made, done.remarks)

    def page(self, release: Release[Any]) -> "BodyPage":
        """Each answer with its interval and its price."""
        from tacit.evidence.answers.page import answers_page

        return answers_page(release)

    def summary(self, release: Release[Any], written: Mapping[str, str]) -> list[str]:
        """The answers, what they cost and what is left."""
        from tacit.evidence.answers.summary import answers_lines

        return answers_lines(release, written)


KIND = AnswersKind()

"""Answers: what a table says in reply to questions, with noise, charged before it is asked."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.dataset import Dataset
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.plan.load import Plan
from tacit.release.answers import AnswersBody
from tacit.release.release import Release
from tacit.runs.job import Job
from tacit.runs.run import Process
from tacit.runs.tables.kind import TablesKind

if TYPE_CHECKING:
    from tacit.evidence.page import Page


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
        raise BadParameter("answers are given to questions; a plan that is protected names a method of tables")

    def page(self, release: Release[Any]) -> "Page":
        """Each answer with its interval and its price."""
        from tacit.evidence.answers import answers_page

        return answers_page(release)

    def lines(self, release: Release[Any]) -> list[str]:
        """Nothing is added to what is said of every release."""
        return []


KIND = AnswersKind()

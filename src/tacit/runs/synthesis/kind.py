"""Synthetic tables: `tacit protect` with a method of `synthesize/`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tacit.data.dataset import Dataset
from tacit.engines.engine import Engine
from tacit.errors import PolicyRefused
from tacit.ledger.chain import Receipt
from tacit.plan.load import Plan
from tacit.release.release import Release
from tacit.release.synthesis import SynthesisBody
from tacit.request import Progress, be_silent
from tacit.runs.answers.ask import require_remembered
from tacit.runs.files import refuse_overwriting, refuse_replacing
from tacit.runs.job import Job, plan_job
from tacit.runs.run import Outcome, Process, publish
from tacit.runs.synthesis.process import SynthesisProcess
from tacit.runs.synthesis.task import task_of_plan
from tacit.runs.tables.kind import TablesKind

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.candidates import Wanted
    from tacit.runs.check import CheckResult
    from tacit.runs.compare import ComparisonPage


class SynthesisKind(TablesKind):
    """Synthetic tables."""

    name = "synthesis"
    title = "Tables of invented rows"
    body = SynthesisBody

    def claims(self, path: Path) -> bool:
        """A file without a plan is a table of people."""
        return False

    def process(self, job: Job[Dataset], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of a synthetic table."""
        return SynthesisProcess(job, task_of_plan(plan), engine)

    def inputs(self, plan: Plan) -> tuple[Path, ...]:
        """The data."""
        assert plan.dataset.source.path is not None
        return (plan.dataset.source.path,)

    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[Any, Any]:
        """The release of the plan, charged, published and noted."""
        files, inputs, task = self.files(plan, output), self.inputs(plan), task_of_plan(plan)
        refuse_overwriting(files, (plan.path, *inputs, *task.files))
        refuse_replacing(files, plan, output)
        require_remembered(files.evidence, task.ledger)
        job = plan_job(plan, plan.dataset, inputs[0], output, progress)
        with job.deeds.noted():
            outcome = publish(SynthesisProcess(job, task, engine), files, self.render)
            body: SynthesisBody = outcome.release.body
            task.ledger.answered(Receipt(body.charge, body.receipt))
            return outcome

    def page(self, release: Release[Any]) -> "BodyPage":
        """What was measured, what was made of it, what epsilon means, and the budget."""
        from tacit.evidence.synthesis import synthesis_page

        return synthesis_page(release)

    def lines(self, release: Release[Any]) -> list[str]:
        """How many rows there are, how far off counts are, what was spent and what is left."""
        from tacit.evidence.synthesis import synthesis_lines

        return synthesis_lines(release)

    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> "CheckResult":
        """Refused: no file shows how it was made."""
        _refuse("checked in a file: it says how the rows were made. Its evidence names the charge in the ledger", plan)

    def attack(
        self, plan: Plan, engine: Engine, releases: Sequence[Path] = (), progress: Progress = be_silent
    ) -> "AttackOutcome":
        """Refused: there is no attack on invented rows."""
        _refuse(
            "attacked like a table: these attacks look for the people behind rows, and nobody is behind invented rows",
            plan,
        )

    def compare(
        self, plan: Plan, engine: Engine, wanted: "Wanted", page: Path | None = None, progress: Progress = be_silent
    ) -> "ComparisonPage":
        """Refused: a comparison with the data would tell about it, and no budget is charged for that."""
        _refuse("compared with other methods: every figure about the data itself would have to be paid for", plan)


def _refuse(what: str, plan: Plan) -> NoReturn:
    raise PolicyRefused(
        f"the promise of a synthetic table can't be {what}. `tacit audit {plan.release.method}` tries to refute the "
        "method itself"
    )


KIND = SynthesisKind()

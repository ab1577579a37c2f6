"""Synthetic tables: `tacit protect` with a method of `synthesize/`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tacit.data.aggregates.object_columns import cells_read
from tacit.engines.engine import Engine
from tacit.errors import PolicyRefused
from tacit.plan.load import Plan
from tacit.release.release import Release
from tacit.release.synthesis import SynthesisBody
from tacit.request import Progress, be_silent
from tacit.runs.files import default_output, input_files, table_files
from tacit.runs.job import Command, plan_job
from tacit.runs.release_call import ReleaseCall
from tacit.runs.release_kind import ReleaseKind
from tacit.runs.run import Outcome, publish
from tacit.runs.synthesis.process import SynthesisProcess, WrittenSynthesis
from tacit.runs.synthesis.task import MEANT, task_of_call, task_of_plan

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.runs.attack import AttackOutcome
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.check import CheckResult
    from tacit.runs.compare import ComparisonPage


class SynthesisKind(ReleaseKind):
    """Synthetic tables."""

    name = "synthesis"
    title = "Tables of invented rows"
    data = "tables"
    body = SynthesisBody
    release_fields = MEANT

    def protect(
        self, plan: Plan, engine: Engine, output: Path | None = None, progress: Progress = be_silent
    ) -> Outcome[SynthesisBody, WrittenSynthesis]:
        """The release of the plan, charged, published and noted."""
        files = table_files(output or default_output(plan))
        task = task_of_plan(plan, files)
        data, *others = input_files(plan.dataset)
        job = plan_job(plan, plan.dataset, (data,), Command(output=output), progress).keeping(others)
        return publish(SynthesisProcess(job, task, engine), files, self)

    def called(self, call: ReleaseCall, engine: Engine) -> SynthesisProcess:
        """The stations of the release of a dataset, of whose data frame objects are read cell by cell."""
        task = task_of_call(call)
        read = cells_read(call.dataset, (*task.priced.question.of, task.protection.unit or ""))
        return SynthesisProcess(call.job_of(read if call.budget is None else call.budget.told(read)), task, engine)

    def frame_of(self, made: WrittenSynthesis) -> Any:
        """The invented rows."""
        return made.frame

    def brief(self, release: Release[Any]) -> str:
        """How many rows were invented."""
        from tacit.spelling import many

        return many(release.body.rows, "invented row", "invented rows")

    def page(self, release: Release[Any]) -> "BodyPage":
        """What was measured, what was made from it, what epsilon means, and the budget."""
        from tacit.evidence.synthesis import synthesis_page

        return synthesis_page(release)

    def lines(self, release: Release[Any]) -> list[str]:
        """How many rows there are, how large the error of counts is, what was spent and what is left."""
        from tacit.evidence.synthesis import synthesis_lines

        return synthesis_lines(release)

    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> "CheckResult":
        """Refused: no file shows how it was made."""
        _refuse(
            "the promise of a synthetic table can't be checked in a file: it says how the rows were made. Its evidence "
            "names the charge in the ledger",
            plan,
        )

    def attack(
        self, plan: Plan, engine: Engine, releases: Sequence[Path] = (), progress: Progress = be_silent
    ) -> "AttackOutcome":
        """Refused: there is no attack on invented rows."""
        _refuse(
            "a synthetic table can't be attacked like other tables: these attacks look for the people behind rows, and "
            "nobody is behind invented rows",
            plan,
        )

    def compare(
        self,
        plan: Plan,
        engine: Engine,
        wanted: "ComparisonRequest",
        page: Path | None = None,
        progress: Progress = be_silent,
    ) -> "ComparisonPage":
        """Refused: a comparison would reveal something about the data, and no budget is charged for that."""
        _refuse(
            "a synthetic table can't be compared with other methods: every figure about the data itself would have to "
            "be paid for. If you may see the data, measure it in private, with `tacit.measure(before, after)` in "
            "Python, and publish none of the results",
            plan,
        )


def _refuse(why: str, plan: Plan) -> NoReturn:
    raise PolicyRefused(f"{why}. `tacit audit {plan.release.method}` tries to disprove the claim of the method itself")


KIND = SynthesisKind()

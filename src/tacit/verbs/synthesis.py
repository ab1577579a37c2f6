"""A synthetic table from Python: rows that nobody lived, charged to a budget."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.verbs.answers import cells_read
from tacit.verbs.datasets import Protected, job_of, section_of
from tacit.verbs.engine import engine

if TYPE_CHECKING:
    from tacit.data.dataset import Dataset
    from tacit.guarantees.guarantee import Guarantee
    from tacit.runs.answers.budget import PrivacyBudget
    from tacit.runs.synthesis.task import SynthesisTask


def synthesize(
    dataset: "Dataset", guarantees: "Sequence[Guarantee]", output: str | Path | None, options: Mapping[str, Any]
) -> Protected:
    """The synthetic table, in memory or in a file; the `budget` of the options is charged before rows are counted."""
    from tacit.data.sources.frames import like
    from tacit.ledger.chain import Receipt
    from tacit.runs.files import input_files, refuse_overwriting, table_files
    from tacit.runs.run import publish, run
    from tacit.runs.synthesis.kind import KIND
    from tacit.runs.synthesis.process import SynthesisProcess

    given, frame = dict(options), dataset.source.frame
    budget = given.pop("budget", None)
    section = section_of("protect", guarantees, given)
    task = _task(dataset, section, tuple(guarantees), budget)
    read = cells_read(dataset, (*task.question.of, task.protection.unit or ""))
    job = job_of(read, section)
    with engine() as database:
        process = SynthesisProcess(job, task, database)
        if output is None:
            done = run(process)
            made = Protected(done.release, data=like(frame, done.made.frame))
        else:
            files = table_files(Path(output))
            refuse_overwriting(files, (*input_files(dataset), *task.files))
            made = Protected(publish(process, files, KIND.render).release, output=files.release)
    task.ledger.answered(Receipt(made.release.body.charge, made.release.body.receipt))
    return made


def _task(
    dataset: "Dataset", section: Any, guarantees: "tuple[Guarantee, ...]", budget: "PrivacyBudget | None"
) -> "SynthesisTask":
    from tacit.runs.answers.budget import PrivacyBudget
    from tacit.runs.synthesis.task import SynthesisTask, bits_of, priced

    if not isinstance(budget, PrivacyBudget):
        raise BadParameter(
            "a synthetic table is charged to a budget; give `budget=tacit.PrivacyBudget(epsilon=1)`, which says who is "
            "protected and what may be spent"
        )
    if dataset.unit is not None and dataset.unit != budget.unit:
        raise BadParameter(
            f"people are told apart by {dataset.unit!r} in the dataset and by "
            f"{'its rows' if budget.unit is None else repr(budget.unit)} in the budget; name the same `unit` in both"
        )
    who = budget.protection
    guarantee, question = priced(dataset, section, who, guarantees)
    files = () if budget.ledger is None else (Path(budget.ledger),)
    return SynthesisTask(section, guarantee, question, who, budget.book, bits_of(section), files)

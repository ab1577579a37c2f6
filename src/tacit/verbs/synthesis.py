"""A synthetic table from Python: rows that nobody lived, charged to a budget."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.verbs.calls import Protected, cells_read, made_by, release_job, section_of
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
    from tacit.runs.synthesis.kind import KIND
    from tacit.runs.synthesis.process import SynthesisProcess

    given = dict(options)
    budget = given.pop("budget", None)
    section = section_of("protect", guarantees, given)
    task = _task(dataset, section, tuple(guarantees), budget)
    read = cells_read(dataset, (*task.question.of, task.protection.unit or ""))
    with engine() as database:
        process = SynthesisProcess(release_job(read, section), task, database)
        return made_by(process, KIND, dataset.source.frame, output)


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

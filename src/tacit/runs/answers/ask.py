"""From a plan, or from a call in Python, to questions that can be charged."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tacit.cards.takes import Declaration
from tacit.data.dataset import Dataset
from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.ledger.ledger import Ledger, ledger_at, read_ledger
from tacit.ledger.terms import Terms
from tacit.plan.load import Plan
from tacit.randomness.stream import RandomBits
from tacit.release.fingerprints import sha256_of
from tacit.runs.answers.budget import terms_of
from tacit.runs.answers.process import AnswersTask
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker, Question
from tacit.runs.answers.remembered import LEDGER, AskedData, ledgers_in, require_all_remembered
from tacit.runs.files import OutcomeFiles, default_output


def task_of(plan: Plan, files: OutcomeFiles) -> AnswersTask:
    """The task of `tacit ask PLAN`: questions with their prices, and the ledger that they are charged to.

    `files` are those that will be written.
    """
    privacy, who, questions = plan.privacy, protection_of(plan), questions_of(plan)
    if not questions:
        raise BadParameter(f"{plan.path}: there is no question; write some under `questions` of the plan")
    ledger = opened_ledger(plan, who, files)
    bits = RandomBits.from_os() if privacy.seed is None else RandomBits.from_seed(privacy.seed)
    return AnswersTask(questions, who, ledger, bits, privacy.level, files=(ledger.path,))


def opened_ledger(plan: Plan, who: Protection, files: OutcomeFiles | None = None) -> Ledger:
    """The ledger of the plan, new if there is none; refused if it is a second one, or if charges are missing from it.

    `files` are those that will be written, if any.
    """
    place, budget, data = ledger_path(plan), plan.privacy.budget, _data_path(plan)
    terms = terms_of(who, budget.epsilon, budget.delta, dataset_name(plan))
    folders = (place.parent, plan.folder, data.parent)
    if not place.exists():
        refuse_second_ledger(terms, data, folders)
    ledger = ledger_at(place, terms)
    written = (*([default_output(plan)] if plan.file.release else []), *([files.evidence] if files else []))
    subject = AskedData(plan.path, frozenset({data.name, Path(plan.file.data.path).name}), dataset_name(plan))
    require_all_remembered(subject, ledger, (*folders, *(path.parent for path in written)))
    return ledger


def questions_of(plan: Plan) -> tuple[Question, ...]:
    """The questions of the plan, each with its price; an error names the file and the place of the question."""
    asker = Asker(declared_columns(plan.dataset), protection_of(plan), planned=True)
    written = ((place, name, given) for place, entry in enumerate(plan.file.questions) for name, given in entry.items())
    return tuple(_question_at(plan, asker, place, name, given) for place, name, given in written)


def _question_at(plan: Plan, asker: Asker, place: int, name: str, given: Mapping[str, Any]) -> Question:
    """The question; an error names its place as it does for every other field, as in `questions.0.statistics/mean`."""
    try:
        return asker.question(name, given)
    except BadParameter as wrong:
        at = f"{plan.path}: questions.{place}"
        lines = [f"{at}{'.' if line.startswith(name) else ': '}{line}" for line in str(wrong).split("\n")]
        raise BadParameter("\n".join(lines)) from None


def declared_columns(dataset: Dataset) -> Mapping[str, Declaration]:
    """What the plan declares about each column."""
    return {name: Declaration(name, column.bounds, column.categories) for name, column in dataset.columns.items()}


def protection_of(plan: Plan) -> Protection:
    """Whom the plan protects."""
    privacy, unit = plan.privacy, plan.dataset.unit
    counted = privacy.contributions
    if unit is None and (counted.rows > 1 or counted.groups is not None):
        raise BadParameter(
            f"{plan.path}: `contributions` bounds the rows of a person, but the plan names no `unit`, so each row is a "
            "person; name the column that tells people apart"
        )
    if unit is not None and unit not in plan.dataset.columns:
        raise BadParameter(f"{plan.path}: unit is {unit!r}, which is not a column of the plan")
    return Protection(unit, privacy.neighbours, counted.rows, counted.groups)


def ledger_path(plan: Plan) -> Path:
    """Where the plan keeps its ledger: as it says, or else beside the data and named after it, for all plans on it."""
    own = plan.privacy.ledger
    if own is not None and not own.endswith(LEDGER):
        raise BadParameter(
            f"{plan.path}: the ledger is {own!r}; give a name that ends in {LEDGER}, so that it is found"
        )
    return _data_path(plan).with_suffix(LEDGER) if own is None else plan.folder / own


def dataset_name(plan: Plan) -> str:
    """What the data is called in its ledger."""
    return plan.privacy.dataset or _data_path(plan).stem


def _data_path(plan: Plan) -> Path:
    """The file itself, with links resolved: the same rows have one ledger."""
    named = plan.folder / plan.file.data.path
    return named.resolve() if named.is_symlink() else named


def refuse_second_ledger(terms: Terms, data: Path, folders: Iterable[Path]) -> None:
    """No ledger in these folders is about the same people already, by name or by their rows, whatever they are called.

    A second ledger would grant the budget again.
    """
    for path in ledgers_in(folders):
        try:
            there = read_ledger(path)
            same_rows = there.has_charged(sha256_of(data))
        except BadData:
            continue
        same_name = there.terms.dataset == terms.dataset
        if same_name or same_rows:
            why = "has charged questions about the same rows"
            other = "" if same_rows else ", or, if these are other people, name another `dataset`"
            raise PolicyRefused(
                f"{path} {why if same_rows else f'is a ledger of the dataset {terms.dataset!r}'} already, and a second "
                "ledger would grant the budget twice; name it as `ledger` under `privacy`, with "
                f"`dataset: {there.terms.dataset}`{other}"
            )


def ledger_of(plan: Plan) -> Ledger | None:
    """The ledger of the plan; None if nothing was charged yet."""
    path = ledger_path(plan)
    return read_ledger(path) if path.exists() else None


def answers_files(plan: Plan, output: Path | None) -> OutcomeFiles:
    """Where answers, evidence and report go, by default beside the plan."""
    answers = output or plan.folder / f"{plan.name}.answers.json"
    if answers.suffix != ".json":
        raise BadParameter(f"{answers}: answers are written as JSON; give a name that ends in .json")
    return OutcomeFiles(answers, answers.with_suffix(".evidence.json"), answers.with_suffix(".report.html"))

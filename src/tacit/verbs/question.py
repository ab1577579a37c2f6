"""One question in Python, about a data frame, a file or a dataset: what is declared of its columns, and its answer."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.verbs.calls import call_job, source_of
from tacit.verbs.engine import engine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tacit.data.dataset import Dataset
    from tacit.release.answers import AnswersBody, PublishedAnswer
    from tacit.release.release import Release
    from tacit.runs.answers.budget import PrivacyBudget
    from tacit.runs.job import Job

BESIDE = ("bounds", "categories", "level")
"""What a call says of columns and intervals; a plan says it once for all questions."""


@dataclass(frozen=True, eq=False)
class Answer:
    """An answer in Python: `values` with `lower` and `upper`, by `keys` where the question was grouped.

    `release` is the evidence: what was asked, what it cost, and what is left.
    """

    release: "Release[AnswersBody]"

    @property
    def answer(self) -> "PublishedAnswer":
        """The answer as it may be published."""
        return self.release.body.answers[0]

    @property
    def keys(self) -> tuple[Any, ...] | None:
        """The groups; None where the question is about all rows."""
        return self.answer.keys

    @property
    def values(self) -> Any:
        """The noisy values, one for each group."""
        return self.answer.values

    @property
    def lower(self) -> Any:
        """The lower ends of the intervals; None if no end of any is known."""
        return self.answer.lower

    @property
    def upper(self) -> Any:
        """The upper ends of the intervals; None if no end of any is known."""
        return self.answer.upper

    @property
    def spent(self) -> dict[str, float]:
        """What this answer cost."""
        (proven,) = self.release.proven
        return {"epsilon": proven.epsilon, "delta": proven.delta}

    @property
    def seeded(self) -> bool:
        """Whether somebody knows the noise, so that the answer may not be published."""
        return self.release.seeded

    def __repr__(self) -> str:
        """The answer in a line or a few, and whether it came from a seed."""
        from tacit.evidence.answers.summary import answer_lines
        from tacit.evidence.reading import SEEDED

        return "\n".join([*answer_lines(self.answer), *([SEEDED] if self.seeded else [])])

    def _repr_html_(self) -> str:
        """The report, inside a frame of its own."""
        from tacit.evidence.notebook import framed
        from tacit.runs.answers.kind import KIND

        return framed(KIND.render(self.release))


def ask_question(data: Any, name: str, given: Mapping[str, Any], budget: "PrivacyBudget") -> Answer:
    """The answer to one question about a data frame, a file or a dataset, charged to the budget first."""
    from tacit.cards.takes import Declaration
    from tacit.randomness.stream import RandomBits
    from tacit.runs.answers.ask import declared_columns
    from tacit.runs.answers.process import AnswersProcess, AnswersTask
    from tacit.runs.answers.question import Asker
    from tacit.runs.run import run_in_memory

    asked = dict(given)
    _require_known(name, asked)
    for what in ("of", "by"):
        _require_names(name, what, asked.get(what))
    bits = asked.pop("bits", None) or RandomBits.from_os()
    if not isinstance(bits, RandomBits):
        raise BadParameter("`bits` must be a stream of random bits, such as `RandomBits.from_seed(1)` in a test")
    level = asked.pop("level", 0.95)
    own = _own_parameters(name)
    bounds, categories = (
        {} if what in own else _declared(asked, what, of) for what, of in (("bounds", "of"), ("categories", "by"))
    )
    dataset = _dataset(data, asked, budget.column)
    if dataset.unit is not None and dataset.unit != budget.column:
        raise BadParameter(
            f"people are identified by {dataset.unit!r} in the dataset, and by "
            f"{'its rows' if budget.column is None else repr(budget.column)} in the budget; name the same `unit` in "
            "both"
        )
    dataset = budget.told(dataset)
    with engine() as database:
        types = database.columns(dataset.source)
        known = dict(declared_columns(dataset)) or {name: Declaration(name) for name in types}
        for column, ends in bounds.items():
            known[column] = replace(known.get(column, Declaration(column)), bounds=_ends(column, ends))
        for column, names in categories.items():
            known[column] = replace(known.get(column, Declaration(column)), categories=_texts(column, names))
        question = Asker(known, budget.protection, BESIDE).question(name, asked)
        task = AnswersTask((question,), budget.protection, budget.book, bits, level)
        return Answer(run_in_memory(AnswersProcess(_job(dataset, name, asked), task, database)).release)


def _require_names(name: str, what: str, given: Any) -> None:
    """Columns are given by name: a column itself could hold anything."""
    listed = given if isinstance(given, list | tuple) else () if given is None else (given,)
    if not all(isinstance(column, str) for column in listed):
        raise BadParameter(
            f"{name}: `{what}` must be the name of a column, or a list of different names, not the column itself; "
            f'write `{what}="age"`'
        )


def _require_known(name: str, asked: Mapping[str, Any]) -> None:
    """Every parameter is one of the card or of the call: a name with a slip would else leave something undeclared."""
    from tacit.cards.asked import AskedMethod
    from tacit.catalogue import find_method, methods
    from tacit.spelling import did_you_mean

    card = find_method(name) if name in methods() else None
    if not isinstance(card, AskedMethod):
        return
    known = ("of", "by", "keys", *BESIDE, *card.written)
    for unknown in asked:
        if unknown not in (*known, *card.params.model_fields, "bits"):
            raise BadParameter(f"{name}: {unknown}: there is no such parameter; {did_you_mean(unknown, known)}")


def _job(dataset: "Dataset", name: str, asked: Mapping[str, Any]) -> "Job[Dataset]":
    """The job of the question."""
    form = {"questions": [{name: json.loads(json.dumps(dict(asked), default=str))}]}
    return call_job(dataset, form, f"tacit.{name.replace('/', '.')}(…)")


def _dataset(data: Any, asked: Mapping[str, Any], unit: str | None) -> "Dataset":
    """The data of a call. Objects in a data frame are read cell by cell, so that no row can make reading them fail."""
    from tacit.data.aggregates.object_columns import cells_read, with_cells_read
    from tacit.data.dataset import Dataset
    from tacit.data.sources.source import Source
    from tacit.inspection.examine import Inspection

    if isinstance(data, Inspection):
        data = Dataset(data.source, {}, unit)
    if isinstance(data, str | Path | Source):
        return Dataset(source_of(data), {}, unit)
    named = [asked.get("of"), asked.get("by"), unit]
    listed = [name for part in named for name in (part if isinstance(part, list | tuple) else [part])]
    columns = {name for name in listed if isinstance(name, str)}
    if isinstance(data, Dataset):
        return cells_read(data, columns)
    return Dataset(source_of(with_cells_read(data, columns)), {}, unit)


def _own_parameters(name: str) -> set[str]:
    """The parameters of a card that do not follow from what is declared of columns, whatever they are called."""
    from tacit.cards.asked import AskedMethod
    from tacit.cards.takes import Declaration
    from tacit.catalogue import find_method

    card = find_method(name)
    if not isinstance(card, AskedMethod):
        return set()
    # Declared so that every shape takes it: a number, a category and a truth at once.
    known = [Declaration(str(place), (0.0, 1.0), ("1",)) for place in range(max(card.takes.least, 1))]
    return set(card.params.model_fields) - set(card.takes.declared(known))


def _declared(asked: dict[str, Any], what: str, of: str) -> Mapping[str, Any]:
    """Takes `bounds` or `categories` out of a call: a mapping by column, or one value for the only column named."""
    given = asked.pop(what, None)
    if given is None or isinstance(given, Mapping):
        return given or {}
    named = asked.get(of) or asked.get("of")
    columns = [named] if isinstance(named, str) else list(named or ())
    if not columns:
        raise BadParameter(f'`{what}` belong to a column, but no `{of}` names one; name it, as in `{of}="age"`')
    if len(columns) != 1:
        raise BadParameter(f"`{what}` must be a mapping by column, because `{of}` names {len(columns)} columns")
    return {columns[0]: given}


def _ends(column: str, given: Any) -> tuple[Any, Any]:
    """Both bounds of a column."""
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise BadParameter(f"the bounds of {column!r} must be two numbers, as in `bounds=(0, 100)`")
    return given[0], given[1]


def _texts(column: str, given: Any) -> tuple[str, ...]:
    """The categories of a column, read as its cells are; a missing value is none of them."""
    from tacit.data.aggregates.array_cells import text_cells

    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadParameter(f"the categories of {column!r} must be a list, as in `categories=['f', 'm']`")
    listed = list(given)
    if any(isinstance(each, list | tuple | dict) for each in listed):
        raise BadParameter(f"a category of {column!r} is a list; write each by itself, as in `categories=['f', 'm']`")
    cells = text_cells(_objects(listed))
    names = tuple(name for name in cells if name)
    if len(names) < len(cells):
        raise BadParameter(f"a category of {column!r} is missing or empty; missing cells are in no group")
    return names


def _objects(given: Iterable[Any]) -> "NDArray[np.object_]":
    """The values one by one, whatever they are."""
    import numpy as np

    listed = list(given)
    cells = np.empty(len(listed), dtype=object)
    cells[:] = listed
    return cells

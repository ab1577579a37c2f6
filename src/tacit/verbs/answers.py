"""The verbs of differential privacy: ask the questions of a plan, see its budget, ask one question in Python."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.request import Progress, be_silent
from tacit.verbs.calls import call_job, cells_read, source_of
from tacit.verbs.engine import engine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tacit.data.dataset import Dataset
    from tacit.ledger.ledger import Ledger
    from tacit.release.answers import AnswersBody, PublishedAnswer
    from tacit.release.release import Release
    from tacit.runs.answers.budget import PrivacyBudget
    from tacit.runs.job import Job
    from tacit.runs.run import Outcome

ANSWERS_SCHEMA = "tacit/answers/1"
BUDGET_SCHEMA = "tacit/budget/1"


def ask_plan(path: Path, output: Path | None = None, progress: Progress = be_silent) -> "Outcome[Any, Any]":
    """The answers to the questions of the plan, charged before they are asked, with evidence and report."""
    from tacit.plan.load import load_plan
    from tacit.runs.answers.kind import KIND

    plan = load_plan(path)
    with engine() as database:
        return KIND.ask(plan, database, output, progress)


def ask(
    data: Any, questions: Mapping[str, Mapping[str, Any]] | None = None, *, budget: "PrivacyBudget | None" = None
) -> Any:
    """The answers to the questions of a plan, or the answer to one question about data.

    `data` is the path of a plan; or a data frame, a file or a dataset beside `questions`, a statistic by name with its
    columns and parameters (`{"statistics/mean": {"of": "age", "epsilon": 0.5}}`), and a `budget` that is charged.
    """
    if questions is None:
        return ask_plan(_plan_path(data, budget))
    charged = required_budget(budget)
    if not isinstance(questions, Mapping):
        raise BadParameter(
            f"`questions` is of type {type(questions).__name__}; give a statistic by name with its parameters, as in "
            '`{"statistics/mean": {"of": "age", "epsilon": 0.5}}`'
        )
    if len(questions) != 1:
        raise BadParameter(f"one call asks one question; found {len(questions)}")
    ((name, given),) = questions.items()
    if not isinstance(given, Mapping):
        raise BadParameter(f"{name}: its parameters are of type {type(given).__name__}; give a mapping by name")
    return ask_question(data, name, given, charged)


def _plan_path(data: Any, budget: Any) -> Path:
    """The path of a plan, which has a budget of its own."""
    if not isinstance(data, str | Path):
        raise BadParameter(
            f"the data is of type {type(data).__name__}, and there is no question about it; give one beside it, as in "
            '`tacit.ask(frame, {"statistics/count": {"epsilon": 0.5}}, budget=budget)`, or the path of a plan'
        )
    if budget is not None:
        raise BadParameter(
            "a plan has a budget of its own, in its section `privacy`, and is charged to that; leave `budget` out"
        )
    return Path(data)


def required_budget(budget: Any) -> "PrivacyBudget":
    """The budget of a call; refused where there is none."""
    from tacit.runs.answers.budget import PrivacyBudget

    if not isinstance(budget, PrivacyBudget):
        raise BadParameter("a question about data is charged to a budget; give `budget=tacit.PrivacyBudget(epsilon=1)`")
    return budget


def answers_values(outcome: "Outcome[Any, Any]") -> dict[str, Any]:
    """What `tacit ask --json` prints."""
    release, body = outcome.release, outcome.release.body
    return {
        "schema": ANSWERS_SCHEMA,
        "answers": [answer.model_dump(mode="json", exclude={"event", "receipt"}) for answer in body.answers],
        "promises": [promise.model_dump(mode="json", exclude={"events"}) for promise in release.promises],
        "spent": body.spent.model_dump(mode="json"),
        "left": body.left.model_dump(mode="json"),
        "budget": body.budget.model_dump(mode="json"),
        "seeded": release.seeded,
        **{name: str(path) for name, path in outcome.files.named.items() if name != "release"},
        "output": str(outcome.output),
    }


@dataclass(frozen=True, eq=False)
class BudgetStatus:
    """What a plan may spend, what it has spent, and every entry of its ledger."""

    ledger: Path
    budget: Mapping[str, float]
    spent: Mapping[str, float]
    left: Mapping[str, float]
    entries: Sequence[Mapping[str, Any]]

    def values(self) -> dict[str, Any]:
        """What `tacit budget --json` prints."""
        return {
            "schema": BUDGET_SCHEMA,
            "ledger": str(self.ledger),
            "budget": dict(self.budget),
            "spent": dict(self.spent),
            "left": dict(self.left),
            "entries": [dict(entry) for entry in self.entries],
        }

    def lines(self) -> list[str]:
        """The same for a terminal."""
        head = [f"{'':<10}{'epsilon':>14}{'delta':>14}"]
        amounts = (("budget", self.budget), ("spent", self.spent), ("left", self.left))
        head += [f"{name:<10}{amount['epsilon']:>14.6g}{amount['delta']:>14.3g}" for name, amount in amounts]
        if not self.entries:
            return [*head, "", f"Nothing was charged yet; {self.ledger} is made with the first question."]
        rows = [f"{entry['number']:>5}  {entry['time'][:19]}  {_told(entry)}" for entry in self.entries]
        number = "1 entry" if len(self.entries) == 1 else f"{len(self.entries):,} entries"
        return [*head, "", f"{self.ledger}: {number}, all as they were written", *rows]


def _told(entry: Mapping[str, Any]) -> str:
    if entry["kind"] == "charged":
        worth = entry["worth"]
        price = f"epsilon {entry['epsilon']:.6g}  " if worth is None else _noisy_price(entry["rho"], worth)
        remarks = ("not answered", not entry["answered"]), ("the data had changed", entry["data_changed"])
        return f"charged   {price}{entry['question']}" + "".join(f"  ({remark})" for remark, holds in remarks if holds)
    return str(entry["kind"]) + (f"  charge {entry['about']}" if entry.get("about") else "")


def _noisy_price(rho: float, worth: Mapping[str, float]) -> str:
    """The price of Gaussian noise, which has no epsilon of its own, and what it would be worth alone."""
    if not worth["delta"]:
        return f"rho {rho:.6g}  "
    return f"rho {rho:.6g} (alone epsilon {worth['epsilon']:.4g} at delta {worth['delta']:.3g})  "


def budget_plan(path: Path) -> BudgetStatus:
    """What the plan may spend and has spent; the ledger is found to be as it was written."""
    from tacit.accounting.exact import rounded_down, rounded_up
    from tacit.plan.load import load_plan
    from tacit.runs.answers.ask import ledger_of, ledger_path

    plan = load_plan(path)
    planned = {"epsilon": plan.privacy.budget.epsilon, "delta": plan.privacy.budget.delta}
    ledger = ledger_of(plan)
    if ledger is None:
        return BudgetStatus(ledger_path(plan), planned, {"epsilon": 0.0, "delta": 0.0}, planned, ())
    spent, left, own = ledger.spent(), ledger.left(), ledger.terms.budget
    return BudgetStatus(
        ledger.path,
        {"epsilon": rounded_down(own.epsilon), "delta": rounded_down(own.delta)},
        {"epsilon": rounded_up(spent.epsilon), "delta": rounded_up(spent.delta)},
        {"epsilon": rounded_down(left.epsilon), "delta": rounded_down(left.delta)},
        tuple(_entries(ledger)),
    )


def _entries(ledger: "Ledger") -> list[dict[str, Any]]:
    from fractions import Fraction

    from tacit.accounting.account import account
    from tacit.accounting.exact import rounded_up

    entries = ledger.entries()
    done = {entry.about for entry in entries}
    found, last = [], None
    for entry in entries:
        told: dict[str, Any] = {"number": entry.number, "time": entry.time, "kind": entry.kind, "about": entry.about}
        if entry.kind == "charged":
            content = entry.content
            epsilon = content["cost"]["epsilon"]
            told |= {
                "question": content["question"],
                "epsilon": None if epsilon is None else rounded_up(Fraction(epsilon)),
                "delta": rounded_up(Fraction(content["cost"]["delta"])),
                "rho": rounded_up(Fraction(content["cost"]["rho"])),
                "worth": None,
                "answered": entry.number in done,
                "data_changed": last is not None and content["data"] != last,
            }
            last = content["data"]
            if epsilon is None:
                # Half of delta is what the ledger keeps for sums of such noise.
                half = rounded_up(ledger.terms.budget.delta / 2)
                told["worth"] = {"epsilon": account([entry.event], half).epsilon, "delta": half}
        found.append(told)
    return found


@dataclass(frozen=True, eq=False)
class Answered:
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
        """The lower ends of the intervals."""
        return self.answer.lower

    @property
    def upper(self) -> Any:
        """The upper ends of the intervals."""
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


def ask_question(data: Any, name: str, given: Mapping[str, Any], budget: "PrivacyBudget") -> Answered:
    """The answer to one question about a data frame, a file or a dataset, charged to the budget first."""
    from tacit.cards.takes import Declared
    from tacit.randomness.stream import RandomBits
    from tacit.runs.answers.ask import declared_columns
    from tacit.runs.answers.process import AnswersProcess, AnswersTask
    from tacit.runs.answers.question import Asker
    from tacit.runs.run import run_in_memory

    asked = dict(given)
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
    dataset = _dataset(data, asked, budget.unit)
    if dataset.unit is not None and dataset.unit != budget.unit:
        raise BadParameter(
            f"people are told apart by {dataset.unit!r} in the dataset, and by "
            f"{'its rows' if budget.unit is None else repr(budget.unit)} in the budget; name the same `unit` in both"
        )
    with engine() as database:
        known = dict(declared_columns(dataset)) or {name: Declared(name) for name in database.columns(dataset.source)}
        for column, ends in bounds.items():
            known[column] = replace(known.get(column, Declared(column)), bounds=_ends(column, ends))
        for column, names in categories.items():
            known[column] = replace(known.get(column, Declared(column)), categories=_texts(column, names))
        question = Asker(known, budget.protection).question(name, asked)
        task = AnswersTask((question,), budget.protection, budget.book, bits, level)
        return Answered(run_in_memory(AnswersProcess(_job(dataset, name, asked), task, database)).release)


def _require_names(name: str, what: str, given: Any) -> None:
    """Columns are given by name: a column itself could hold anything."""
    listed = given if isinstance(given, list | tuple) else () if given is None else (given,)
    if not all(isinstance(column, str) for column in listed):
        raise BadParameter(
            f"{name}: `{what}` must be the name of a column, or a list of different names, not the column itself; "
            f'write `{what}="age"`'
        )


def _job(dataset: "Dataset", name: str, asked: Mapping[str, Any]) -> "Job[Dataset]":
    """The job of the question."""
    form = {"questions": [{name: json.loads(json.dumps(dict(asked), default=str))}]}
    return call_job(dataset, form, f"tacit.{name.replace('/', '.')}(…)")


def _dataset(data: Any, asked: Mapping[str, Any], unit: str | None) -> "Dataset":
    """The data of a call. Objects in a data frame are read cell by cell, so that no row can make reading them fail."""
    from tacit.data.aggregates.object_columns import with_cells_read
    from tacit.data.dataset import Dataset
    from tacit.data.sources.source import Source

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
    from tacit.cards.takes import Declared
    from tacit.catalogue import find_method

    card = find_method(name)
    if not isinstance(card, AskedMethod):
        return set()
    # Declared so that every shape takes it: a number, a category and a truth at once.
    known = [Declared(str(place), (0.0, 1.0), ("1",)) for place in range(max(card.takes.least, 1))]
    return set(card.params.model_fields) - set(card.takes.declared(known))


def _declared(asked: dict[str, Any], what: str, of: str) -> Mapping[str, Any]:
    """Takes `bounds` or `categories` out of a call: a mapping by column, or one value for the only column named."""
    given = asked.pop(what, None)
    if given is None or isinstance(given, Mapping):
        return given or {}
    named = asked.get(of) or asked.get("of")
    columns = [named] if isinstance(named, str) else list(named or ())
    if len(columns) != 1:
        raise BadParameter(f"`{what}` must be a mapping by column, since `{of}` names {len(columns)} columns")
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
    cells = text_cells(_objects(given))
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

"""Asking with differential privacy: the questions of a plan, or one question in Python."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import BadParameter
from tacit.request import Progress
from tacit.verbs.engine import working
from tacit.verbs.question import ask_question

if TYPE_CHECKING:
    from tacit.runs.answers.budget import PrivacyBudget
    from tacit.runs.run import Outcome

ANSWERS_SCHEMA = "tacit/answers/1"


def ask_plan(path: Path, output: Path | None = None, progress: Progress | None = None) -> "Outcome[Any, Any]":
    """The answers to the questions of the plan, charged before they are asked, with evidence and report."""
    from tacit.plan.load import load_plan
    from tacit.runs.answers.kind import KIND

    plan = load_plan(path)
    with working(progress) as work:
        return KIND.ask(plan, work.engine, output, work.progress)


def ask(
    data: Any, questions: Mapping[str, Mapping[str, Any]] | None = None, *, budget: "PrivacyBudget | None" = None
) -> Any:
    """The answers to the questions of a plan, or the answer to one question about data.

    `data` is the path of a plan; or a data frame, a file or a dataset together with `questions`, a statistic by name
    with its columns and parameters (`{"statistics/mean": {"of": "age", "epsilon": 0.5}}`), and a `budget` to charge.
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
            f"the data is of type {type(data).__name__}, but no question about it was given; give one beside it, as in "
            '`tacit.ask(frame, {"statistics/count": {"epsilon": 0.5}}, budget=budget)`, or the path of a plan'
        )
    if budget is not None:
        raise BadParameter(
            "a plan has its own budget, in its section `privacy`, and is charged to it; leave `budget` out"
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

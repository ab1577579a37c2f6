"""The decision about a table: by the method that the plan names or, where it names none, by a competition.

Every competitor decides and is judged in memory by what its release would keep, as in a comparison. The least value of
the plan's objective wins; of equal ones the first in turn. The winner then goes the way of every release: it is
written, read back and checked twice. Who can't give the guarantees does not compete; who fails is told with the reason.
If all fail, the first one's reason is that of the run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from tacit.cards.competition import TableCompetition
from tacit.cards.tables import TableMethod
from tacit.cards.timed import TimedParams
from tacit.catalogue import find_metric, methods
from tacit.data.dataset import Dataset
from tacit.data.tables.published import publish
from tacit.engines.engine import Engine
from tacit.errors import CannotGuarantee, TacitError
from tacit.guarantees.guarantee import TableGuarantee, is_given
from tacit.params import Params
from tacit.release.tables import Competition, Entrant
from tacit.request import Stage, TableDecision, TableRequest, share_done
from tacit.runs.job import Job
from tacit.runs.tables.compare.trial import Measure, TrialSetting, measured
from tacit.runs.tables.read_back import require_tellable
from tacit.runs.tables.stations import Decision, PreparedTable
from tacit.runs.tables.step import Task

LOSS = "loss"


def decide(job: Job[Dataset], task: Task, engine: Engine, prepared: PreparedTable) -> Decision:
    """What is published, as the plan's method decides or the winner of a competition did."""
    if isinstance(task.method, TableCompetition):
        return hold(TrialSetting(job, task, engine, prepared, measures_of(task), {}))
    answer = task.decide(prepared.table, job.progress)
    published = publish(prepared.table, answer.recoding)
    require_tellable(published)
    return Decision(answer, published)


def begin_early(task: Task) -> None:
    """What the methods need before they see a table is begun: those that compete, or the one that the plan names."""
    cards = competing(task.guarantees).values() if isinstance(task.method, TableCompetition) else [task.method]
    for card in cards:
        if isinstance(card, TableMethod):
            card.begin_early()


def competing(guarantees: tuple[TableGuarantee, ...]) -> dict[str, TableMethod[Any]]:
    """The methods that compete and can give the guarantees, in turn; those of installed packages too."""
    shelf = methods()
    cards = ((name, shelf[name]) for name in shelf if name.startswith(f"{TableMethod.kind}/"))
    able = [
        (card.turn, name, card)
        for name, card in cards
        if isinstance(card, TableMethod)
        and card.turn is not None
        and all(is_given(one, card.guarantees) for one in guarantees)
    ]
    return {name: card for _, name, card in sorted(able, key=lambda entry: entry[:2])}


def measures_of(task: Task) -> dict[str, Measure]:
    """The plan's objective and the loss."""
    cards = {name: find_metric(name) for name in dict.fromkeys((task.section.objective, LOSS))}
    return {name: Measure(card, card.example) for name, card in cards.items()}


def within(params: Params, seconds: float) -> Params:
    """The parameters, with this time if there is one to set."""
    return params.model_copy(update={"seconds": seconds}) if isinstance(params, TimedParams) else params


def hold(setting: TrialSetting) -> Decision:
    """The decision of the winner, with what became of everybody; the first one's error where nobody has a release."""
    task = setting.task
    found = competing(task.guarantees)
    if not found:
        raise CannotGuarantee("no method that competes can give these guarantees; name a method that does")
    attempts: list[TableAttempt] = list(
        task.method.run([TableCompetitor(name, card, setting) for name, card in found.items()], task.params)
    )
    made = [attempt for attempt in attempts if attempt.answer is not None]
    if not made:
        raise next(_errors(attempts))
    best = min(made, key=lambda attempt: _signed(setting, attempt.entrant))
    assert best.answer is not None
    entrants = tuple(one.entrant.model_copy(update={"won": one is best}) for one in attempts)
    told = Competition(seconds=task.params.seconds, entrants=entrants)
    return Decision(best.answer, publish(setting.table, best.answer.recoding), told)


def _errors(attempts: "list[TableAttempt]") -> Iterator[TacitError]:
    """Why there is no release: what somebody found of the table, before what somebody refused."""
    errors = [attempt.error for attempt in attempts if attempt.error is not None]
    yield from (error for error in errors if isinstance(error, CannotGuarantee))
    yield from errors


def _signed(setting: TrialSetting, entrant: Entrant) -> float:
    """What is to be small."""
    assert entrant.cost is not None
    better = setting.measures[setting.section.objective].card.better
    return entrant.cost if better == "lower" else -entrant.cost


@dataclass(frozen=True, eq=False)
class TableAttempt:
    """What became of a competitor: its decision, or why there is none."""

    entrant: Entrant
    answer: TableDecision | None = None
    error: TacitError | None = None

    @property
    def is_made(self) -> bool:
        """Whether there is a release that keeps the promises."""
        return self.answer is not None


@dataclass(frozen=True, eq=False)
class TableCompetitor:
    """A method that is ready to be tried on the counted table."""

    name: str
    card: TableMethod[Any]
    setting: TrialSetting

    @property
    def request(self) -> TableRequest:
        """What is asked of it."""
        task, tell = self.setting.task, self.setting.job.progress

        def progress(words: str) -> None:
            headed = f"{self.name}: {words}"
            tell(Stage(headed, share_done(words)) if isinstance(words, Stage) else headed)

        return TableRequest(task.guarantees, task.section.suppression, task.section.objective, progress)

    @property
    def expected(self) -> float:
        """About how many seconds it takes, by its card."""
        return self.card.expected(self.setting.table, self.request)

    def leave_out(self, why: str) -> TableAttempt:
        """That it was not tried, and why."""
        return TableAttempt(Entrant(method=self.name, title=self.card.title, tried=False, failed=why))

    def attempt(self, seconds: float) -> TableAttempt:
        """What it decides within its time, and what that release would lose and risk."""
        begin = perf_counter()
        try:
            answer = self._decided(seconds)
            taken = perf_counter() - begin
            found = measured(self.setting, self.setting.task.guarantees, answer)
        except TacitError as error:
            return self._failed(error, perf_counter() - begin)
        except Exception as error:  # noqa: BLE001 - others go on, whatever one method or its package raises
            defect = TacitError(f"it ended with {type(error).__name__}, which is a defect of the method")
            return self._failed(defect, perf_counter() - begin)
        told = self._entrant(answer, found, taken)
        # A search that stopped by itself takes less; one that is proved best was not stopped.
        cut_off = isinstance(self.card.example, TimedParams) and taken >= seconds and not answer.optimal
        return TableAttempt(told.model_copy(update={"cut_off": cut_off}), answer)

    def _decided(self, seconds: float) -> TableDecision:
        request = self.request
        request.progress("deciding")
        answer: TableDecision = self.card.run(self.setting.table, request, within(self.card.example, seconds))
        return answer

    def _failed(self, error: TacitError, seconds: float) -> TableAttempt:
        told = Entrant(method=self.name, title=self.card.title, failed=str(error), seconds=seconds)
        return TableAttempt(told, error=error)

    def _entrant(self, answer: TableDecision, found: dict[str, Any], seconds: float) -> Entrant:
        risk, metrics = found["risk"], found["metrics"]
        return Entrant(
            method=self.name,
            title=self.card.title,
            cost=metrics[self.setting.section.objective],
            loss=metrics[LOSS],
            highest_risk=risk.prosecutor_highest,
            average_risk=risk.prosecutor_average,
            suppressed_rows=found["suppressed_rows"],
            suppressed_share=found["suppressed_share"],
            classes=found["classes"],
            is_uniform=answer.levels is not None,
            optimal=answer.optimal,
            lower_bound=answer.bound,
            seconds=seconds,
        )

"""The run of private answers: price, charge, ask, add noise, and only then publish.

The order corresponds to reading a release back before it is trusted. What a question spends is known from its
parameters; it is on disk in the ledger before the engine is asked; and what was found leaves this process only with
noise. A question that was charged and then cut off stays charged.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.accounting.account import account
from tacit.accounting.events import Event, to_json
from tacit.accounting.exact import rounded_up
from tacit.accounting.price import price
from tacit.errors import BadData, BadParameter
from tacit.guarantees.catalogue import accounted
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import Ledger
from tacit.ledger.memory import MemoryLedger
from tacit.noise.noise import check_level
from tacit.noise.private_answer import plain
from tacit.promise import Promise, Proven
from tacit.randomness.stream import RandomBits
from tacit.release.answers import AnswersBody, PublishedAnswer
from tacit.release.fingerprints import fingerprint, text_fingerprint
from tacit.release.release import Fingerprint
from tacit.request import Stage
from tacit.runs.answers.amounts import accounted_loss, kept_amount, spent_amount, spent_on
from tacit.runs.answers.asking import Answers
from tacit.runs.answers.kept_keys import kept_keys
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Question
from tacit.runs.answers.unread import unread_cells
from tacit.runs.charged import ChargedProcess, Purchase
from tacit.runs.run import Description, Place

PublishedAnswers = tuple[PublishedAnswer, ...]
SEEDED = "The noise came from a seed, so anyone who knows it can remove the noise; do not publish these answers."
NO_GROUP = "No group had enough people to be named; a larger epsilon or delta of `keys` names smaller ones."


@dataclass(frozen=True, eq=False)
class AnswersTask:
    """Questions that were priced, who is protected, and the ledger that they are charged to.

    `files` are those of the ledger, which no answer may take the place of.
    """

    questions: tuple[Question, ...]
    protection: Protection
    ledger: Ledger | MemoryLedger
    bits: RandomBits
    level: float = 0.95
    purpose: str = ""
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, eq=False)
class ChargedQuestions(Purchase):
    """Questions that are paid for; `told` is what the answer to each of them says about what counts."""

    told: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class WrittenAnswers:
    """Answers with noise, as they are published, and where they were written."""

    answers: tuple[PublishedAnswer, ...]
    place: Place | None


class AnswersProcess(ChargedProcess[AnswersBody, AnswersTask, ChargedQuestions, WrittenAnswers, PublishedAnswers]):
    """What happens at each station when questions are answered."""

    kind = "answers"

    def refuse(self) -> None:
        """Everything that can be wrong without looking at rows is found before a charge."""
        if not self.task.questions:
            raise BadParameter("there is no question; write some under `questions` of the plan")
        self.require_columns("questions are about")
        check_level(self.task.level)
        for question in self.task.questions:
            self.require_truths(question)
            self.asking(self.job.dataset.source).rehearse(question)
        self.task.ledger.require_covered(self.charges)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Those of the task."""
        return self.task.questions

    @property
    def charges(self) -> list[tuple[Event, str]]:
        """The event of each question, with its words."""
        return [(question.event, question.says) for question in self.task.questions]

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of all questions, each once."""
        return tuple(dict.fromkeys(column for question in self.task.questions for column in self._columns(question)))

    def _columns(self, question: Question) -> tuple[str, ...]:
        unit = self.task.protection.unit
        by = () if question.grouping is None else question.grouping.columns
        return (*question.card.takes.columns(question.of, unit), *by, *(() if unit is None else (unit,)))

    def prepare(self) -> ChargedQuestions:
        """The rows, what each answer says about what counts, and the receipts."""
        # Before the charge: a card that can't say what counts is at fault, and nobody pays for that.
        told = tuple((*kept_keys(question), *unread_cells(question)) for question in self.task.questions)
        paid = self.paid(self.task.purpose)
        return ChargedQuestions(paid.receipts, paid.before, paid.source, paid.remarks, told)

    def make(self, prepared: ChargedQuestions, place: Place | None) -> WrittenAnswers:
        """The answers, with noise."""
        published, asking = [], self.asking(prepared.source)
        asked = zip(self.task.questions, prepared.receipts, prepared.told, strict=True)
        for number, (question, receipt, told) in enumerate(asked, start=1):
            self.job.progress(Stage(f"asking: {question.says.lower()}", number - 1, len(self.task.questions)))
            with self.job.watch.time("ask"):
                found = asking.answers(question, self.task.bits.child(f"{number} {question.name}"))
            published.append(publish_answer(found, self.task.level, receipt, told))
        made = WrittenAnswers(tuple(published), place)
        if place is not None:
            place.aside.write_text(answers_text(made.answers), encoding="utf-8", newline="\n")
        return made

    def read_back(self, prepared: ChargedQuestions, made: WrittenAnswers) -> PublishedAnswers:
        """The answers as they read where they were written."""
        if made.place is None:
            return made.answers
        found = json.loads(made.place.aside.read_text(encoding="utf-8"))["answers"]
        back = tuple(PublishedAnswer.model_validate(answer) for answer in found)
        if [answer.model_dump_json() for answer in back] != [answer.model_dump_json() for answer in made.answers]:
            raise BadData(f"{made.place.path.name} does not read as it was written, so it is not published")
        return back

    def promises(self, prepared: ChargedQuestions, made: WrittenAnswers, back: PublishedAnswers) -> tuple[Promise, ...]:
        """What the answers of this run promise together."""
        events = [question.event for question in self.task.questions]
        loss = accounted_loss(events, self.task.protection, self.task.ledger.terms.budget.delta)
        return (accounted().proven_by(loss),)

    def describe(
        self,
        prepared: ChargedQuestions,
        made: WrittenAnswers,
        back: PublishedAnswers,
        promises: tuple[Promise, ...],
    ) -> Description[AnswersBody]:
        """The answers, what they cost, and what is left."""
        ledger, (proven,) = self.task.ledger, promises
        assert isinstance(proven, Proven)
        seeded = any(answer.seeded for answer in back)
        body = AnswersBody(
            answers=back,
            budget=kept_amount(ledger.terms.budget),
            before=prepared.before,
            spent=spent_amount(ledger.spent()),
            left=kept_amount(ledger.left()),
        )
        return Description(
            body,
            method="ask",
            parameters={"level": self.task.level},
            inputs=tuple(Fingerprint(name=file.name) for file in self.job.inputs),
            outputs=(self._output(made),),
            unit=self.task.protection.unit,
            spent=spent_on(proven, prepared.receipts),
            seeded=seeded,
            notes=(SEEDED,) if seeded else (),
            remarks=prepared.remarks,
            tells_effort=False,
            uses=tuple(f"methods/{name}" for question in self.task.questions for name in question.methods),
        )

    def _output(self, made: WrittenAnswers) -> Fingerprint:
        if made.place is None:
            return text_fingerprint(answers_text(made.answers), "answers")
        return fingerprint(made.place.aside, made.place.path.name)


def publish_answer(found: Answers, level: float, receipt: Receipt, counts: tuple[str, ...]) -> PublishedAnswer:
    """The answers to a question in the form in which they are published; `counts` says how cells and people count."""
    parts = [answer.published(level) for answer in found.answers]
    question, keys = found.question, found.keys
    told = [{name: value for name, value in part.items() if name not in _COMMON} for part in parts]
    values: dict[str, Any] = {name: [part[name] for part in parts] for name in ("values", "lower", "upper")}
    values["labels"] = [plain(answer.labels(question.of)) for answer in found.answers]
    bounded = any(map(_has_number, (*values["lower"], *values["upper"])))
    if keys is None:
        values = {name: part[0] for name, part in values.items()}
    else:
        values = {name: [_single(each) for each in part] for name, part in values.items()}
    if not bounded:
        values |= {"lower": None, "upper": None}
    return PublishedAnswer(
        question=question.says,
        card=question.name,
        parameters=plain(dict(question.given)),
        **values,
        intervals=bounded,
        level=level,
        keys=None if keys is None else tuple(key[0] if len(key) == 1 else key for key in keys),
        remarks=_remarks(found, counts),
        told={} if not any(told) else told[0] if keys is None else {"groups": told},
        event=json.loads(to_json(question.event)),
        epsilon=account([question.event], _delta_of(question)).epsilon,
        seeded=found.seeded,
        charge=receipt.number,
        receipt=receipt.hash,
    )


def _remarks(found: Answers, counts: tuple[str, ...]) -> tuple[str, ...]:
    """The remarks of all answers, each once, and how cells and people count; or that no group is large enough, which
    the published groups show too."""
    if found.keys is not None and not found.keys:
        return (NO_GROUP,)
    own = dict.fromkeys(remark for answer in found.answers for remark in answer.remarks())
    return (*own, *counts)


_COMMON = frozenset({"values", "lower", "upper", "level", "seeded"})


def _delta_of(question: Question) -> float:
    """The delta for which the epsilon of one question is reported: the one it states, or more if its price has more."""
    given = question.given.get(question.card.delta, 0) if question.card.delta else 0
    keys = question.given.get("keys")
    own = float(given) + float(keys.get("delta", 0) if isinstance(keys, Mapping) else 0)
    return max(own, rounded_up(price(question.event).delta))


def _has_number(bounds: Any) -> bool:
    """Whether any bound in nested lists is a number; one that is infinite or not given is None."""
    return any(map(_has_number, bounds)) if isinstance(bounds, list) else bounds is not None


def _single(value: Any) -> Any:
    """The only number of a list of one; anything else as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def answers_text(answers: tuple[PublishedAnswer, ...]) -> str:
    """The file of answers: what a reader needs to use them."""
    form = {"answers": [answer.model_dump(mode="json") for answer in answers]}
    return json.dumps(form, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

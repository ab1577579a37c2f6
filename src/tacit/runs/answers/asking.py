"""Asking an engine one question about all rows, or about all groups, and adding noise before anybody sees the answer.

The engine finds all groups in one pass. Each group has its own random bits, named after its key, so that its answer
does not depend on which other groups exist.

What the engine finds is exact and secret. It stays in this module between two calls and is never passed on. Questions
are already charged by then. An error may depend on rows; they were read before, so none is expected, and one that still
occurs says nothing about its cause.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.accounting.events import Event
from tacit.accounting.scoping import unscoped
from tacit.data.aggregates.aggregate import Aggregate, Groupable
from tacit.data.aggregates.groups import ByGroup, Key
from tacit.data.aggregates.rehearsal import AnyRow, OfNobody
from tacit.data.aggregates.row_numbers import RowNumbers
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form
from tacit.data.sources.source import Source
from tacit.data.sql import unused
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter, CannotGuarantee, TacitError
from tacit.noise.private_answer import PrivateAnswer
from tacit.randomness.stream import RandomBits
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import GroupSelection, Question

MOST_VALUES = 10_000_000

UNFORESEEN = (
    "{} could not be answered because of a defect, which is not shown because it may depend on rows; the answer is "
    "withheld, and what was charged stays charged. Ask the same of invented rows to find the defect"
)


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers to one question: one, or one for each group; `seeded` says whether somebody knows the noise.

    Groups are chosen with noise too, so `seeded` is known even if there are no answers.
    """

    question: Question
    answers: tuple[PrivateAnswer, ...]
    seeded: bool
    keys: tuple[Key, ...] | None = None


@dataclass(frozen=True, eq=False)
class AskableRows:
    """Rows that may be asked about: an engine, a source, and who is protected."""

    engine: Engine
    source: Source
    protection: Protection

    def answers(self, question: Question, bits: RandomBits) -> Answers:
        """The answers to a question that was charged; an unforeseen error withholds them and reveals nothing."""
        try:
            return self._answers(question, bits)
        except TacitError:
            raise
        except Exception:  # noqa: BLE001 - whatever it says may be a cell, so it is not even kept as the cause
            pass
        raise TacitError(UNFORESEEN.format(question.name))

    def _answers(self, question: Question, bits: RandomBits) -> Answers:
        if question.grouping is None:
            return Answers(question, (_noised(question, self._found(self._asked(question)), bits),), bits.seeded)
        keys = question.grouping.keys
        if keys is None:
            keys = self._chosen(question, bits.child("keys"))
        parts = self._found(self._asked(question, keys)) if keys else ()
        noisy = (_noised(question, part, bits.child(repr(key))) for key, part in zip(keys, parts, strict=True))
        return Answers(question, tuple(noisy), bits.seeded, keys)

    def rehearse(self, question: Question) -> PrivateAnswer:
        """An answer about nobody, which raises every error that does not depend on the rows."""
        try:
            return self._rehearsed(question)
        except TacitError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise TacitError(
                f"{question.name} can't even answer a question about no rows ({kind}), which is a defect of its card; "
                "nothing was charged"
            ) from error

    def _rehearsed(self, question: Question) -> PrivateAnswer:
        bits, grouping = RandomBits.from_seed(0), question.grouping
        if grouping is None:
            self._of_nobody(self._asked(question))
            # The row is nobody's, so it would not count where people are bounded.
            found = self._of_nobody(self._wanted(question), one_row=not self._known_empty())
            return _noised(question, found, bits)
        if grouping.selection is not None:
            chosen = grouping.selection
            _selected(chosen, self._of_nobody(self._asked_keys(question, chosen)), bits)
        keys = grouping.keys or (("",) * len(grouping.columns),)
        first, *_ = self._of_nobody(self._asked(question, keys))
        answer = _noised(question, first, bits)
        require_holdable(question.name, answer, len(keys))
        return answer

    def _known_empty(self) -> bool:
        """Whether there are no rows and everybody may know it: under `replace` the number of rows is public."""
        somebody = AnyRow(self.protection.unit)
        return self.protection.neighbours == "replace" and not self.engine.aggregates(self.source, somebody)

    def _of_nobody(self, asked: Aggregate[Any], one_row: bool = False) -> Any:
        return self.engine.aggregates(self.source, OfNobody(asked, one_row))

    def _found(self, asked: Aggregate[Any]) -> Any:
        """What the engine finds; an error hides its cause, which may be a row that nobody may learn about."""
        try:
            return self.engine.aggregates(self.source, asked)
        except BadData:
            pass
        raise BadData(
            f"{self.source.name} could not be read any more after the questions were charged; they stay charged, and "
            "the cause is not shown, since it may depend on rows"
        )

    def _asked(self, question: Question, keys: tuple[Key, ...] = ()) -> Aggregate[Any]:
        """What the engine is asked, about no more of each person than the event holds for."""
        by, wanted = () if question.grouping is None else question.grouping.columns, self._wanted(question)
        people = None if question.card.takes.by_person else self.protection.people(by)
        asked: Aggregate[Any] = ByGroup(by, keys, wanted, question.rows) if by else wanted
        return asked if people is None else people.of(asked)

    def _wanted(self, question: Question) -> Groupable[Any]:
        """What the card wants to know, of whatever rows."""
        card = question.card
        columns = card.takes.columns(question.of, self.protection.unit)
        return _rows(question, columns) if card.wanted is None else card.wanted(columns, question.params)

    def _chosen(self, question: Question, bits: RandomBits) -> tuple[Key, ...]:
        """The groups that enough people are in, chosen privately."""
        assert question.grouping is not None
        assert question.grouping.selection is not None
        selection = question.grouping.selection
        return _selected(selection, self._found(self._asked_keys(question, selection)), bits)

    def _asked_keys(self, question: Question, selection: GroupSelection) -> Aggregate[Any]:
        """What the engine is asked if groups are chosen: who is in which group."""
        assert question.grouping is not None
        (column,) = question.grouping.columns
        unit = self.protection.unit or unused("tacit_row", self.engine.columns(self.source))
        wanted = selection.card.wanted((unit, column), selection.params)
        return wanted if self.protection.unit else RowNumbers(unit, wanted)


def _selected(selection: GroupSelection, found: Any, bits: RandomBits) -> tuple[Key, ...]:
    """The groups that are chosen from what was found."""
    chosen = selection.card.answer(found, selection.params, bits)
    return tuple((key,) for key in selection.card.keys(chosen))


def require_holdable(name: str, answer: PrivateAnswer, groups: int) -> None:
    """This number of groups, each with such an answer, has no more values than a machine and a reader can hold."""
    values = _number_of(answer.published()["values"]) * groups
    if values > MOST_VALUES:
        raise BadParameter(
            f"{name}: {groups:,} groups have {values:,} values together, and at most {MOST_VALUES:,} can be answered; "
            "ask for fewer values in each group, or by fewer groups"
        )


def _number_of(values: Any) -> int:
    """How many values there are in lists of lists."""
    return sum(map(_number_of, values)) if isinstance(values, list) else 1


def _rows(question: Question, columns: Sequence[str]) -> Groupable[Any]:
    """The rows one by one, their cells read as the card says; a person's column that it adds is text."""
    named = {form.column: form for form in question.forms}
    return Rows(tuple(named.get(column, Form(column, "text")) for column in columns))


def _noised(question: Question, found: Any, bits: RandomBits) -> PrivateAnswer:
    """The answer with noise, from what was found about all rows or about those of one group."""
    card, params = question.card, question.params
    if card.wanted is None or card.answer is None:
        answer = card.run(card.takes.given(found), params, bits)
    else:
        answer = card.answer(found, params, bits)
    require_paid(answer.event, card.spends(params), question.name)
    return answer


def require_paid(spent: Event, charged: Event, name: str) -> None:
    """What was spent is what was charged, whoever wrote the card; otherwise nothing is published."""
    if unscoped(spent) != unscoped(charged):
        raise CannotGuarantee(
            f"an answer of {name} spends something other than its card says, which is a defect of the card; the answer "
            "is withheld"
        )

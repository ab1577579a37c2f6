"""A run that is paid for: every question about rows is charged to a ledger before anything about them is found.

What is spent is known from parameters. It is on disk in the ledger before the engine is asked, and what was found
leaves the process only with noise. A charge that was made stays made, whatever happens afterwards.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from tacit.accounting.events import Event
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, shown_names
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.ledger.chain import Receipt
from tacit.ledger.ledger import Ledger
from tacit.ledger.memory import MemoryLedger
from tacit.promise import Promise
from tacit.release.answers import Amount
from tacit.release.release import Release
from tacit.runs.answers.asking import AskableRows
from tacit.runs.answers.charging import pay
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Question
from tacit.runs.answers.remembered import require_remembered
from tacit.runs.files import OutcomeFiles
from tacit.runs.job import Job
from tacit.runs.run import B, M, Process, R
from tacit.runs.tables.several_rows import require_people_told_apart
from tacit.spelling import meant, noun

TRUTHS = "BOOLEAN"
"""The type of a column of truth values, as engines name it."""


class ChargedTask(Protocol):
    """What is asked, who is protected, and the ledger that is charged; no release may take the place of its files."""

    @property
    def protection(self) -> Protection:
        """Who is protected."""
        ...

    @property
    def ledger(self) -> Ledger | MemoryLedger:
        """Where it is charged."""
        ...

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the ledger."""
        ...


@dataclass(frozen=True, eq=False)
class Purchase:
    """The receipts of what is paid for, what had been spent before, and the rows that may now be asked about.

    `remarks` are for whoever runs the command.
    """

    receipts: tuple[Receipt, ...]
    before: Amount
    source: Source
    remarks: tuple[str, ...]


T = TypeVar("T", bound=ChargedTask)
C = TypeVar("C", bound=Purchase)


class ChargedProcess(Process[B, C, M, R], Generic[B, T, C, M, R]):
    """What all runs have in common that are charged to a ledger; `task` says what is asked."""

    def __init__(self, job: Job[Dataset], task: T, engine: Engine) -> None:
        self.job = job
        self.task = task
        self.engine = engine

    @property
    def keeps(self) -> tuple[Path, ...]:
        """The ledger."""
        return self.task.files

    def admit(self, files: OutcomeFiles) -> None:
        """The ledger knows what is already there."""
        require_remembered(files.evidence, self.task.ledger)

    def note(self, release: Release[B]) -> None:
        """The ledger knows that what was paid for was given away."""
        for charge in () if release.spent is None else release.spent.charges:
            self.task.ledger.answered(Receipt(charge.number, charge.hash))

    @property
    @abstractmethod
    def charges(self) -> Sequence[tuple[Event, str]]:
        """What is charged, each with what it is for in words."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""

    def asking(self, source: Source) -> AskableRows:
        """The rows of a source, to be asked about."""
        return AskableRows(self.engine, source, self.task.protection)

    def require_columns(self, why: str) -> None:
        """The data has all columns that are read; if one is missing, the error says `why` it is read."""
        source = self.job.dataset.source
        there = tuple(self.engine.columns(source))
        lacking = sorted(set(self.columns) - set(there))
        if lacking:
            hint = meant(lacking, there)
            raise BadData(
                f"{source.name} has no {noun(len(lacking), 'column')} {shown_names(lacking)}, which {why}{hint}"
            )

    @property
    @abstractmethod
    def questions(self) -> tuple[Question, ...]:
        """The questions that are asked."""

    @property
    def _named(self) -> tuple[str, ...]:
        """The columns whose cells tell people, groups or categories apart."""
        unit = self.task.protection.unit
        by_text = (column for question in self.questions for column in question.told_by_text)
        return (*by_text, *(() if unit is None else (unit,)))

    def require_truths(self, question: Question) -> None:
        """Columns of truth values, which their type tells, declare no other categories: no cell would be in one."""
        types = self.engine.columns(self.job.dataset.source)
        for column in question.told_by_text:
            others = sorted(set(question.categories.get(column, ())) - {"true", "false"})
            if others and types.get(column) == TRUTHS:
                raise BadParameter(
                    f"the column {column!r} holds truth values, and none is in the category {others[0]!r}; write "
                    "`categories: [true, false]` in a plan, or `categories=[True, False]` in a call"
                )

    def paid(self, purpose: str = "") -> Purchase:
        """The rows, read whole, and the receipts: either all of it is paid for, or nothing is.

        The owner of the file learns about a row that can't be read, and that people may have several rows, before
        anything is spent.
        """
        self.job.progress("reading the data")
        require_people_told_apart(self.job.dataset, self.engine, "Nothing was asked or charged", figures=False)
        source = self.engine.held(self.job.dataset.source, self.columns, self._named)
        payment = pay(self.job, self.task.ledger, self.charges, purpose)
        return Purchase(payment.receipts, payment.before, source, payment.remarks)

    def measure_again(self, prepared: C, made: M, back: R, promises: tuple[Promise, ...]) -> None:
        """The ledger is sound and holds every charge of this run."""
        self.task.ledger.verify(prepared.receipts)

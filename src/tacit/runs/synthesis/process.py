"""A synthetic table on its way to a release: price, charge, measure with noise, invent rows, read them back.

Nothing depends on rows before it is paid for, and what was measured leaves this process only with noise. The promise is
proven for the way in which the rows are made; what can be checked is still checked: that the file reads as it was
written, that every cell is one that was declared, that the events cost no more than was promised, and that the ledger
holds the charge.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.accounted_loss import AccountedLoss
from tacit.accounting.account import account
from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.accounting.price import price
from tacit.arrays import FloatArray
from tacit.data.sources.header import read_header
from tacit.data.sources.source import Source, format_of
from tacit.engines.engine import Target
from tacit.errors import BadData, BadParameter, BudgetExceeded, CannotGuarantee, TacitError
from tacit.ledger.coverage import together
from tacit.ledger.totals import RAISING
from tacit.noise.noise import check_level
from tacit.noise.private_answer import PrivateAnswer
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.promise import Promise, Proven
from tacit.release.fingerprints import fingerprint, frame_fingerprint
from tacit.release.release import Fingerprint
from tacit.release.synthesis import SynthesisBody, SyntheticColumn
from tacit.runs.answers.amounts import accounted_loss, kept_amount, spent_amount, spent_on
from tacit.runs.answers.ask import declared_columns
from tacit.runs.answers.question import Question
from tacit.runs.charged import ChargedProcess, Purchase
from tacit.runs.run import Description, Place
from tacit.runs.synthesis.cells import cells_of, labels_of
from tacit.runs.synthesis.task import SynthesisTask
from tacit.runs.synthesis.written import reads_as, specimen
from tacit.runs.tables.recode import written_source
from tacit.scratch import scratch

if TYPE_CHECKING:
    import pyarrow as pa

ALMOST = 1 + Fraction(1, 10**9)
"""An account may round its last digits up."""
SEEDED = "The noise came from a seed, so anyone who knows it can remove the noise; do not publish this table."


@dataclass(frozen=True, eq=False)
class WrittenSynthesis:
    """Invented rows, as they were made and as they read where they were written."""

    made: SyntheticRows
    frame: "pa.Table"
    source: Source
    fingerprint: Fingerprint


class SynthesisProcess(ChargedProcess[SynthesisBody, SynthesisTask, Purchase, WrittenSynthesis, None]):
    """What happens at each station when rows are invented."""

    kind = "synthesis"

    def refuse(self) -> None:
        """Everything that can be wrong without looking at rows is found before the charge."""
        self.require_columns("the plan declares")
        self.require_truths(self.task.priced.question)
        promised = self.task.priced.guarantee
        self._proven()
        cost = account([self.task.priced.question.event], promised.failure)
        if exact(cost.epsilon) > exact(promised.epsilon) * ALMOST:
            raise CannotGuarantee(
                f"{self.task.section.method} spends epsilon {cost.epsilon:.6g} where {promised.epsilon:g} is promised, "
                "so nothing is made"
            )
        check_level(self.task.level)
        self._require_delta()
        self._rows(self.asking(self.job.dataset.source).rehearse(self.task.priced.question))
        self._require_covered()

    def rehearse(self, place: Place | None) -> None:
        """Every declared cell can be written and read back, tried with rows that are nobody's."""
        question, columns = self.task.priced.question, self.job.dataset.columns
        if place is None:
            return
        frame = specimen({name: columns[name] for name in question.of}, self.task.priced.sizes)
        with scratch() as folder:
            target = self._target(folder / f"specimen{place.path.suffix}", place.path)
            self.engine.write(Source("frame", frame=frame), target)
            if not self._reads_as(written_source(target), frame):
                raise BadParameter(
                    f"not all cells that the columns declare read from {place.path.name} as they are written, so "
                    "nothing is charged or made; write another format, such as .parquet, or spell categories without "
                    "control characters"
                )

    def _reads_as(self, written: Source, frame: "pa.Table") -> bool:
        """Whether the file holds the rows of the frame; one that can't be read does not."""
        try:
            return reads_as(self.engine, written, frame, self.task.section.guard_formulas)
        except BadData:
            return False

    def _require_covered(self) -> None:
        """Refuse a table that the budget does not cover, and say what to change in the plan."""
        ledger, cost = self.task.ledger, price(self.task.priced.question.event)
        try:
            ledger.require_covered(self.charges)
        except BudgetExceeded:
            raise BudgetExceeded(
                f"the table costs {together([cost])}; {ledger.left()} is left of {ledger.terms.budget}: lower epsilon "
                f"under `{self.task.priced.guarantee.name}`, or {RAISING}"
            ) from None

    def _require_delta(self) -> None:
        """Refuse a guarantee with a delta if the budget has none."""
        delta, budget = self.task.priced.guarantee.failure, self.task.ledger.terms.budget
        if delta and not budget.delta:
            raise BudgetExceeded(
                f"the guarantee has delta {delta:g} and the budget has none, so it can't be charged; write "
                f"`privacy: {{budget: {{epsilon: {float(budget.epsilon):g}, delta: {delta:g}}}}}` in the plan, or "
                f"`PrivacyBudget(epsilon={float(budget.epsilon):g}, delta={delta:g})` in Python, before the first "
                "charge; or leave the delta of the guarantee out"
            )

    @property
    def questions(self) -> tuple[Question, ...]:
        """The one that the table answers."""
        return (self.task.priced.question,)

    @property
    def charges(self) -> list[tuple[Event, str]]:
        """The event of the table."""
        return [(self.task.priced.question.event, f"a synthetic table: {self.task.section.method}")]

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that are published, and the one that identifies people."""
        unit = self.task.protection.unit
        return (*self.task.priced.question.of, *(() if unit is None else (unit,)))

    def prepare(self) -> Purchase:
        """All rows can be read, and the table is paid for."""
        return self.paid()

    def make(self, prepared: Purchase, place: Place | None) -> WrittenSynthesis:
        """The rows, invented from what was measured with noise."""
        self.job.progress("measuring with noise, inventing rows")
        question, columns = self.task.priced.question, self.job.dataset.columns
        (made,) = self.asking(prepared.source).answers(question, self.task.bits.child("rows")).answers
        rows = self._rows(made)
        declared = [columns[name] for name in question.of]
        frame = cells_of(question.of, declared, rows, self.task.bits.child("cells"))
        invented = Source("frame", frame=frame)
        if place is None:
            return WrittenSynthesis(rows, frame, invented, frame_fingerprint(frame, "release"))
        target = self._target(place.aside, place.path)
        self.engine.write(invented, target)
        written = fingerprint(place.aside, name=place.path.name)
        return WrittenSynthesis(rows, frame, written_source(target), written)

    def _rows(self, made: PrivateAnswer) -> SyntheticRows:
        """What the method made, found to be rows with the cells that its card describes."""
        if not isinstance(made, SyntheticRows) or tuple(made.sizes) != self.task.priced.sizes:
            raise TacitError(
                f"{self.task.section.method} makes something other than rows with the cells that `sizes` of its card "
                "states, which is a defect of the card, so no table is published"
            )
        if not made.is_whole:
            raise TacitError(
                f"{self.task.section.method} makes rows whose codes or noisy counts are not those of their columns: "
                "each column must be in `measured`, with one cell more than its size, for what is missing. It is a "
                "defect of the card, so no table is published"
            )
        return made

    def _target(self, aside: Path, path: Path) -> Target:
        """The file aside, in the format of the path that it will take."""
        source = self.job.dataset.source
        delimiter = read_header(source).delimiter if source.format == "csv" else ","
        return Target(
            columns=self.task.priced.question.of,
            starred=(),
            path=aside,
            format=format_of(path),
            guard=self.task.section.guard_formulas,
            delimiter="\t" if path.suffix.lower() == ".tsv" else delimiter,
        )

    def read_back(self, prepared: Purchase, made: WrittenSynthesis) -> None:
        """The file holds the rows that were invented, cell by cell."""
        if not self._reads_as(made.source, made.frame):
            raise BadData("the synthetic table does not read as it was written, so it is not published")

    def promises(self, prepared: Purchase, made: WrittenSynthesis, back: None) -> tuple[Promise, ...]:
        """What the noise promises."""
        return (self._proven(),)

    @property
    def _loss(self) -> AccountedLoss:
        table = self.task.priced
        return accounted_loss([table.question.event], self.task.protection, table.guarantee.failure)

    def _proven(self) -> Proven:
        """The guarantee, as the cost of the table proves it; refused if it does not."""
        return self.task.priced.guarantee.proven_by(self._loss)

    def describe(
        self, prepared: Purchase, made: WrittenSynthesis, back: None, promises: tuple[Promise, ...]
    ) -> Description[SynthesisBody]:
        """What was measured, what was made from it, and what it cost."""
        ledger, loss, seeded = self.task.ledger, self._loss, made.made.seeded
        (receipt,) = prepared.receipts
        body = SynthesisBody(
            rows=made.frame.num_rows,
            columns=self._shown_columns(made.made),
            error=made.made.noisy.error(self.task.level),
            level=self.task.level,
            loses=self.task.priced.card.loses,
            budget=kept_amount(ledger.terms.budget),
            before=prepared.before,
            spent=spent_amount(ledger.spent()),
            left=kept_amount(ledger.left()),
            charge=receipt.number,
            receipt=receipt.hash,
        )
        return Description(
            body,
            method=self.task.section.method,
            parameters=self._parameters(),
            inputs=(Fingerprint(name=self.job.title),),
            outputs=(made.fingerprint,),
            unit=self.task.protection.unit,
            spent=spent_on(loss, prepared.receipts),
            seeded=seeded,
            notes=(SEEDED,) if seeded else (),
            remarks=prepared.remarks,
            tells_effort=False,
        )

    def _parameters(self) -> dict[str, Any]:
        """The parameters, except those that follow from the declared columns, which are reported by column."""
        declared = declared_columns(self.job.dataset)
        question = self.task.priced.question
        filled = question.card.takes.declared([declared[name] for name in question.of])
        told: dict[str, Any] = question.params.model_dump(mode="json", exclude=set(filled))
        return told

    def _shown_columns(self, made: SyntheticRows) -> tuple[SyntheticColumn, ...]:
        """Each column with its noisy counts beside those of the rows that were made."""
        counts = _one_way(made)
        declared = self.job.dataset.columns
        written = [
            np.bincount(made.codes[:, place], minlength=made.sizes[place] + 1)
            for place in range(len(self.task.priced.question.of))
        ]
        return tuple(
            SyntheticColumn(
                name=name,
                cells=labels_of(declared[name], made.sizes[place]),
                measured=tuple(map(float, counts[place])),
                written=tuple(map(int, written[place])),
                strays=strays(counts[place], written[place].astype(np.float64)),
            )
            for place, name in enumerate(self.task.priced.question.of)
        )


def strays(measured: FloatArray, written: FloatArray) -> float:
    """The total variation between noisy counts, negative ones taken as 0, and numbers of rows."""
    counts = [np.maximum(side, 0.0) for side in (measured, written)]
    before, after = (side / max(float(side.sum()), 1e-9) for side in counts)
    return float(max(np.maximum(before - after, 0.0).sum(), np.maximum(after - before, 0.0).sum()))


def _one_way(made: SyntheticRows) -> list[FloatArray]:
    """The noisy counts of each column, from the tables that were measured."""
    values, found, start = np.asarray(made.noisy.values, dtype=np.float64), dict[int, FloatArray](), 0
    for axes in made.measured:
        shape = tuple(made.sizes[axis] + 1 for axis in axes)
        table = values[start : start + int(np.prod(shape))].reshape(shape)
        start += table.size
        for place, axis in enumerate(axes):
            others = tuple(other for other in range(len(axes)) if other != place)
            found.setdefault(axis, table.sum(axis=others))
    return [found[axis] for axis in range(len(made.sizes))]

"""A synthetic table on its way to a release: price, charge, measure with noise, invent rows, read them back.

Nothing depends on rows before it is paid for, and what was measured leaves this process only with noise. The promise is
proven of the way in which the rows are made; what can be checked is checked all the same: that the file reads as it was
written, that every cell is one that was declared, that the events cost no more than was promised, and that the ledger
holds the charge.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.accounting.account import account
from tacit.accounting.events import Event
from tacit.accounting.exact import exact
from tacit.arrays import FloatArray
from tacit.data.dataset import Dataset
from tacit.data.sources.header import read_header
from tacit.data.sources.source import Source, format_of, shown_names
from tacit.engines.engine import Engine, Target
from tacit.errors import BadData, BadParameter, BudgetExceeded, CannotGuarantee
from tacit.ledger.chain import Receipt
from tacit.noise.noise import check_level
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.promise import AccountedLoss, Promise, Proven
from tacit.release.answers import Amount
from tacit.release.fingerprints import fingerprint, frame_fingerprint
from tacit.release.release import Fingerprint, Release
from tacit.release.synthesis import SynthesisBody, SyntheticColumn
from tacit.runs.answers.amounts import accounted_loss, kept_amount, spent_amount, spent_on
from tacit.runs.answers.asking import Asking
from tacit.runs.answers.charging import pay
from tacit.runs.answers.remembered import require_remembered
from tacit.runs.files import OutcomeFiles
from tacit.runs.job import Job
from tacit.runs.run import Description, Place, Process
from tacit.runs.synthesis.cells import cells_of, labels_of
from tacit.runs.synthesis.task import SynthesisTask
from tacit.runs.synthesis.written import reads_as, specimen
from tacit.runs.tables.recode import written_source
from tacit.scratch import scratch

if TYPE_CHECKING:
    import pyarrow as pa

ALMOST = 1 + Fraction(1, 10**9)
"""An account may round its last digits up."""
SEEDED = "The noise came from a seed, so whoever knows it can take the noise out again; do not publish this table."


@dataclass(frozen=True, eq=False)
class Charged:
    """The receipt of a table that is paid for, what had been spent before, and the rows as they were read.

    `remarks` are for whoever runs the command.
    """

    receipt: Receipt
    before: Amount
    source: Source
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class WrittenSynthesis:
    """Invented rows, as they were made and as they read where they were written."""

    made: SyntheticRows
    frame: "pa.Table"
    source: Source
    fingerprint: Fingerprint


class SynthesisProcess(Process[SynthesisBody, Charged, WrittenSynthesis, None]):
    """What happens at each station when rows are invented."""

    kind = "synthesis"

    def __init__(self, job: Job[Dataset], task: SynthesisTask, engine: Engine) -> None:
        self.job = job
        self.task = task
        self.engine = engine

    @property
    def keeps(self) -> tuple[Path, ...]:
        """The ledger."""
        return self.task.files

    def admit(self, files: OutcomeFiles) -> None:
        """The ledger knows what stands there already."""
        require_remembered(files.evidence, self.task.ledger)

    def note(self, release: Release[SynthesisBody]) -> None:
        """The ledger knows that the table was given away."""
        self.task.ledger.answered(Receipt(release.body.charge, release.body.receipt))

    def refuse(self) -> None:
        """Everything that can be wrong without looking at rows is found before the charge."""
        dataset = self.job.dataset
        lacking = sorted(set(self._columns) - set(self.engine.columns(dataset.source)))
        if lacking:
            raise BadData(f"{dataset.source.name} has no column(s) {shown_names(lacking)}, which the plan declares")
        promised = self.task.guarantee
        self._proven()
        cost = account([self.task.question.event], promised.failure)
        if exact(cost.epsilon) > exact(promised.epsilon) * ALMOST:
            raise CannotGuarantee(
                f"{self.task.section.method} spends epsilon {cost.epsilon:.6g} where {promised.epsilon:g} is promised, "
                "so nothing is made"
            )
        check_level(self.task.level)
        self._require_delta()
        self._asking(dataset.source).rehearse(self.task.question)
        self.task.ledger.require_covered([self._charge])

    def rehearse(self, place: Place | None) -> None:
        """Every cell that is declared can be written and read back, found out with rows that are nobody's."""
        question, columns = self.task.question, self.job.dataset.columns
        sizes = [axis.size for axis in getattr(question.params, "axes", ())]
        if place is None or not sizes:
            return
        frame = specimen({name: columns[name] for name in question.of}, sizes)
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

    def _require_delta(self) -> None:
        """Refuse a guarantee with a delta if the budget has none."""
        delta, budget = self.task.guarantee.failure, self.task.ledger.terms.budget
        if delta and not budget.delta:
            raise BudgetExceeded(
                f"the guarantee has delta {delta:g} and the budget has none, so it can't be charged; write "
                f"`privacy: {{budget: {{epsilon: {float(budget.epsilon):g}, delta: {delta:g}}}}}` in the plan, or "
                f"`PrivacyBudget(epsilon={float(budget.epsilon):g}, delta={delta:g})` in Python, before the first "
                "charge; or leave the delta of the guarantee out"
            )

    def _asking(self, source: Source) -> Asking:
        return Asking(self.engine, source, self.task.protection)

    @property
    def _charge(self) -> tuple[Event, str]:
        return self.task.question.event, f"a synthetic table: {self.task.section.method}"

    @property
    def _columns(self) -> tuple[str, ...]:
        unit = self.task.protection.unit
        return (*self.task.question.of, *(() if unit is None else (unit,)))

    def prepare(self) -> Charged:
        """All rows can be read, and the table is paid for."""
        self.job.progress("reading the data")
        source = self.engine.held(self.job.dataset.source, self._columns, self.task.protection.unit)
        paid = pay(self.job, self.task.ledger, [self._charge])
        (receipt,) = paid.receipts
        return Charged(receipt, paid.before, source, paid.remarks)

    def make(self, prepared: Charged, place: Place | None) -> WrittenSynthesis:
        """The rows, invented from what was measured with noise."""
        self.job.progress("measuring with noise, inventing rows")
        question, columns = self.task.question, self.job.dataset.columns
        (made,) = self._asking(prepared.source).answers(question, self.task.bits.child("rows")).answers
        assert isinstance(made, SyntheticRows)
        declared = [columns[name] for name in question.of]
        frame = cells_of(question.of, declared, made, self.task.bits.child("cells"))
        invented = Source("frame", frame=frame)
        if place is None:
            return WrittenSynthesis(made, frame, invented, frame_fingerprint(frame, "release"))
        target = self._target(place.aside, place.path)
        self.engine.write(invented, target)
        written = fingerprint(place.aside, name=place.path.name)
        return WrittenSynthesis(made, frame, written_source(target), written)

    def _target(self, aside: Path, path: Path) -> Target:
        """The file that stands aside, in the format of the path that it will take."""
        source = self.job.dataset.source
        delimiter = read_header(source).delimiter if source.format == "csv" else ","
        return Target(
            columns=self.task.question.of,
            starred=(),
            path=aside,
            format=format_of(path),
            guard=self.task.section.guard_formulas,
            delimiter="\t" if path.suffix.lower() == ".tsv" else delimiter,
        )

    def read_back(self, prepared: Charged, made: WrittenSynthesis) -> None:
        """The file holds the rows that were invented, cell by cell."""
        if not self._reads_as(made.source, made.frame):
            raise BadData("the synthetic table does not read as it was written, so it is not published")

    def promises(self, prepared: Charged, made: WrittenSynthesis, back: None) -> tuple[Promise, ...]:
        """What the noise promises."""
        return (self._proven(),)

    @property
    def _loss(self) -> AccountedLoss:
        return accounted_loss([self.task.question.event], self.task.protection, self.task.guarantee.failure)

    def _proven(self) -> Proven:
        """The guarantee, as what the table costs proves it; refused where it does not."""
        return self.task.guarantee.proven_by(self._loss)

    def measure_again(
        self, prepared: Charged, made: WrittenSynthesis, back: None, promises: tuple[Promise, ...]
    ) -> None:
        """The ledger is sound and holds the charge, and the event of what was made is the one that was charged."""
        self.task.ledger.verify([prepared.receipt])

    def describe(
        self, prepared: Charged, made: WrittenSynthesis, back: None, promises: tuple[Promise, ...]
    ) -> Description[SynthesisBody]:
        """What was measured, what was made of it, and what it cost."""
        ledger, loss, seeded = self.task.ledger, self._loss, made.made.seeded
        body = SynthesisBody(
            rows=made.frame.num_rows,
            columns=self._shown_columns(made.made),
            error=made.made.noisy.error(self.task.level),
            level=self.task.level,
            budget=kept_amount(ledger.terms.budget),
            before=prepared.before,
            spent=spent_amount(ledger.spent()),
            left=kept_amount(ledger.left()),
            charge=prepared.receipt.number,
            receipt=prepared.receipt.hash,
        )
        return Description(
            body,
            method=self.task.section.method,
            parameters=self._parameters(),
            inputs=(Fingerprint(name=self.job.title),),
            outputs=(made.fingerprint,),
            unit=self.task.protection.unit,
            spent=spent_on(loss, (prepared.receipt,)),
            seeded=seeded,
            notes=(SEEDED,) if seeded else (),
            remarks=prepared.remarks,
            tells_effort=False,
        )

    def _parameters(self) -> dict[str, Any]:
        told: dict[str, Any] = self.task.question.params.model_dump(mode="json", exclude={"axes"})
        return told

    def _shown_columns(self, made: SyntheticRows) -> tuple[SyntheticColumn, ...]:
        """Each column with its noisy counts beside those of the rows that were made."""
        counts = _one_way(made)
        declared = self.job.dataset.columns
        written = [
            np.bincount(made.codes[:, place], minlength=made.sizes[place] + 1)
            for place in range(len(self.task.question.of))
        ]
        return tuple(
            SyntheticColumn(
                name=name,
                cells=labels_of(declared[name], made.sizes[place]),
                measured=tuple(map(float, counts[place])),
                written=tuple(map(int, written[place])),
                strays=strays(counts[place], written[place].astype(np.float64)),
            )
            for place, name in enumerate(self.task.question.of)
        )


def strays(measured: FloatArray, written: FloatArray) -> float:
    """The total variation between noisy counts, none of them taken for less than 0, and numbers of rows."""
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

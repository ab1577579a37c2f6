"""Does a file keep the promises of a plan? Raw data and releases alike.

The classes are those of the file. The distribution that t-closeness, beta-likeness and delta-disclosure compare with
is that of the plan's own data, since that is what was promised.
"""

from dataclasses import dataclass, replace

from tacit.data.classes import Classes, classes_of
from tacit.data.counting import Reading
from tacit.data.source import Source
from tacit.engines.engine import Engine
from tacit.errors import BadData
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Finding, Guarantee, check
from tacit.metrics.risk import measure_risk
from tacit.metrics.singling_out import singling_out
from tacit.plan.dataset import Dataset, count
from tacit.plan.load import Plan
from tacit.plan.released import Released, read_back
from tacit.release import Risk


@dataclass(frozen=True, eq=False)
class Checked:
    """What a check found, who was counted, and the risk that remains."""

    findings: tuple[Finding, ...]
    risk: Risk
    classes: int
    suppressed_rows: int
    counted: str

    @property
    def holds(self) -> bool:
        """Whether every guarantee holds."""
        return all(finding.holds for finding in self.findings)


def check_file(plan: Plan, data: Source, engine: Engine) -> Checked:
    """The findings of the plan's guarantees on `data`."""
    guarantees = tuple(parse_guarantee(entry) for entry in plan.release.guarantees)
    present = engine.columns(data)
    reading = _present(plan.dataset, present, data.name)
    original = count(plan.dataset, engine)
    if plan.dataset.source.path is not None and data.path is not None and plan.dataset.source.path.samefile(data.path):
        return check_tally(guarantees, Released(original, 0), plan.dataset.unit, plan.release.risk_threshold)
    released = read_back(engine, data, reading, original.sensitive)
    return check_tally(guarantees, released, reading.unit, plan.release.risk_threshold)


def check_tally(guarantees: tuple[Guarantee, ...], found: Released, unit: str | None, threshold: float) -> Checked:
    """The findings on a tally in which every combination is a class."""
    classes: Classes = classes_of(found.tally)
    risk = measure_risk(classes, threshold).model_copy(update={"singling_out": singling_out(found.tally)})
    return Checked(
        findings=tuple(check(guarantee, classes) for guarantee in guarantees),
        risk=risk,
        classes=classes.number,
        suppressed_rows=found.suppressed_rows,
        counted="people" if unit else "rows",
    )


def _present(dataset: Dataset, present: dict[str, str], where: str) -> Reading:
    """What to read of a file that may lack identifiers; without the unit, rows are counted."""
    reading = dataset.reading
    lacking = [name for name in (*reading.quasi_identifiers, *reading.sensitive) if name not in present]
    if lacking:
        raise BadData(f"{where} has no column {', '.join(map(repr, lacking))}, which the plan protects")
    return reading if reading.unit in present else replace(reading, unit=None)

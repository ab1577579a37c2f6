"""Does a file keep the promises of a plan? Raw data and releases alike.

The classes are those of the file. The distribution that t-closeness, beta-likeness and delta-disclosure compare with
is that of the plan's own data, since that is what was promised; of a column that the plan treats, it is the file's own.
Where the plan publishes a sample, the plan's own data is the whole file that it was drawn from.
"""

from dataclasses import dataclass, replace

import numpy as np

from tacit.catalogue import find_method
from tacit.data.classes import Classes, classes_of
from tacit.data.counting import Reading
from tacit.data.population import beside_population
from tacit.data.source import Source, shown_names
from tacit.data.tally import Census, Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Finding, Guarantee, check
from tacit.metrics.risk import measure_risk
from tacit.metrics.singling_out import singling_out
from tacit.plan.concealed import candidate_risk, checked_again, concealed, promised
from tacit.plan.dataset import Dataset, build_table, count
from tacit.plan.drawn import share_of
from tacit.plan.load import Plan
from tacit.plan.released import Released, case_of, read_back, with_own_reference
from tacit.plan.sampling import present_sampling, sample_risk
from tacit.release import Risk, SampleRisk
from tacit.verification.verify import require_agreement


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
    """The findings of the plan's guarantees on `data`, and its risk as a sample where the plan tells of one."""
    checked = _checked(plan, data, engine)
    sampled = present_sampling(plan.dataset, engine.columns(data))
    if sampled.sampling is not None and plan.release.sample is not None and not _is_own(plan, data):
        share = share_of(plan.release.sample, count(plan.dataset, engine), plan.dataset.unit)
        sampled = replace(sampled, scale=1 / share)
    return with_sample(checked, sample_risk(sampled, data, engine, plan.release.risk_threshold))


def with_sample(checked: Checked, sample: SampleRisk | None) -> Checked:
    """What was found, with the risk as a sample."""
    return replace(checked, risk=checked.risk.model_copy(update={"sample": sample}))


def _checked(plan: Plan, data: Source, engine: Engine) -> Checked:
    guarantees = tuple(parse_guarantee(entry) for entry in plan.release.guarantees)
    own = _is_own(plan, data)
    if not own and find_method(plan.release.method).kind == "series":
        from tacit.plan.republish import check_release

        return check_release(plan, data, engine)
    reading = _present(plan.dataset, engine.columns(data), data.name)
    original = count(plan.dataset, engine)
    if own:
        return check_tally(guarantees, Released(original, 0), plan.dataset.unit, plan.release.risk_threshold)
    treated = {name for entry in plan.release.treatments for name in entry.columns}
    released = with_own_reference(read_back(engine, data, reading, original.sensitive), treated)
    people = None
    if plan.dataset.population is not None:
        people = _generalised_population(released.tally, plan.dataset, original, data.name)
        released = replace(released, tally=beside_population(released.tally, people))
    checked = check_tally(guarantees, released, reading.unit, plan.release.risk_threshold)
    require_agreement(case_of(released, people), checked.findings)
    if plan.release.sample is not None:
        _require_classes(guarantees, released.tally)
        return checked
    return _by_candidates(checked, guarantees, plan.dataset, original, released) if promised(guarantees) else checked


def _is_own(plan: Plan, data: Source) -> bool:
    """Whether the file is the plan's own raw file."""
    raw = plan.dataset.source.path
    return raw is not None and data.path is not None and raw.samefile(data.path)


def _require_classes(guarantees: tuple[Guarantee, ...], released: Tally) -> None:
    """Class sizes tell all about k-concealment; else it can't be told of a sample."""
    sizes = released.people.counts()
    if sizes[sizes > 0].min(initial=promised(guarantees)) < promised(guarantees):
        raise BadParameter(
            "the plan publishes a sample, and who was drawn is written nowhere, so the rows that may be a person's "
            "can't be counted again; k-concealment was checked when the release was made, and its evidence tells"
        )


def _by_candidates(
    checked: Checked, guarantees: tuple[Guarantee, ...], dataset: Dataset, original: Tally, released: Released
) -> Checked:
    """The check with k-concealment and risk counted by candidates; itself where class sizes tell."""
    unit = None if released.reading is None else released.reading.unit
    hidden = concealed(guarantees, build_table(dataset, original), released.tally, unit)
    if hidden is None:
        return checked
    risk = candidate_risk(hidden, promised(guarantees), checked.risk)
    return replace(checked, findings=checked_again(guarantees, checked.findings, hidden), risk=risk)


def _generalised_population(released: Tally, dataset: Dataset, original: Tally, where: str) -> Tally:
    """The population, generalised to the levels that the release shows.

    Where several levels have all the labels of a column, the finest is taken: the population's classes are then the
    smallest that they can be.
    """
    table = build_table(dataset, original)
    labels, codes = [], []
    for hierarchy, leaves, values in zip(table.hierarchies, table.leaves, released.values, strict=True):
        levels = [level for level, names in enumerate(hierarchy.labels) if set(values) <= set(names)]
        if not levels:
            raise BadData(
                f"column {hierarchy.column!r} of {where} has values that are not all of one level of its hierarchy, so "
                "it can't be compared with the population"
            )
        labels.append(hierarchy.labels[levels[0]])
        codes.append(hierarchy.codes[levels[0]][leaves])
    assert original.population is not None
    people = original.population
    return Tally(released.columns, tuple(labels), np.array(codes), people, Census(people))


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
        raise BadData(f"{where} has no column {shown_names(lacking)}, which the plan protects")
    return reading if reading.unit in present else replace(reading, unit=None)

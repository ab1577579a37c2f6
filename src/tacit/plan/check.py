"""Does a file keep the promises of a plan? Raw data and releases alike.

The classes are those of the file. The distribution that t-closeness, beta-likeness and delta-disclosure compare with
is that of the plan's own data, since that is what was promised; of a column that the plan treats, it is the file's own.
Where the plan publishes a sample, the plan's own data is the whole file that it was drawn from. What a file shows
besides its classes is remarked, and fails it where it undoes what was promised.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tacit.cards.republication import RepublicationMethod
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
from tacit.guarantees.k_concealment import KConcealment
from tacit.metrics.risk import measure_risk
from tacit.metrics.singling_out import singling_out
from tacit.plan.concealed import candidate_risk, checked_again, concealed, promised
from tacit.plan.dataset import Dataset, build_table, count
from tacit.plan.drawn import share_of
from tacit.plan.load import Plan
from tacit.plan.released import Released, case_of, read_back, with_own_reference
from tacit.plan.remarks import Remark, remarks_on, without_unit
from tacit.plan.sampling import present_sampling, sample_risk
from tacit.release import Risk, SampleRisk
from tacit.verification.verify import require_agreement

OF_A_POPULATION = ("k-map", "delta-presence")
"""Guarantees whose sentences are about the people of a population, who are never rows of the file."""


@dataclass(frozen=True, eq=False)
class Checked:
    """What a check found, who was counted, the risk that remains, and what else is to be said.

    `counted` says how; `of` are those whom sentences and risk are about: rows where the plan names a unit that the
    file lacks, otherwise people.
    """

    findings: tuple[Finding, ...]
    risk: Risk
    classes: int
    suppressed_rows: int
    counted: str
    of: Literal["people", "rows"] = "people"
    remarks: tuple[Remark, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every guarantee holds, and nothing that was remarked fails the file."""
        return all(finding.holds for finding in self.findings) and not any(remark.fails for remark in self.remarks)


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
    if not own and find_method(plan.release.method).kind == RepublicationMethod.kind:
        from tacit.plan.republish import check_release

        return check_release(plan, data, engine)
    reading = _present(plan.dataset, engine.columns(data), data.name)
    original = count(plan.dataset, engine)
    if own:
        return check_tally(guarantees, Released(original, 0), plan.dataset.unit, plan.release.risk_threshold)
    treated = {name for entry in plan.release.treatments for name in entry.columns}
    released = with_own_reference(read_back(engine, data, reading, original.sensitive), treated)
    checked = _check_released(plan, released, original, data.name)
    return replace(checked, remarks=(*checked.remarks, *remarks_on(plan, data, engine, released, original)))


def _check_released(plan: Plan, released: Released, original: Tally, where: str) -> Checked:
    """The findings on a file that was read back, agreed on by both implementations."""
    guarantees = tuple(parse_guarantee(entry) for entry in plan.release.guarantees)
    people, unit = None, None if released.reading is None else released.reading.unit
    if plan.dataset.population is not None:
        people = _generalised_population(released.tally, plan.dataset, original, where)
        released = replace(released, tally=beside_population(released.tally, people))
    checked = check_tally(guarantees, released, unit, plan.release.risk_threshold)
    require_agreement(case_of(released, people), checked.findings)
    if plan.dataset.unit is not None and unit is None:
        checked = _in_rows(checked, plan.dataset.unit)
    if plan.release.sample is not None:
        _require_classes(guarantees, released.tally)
        return checked
    return _by_candidates(checked, guarantees, plan.dataset, original, released) if promised(guarantees) else checked


def _in_rows(checked: Checked, unit: str) -> Checked:
    """The check with sentences that speak of the rows that were counted, since the file does not name people."""
    findings = []
    for finding in checked.findings:
        # A column's name is left as it is.
        name = f"{re.escape(finding.column)}|" if finding.column and "people" in finding.column else ""
        says = re.sub(rf"{name}\bpeople\b", lambda found: "rows" if found[0] == "people" else found[0], finding.says)
        findings.append(finding if finding.name in OF_A_POPULATION else finding.model_copy(update={"says": says}))
    return replace(checked, findings=tuple(findings), of="rows", remarks=(without_unit(unit),))


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
    """The check with k-concealment and risk counted by candidates, who are people; itself where class sizes tell."""
    unit = None if released.reading is None else released.reading.unit
    hidden = concealed(guarantees, build_table(dataset, original), released.tally, unit)
    if hidden is None:
        return checked
    risk = candidate_risk(hidden, promised(guarantees), checked.risk)
    findings = checked_again(guarantees, checked.findings, hidden)
    remarks = () if all(isinstance(one, KConcealment) for one in guarantees) else checked.remarks
    return replace(checked, findings=findings, risk=risk, of="people", remarks=remarks)


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

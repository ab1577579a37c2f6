"""Checks whether a file, raw or released, keeps the promises of a plan.

The classes are those of the file. The distribution that t-closeness, beta-likeness and delta-disclosure compare with is
that of the plan's own data, since that is what was promised; of a column that the plan treats, it is the file's own. If
the plan leaves rows out, for example by a sample, the plan's own data is the whole file. What a file shows besides its
classes is remarked, and fails it if it undoes what was promised.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, shown_names
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.counting import TallyRequest
from tacit.data.tables.population import beside_population
from tacit.data.tables.tally import Census, Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.guarantees.guarantee import TableGuarantee, check
from tacit.metrics.tables.risk import measure_risk
from tacit.metrics.tables.singling_out import singling_out
from tacit.plan.load import Plan
from tacit.promise import PeopleOrRows
from tacit.release.tables import Risk, SurveyRisk
from tacit.runs.check import CheckResult, Remark
from tacit.runs.tables.concealment import (
    about_candidates,
    checked_again,
    classes_tell,
    counted_by,
    linkage_of,
    promised,
)
from tacit.runs.tables.count import build_table, count
from tacit.runs.tables.known_values import known_in_file
from tacit.runs.tables.prepare import scale_of
from tacit.runs.tables.read_back import ReadBack, case_of, read_back, with_own_reference
from tacit.runs.tables.remarks import ReleasedFile, on_known_values, remarks_on, without_unit
from tacit.runs.tables.several_rows import one_as_several
from tacit.runs.tables.step import Step
from tacit.runs.tables.task import asked_steps, guarantees_of
from tacit.spelling import many, meant, singular
from tacit.verification.verify import require_agreement
from tacit.visible import visible

AskedSteps = tuple[Step[Any], ...]


class MeasuredRisk(Risk):
    """The risk of a table as it is, with `notes` on how its people were counted."""

    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """The figures that most ask for, and the notes below."""
        return "\n".join((super().__repr__(), *(f"  note  {visible(note)}" for note in self.notes)))

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """The figures as a table, and the notes."""
        from tacit.hypertext import line, piece

        return piece("Risk", *self._shown(), *(line(f"Note: {note}") for note in self.notes))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TableCheck(CheckResult):
    """What a check of a table found, who was counted, and the risk that remains.

    `counted` says how it was counted, `of` what findings and risk count: rows if the plan names a unit that the file
    does not have, otherwise people.
    """

    risk: Risk
    classes: int
    suppressed_rows: int
    counted: str
    of: PeopleOrRows = "people"

    @property
    def measured(self) -> MeasuredRisk:
        """The risk, with what was remarked, and with the exact values that find people."""
        remarks = dict.fromkeys((*self.remarks, *on_known_values(self.risk)))
        return MeasuredRisk(**dict(self.risk), notes=tuple(remark.says for remark in remarks))

    def values(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            **super().values(),
            "risk": self.risk.model_dump(mode="json"),
            "classes": self.classes,
            "suppressed": self.suppressed_rows,
            "counted": self.counted,
            "of": self.of,
        }

    def lines(self, name: str) -> list[str]:
        """The result for a terminal."""
        risk = f"{_percent(self.risk.prosecutor_highest)}{' of a row' if self.of == 'rows' else ''}"
        found = f"{many(self.classes, 'class', 'classes')}, {many(self.suppressed_rows, 'suppressed row')}"
        lines = [
            f"{name}: {found}, counted in {self.counted}",
            *self.lines_of_promises(self.of),
            f"  highest risk {risk}, {many(self.risk.unique, singular(self.of), self.of)} unique",
        ]
        return lines if self.risk.survey is None else [*lines, f"  as a survey: {_as_survey(self.risk.survey)}"]


def _percent(share: float) -> str:
    """A share as `protect` tells it."""
    return "100 %" if share == 1 else f"{100 * share:.1f} %"


def _as_survey(survey: SurveyRisk) -> str:
    """The risk of a survey, in words."""
    words = (
        f"highest individual risk {_percent(survey.highest)}, {survey.expected:,.3g} people re-identified on average"
    )
    if survey.households is None:
        return words
    return f"{words}, and {survey.households_expected or 0:,.3g} of {survey.households:,} households"


def check_file(plan: Plan, data: Source, engine: Engine) -> TableCheck:
    """The findings of the plan's guarantees on `data`, with what steps add to its risk."""
    steps, dataset, original = asked_steps(plan.dataset, plan.release), plan.dataset, count(plan.dataset, engine)
    if is_own(plan, data):
        checked = check_tally(
            guarantees_of(plan.release), ReadBack(original, 0), dataset.unit, plan.release.risk_threshold
        )
        checked = replace(checked, remarks=_about_people(dataset, engine))
    else:
        checked = _check_other(plan, steps, data, engine, original)
        dataset = replace(dataset, scale=scale_of(steps, original, dataset.unit))
    found = with_risk_of(steps, checked, replace(dataset, source=data), engine, () if is_own(plan, data) else steps)
    return found if is_own(plan, data) else replace(found, remarks=(*found.remarks, *on_known_values(found.risk)))


def check_dataset(
    dataset: Dataset, guarantees: tuple[TableGuarantee, ...], threshold: float, engine: Engine
) -> TableCheck:
    """The findings on a dataset as it is."""
    checked = check_tally(guarantees, ReadBack(count(dataset, engine), 0), dataset.unit, threshold)
    checked = replace(checked, remarks=_about_people(dataset, engine))
    return with_risk_of(asked_steps(dataset, None), checked, dataset, engine)


def _about_people(dataset: Dataset, engine: Engine) -> tuple[Remark, ...]:
    """That one person may have been counted as several."""
    complaint = one_as_several(dataset, engine)
    return () if complaint is None else (Remark(complaint),)


def with_risk_of(
    steps: AskedSteps, checked: TableCheck, dataset: Dataset, engine: Engine, taken: AskedSteps = ()
) -> TableCheck:
    """What was found, with known values and what steps add to the risk of the rows; `taken` are steps behind them."""
    threshold = checked.risk.threshold
    more: dict[str, Any] = {"known_values": known_in_file(dataset, dataset.source, taken, engine)}
    for step in steps:
        more |= step.risk_of(dataset, dataset.source, engine, threshold)
    return replace(checked, risk=checked.risk.model_copy(update=more))


def _check_other(plan: Plan, steps: AskedSteps, data: Source, engine: Engine, original: Tally) -> TableCheck:
    """The findings on a file that is not the plan's own."""
    reading = _present(plan.dataset, engine.columns(data), data.name)
    changed = frozenset[str]().union(*(step.effects(plan.dataset).changed for step in steps))
    released = with_own_reference(read_back(engine, data, reading, original.sensitive), changed)
    checked = _check_released(plan, steps, released, original, data.name)
    told = remarks_on(ReleasedFile(plan, steps, data, released), engine, original)
    return replace(checked, remarks=(*checked.remarks, *told))


def _check_released(plan: Plan, steps: AskedSteps, released: ReadBack, original: Tally, where: str) -> TableCheck:
    """The findings on a file that was read back, agreed on by both implementations."""
    guarantees = guarantees_of(plan.release)
    people, unit = None, None if released.reading is None else released.reading.unit
    if plan.dataset.population is not None:
        people = _generalised_population(released.tally, plan.dataset, original, where)
        released = replace(released, tally=beside_population(released.tally, people))
    named = plan.dataset.unit
    of: PeopleOrRows = "rows" if named is not None and unit is None else "people"
    checked = check_tally(guarantees, released, unit, plan.release.risk_threshold, of)
    require_agreement(case_of(released, people), guarantees, checked.promises)
    if named is not None and unit is None:
        checked = replace(checked, remarks=(without_unit(named),))
    if any(step.leaves_rows_out for step in steps):
        _require_classes(guarantees, released.tally)
        return checked
    if not about_candidates(guarantees):
        return checked
    return _by_candidates(checked, guarantees, plan.dataset, original, released)


def is_own(plan: Plan, data: Source) -> bool:
    """Whether the file is the plan's own raw file."""
    raw = plan.dataset.source.path
    return raw is not None and data.path is not None and raw.samefile(data.path)


def _require_classes(guarantees: tuple[TableGuarantee, ...], released: Tally) -> None:
    """Refuse to check candidates if rows were left out, unless class sizes already show that the promise is kept."""
    if not classes_tell(guarantees, released):
        raise BadParameter(
            "the plan leaves rows out, for example by a sample, and no file records whose they are, so the rows that "
            "may be a person's can't be counted again; they were counted when the release was made, and its evidence "
            "gives the result"
        )


def _by_candidates(
    checked: TableCheck, guarantees: tuple[TableGuarantee, ...], dataset: Dataset, original: Tally, released: ReadBack
) -> TableCheck:
    """The check with promises and risk by candidates; unchanged where class sizes already show that they are kept."""
    unit = None if released.reading is None else released.reading.unit
    linkage = linkage_of(guarantees, build_table(dataset, original), released.tally, unit)
    if linkage is None:
        return checked
    hidden = counted_by(guarantees, linkage)
    risk = hidden.risk(promised(guarantees), checked.risk)
    findings = checked_again(guarantees, checked.promises, hidden)
    again = [(one, found) for one, found in zip(guarantees, findings, strict=True) if one in hidden.people]
    require_agreement(case_of(released, linkage=linkage), *zip(*again, strict=True))
    remarks = () if len(about_candidates(guarantees)) == len(guarantees) else checked.remarks
    return replace(checked, promises=findings, risk=risk, of="people", remarks=remarks)


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
                f"column {hierarchy.column!r} of {where} has values from different levels of its hierarchy, so "
                "it can't be compared with the population"
            )
        labels.append(hierarchy.labels[levels[0]])
        codes.append(hierarchy.codes[levels[0]][leaves])
    assert original.population is not None
    people = original.population
    return Tally(released.columns, tuple(labels), np.array(codes), people, Census(people))


def check_tally(
    guarantees: tuple[TableGuarantee, ...],
    found: ReadBack,
    unit: str | None,
    threshold: float,
    of: PeopleOrRows = "people",
) -> TableCheck:
    """The findings on a tally in which every combination is a class; `of` is what sentences speak of."""
    classes: Classes = classes_of(found.tally)
    risk = measure_risk(classes, threshold).model_copy(update={"singling_out": singling_out(found.tally)})
    return TableCheck(
        promises=tuple(check(guarantee, classes, of=of) for guarantee in guarantees),
        risk=risk,
        classes=classes.number,
        suppressed_rows=found.suppressed_rows,
        counted="people" if unit else "rows",
        of=of,
    )


def _present(dataset: Dataset, present: dict[str, str], where: str) -> TallyRequest:
    """What to read from a file that may not have the identifiers; without the unit, rows are counted."""
    reading = dataset.reading
    lacking = [name for name in (*reading.quasi_identifiers, *reading.sensitive) if name not in present]
    if lacking:
        raise BadData(f"{where} has no column {shown_names(lacking)}, which the plan protects{meant(lacking, present)}")
    return reading if reading.unit in present else replace(reading, unit=None)

"""A trial: one candidate decided and measured in memory, without writing a release.

The classes are those that the release would have: the counted combinations, merged as the recoding says. If the
recoding deals rows of one combination out to several classes, and it matters which because of a secret or a person with
several rows, the engine recodes the rows in memory and they are counted, as when a release is read back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal

import numpy as np

from tacit.cards.metric import Metric
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.published import PublishedTable, publish
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Stars
from tacit.errors import BadParameter, CannotGuarantee, MissingExtra, TacitError
from tacit.evidence.comparison.comparison import TriedCandidate
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee, check
from tacit.metrics.tables.risk import measure_risk
from tacit.params import Params
from tacit.plan.schema import ReleaseSection
from tacit.promise import Measured
from tacit.release.tables import Risk
from tacit.request import Progress, TableDecision
from tacit.runs.candidates import Candidate, changes
from tacit.runs.job import Job
from tacit.runs.tables.concealment import (
    ConcealedPeople,
    checked_again,
    concealed,
    metrics_of,
    promised,
    require_unlinked,
)
from tacit.runs.tables.read_back import read_back, require_tellable
from tacit.runs.tables.recode import recoded
from tacit.runs.tables.stations import PreparedTable
from tacit.runs.tables.step import Task
from tacit.runs.tables.task import task_of


@dataclass(frozen=True, eq=False)
class Measure:
    """A metric and the parameters that it is run with."""

    card: Metric[Any]
    params: Params


@dataclass(frozen=True, eq=False)
class TrialSetting:
    """What all candidates share: the job, the plan's own task, the counted table, the metrics.

    `unmeasured` are metrics that could not be measured on some candidate, with the reason.
    """

    job: Job[Dataset]
    task: Task
    engine: Engine
    prepared: PreparedTable
    measures: Mapping[str, Measure]
    unmeasured: dict[str, str]

    @property
    def dataset(self) -> Dataset:
        """The drawn and treated rows."""
        return self.prepared.rows.dataset

    @property
    def table(self) -> Table:
        """The counted table."""
        return self.prepared.table

    @property
    def section(self) -> ReleaseSection:
        """The plan's own section."""
        return self.task.section

    @property
    def measures_more(self) -> bool:
        """Whether there are metrics that may look at secrets."""
        return not all("comparison" in measure.card.standard for measure in self.measures.values())


def attempt(setting: TrialSetting, candidate: Candidate, progress: Progress) -> TriedCandidate:
    """The outcome of the candidate; a MissingExtra is raised, every other refusal is an outcome."""
    known = {
        "name": candidate.name,
        "method": candidate.section.method,
        "settings": dict(candidate.settings),
        "changes": changes(setting.section, candidate),
    }
    begin = perf_counter()
    try:
        task = task_of(setting.dataset, candidate.section)
        require_unlinked(setting.dataset, task.steps, task.guarantees)
        answer = task.decide(setting.table, progress)
        seconds = perf_counter() - begin
        progress("measuring")
        found = measured(setting, task.guarantees, answer)
    except MissingExtra:
        raise
    except TacitError as error:
        return TriedCandidate(**known, failed=str(error), seconds=perf_counter() - begin)
    return TriedCandidate(**known, **found, seconds=seconds)


def measured(setting: TrialSetting, guarantees: tuple[TableGuarantee, ...], answer: TableDecision) -> dict[str, Any]:
    """The guarantees, risks and metrics of what was decided."""
    published = publish(setting.table, answer.recoding)
    require_tellable(published)
    counted = _counted(setting, published, guarantees)
    classes = classes_of(counted) if counted is not None else _merged(published)
    shown = replace(published, counted=counted).released
    people = concealed((*guarantees, *setting.task.guarantees), setting.table, shown, setting.dataset.unit)
    findings = _findings(guarantees, classes, people)
    failing = [finding.says for finding in findings if not finding.holds]
    if failing:
        raise CannotGuarantee(f"it was decided but does not keep its promise: {'; '.join(failing)}")
    for step in setting.task.steps:
        step.check(setting.prepared.rows, shown)
    by_classes = measure_risk(classes, setting.section.risk_threshold)
    risk = Risk.model_validate({**dict(by_classes), **_risk_of_steps(setting, published)})
    if people is not None:
        risk = people.risk(promised(guarantees), risk)
    return {
        "guarantees": findings,
        "keeps_plan": all(finding.holds for finding in _findings(setting.task.guarantees, classes, people)),
        "optimal": answer.optimal,
        "risk": risk,
        "metrics": _metrics(setting, replace(published, counted=counted), risk if people is not None else None),
        "classes": classes.number,
        "suppressed_rows": published.suppressed_rows,
        "suppressed_share": published.suppressed_rows / max(published.rows, 1),
    }


def _findings(
    guarantees: tuple[TableGuarantee, ...], classes: Classes, people: ConcealedPeople | None
) -> tuple[Measured, ...]:
    """What the guarantees measure; those about candidates count them where classes do not tell."""
    found = tuple(check(guarantee, classes, most=0) for guarantee in guarantees)
    return found if people is None else checked_again(guarantees, found, people)


def _metrics(setting: TrialSetting, published: PublishedTable, risk: Risk | None) -> dict[str, float]:
    """The metrics that can be measured; the reason is noted for others. `risk`, if given, replaces that of classes."""
    values: dict[str, float] = {}
    for name, measure in setting.measures.items():
        try:
            values[name] = float(measure.card.run(published, measure.params).value)
        except TacitError as error:
            setting.unmeasured[name] = str(error)
    counted = {} if risk is None else metrics_of(risk)
    return values | {name: value for name, value in counted.items() if name in values}


def _counted(setting: TrialSetting, published: PublishedTable, guarantees: tuple[TableGuarantee, ...]) -> Tally | None:
    """The released rows, counted, if rows of one combination go to several classes; else None: no count is needed."""
    combination = published.recoding.combination
    if not combination.size or int(np.bincount(combination).max()) <= 1:
        return None
    if published.table.tally.population is not None:
        raise BadParameter(
            "rows of one combination would go to several classes, so the classes can't be compared with a population"
        )
    reading = setting.dataset.reading
    about_secrets = any(isinstance(guarantee, SecretGuarantee) for guarantee in guarantees)
    if not about_secrets and not published.hides_people and not (reading.sensitive and setting.measures_more):
        return published.released
    source = _recoded(setting, published, "star")
    return read_back(setting.engine, source, reading, published.table.tally.sensitive).tally


def _risk_of_steps(setting: TrialSetting, published: PublishedTable) -> Mapping[str, Any]:
    """What steps add to the risk of the rows that are not suppressed."""
    if published.suppressed_rows == published.rows:
        return {}
    source, threshold = _recoded(setting, published, "omit"), setting.section.risk_threshold
    told = [step.risk_of(setting.dataset, source, setting.engine, threshold) for step in setting.task.steps]
    return {key: value for one in told for key, value in one.items()}


def _recoded(setting: TrialSetting, published: PublishedTable, suppressed: Literal["star", "omit"]) -> Source:
    """The rows as they would be published."""
    reading = setting.dataset.reading
    stars = Stars((*reading.quasi_identifiers, *reading.sensitive), suppressed)
    return recoded(setting.engine, setting.dataset.source, published, stars)


def _merged(published: PublishedTable) -> Classes:
    """The classes of a release that keeps the rows of each combination together, without suppressed rows."""
    tally, recoding = published.table.tally, published.recoding
    portion = np.full(tally.combinations, recoding.combination.size, dtype=np.int64)
    portion[recoding.combination] = np.arange(recoding.combination.size)
    codes = []
    for c, labels in enumerate(recoding.labels):
        position: dict[str, int] = {}
        # Labels with the same text are one to a reader; what is suppressed or nowhere has the code after the last.
        texts = np.array([*(position.setdefault(one, j) for j, one in enumerate(labels)), len(labels)])
        codes.append(texts[np.append(published.codes[c], len(labels))[portion]])
    keys = pack(codes, [len(labels) + 1 for labels in recoding.labels], tally.combinations)
    grouping = group_by(keys.key, keys.span)
    merged = tally.merged(grouping)
    gone = codes[0][grouping.first] == len(recoding.labels[0])
    nobody = np.zeros(merged.combinations, dtype=np.int64)
    beside = nobody if merged.population is None else merged.population
    classes = classes_of(replace(merged, rows=np.where(gone, 0, merged.rows), population=beside))
    return classes if tally.population is not None else replace(classes, population=None)

"""A trial: one candidate decided and measured in memory, without writing a release.

The classes are those that the release would have: the counted combinations, merged as the recoding says. Where the
recoding deals rows of one combination out to several classes, and a secret or a person with several rows makes it
matter which, the engine recodes the rows in memory and they are counted, as when a release is read back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Literal

import numpy as np

from tacit.cards.metric import Metric
from tacit.data.classes import Classes, classes_of
from tacit.data.grouping import group_by, pack
from tacit.data.published import Published, publish
from tacit.data.source import Source
from tacit.data.table import Table
from tacit.data.tally import Tally
from tacit.engines.engine import Engine, Target
from tacit.errors import BadParameter, CannotGuarantee, MissingExtra, TacitError
from tacit.evidence.comparison import Tried
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Finding, Guarantee, check
from tacit.guarantees.k_concealment import Linked
from tacit.metrics.risk import measure_risk
from tacit.params import Params
from tacit.plan.candidates import METRICS, Candidate, changes
from tacit.plan.concealed import candidate_risk, checked_again, concealed, promised, require_unlinked
from tacit.plan.job import Job
from tacit.plan.peak_memory import forget_peak, peak_bytes
from tacit.plan.protect import decide, require_able
from tacit.plan.released import read_back, require_tellable
from tacit.plan.sampling import named, sample_risk
from tacit.plan.treatments import require_together
from tacit.release import Risk, SampleRisk
from tacit.request import Answer, Progress


@dataclass(frozen=True, eq=False)
class Measure:
    """A metric and the parameters that it is run with."""

    card: Metric[Any]
    params: Params


@dataclass(frozen=True, eq=False)
class Ground:
    """What all candidates share: the treated job, the counted table, the metrics, the plan's own promises."""

    job: Job
    engine: Engine
    table: Table
    promised: tuple[Guarantee, ...]
    measures: Mapping[str, Measure]
    unmeasured: dict[str, str]
    """Metrics that could not be measured on some candidate, with the reason."""

    @property
    def measures_more(self) -> bool:
        """Whether there are metrics that may look at secrets."""
        return not set(self.measures) <= set(METRICS)


def attempt(ground: Ground, candidate: Candidate, progress: Progress) -> Tried:
    """What became of the candidate; a MissingExtra is raised, every other refusal is its outcome."""
    known = {
        "name": candidate.name,
        "method": candidate.section.method,
        "settings": dict(candidate.settings),
        "changes": changes(ground.job.section, candidate),
    }
    watched = forget_peak()
    begin = perf_counter()
    try:
        guarantees = tuple(parse_guarantee(entry) for entry in candidate.section.guarantees)
        require_able(candidate.section, guarantees)
        require_unlinked(ground.job.dataset, candidate.section, guarantees)
        answer = decide(ground.table, candidate.section, guarantees, progress)
        seconds = perf_counter() - begin
        progress("measuring")
        found = measured(ground, guarantees, answer)
    except MissingExtra:
        raise
    except TacitError as error:
        return Tried(**known, failed=str(error), seconds=perf_counter() - begin)
    return Tried(**known, **found, seconds=seconds, peak_memory_bytes=peak_bytes() if watched else None)


def measured(ground: Ground, guarantees: tuple[Guarantee, ...], answer: Answer) -> dict[str, Any]:
    """The guarantees, risks and metrics of what was decided."""
    published = publish(ground.table, answer.recoding)
    require_tellable(published)
    counted = _counted(ground, published, guarantees)
    classes = classes_of(counted) if counted is not None else _merged(published)
    shown = replace(published, counted=counted).released
    people = concealed((*guarantees, *ground.promised), ground.table, shown, ground.job.dataset.unit)
    findings = _findings(guarantees, classes, people)
    failing = [finding.says for finding in findings if not finding.holds]
    if failing:
        raise CannotGuarantee(f"it was decided but does not keep its promise: {'; '.join(failing)}")
    require_together(ground.job.dataset, ground.job.section, shown)
    sample = _sample_risk(ground, published)
    risk = measure_risk(classes, ground.job.section.risk_threshold).model_copy(update={"sample": sample})
    if people is not None:
        risk = candidate_risk(people, promised(guarantees), risk)
    return {
        "guarantees": findings,
        "keeps_plan": all(finding.holds for finding in _findings(ground.promised, classes, people)),
        "optimal": answer.optimal,
        "risk": risk,
        "metrics": _metrics(ground, replace(published, counted=counted), risk if people is not None else None),
        "classes": classes.number,
        "suppressed_rows": published.suppressed_rows,
        "suppressed_share": published.suppressed_rows / max(published.rows, 1),
    }


def _findings(guarantees: tuple[Guarantee, ...], classes: Classes, people: Linked | None) -> tuple[Finding, ...]:
    """What the guarantees measure; k-concealment counts the candidates of people where classes do not tell."""
    found = tuple(check(guarantee, classes, most=0) for guarantee in guarantees)
    return found if people is None else checked_again(guarantees, found, people)


def _metrics(ground: Ground, published: Published, risk: Risk | None) -> dict[str, float]:
    """The metrics that can be measured; of the others the reason is noted. `risk` is what goes for that of classes."""
    values: dict[str, float] = {}
    for name, measure in ground.measures.items():
        try:
            values[name] = float(measure.card.run(published, measure.params).value)
        except TacitError as error:
            ground.unmeasured[name] = str(error)
    counted = {} if risk is None else {"risk": risk.prosecutor_highest, "singling-out": risk.unique_share}
    return values | {name: value for name, value in counted.items() if name in values}


def _counted(ground: Ground, published: Published, guarantees: tuple[Guarantee, ...]) -> Tally | None:
    """The released table where it must be counted itself; None where the recoding tells its classes."""
    combination = published.recoding.combination
    if not combination.size or int(np.bincount(combination).max()) <= 1:
        return None
    if published.table.tally.population is not None:
        raise BadParameter(
            "rows of one combination would go to several classes, so the classes can't be compared with a population"
        )
    reading = ground.job.dataset.reading
    about_secrets = any("column" in guarantee.model_dump() for guarantee in guarantees)
    if not about_secrets and not published.hides_people and not (reading.sensitive and ground.measures_more):
        return published.released
    source = _recoded(ground, published, "star")
    return read_back(ground.engine, source, reading, published.table.tally.sensitive).tally


def _sample_risk(ground: Ground, published: Published) -> SampleRisk | None:
    """The risk by sampling weights and households, of the rows that are not suppressed; None without sampling."""
    if ground.job.dataset.sampling is None or published.suppressed_rows == published.rows:
        return None
    source = _recoded(ground, published, "omit")
    return sample_risk(ground.job.dataset, source, ground.engine, ground.job.section.risk_threshold)


def _recoded(ground: Ground, published: Published, suppressed: Literal["star", "omit"]) -> Source:
    """The rows as they would be published, in memory, with all columns that are counted."""
    dataset = ground.job.dataset
    reading = dataset.reading
    drawn = () if dataset.sampling is None else named(dataset.sampling)
    columns = tuple(dict.fromkeys((*reading.columns, *drawn)))
    target = Target(columns, (*reading.quasi_identifiers, *reading.sensitive), suppressed=suppressed)
    frame = ground.engine.frame(dataset.source, published.table.tally, published.recoding, target)
    return Source("frame", frame=frame)


def _merged(published: Published) -> Classes:
    """The classes of a release in which the rows of each combination stay together; what is suppressed is absent."""
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

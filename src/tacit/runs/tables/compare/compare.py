"""The comparison of tables: treat and count once, try every candidate in memory, mark the undominated ones.

No release is written. Steps run once for all candidates, as they would for a release, without what would write a file.
"""

from dataclasses import replace
from datetime import UTC, datetime
from math import isnan

from tacit.cards.competition import TableCompetition
from tacit.catalogue import find_metric
from tacit.data.dataset import Dataset
from tacit.data.tables.classes import classes_of
from tacit.engines.engine import Engine
from tacit.errors import BadParameter, MissingExtra
from tacit.evidence.comparison.comparison import RISKS, ComparisonAxis, ComparisonReport, TriedCandidate, marked
from tacit.guarantees.guarantee import TableGuarantee, check
from tacit.metrics.tables.risk import measure_risk
from tacit.params import Params
from tacit.plan.schema import ReleaseSection
from tacit.request import Progress, Stage, portion, share_done
from tacit.runs.candidates import Candidates, ComparisonRequest, candidates_of, is_competition
from tacit.runs.job import Job
from tacit.runs.run import versions
from tacit.runs.tables.compare.trial import Measure, TrialSetting, attempt
from tacit.runs.tables.competition import competing
from tacit.runs.tables.prepare import WHAT_IS_ABOUT_WHAT, prepare_table
from tacit.runs.tables.step import Task
from tacit.runs.tables.task import task_of
from tacit.spelling import meant


def compare_tables(
    job: Job[Dataset],
    section: ReleaseSection,
    engine: Engine,
    wanted: ComparisonRequest,
    promised: tuple[TableGuarantee, ...] = (),
) -> ComparisonReport:
    """Every candidate is tried, and the undominated ones are marked.

    `promised` are the guarantees of the section, where they are objects already.
    """
    axes = tuple(map(_axis, wanted.risk)), tuple(map(_axis, wanted.utility))
    candidates = candidates_of(section, wanted)
    task = _lighter(job.dataset, section, promised)
    setting = _setting(job, task, engine, _measures(wanted, candidates, section))
    skipped = dict(candidates.skipped)
    rows = _with_choice(setting, _rows(setting, candidates, skipped))
    if not rows:
        raise BadParameter("nothing is left to compare: " + "; ".join(f"{n}: {why}" for n, why in skipped.items()))
    found = marked(_comparison(setting, rows, skipped, axes))
    for axis in found.axes:
        if found.made and all(isnan(row.value(axis)) for row in found.made):
            why = setting.unmeasured.get(axis.name, "no candidate has such a figure, or the plan names no survey")
            raise BadParameter(f"{axis.name} can't be measured here: {why}")
    return found


def _axis(name: str) -> ComparisonAxis:
    """The risk figure or metric of this name."""
    if name in RISKS:
        return ComparisonAxis(name=name, title=RISKS[name][0])
    try:
        card = find_metric(name, "tables")
    except BadParameter as error:
        raise BadParameter(f"{error}; risk figures are {', '.join(RISKS)}{meant([name], RISKS)}") from None
    return ComparisonAxis(name=name, title=card.title.lower(), better=card.better)


def _measures(wanted: ComparisonRequest, candidates: Candidates, section: ReleaseSection) -> dict[str, Measure]:
    """The metrics that were asked for and those of the plan, with the parameters that were set or those of examples."""
    own = {name: given for entry in section.metrics for name, given in entry.items()}
    axes = [name for name in (*wanted.risk, *wanted.utility) if name not in RISKS]
    if is_competition(section.method):
        axes.append(section.objective)
    found = {}
    for name in dict.fromkeys((*wanted.metrics, *axes, *own)):
        card = find_metric(name, "tables")
        given = {**card.example.model_dump(), **own.get(name, {}), **candidates.metrics.get(name, {})}
        params: Params = card.params.parse(name, given)
        found[name] = Measure(card, params)
    return found


def _lighter(dataset: Dataset, section: ReleaseSection, promised: tuple[TableGuarantee, ...]) -> Task:
    """The task of the section without what would write to a file."""
    task = task_of(dataset, section, promised or None)
    lighter = (step.lighter(dataset) for step in task.steps)
    return replace(task, steps=tuple(step for step in lighter if step is not None))


def _setting(job: Job[Dataset], task: Task, engine: Engine, measures: dict[str, Measure]) -> TrialSetting:
    """The counted table, after the draw and the treatments."""
    prepared = prepare_table(job, task, engine)
    job.require_unchanged()
    return TrialSetting(job, task, engine, prepared, measures, {})


def _rows(setting: TrialSetting, candidates: Candidates, skipped: dict[str, str]) -> tuple[TriedCandidate, ...]:
    """The outcome of each candidate; a method whose package is not installed is skipped."""
    rows = []
    for number, candidate in enumerate(candidates.tried, 1):
        if candidate.section.method in skipped:
            continue
        head = f"candidate {number} of {len(candidates.tried)}: {candidate.name}"
        try:
            told = _headed(setting.job.progress, head, number - 1, len(candidates.tried))
            rows.append(attempt(setting, candidate, told))
        except MissingExtra as error:
            skipped[candidate.section.method] = str(error)
    return tuple(rows)


def _with_choice(setting: TrialSetting, rows: tuple[TriedCandidate, ...]) -> tuple[TriedCandidate, ...]:
    """The rows, with the one marked that the plan's own competition would choose, if the plan has one."""
    if not isinstance(setting.task.method, TableCompetition):
        return rows
    names, objective = competing(setting.task.guarantees), setting.section.objective
    sign = 1 if setting.measures[objective].card.better == "lower" else -1
    could = [
        row for row in rows if row.method in names and row.keeps_plan and set(row.changes) <= {"method", "parameters"}
    ]
    best = min(could, key=lambda row: (sign * row.metrics[objective], list(names).index(row.method)), default=None)
    return tuple(row.model_copy(update={"is_chosen": row is best}) for row in rows)


def _headed(progress: Progress, head: str, before: int, whole: int) -> Progress:
    """The progress of one candidate among many, `before` of which are done."""
    progress(Stage(head, before, whole))
    told = portion(progress, before, whole)
    return lambda words: told(Stage(f"{head}, {words}", share_done(words)))


def _comparison(
    setting: TrialSetting,
    rows: tuple[TriedCandidate, ...],
    skipped: dict[str, str],
    axes: tuple[tuple[ComparisonAxis, ...], ...],
) -> ComparisonReport:
    """What was found."""
    job, tally = setting.job, setting.prepared.before
    before = classes_of(tally)
    chosen = [f"{setting.section.method}, the plan's method, would choose {row.name}." for row in rows if row.is_chosen]
    notes = [f"{name} was not measured everywhere: {why}" for name, why in setting.unmeasured.items()]
    return ComparisonReport(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        title=job.title,
        input=job.inputs[0].model_copy(update={"rows": int(tally.rows.sum())}),
        counted="people" if job.dataset.unit else "rows",
        before=measure_risk(before, setting.section.risk_threshold),
        promised=tuple(check(guarantee, before, most=0) for guarantee in setting.task.guarantees),
        risk=axes[0],
        utility=axes[1],
        rows=rows,
        skipped=skipped,
        notes=(*chosen, *_notes(setting), *notes),
        command=job.command,
        versions=versions(),
    )


def _notes(setting: TrialSetting) -> tuple[str, ...]:
    """What a reader must know about the rows that all candidates were made from."""
    rows, seeded = setting.prepared.rows, setting.task.is_seeded
    told = tuple(note for step in setting.task.steps for note in step.compared(rows, seeded))
    return told if rows.whole is None else (*told, WHAT_IS_ABOUT_WHAT)

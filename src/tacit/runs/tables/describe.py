"""From what was decided and read back to what the evidence says about a released table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tacit.cards.metric import MetricValue
from tacit.catalogue import find_metric
from tacit.data.dataset import Dataset
from tacit.data.tables.classes import classes_of
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.tally import Tally
from tacit.errors import TacitError
from tacit.guarantees.guarantee import check
from tacit.measures import standard_metrics
from tacit.metrics.tables.risk import measure_risk
from tacit.metrics.tables.singling_out import singling_out
from tacit.promise import Measured
from tacit.release.tables import Risk, Search, Suppression, TableBody
from tacit.request import TableDecision
from tacit.runs.job import Job
from tacit.runs.packages import part_of
from tacit.runs.run import Description
from tacit.runs.tables.columns import column_reports
from tacit.runs.tables.concealment import metrics_of, note_of, promised
from tacit.runs.tables.stations import PreparedTable, ReleasedTable, WrittenTable
from tacit.runs.tables.step import ReleasedRows, StepFacts, Task

NO_SECRET = (
    "The plan calls no column sensitive, so nothing is promised about secrets: what all people of a class have in "
    "common is known of each of them."
)
UNGUARDED = "Cells that a spreadsheet would run as formulas are written as they are (guard_formulas is off)."


Stations = tuple[PreparedTable, WrittenTable, ReleasedTable]
"""What the run left so far."""


def describe_table(
    job: Job[Dataset], task: Task, stations: Stations, facts: Sequence[StepFacts]
) -> Description[TableBody]:
    """The body of the release, and what is known about its envelope."""
    prepared, made, back = stations
    dataset, released = prepared.rows.dataset, back.found.back
    before = classes_of(prepared.before)
    rows_before = int(prepared.before.rows.sum())
    rows_after = int(released.tally.rows.sum()) + released.suppressed_rows
    first, *others = job.inputs
    return Description(
        body=_body(task, stations, facts),
        method=task.section.method,
        parameters=task.section.parameters,
        inputs=(first.model_copy(update={"rows": rows_before}), *others),
        outputs=(made.fingerprint.model_copy(update={"rows": rows_after}),),
        promises_before=tuple(check(guarantee, before) for guarantee in task.guarantees),
        unit=dataset.unit,
        seeded=task.is_seeded,
        notes=_notes(dataset, task, stations, facts),
        uses=_uses(task),
    )


def _uses(task: Task) -> tuple[str, ...]:
    """The steps, the methods that they run, and the metrics, all of which other packages may bring."""
    methods = [name for step in task.steps for name in step.runs()]
    metrics = [*standard_metrics("release"), *(name for entry in task.section.metrics for name in entry)]
    return (
        *(f"steps/{step.name}" for step in task.steps),
        *(f"methods/{name}" for name in methods),
        *(part_of("metrics", name, "tables") for name in metrics),
    )


def _body(task: Task, stations: Stations, facts: Sequence[StepFacts]) -> TableBody:
    prepared, made, back = stations
    published, released = made.decision.published, back.found.back.tally
    measured = measure(replace(published, counted=released) if published.hides_people else published)
    asked = measure_asked(replace(published, counted=released), task.section.metrics)
    risk_before, risk_after = _risks(task, stations, facts)
    values = {name: value.value for name, value in measured.items()} | asked
    more: dict[str, Any] = {**prepared.rows.body, **{key: value for one in facts for key, value in one.body.items()}}
    unknown = sorted(set(more) - set(TableBody.model_fields))
    if unknown:
        raise TacitError(
            f"a step reports `{unknown[0]}` about the release, but evidence on tables has no such field, so nothing is "
            "published. This is a defect of the step: let it report that in `notes`"
        )
    return TableBody(
        counted="people" if prepared.rows.dataset.unit else "rows",
        classes=back.classes.number,
        risk_before=risk_before,
        risk_after=risk_after,
        suppressed=_suppression(task, published),
        search=_search(task, made.decision.answer, published),
        competition=made.decision.competition,
        advice=made.decision.advice,
        columns=column_reports(prepared.rows, made, back.found.back, measured),
        metrics=values if back.hidden is None else values | metrics_of(risk_after),
        **more,
    )


def _risks(task: Task, stations: Stations, facts: Sequence[StepFacts]) -> tuple[Risk, Risk]:
    """The risk before and after, with what steps know about it."""
    prepared, _, back = stations
    threshold = task.section.risk_threshold
    before = measure_risk(classes_of(prepared.before), threshold)
    after = measure_risk(back.classes, threshold)
    if back.hidden is not None:
        after = back.hidden.risk(promised(task.guarantees), after)
    sides: tuple[tuple[Risk, Tally | None, dict[str, Any]], ...] = (
        (before, prepared.before, {key: value for one in facts for key, value in one.risk_before.items()}),
        (
            after,
            back.found.back.tally if back.hidden is None else None,
            {key: value for one in facts for key, value in one.risk_after.items()},
        ),
    )
    return tuple(  # type: ignore[return-value]
        Risk.model_validate({**dict(risk), "singling_out": () if tally is None else singling_out(tally), **more})
        for risk, tally, more in sides
    )


def _suppression(task: Task, published: PublishedTable) -> Suppression:
    return Suppression(
        rows=published.suppressed_rows,
        share=published.suppressed_rows / published.table.number_of_rows,
        limit=task.section.suppression,
        written=task.section.suppressed == "star",
    )


def _search(task: Task, answer: TableDecision, published: PublishedTable) -> Search:
    return Search(
        objective=task.section.objective,
        levels=None if answer.levels is None else dict(zip(published.columns, answer.levels, strict=True)),
        optimal=answer.optimal,
        lower_bound=answer.bound,
        candidates=answer.candidates,
        evaluated=answer.evaluated,
    )


def measure(published: PublishedTable) -> Mapping[str, MetricValue]:
    """The standard metrics with their default parameters."""
    names = standard_metrics("release")
    return {name: (card := find_metric(name, "tables")).run(published, card.example) for name in names}


def measure_asked(published: PublishedTable, entries: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, float]:
    """The metrics that a plan asks for: `name` is the value, `name[column]` a column's, `name.part` another finding."""
    found: dict[str, float] = {}
    for name, parameters in ((name, given) for entry in entries for name, given in entry.items()):
        card = find_metric(name, "tables")
        value = card.run(published, card.params.parse(name, parameters))
        found[name] = value.value
        found |= {f"{name}[{column}]": number for column, number in value.per_column.items()}
        found |= {f"{name}.{part}": number for part, number in value.details.items()}
    return found


def named(measured: Measured, found: ReleasedRows) -> Measured:
    """The measure with its worst classes named by their labels in the release, so that they can be found there."""
    tally, worst = found.back.tally, []
    for entry, i in zip(measured.worst, measured.worst_positions, strict=True):
        labels = {name: tally.values[c][tally.codes[c, i]] for c, name in enumerate(tally.columns)}
        worst.append(entry.model_copy(update={"published": labels}))
    return measured.model_copy(update={"worst": tuple(worst)})


def _notes(dataset: Dataset, task: Task, stations: Stations, facts: Sequence[StepFacts]) -> tuple[str, ...]:
    """What a reader must know to read the evidence correctly."""
    prepared, made, back = stations
    section = task.section
    notes = ["Rows keep the order of the input." if not section.shuffle else "Rows were put in random order."]
    if made.decision.published.suppressed_rows:
        shown = (
            "are written with * in every quasi-identifier and sensitive column"
            if section.suppressed == "star"
            else "are left out"
        )
        notes.insert(
            0, f"Suppressed rows {shown}; they do not form a class, and each of their cells counts 1 in the loss."
        )
    if not section.guard_formulas:
        notes.append(UNGUARDED)
    if not dataset.named("sensitive"):
        notes.append(NO_SECRET)
    if dataset.unit:
        notes.append(
            f"People are counted by {dataset.unit!r}: several rows of one person count once in a class. A person "
            "in several classes counts once in every figure about people, with the highest of their risks; suppressed "
            "rows do not count, nor do people who have no other rows."
        )
    hidden = () if back.hidden is None else (note_of(made.decision.published.table.tally),)
    told = (note for one in facts for note in one.notes)
    # Several steps may say that the release was made from a seed.
    return tuple(dict.fromkeys((*notes, *prepared.rows.notes, *told, *hidden)))

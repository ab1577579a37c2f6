"""From what was decided and read back to the release that evidence and report are made of."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from tacit.cards.metric import MetricValue
from tacit.catalogue import find_metric, metrics
from tacit.data.classes import classes_of
from tacit.data.population import beside_population
from tacit.data.published import Published
from tacit.data.tally import Census, Tally
from tacit.guarantees.guarantee import Finding, check
from tacit.metrics.risk import measure_risk
from tacit.metrics.singling_out import singling_out
from tacit.plan.columns import column_reports
from tacit.plan.job import Job, Made
from tacit.plan.peak_memory import peak_bytes
from tacit.plan.treatments import told_together, treating
from tacit.release import ColumnReport, Recipe, Release, Risk, Suppression

NO_LABEL = "\0"
STANDARD = (
    "average-class-size",
    "discernibility",
    "distortion",
    "loss",
    "non-uniform-entropy",
    "precision",
    "query-error",
    "risk",
    "singling-out",
    "suppression",
)
"""The metrics of every release: quick ones. A plan asks for others by name."""
PACKAGES = ("tacit", "duckdb", "numpy", "pyarrow")


def describe(job: Job, made: Made) -> Release:
    """The release: every finding and risk from what was read back, every metric from what was decided."""
    tally = made.published.table.tally if job.whole is None else job.whole.tally
    released, threshold = made.released.tally, job.section.risk_threshold
    before, after = classes_of(tally), classes_of(_with_population(released, made.published))
    measured = measure(replace(made.published, counted=released) if made.published.hides_people else made.published)
    asked = measure_asked(replace(made.published, counted=released), job.section.metrics)
    return Release(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        title=job.input.name,
        counted="people" if job.dataset.unit else "rows",
        unit=job.dataset.unit,
        input=job.input.model_copy(update={"rows": int(tally.rows.sum())}),
        plan=job.plan,
        output=made.output.model_copy(update={"rows": int(released.rows.sum()) + made.released.suppressed_rows}),
        guarantees=tuple(_named(check(guarantee, after), made) for guarantee in made.guarantees),
        guarantees_before=tuple(check(guarantee, before) for guarantee in made.guarantees),
        recipe=recipe_of(job, made),
        drawn=None if job.whole is None else job.whole.drawn,
        suppressed=Suppression(
            rows=made.published.suppressed_rows,
            share=made.published.suppressed_rows / made.published.table.number_of_rows,
            limit=job.section.suppression,
            written=job.section.suppressed == "star",
        ),
        classes=after.number,
        metrics={name: value.value for name, value in measured.items()} | asked,
        columns=tuple(_treated(report, job) for report in column_reports(job.dataset, made, measured)),
        risk_before=_risk(measure_risk(before, threshold), tally),
        risk_after=_risk(measure_risk(after, threshold), released),
        notes=notes_of(job),
        seconds={},
        peak_memory_bytes=peak_bytes(),
        versions={**{name: version(name) for name in PACKAGES}, "python": sys.version.split()[0]},
    )


def _treated(report: ColumnReport, job: Job) -> ColumnReport:
    """The report of a column, with what a treatment did to it."""
    if job.treated is None or report.name not in job.treated.actions:
        return report
    told = report.role == "sensitive" or report.name in told_together(job.dataset, job.section)
    starred = ", * in suppressed rows" if told else ""
    return report.model_copy(update={"action": job.treated.actions[report.name] + starred})


def measure(published: Published) -> Mapping[str, MetricValue]:
    """The standard metrics with their default parameters."""
    shelf = metrics()
    return {name: (card := shelf[name]).run(published, card.example) for name in STANDARD}


def measure_asked(published: Published, entries: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, float]:
    """The metrics that a plan asks for: `name` is the value, `name[column]` a column's, `name.part` another finding."""
    found: dict[str, float] = {}
    for name, parameters in ((name, given) for entry in entries for name, given in entry.items()):
        card = find_metric(name)
        value = card.run(published, card.params.parse(name, parameters))
        found[name] = value.value
        found |= {f"{name}[{column}]": number for column, number in value.per_column.items()}
        found |= {f"{name}.{part}": number for part, number in value.details.items()}
    return found


def _with_population(released: Tally, published: Published) -> Tally:
    """The released tally beside the population; itself where there is none."""
    population = generalised_population(published)
    return released if population is None else beside_population(released, population)


def generalised_population(published: Published) -> Tally | None:
    """The people of the population with the labels that the release gives them; none without a population."""
    people, recoding = published.table.tally.population, published.recoding
    if people is None:
        return None
    # People of the population whose rows are suppressed fit no class: they have labels that no class has.
    labels, rows = tuple((*labels, NO_LABEL) for labels in recoding.labels), people[recoding.combination]
    return Tally(recoding.columns, labels, published.codes, rows, Census(rows))


def _risk(risk: Risk, tally: Tally) -> Risk:
    return risk.model_copy(update={"singling_out": singling_out(tally)})


def _named(finding: Finding, made: Made) -> Finding:
    """The finding with its worst classes named by the labels that are generalised, never by a cell of the raw data."""
    tally = made.released.tally
    general = _general_labels(made)
    worst = []
    for entry, i in zip(finding.worst, finding.worst_positions, strict=True):
        labels = {name: tally.values[c][tally.codes[c, i]] for c, name in enumerate(tally.columns)}
        shown = {name: label for name, label in labels.items() if label in general[name]}
        worst.append(entry.model_copy(update={"published": shown}))
    return finding.model_copy(update={"worst": tuple(worst)})


def _general_labels(made: Made) -> dict[str, set[str]]:
    """For each column the labels that are no value of the raw data: of a level above the leaves or, where there is no
    single level, of several leaves."""
    recoding, levels, hierarchies = made.published.recoding, made.answer.levels, made.published.table.hierarchies
    general: dict[str, set[str]] = {}
    for c, name in enumerate(recoding.columns):
        if levels is not None:
            general[name] = set(made.released.tally.values[c]) if levels[c] > 0 else set()
        else:
            several = zip(recoding.labels[c], recoding.leaves[c].tolist(), strict=True)
            general[name] = {label for label, leaves in several if leaves > 1} - set(hierarchies[c].leaves)
    return general


def recipe_of(job: Job, made: Made) -> Recipe:
    """How the release was made."""
    answer, columns = made.answer, made.published.columns
    return Recipe(
        method=job.section.method,
        objective=job.section.objective,
        parameters=dict(job.section.parameters),
        levels=None if answer.levels is None else dict(zip(columns, answer.levels, strict=True)),
        optimal=answer.optimal,
        lower_bound=answer.bound,
        candidates=answer.candidates,
        evaluated=answer.evaluated,
        command=job.command,
        plan=dict(job.form),
    )


def notes_of(job: Job) -> tuple[str, ...]:
    """What a reader of the evidence must know to read it rightly."""
    written = (
        "with * in every quasi-identifier and sensitive column" if job.section.suppressed == "star" else "not at all"
    )
    notes = [
        f"Suppressed rows are written {written}; they are no class, and each of their cells counts 1 in the loss.",
        "Rows keep the order of the input." if not job.section.shuffle else "Rows were put in random order.",
    ]
    if not job.section.guard_formulas:
        notes.append("Cells that a spreadsheet would run as formulas are written as they are (guard_formulas is off).")
    if job.dataset.unit:
        notes.append(f"People are counted by {job.dataset.unit!r}: several rows of one person count once in a class.")
        told = [(treating(entry.method).about_rows, entry.method) for entry in job.section.treatments]
        notes += [text.format(method=method) for text, method in told if text]
    if job.section.suppressed == "star" and (beside := told_together(job.dataset, job.section)):
        notes.append(
            f"Suppressed rows have * in {', '.join(map(repr, beside))} too, since it was treated together with a "
            "sensitive column and could tell it."
        )
    drawn = job.whole.notes if job.whole is not None else ()
    treated = job.treated.notes if job.treated is not None else ()
    # Both may say that the release was made from a seed.
    return tuple(dict.fromkeys((*drawn, *notes, *treated)))

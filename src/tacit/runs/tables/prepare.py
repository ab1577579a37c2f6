"""The rows that steps leave, as they are counted.

A step says which rows are left and how columns read; the run leaves rows out and puts the columns back, so no step can
make the evidence speak of other rows than it says. All that is about the file before its protection stays that of the
whole file: risk and guarantees before, the population, the values that hierarchies are inferred from, and the
distributions that t-closeness, beta-likeness and delta-disclosure compare classes with. So a release is checked against
the same file again, whichever rows were left out. What was suppressed and lost is about the rows that are left.

Quasi-identifiers are left to the method of the release: if a step changed one, the classes that the method builds would
be spoiled, and the loss would go unmeasured. A step adds no column, and gives a cell for each row of one that it
changes: else cells would come out empty, or in other rows.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from tacit.data.aggregates.sums import Sums
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, shown_names
from tacit.data.tables.population import beside_population
from tacit.data.tables.tally import Census, Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter, TacitError
from tacit.runs.job import Job
from tacit.runs.tables.count import build_table, count, require_match
from tacit.runs.tables.read_back import aligned
from tacit.runs.tables.several_rows import require_people_told_apart
from tacit.runs.tables.stations import PreparedTable
from tacit.runs.tables.step import ChangedColumns, CountedRows, KeptRows, Step, Task, WholeFile
from tacit.spelling import many, meant

WHAT_IS_ABOUT_WHAT = (
    "Risk and guarantees before the release are about the whole file, those after it about the people who are left. "
    "Suppression, loss and the other measures are about the rows that are left."
)
CHANGED_BEFORE_AND_AFTER = (
    "Guarantees before and after the release are both about the treated values of its sensitive columns."
)
CHANGED_AFTER = (
    "Guarantees before the release are about sensitive values before treatment, those after it about treated values."
)


def prepare_table(job: Job[Dataset], task: Task, engine: Engine) -> PreparedTable:
    """The rows that steps leave, counted, with hierarchies and weights."""
    require_match(job.dataset, engine.columns(job.dataset.source))
    with job.watch.time("look for people"):
        require_people_told_apart(job.dataset, engine)
    leaving = any(step.leaves_rows_out for step in task.steps)
    with job.watch.time("draw and treat" if leaving else "treat"):
        rows = CountedRows(job.dataset, progress=job.progress)
        if leaving:
            rows = replace(rows, whole=_whole(job, engine))
        for step in task.steps:
            _require_present(step, rows.dataset)
            rows = _changed(_left(rows, step, task, engine), step, task, engine)
        rows = replace(rows, notes=(*rows.notes, *_notes(rows)))
    job.progress("counting")
    with job.watch.time("count"):
        return PreparedTable(rows, build_table(rows.dataset, _counted(rows, engine)))


def share_left(steps: Collection[Step[Any]], whole: Tally, unit: str | None) -> float | None:
    """The share of the people of a file, or of its rows without a unit, that all steps leave, if it is known."""
    leaving = [step for step in steps if step.leaves_rows_out]
    if len(leaving) > 1:
        return None
    return leaving[0].share(whole, unit) if leaving else 1.0


def scale_of(steps: Collection[Step[Any]], whole: Tally, unit: str | None) -> float:
    """How many people, or rows, each remaining one represents after a draw; 1 if that can't be said."""
    return 1 / (share_left([step for step in steps if step.is_draw], whole, unit) or 1.0)


def _whole(job: Job[Dataset], engine: Engine) -> WholeFile:
    """The file before anything is left out of it."""
    job.progress("counting the whole file")
    tally = count(job.dataset, engine)
    return WholeFile(job.dataset, tally, int(tally.rows.sum()))


def _left(rows: CountedRows, step: Step[Any], task: Task, engine: Engine) -> CountedRows:
    """The rows that the step keeps."""
    kept = step.keep(rows, task, engine) if step.leaves_rows_out else None
    if kept is None:
        return rows
    assert rows.whole is not None
    number = _number(kept, rows, step)
    source = engine.drawn(rows.dataset.source, kept.rows)
    return replace(
        rows,
        dataset=replace(rows.dataset, source=source, scale=rows.dataset.scale * kept.scale),
        whole=replace(rows.whole, left=number),
        notes=(*rows.notes, *kept.notes),
        body={**rows.body, **kept.body},
    )


def _number(kept: KeptRows, rows: CountedRows, step: Step[Any]) -> int:
    """How many rows are left: at least one."""
    if kept.rows.dtype != np.bool_ or kept.rows.shape != (rows.number,):
        raise TacitError(
            f"the step {step.name} must say for each of {rows.number:,} rows whether it is kept; nothing is published"
        )
    number = int(kept.rows.sum())
    if not number:
        raise BadData(f"the step {step.name} leaves no row of {rows.original.source.name}, so nothing is published")
    return number


def _changed(rows: CountedRows, step: Step[Any], task: Task, engine: Engine) -> CountedRows:
    """The rows with the columns of the step in place of their own."""
    found = step.change(rows, task, engine)
    if found is None:
        return rows
    _require_named(found, rows.dataset, step)
    source = _replaced(rows.dataset.source, found, step, engine)
    actions = {name: found.actions.get(name, f"changed by {step.name}") for name in found.columns}
    return replace(
        rows,
        dataset=replace(rows.dataset, source=source),
        actions={**rows.actions, **actions},
        notes=(*rows.notes, *found.notes),
    )


def _replaced(source: Source, found: ChangedColumns, step: Step[Any], engine: Engine) -> Source:
    """The source with the columns of the step, which have a cell for each of its rows."""
    _require_equal(found, step)
    copy = engine.replaced(source, found.columns)
    # The copy has every row of the source and is quick to count, whatever format the source has.
    number = engine.aggregates(copy, Sums((), ())).rows
    for name, column in found.columns.items():
        if column.rows != number:
            raise TacitError(
                f"the step {step.name} gives {many(column.rows, 'cell')} for {name!r}, and the table has "
                f"{many(number, 'row')}; it must give a cell for each row; nothing is published. Unless "
                f"{source.name} changed while it was read, this is a defect of the step"
            )
    return copy


def _require_equal(found: ChangedColumns, step: Step[Any]) -> None:
    """The columns of the step have equal lengths."""
    lengths = sorted({column.rows for column in found.columns.values()})
    if len(lengths) > 1:
        raise TacitError(
            f"the step {step.name} gives columns of {', '.join(map(str, lengths))} rows; each must have a cell for "
            "each row of the table; nothing is published"
        )


def _require_present(step: Step[Any], dataset: Dataset) -> None:
    """All columns that the effects of the step name are there."""
    effects = step.effects(dataset)
    unknown = sorted((effects.changed | effects.may_repeat | effects.kept_identifiers) - set(dataset.columns))
    if unknown:
        raise BadParameter(
            f"the step {step.name} names {unknown[0]!r} in its `effects`, and the table has no such column; it has "
            f"{shown_names(list(dataset.columns))}{meant(unknown, dataset.columns)}. A step can't add columns"
        )


def _require_named(found: ChangedColumns, dataset: Dataset, step: Step[Any]) -> None:
    """The step changes only what it says and may change."""
    unsaid = sorted(set(found.columns) - step.effects(dataset).changed)
    if unsaid:
        raise TacitError(f"the step {step.name} changes {unsaid[0]!r}, which its `effects` do not name among `changed`")
    kept = [name for name in found.columns if dataset.columns[name].role == "quasi-identifier"]
    if kept:
        raise BadParameter(
            f"the step {step.name} changes {kept[0]!r}, a quasi-identifier; the release's method protects it, and an "
            "earlier change would silently spoil its classes"
        )


def _notes(rows: CountedRows) -> tuple[str, ...]:
    """What the figures before and after the release are about."""
    secret = any(rows.dataset.columns[name].role == "sensitive" for name in rows.actions)
    if rows.whole is None:
        return (CHANGED_BEFORE_AND_AFTER,) if secret else ()
    return (WHAT_IS_ABOUT_WHAT, CHANGED_AFTER) if secret else (WHAT_IS_ABOUT_WHAT,)


def _counted(rows: CountedRows, engine: Engine) -> Tally:
    """The tally of the rows; if some were left out, with the codes of the whole file."""
    whole = rows.whole
    if whole is None:
        return count(rows.dataset, engine)
    # The population was counted with the whole file.
    tally = count(replace(rows.dataset, population=None), engine)
    _require(int(tally.rows.sum()) == whole.left, whole.dataset)
    return _beside(_placed(tally, whole, rows.actions), whole.tally)


def _placed(tally: Tally, whole: WholeFile, changed: Collection[str]) -> Tally:
    """The tally with the codes of the whole file; a changed column keeps its new values."""
    codes = []
    for c, values in enumerate(tally.values):
        position = {value: code for code, value in enumerate(whole.tally.values[c])}
        _require(all(value in position for value in values), whole.dataset)
        codes.append(np.array([position[value] for value in values], dtype=np.int32)[tally.codes[c]])
    sensitive = {
        name: part if name in changed else aligned(part, whole.tally.sensitive[name])
        for name, part in tally.sensitive.items()
    }
    return replace(tally, values=whole.tally.values, codes=np.array(codes, dtype=np.int32), sensitive=sensitive)


def _beside(tally: Tally, whole: Tally) -> Tally:
    """The tally beside the population of the whole file, if any."""
    people = whole.population
    if people is None:
        return tally
    return beside_population(tally, Tally(whole.columns, whole.values, whole.codes, people, Census(people)))


def _require(same: bool, dataset: Dataset) -> None:
    if not same:
        raise BadData(f"{dataset.source.name} changed while it was read, so nothing is published; run it again")

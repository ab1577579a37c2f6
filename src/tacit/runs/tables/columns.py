"""What became of each column: level, cost, and how its published values are distributed before and after."""

from collections.abc import Mapping

import numpy as np
import yaml

from tacit.cards.metric import MetricValue
from tacit.data.dataset import Dataset
from tacit.data.tables.hierarchies.spec import spec_form
from tacit.data.tables.published import PublishedTable
from tacit.release.tables import ColumnReport, Marginal
from tacit.runs.tables.read_back import ReadBack
from tacit.runs.tables.stations import Decision, WrittenTable
from tacit.runs.tables.step import CountedRows
from tacit.spelling import many
from tacit.spreadsheet import guarded

SHOWN_VALUES = 12
STARRED, AS_IT_IS = ", * in suppressed rows", "published as it is"
LONGEST_FORM = 80
MISSING_SHOWN = "(missing)"


def column_reports(
    rows: CountedRows, made: WrittenTable, back: ReadBack, measured: Mapping[str, MetricValue]
) -> tuple[ColumnReport, ...]:
    """One report for each column, in the order of the plan."""
    decision = made.decision
    positions = {name: c for c, name in enumerate(decision.published.columns)}
    reports = []
    for name in rows.dataset.columns:
        if name in positions:
            reports.append(_quasi_identifier(rows.dataset, decision, back, measured, positions[name]))
        else:
            reports.append(_other(rows, made, back, name))
    return tuple(reports)


def _other(rows: CountedRows, made: WrittenTable, back: ReadBack, name: str) -> ColumnReport:
    role = rows.dataset.columns[name].role
    starred = f"kept{STARRED}" if _shows_stars(made, name) else AS_IT_IS
    actions = {"identifier": "removed", "sensitive": starred, "insensitive": AS_IT_IS}
    part = made.decision.published.table.tally.sensitive.get(name)
    return ColumnReport(
        name=name,
        role=role,
        description=rows.dataset.columns[name].description,
        action=_changed(rows, made, name) if name in rows.actions else actions[role],
        distinct_before=int(np.count_nonzero(part.reference)) if part else None,
        distinct_after=int(np.unique(back.tally.sensitive[name].value).size) if part else None,
    )


def _changed(rows: CountedRows, made: WrittenTable, name: str) -> str:
    """What was done to a column before it was counted."""
    return rows.actions[name] + (STARRED if _shows_stars(made, name) else "")


def _shows_stars(made: WrittenTable, name: str) -> bool:
    """Whether a row of the release has * in the column because it was suppressed."""
    written = made.target.suppressed == "star" and made.decision.published.suppressed_rows > 0
    return written and name in made.target.starred


def _quasi_identifier(
    dataset: Dataset, decision: Decision, back: ReadBack, measured: Mapping[str, MetricValue], c: int
) -> ColumnReport:
    published, levels = decision.published, decision.answer.levels
    name, hierarchy = published.columns[c], published.table.hierarchies[c]
    level = levels[c] if levels is not None else None
    spec = dataset.columns[name].hierarchy
    return ColumnReport(
        name=name,
        role="quasi-identifier",
        description=dataset.columns[name].description,
        weight=dataset.columns[name].weight,
        hierarchy=_form(spec_form(spec)) if spec else "inferred",
        height=hierarchy.height,
        level=level,
        action=_local_action(published, c) if level is None else _action(level, hierarchy.height),
        distinct_before=len(published.table.tally.values[c]),
        distinct_after=sum(1 for rows in back.rows_of(c).values() if rows),
        loss=measured["loss"].per_column[name],
        distortion=measured["distortion"].per_column[name],
        precision=measured["precision"].per_column[name],
        entropy=measured["non-uniform-entropy"].per_column[name],
        marginals=marginals(decision, back, c),
    )


def _form(form: str | dict[str, object]) -> str:
    """The hierarchy as a plan has it, as far as it fits."""
    if isinstance(form, str):
        return form
    text = yaml.safe_dump(form, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000).strip()[
        1:-1
    ]
    return text if len(text) <= LONGEST_FORM else f"{text[:LONGEST_FORM]}…"


def _action(level: int, height: int) -> str:
    return "kept as it is" if level == 0 else f"generalised to level {level} of {height}"


def _local_action(published: PublishedTable, c: int) -> str:
    """What a local method did to a column, judged by how many values of the hierarchy each label covers."""
    recoding = published.recoding
    covered = set(recoding.leaves[c][recoding.codes[c][~recoding.suppressed]].tolist())
    if covered <= {1}:
        return "kept as it is"
    whole = len(published.table.hierarchies[c].leaves)
    return "kept or hidden, class by class" if covered <= {1, whole} else "generalised class by class"


def marginals(decision: Decision, back: ReadBack, c: int) -> tuple[Marginal, ...]:
    """Rows with each published value before and after suppression; rare values are combined.

    `Before` counts every row of the input by the value that it would be published with, so no finer value of the raw
    data shows. A value that nobody is published with is not named: it would reveal who was suppressed.
    """
    recoding = decision.published.recoding
    # A local method gives no labels to what it suppresses.
    rows = recoding.rows if decision.answer.levels is not None else recoding.rows * ~recoding.suppressed
    before = np.bincount(recoding.codes[c], weights=rows, minlength=len(recoding.labels[c])).astype(np.int64)
    after = back.rows_of(c)
    named = [
        (label, int(rows), after.get(label, after.get(guarded(label), 0)))
        for label, rows in zip(recoding.labels[c], before, strict=True)
    ]
    open_: list[tuple[str, int, int]] = []
    hidden: list[tuple[str, int, int]] = []
    for entry in sorted((entry for entry in named if entry[1]), key=lambda entry: -entry[1]):
        few = entry[2] == 0 or len(open_) >= SHOWN_VALUES
        (hidden if few else open_).append(entry)
    shown = [Marginal(label=label or MISSING_SHOWN, before=b, after=a) for label, b, a in open_]
    if hidden:
        before_rest, after_rest = sum(entry[1] for entry in hidden), sum(entry[2] for entry in hidden)
        shown.append(Marginal(label=f"({many(len(hidden), 'other value')})", before=before_rest, after=after_rest))
    return tuple(shown)

"""What became of each column: level, cost, and how its published values are distributed before and after."""

from collections.abc import Mapping

import numpy as np

from tacit.cards.metric import MetricValue
from tacit.data.hierarchies.spec import spec_form
from tacit.formulas import guarded
from tacit.plan.dataset import Dataset
from tacit.plan.job import Made
from tacit.release import ColumnReport, Marginal

SHOWN_VALUES = 12
MISSING_SHOWN = "(missing)"


def column_reports(dataset: Dataset, made: Made, measured: Mapping[str, MetricValue]) -> tuple[ColumnReport, ...]:
    """One report for each column, in the order of the plan."""
    positions = {name: c for c, name in enumerate(made.published.columns)}
    return tuple(
        _quasi_identifier(dataset, made, measured, positions[name])
        if name in positions
        else _other(dataset, made, name)
        for name in dataset.columns
    )


def _other(dataset: Dataset, made: Made, name: str) -> ColumnReport:
    role = dataset.columns[name].role
    actions = {"identifier": "removed", "sensitive": "kept, * in suppressed rows", "insensitive": "published as it is"}
    part = made.published.table.tally.sensitive.get(name)
    return ColumnReport(
        name=name,
        role=role,
        action=actions[role],
        distinct_before=len(part.values) if part else None,
        distinct_after=int(np.unique(made.released.tally.sensitive[name].value).size) if part else None,
    )


def _quasi_identifier(dataset: Dataset, made: Made, measured: Mapping[str, MetricValue], c: int) -> ColumnReport:
    name = made.published.columns[c]
    hierarchy = made.published.table.hierarchies[c]
    level = made.answer.levels[c] if made.answer.levels is not None else None
    spec = dataset.columns[name].hierarchy
    return ColumnReport(
        name=name,
        role="quasi-identifier",
        weight=dataset.columns[name].weight,
        hierarchy=_form(spec_form(spec)) if spec else "inferred",
        height=hierarchy.height,
        level=level,
        action=_local_action(made, c) if level is None else _action(level, hierarchy.height),
        distinct_before=len(made.published.table.tally.values[c]),
        distinct_after=sum(1 for rows in made.released.rows_of(c).values() if rows),
        loss=measured["loss"].per_column[name],
        distortion=measured["distortion"].per_column[name],
        precision=measured["precision"].per_column[name],
        entropy=measured["non-uniform-entropy"].per_column[name],
        marginals=marginals(made, c),
    )


def _form(form: str | dict[str, object]) -> str:
    return form if isinstance(form, str) else ", ".join(f"{key}: {value}" for key, value in form.items())[:80]


def _action(level: int, height: int) -> str:
    return "kept as it is" if level == 0 else f"generalised to level {level} of {height}"


def _local_action(made: Made, c: int) -> str:
    """What a local method did, told by how many leaves the labels cover that it used."""
    recoding = made.published.recoding
    covered = set(recoding.leaves[c][recoding.codes[c][~recoding.suppressed]].tolist())
    if covered <= {1}:
        return "kept as it is"
    whole = len(made.published.table.hierarchies[c].leaves)
    return "kept or hidden, class by class" if covered <= {1, whole} else "generalised class by class"


def marginals(made: Made, c: int) -> tuple[Marginal, ...]:
    """Rows with each published value before and after suppression; rare values stand together.

    `Before` counts every row of the input by the value that it would be published with, so no finer value of the
    raw data shows. A value that nobody is published with is not named: it would betray who was suppressed.
    """
    recoding = made.published.recoding
    # A local method gives no labels to what it suppresses.
    rows = recoding.rows if made.answer.levels is not None else recoding.rows * ~recoding.suppressed
    before = np.bincount(recoding.codes[c], weights=rows, minlength=len(recoding.labels[c])).astype(np.int64)
    after = made.released.rows_of(c)
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
        shown.append(Marginal(label=f"({len(hidden)} other values)", before=before_rest, after=after_rest))
    return tuple(shown)

"""Remarks: what a check says about a released file besides its guarantees.

Guarantees are about quasi-identifiers and sensitive values. A file that keeps them may still name people in a column
that the plan leaves out, or have lost more rows than the plan allows: then the check fails. What the plan says nothing
about (columns that it does not know, labels that stand for no value, another number of rows) is only remarked. No
remark quotes a cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, shown_names
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED, Hierarchy, show_shapes
from tacit.data.tables.labels import stands_for
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import TacitError
from tacit.evidence.reading import known_values_told
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.release.tables import Risk
from tacit.runs.check import Remark
from tacit.runs.tables.count import build_table
from tacit.runs.tables.prepare import share_left
from tacit.runs.tables.read_back import ReadBack
from tacit.runs.tables.step import Step
from tacit.spelling import many, noun

if TYPE_CHECKING:
    import pyarrow as pa

MOST_COMPARED = 2_000_000
"""Labels that are no nodes are compared with so many leaves in all; those beyond are taken for readable."""


@dataclass(frozen=True, eq=False)
class ReleasedFile:
    """A file that is not the plan's own, as it was read, and the steps that the plan asks for."""

    plan: Plan
    steps: tuple[Step[Any], ...]
    data: Source
    read: ReadBack


def remarks_on(file: ReleasedFile, engine: Engine, original: Tally) -> Iterator[Remark]:
    """The remarks on a file that is not the plan's own."""
    plan, data, released = file.plan, file.data, file.read
    yield from _identifiers(file, engine)
    yield from _rows(plan.release, released, _expected(file, original))
    unknown = [name for name in engine.columns(data) if name not in plan.dataset.columns]
    if unknown:
        yield Remark(
            f"the plan does not name {noun(len(unknown), 'the column')} {shown_names(unknown)}, so what "
            f"{noun(len(unknown), 'it reveals', 'they reveal')} was not checked"
        )
    yield from _labels(plan.dataset, released, original)
    if plan.release.seed is not None:
        yield Remark("the plan names a seed, and a release made from a seed may not be published")


def on_known_values(risk: Risk) -> Iterator[Remark]:
    """That values which are published as they are identify people."""
    told = known_values_told(risk)
    if told is not None:
        yield Remark(told)


def without_unit(unit: str) -> Remark:
    """That people can't be counted."""
    return Remark(
        f"people can't be counted, since the file has no column {unit!r}; rows were counted instead, "
        "so this check does not show that the guarantees hold for people; the evidence of the release does"
    )


def _identifiers(file: ReleasedFile, engine: Engine) -> Iterator[Remark]:
    """Identifiers that the plan leaves out, or treats, and whose cells are still there."""
    plan, data = file.plan, file.data
    present, effects = engine.columns(data), [step.effects(plan.dataset) for step in file.steps]
    kept = frozenset[str]().union(*(one.kept_identifiers for one in effects))
    told = {name: _told(engine, data, name) for name in plan.dataset.named("identifier") if name in present}
    left = [name for name, cells in told.items() if cells.num_rows and name not in kept]
    if left:
        yield Remark(
            f"the {noun(len(left), 'identifier')} {shown_names(left)}, which the plan leaves out of a release, "
            f"{noun(len(left), 'is', 'are')} in the file",
            fails=True,
        )
    # Where a changed cell may have an old value by chance, equal values prove nothing.
    raw, renamed = plan.dataset.source, kept.difference(*(one.may_repeat for one in effects))
    bare = [name for name in told if name in renamed and _is_part(told[name], _told(engine, raw, name))]
    if bare:
        yield Remark(
            f"the {noun(len(bare), 'identifier')} {shown_names(bare)} {noun(len(bare), 'has', 'have')} the untreated "
            f"values of {raw.name}",
            fails=True,
        )


def _told(engine: Engine, source: Source, name: str) -> "pa.Table":
    """The distinct cells of a column that are neither missing nor suppressed."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = engine.tally(source, (name,)).select([0]).rename_columns(["cell"])
    nothing = pa.array([MISSING, SUPPRESSED], type=cells.column(0).type)
    return cells.filter(pc.invert(pc.is_in(cells.column(0), value_set=nothing)))


def _is_part(cells: "pa.Table", whole: "pa.Table") -> bool:
    """Whether there are cells, and all of them are in the whole."""
    return bool(cells.num_rows) and cells.join(whole, "cell", join_type="left anti").num_rows == 0


def _expected(file: ReleasedFile, original: Tally) -> int | None:
    """How many rows should be published or suppressed; None if only the run could say."""
    unit, whole = file.plan.dataset.unit, int(original.rows.sum())
    if not any(step.leaves_rows_out for step in file.steps):
        return whole
    share = share_left(file.steps, original, unit)
    return None if share is None or unit is not None else round(share * whole)


def _rows(section: ReleaseSection, released: ReadBack, expected: int | None) -> Iterator[Remark]:
    """Too many suppressed rows, or a number of rows other than the expected one, if that is known."""
    gone = released.suppressed_rows
    rows = int(released.tally.rows.sum()) + gone
    lacking = 0 if expected is None else max(expected - rows, 0)
    if section.suppressed == "omit":
        gone, total, how = gone + lacking, rows + lacking, "suppressed or left out"
    else:
        total, how = rows, "suppressed"
    if gone > np.floor(section.suppression * total + 1e-9):
        share = f"{gone:,} of {many(total, 'row')} {noun(gone, 'is', 'are')} {how}, {100 * gone / total:.3g} %"
        yield Remark(f"{share}; the plan allows {100 * section.suppression:.3g} %", fails=True)
    if expected is not None and (rows > expected or (lacking and section.suppressed == "star")):
        yield Remark(f"the file has {many(rows, 'row')}, and the plan asks for {expected:,}")


def _labels(dataset: Dataset, released: ReadBack, original: Tally) -> Iterator[Remark]:
    """Labels of quasi-identifiers that stand for no value."""
    try:
        hierarchies = build_table(dataset, original).hierarchies
    except TacitError as error:
        yield Remark(f"labels were not compared with hierarchies: {error}")
        return
    for hierarchy, labels in zip(hierarchies, released.tally.values, strict=True):
        unknown = _unknown(hierarchy, labels)
        if unknown:
            shown = f"{many(len(unknown), 'label')} missing from its hierarchy: {show_shapes(unknown)}"
            yield Remark(f"column {hierarchy.column!r} has {shown}")


def _unknown(hierarchy: Hierarchy, labels: tuple[str, ...]) -> list[str]:
    """The labels that are neither a node, nor an interval, nor a set of leaves."""
    nodes = {SUPPRESSED}.union(*hierarchy.labels)
    strange = [label for label in labels if label not in nodes and label.removeprefix("'") not in nodes]
    looked = strange[: max(MOST_COMPARED // len(hierarchy.leaves), 1)]
    read = stands_for(hierarchy, hierarchy.leaves, looked).label
    return [looked[position] for position in np.setdiff1d(np.arange(len(looked)), read).tolist()]

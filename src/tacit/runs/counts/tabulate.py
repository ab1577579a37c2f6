"""Tables of counts of a plan's data: people counted by some columns, small counts not published and not deducible.

The raw file is counted, not a release of it. If a person is in several cells, sums are not numbers of people, and the
table is refused. So it is if no unit is named and a column that tells people apart repeats: six rows of two people are
no count of six.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np

from tacit.arrays import CodeArray, IntArray
from tacit.data.counts.margins import Axis, Margins, summed
from tacit.data.counts.suppressed import SuppressedTable
from tacit.data.dataset import Dataset
from tacit.data.sources.source import shown_names
from tacit.data.tables.counting import EncodedColumn, TallyRequest, ordered, tally_from
from tacit.data.tables.grouping import group_by
from tacit.data.tables.hierarchy import MISSING
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import BadParameter, CannotGuarantee
from tacit.runs.counts.task import CountsTask
from tacit.runs.tables.count import hierarchy_of, require_match
from tacit.runs.tables.several_rows import require_people_told_apart
from tacit.spelling import meant

MOST_CELLS = 20_000
MOST_SMALL = 500
TOTALS = ("total", "all", "sum of all")
MISSING_NAME = "(missing)"


@dataclass(frozen=True)
class TableSide:
    """One side of a table: a column, and the level of its hierarchy whose labels are counted (0: the values)."""

    column: str
    level: int = 0

    def __str__(self) -> str:
        """As it is written on the command line."""
        return f"{self.column}@{self.level}" if self.level else self.column


def tabulate(dataset: Dataset, engine: Engine, task: CountsTask) -> SuppressedTable:
    """People counted by the sides of the task (COLUMN or COLUMN@LEVEL), without the counts that its method hides."""
    sides, params = sides_of(dataset, task.by), task.params
    require_match(dataset, engine.columns(dataset.source))
    require_people_told_apart(dataset, engine, "Nothing was counted")
    margins = count_table(dataset, engine, sides)
    small = int(((margins.counts > 0) & (margins.counts < params.threshold)).sum())
    if small > MOST_SMALL:
        raise BadParameter(
            f"{small:,} of {margins.counts.size:,} counts are below {params.threshold}, and at most {MOST_SMALL} can "
            "be protected; count by fewer columns, or by a higher level of one, such as age@2"
        )
    made = task.card.run(margins, params)
    if made.margins.axes != margins.axes or not np.array_equal(made.margins.counts, margins.counts):
        raise CannotGuarantee(f"{task.method} changed the table that it was given, so nothing is published")
    return made


def sides_of(dataset: Dataset, by: Sequence[str]) -> tuple[TableSide, ...]:
    """The sides that are named; each a column of the plan that is no identifier, none twice."""
    sides = tuple(_side(dataset, text) for text in by)
    unknown = [side.column for side in sides if side.column not in dataset.columns]
    if not sides or unknown:
        found = f"found {shown_names(unknown)}" if unknown else "none is named"
        raise BadParameter(
            f"a table needs columns of the plan to count by, {found}; it has {shown_names(_open(dataset))}"
            f"{meant(unknown, _open(dataset))}"
        )
    if len({side.column for side in sides}) < len(sides):
        raise BadParameter(f"a column is named twice: {shown_names([side.column for side in sides])}")
    for side in sides:
        if dataset.columns[side.column].role == "identifier":
            raise BadParameter(f"column {side.column!r} is an identifier: a count by it would name people")
    return sides


def _open(dataset: Dataset) -> list[str]:
    return [name for name, column in dataset.columns.items() if column.role != "identifier"]


def _side(dataset: Dataset, text: str) -> TableSide:
    column, sign, level = text.rpartition("@")
    return (
        TableSide(column, int(level)) if sign and level.isdecimal() and text not in dataset.columns else TableSide(text)
    )


def count_table(dataset: Dataset, engine: Engine, sides: Sequence[TableSide]) -> Margins:
    """The people of each cell, with all sums."""
    require_match(dataset, engine.columns(dataset.source))
    reading = TallyRequest(tuple(side.column for side in sides), unit=dataset.unit, orders=dataset.reading.orders)
    tally = tally_from(engine.tally(dataset.source, reading.columns), reading)
    labelled = [_labelled(dataset, side, tally, reading) for side in sides]
    axes = [_axis(side, names) for side, (names, _) in zip(sides, labelled, strict=True)]
    cells = prod(len(axis.names) for axis in axes)
    if cells > MOST_CELLS:
        raise BadParameter(
            f"the table has {cells:,} cells, and at most {MOST_CELLS:,} can be protected; count by fewer columns, or "
            "by a higher level of one, such as age@2"
        )
    return summed(axes, _inner(tally, tuple(len(axis.values) for axis in axes), [codes for _, codes in labelled]))


def _labelled(
    dataset: Dataset, side: TableSide, tally: Tally, reading: TallyRequest
) -> tuple[tuple[str, ...], CodeArray]:
    """The names along a side, in a meaningful order, and the position of each combination among them."""
    at = tally.columns.index(side.column)
    values, codes = tally.values[at], tally.codes[at]
    if not side.level:
        encoded, _ = ordered(EncodedColumn(values, codes), side.column, reading)
        return encoded.values, encoded.codes
    hierarchy = hierarchy_of(dataset, side.column, values)
    if side.level > hierarchy.height:
        raise BadParameter(
            f"column {side.column!r}: level {side.level} is asked for, but the column has levels 0 to "
            f"{hierarchy.height}"
        )
    label = hierarchy.codes[side.level][hierarchy.place(values)][codes]
    found, position = np.unique(label, return_inverse=True)
    return tuple(hierarchy.labels[side.level][code] for code in found.tolist()), position.astype(np.int32)


def _axis(side: TableSide, names: Sequence[str]) -> Axis:
    """The names along a side; they are those that occur in the data, which readers know."""
    shown = [MISSING_NAME if name == MISSING else name for name in names]
    total = next((word for word in TOTALS if word not in shown), TOTALS[0])
    return Axis.flat(side.column, shown, total, occurring=True)


def _inner(tally: Tally, shape: tuple[int, ...], codes: Sequence[CodeArray]) -> IntArray:
    """The people of each cell that is not a sum."""
    cell = np.ravel_multi_index([code.astype(np.int64) for code in codes], shape)
    grouping = group_by(cell, prod(shape))
    people = tally.people.merged(grouping.group, grouping.number)
    if np.bincount(people.spread_person).max(initial=1) > 1:
        raise BadParameter(
            "some people are in several cells of this table (or their unit is missing), so its sums would count them "
            "more than once; count by columns that have one value for each person"
        )
    inner = np.zeros(shape, dtype=np.int64)
    inner.reshape(-1)[cell[grouping.first]] = people.counts()
    return inner


def counted(dataset: Dataset) -> Literal["people", "rows"]:
    """What the numbers of the table are."""
    return "people" if dataset.unit else "rows"

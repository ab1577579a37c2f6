"""A table of counts as a file, and what its reader can deduce.

One line for each cell, sums among them: its names, and its count or `*`.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacit.arrays import BoolArray
from tacit.cards.counts import HiddenCounts
from tacit.data.counts.intervals import deduced
from tacit.data.counts.margins import Axis, Margins
from tacit.data.counts.suppressed import MARK, SuppressedTable
from tacit.data.sources.arrow import from_texts
from tacit.data.sources.source import Source
from tacit.data.sql import unused
from tacit.engines.engine import Engine, Target
from tacit.errors import CannotGuarantee
from tacit.spreadsheet import guarded

NUMBER = "number"


@dataclass(frozen=True, eq=False)
class ReadTable:
    """What a reader sees: the published cells (0 for a hidden one), and which are hidden."""

    margins: Margins
    hidden: BoolArray


def cells_of(table: SuppressedTable, what: str, guard: bool) -> Source:
    """One row for each cell, all of them text; `what` names the column of counts.

    With `guard`, the names of columns are none that a spreadsheet would run; cells are guarded where they are written.
    """
    import pyarrow as pa

    axes, counts = table.margins.axes, table.margins.counts
    hidden = (table.primary | table.secondary).reshape(-1).tolist()
    heads = [guarded(axis.name) if guard else axis.name for axis in axes]
    places = np.indices(counts.shape).reshape(len(axes), -1)
    columns = [from_texts([axis.names[i] for i in place]) for axis, place in zip(axes, places, strict=True)]
    shown = zip(counts.reshape(-1).tolist(), hidden, strict=True)
    columns.append(from_texts([MARK if gone else str(count) for count, gone in shown]))
    last = unused(what if what not in heads else NUMBER, heads)
    return Source("frame", frame=pa.Table.from_arrays(columns, names=[*heads, last]))


def write_table(engine: Engine, cells: Source, path: Path, guard: bool) -> None:
    """Afterwards the table is at `path`; `guard` keeps formulas from running."""
    columns = tuple(engine.columns(cells))
    engine.write(cells, Target(columns, starred=(), path=path, format="csv", guard=guard))


def read_table(path: Path, axes: Sequence[Axis]) -> ReadTable:
    """What the file tells, in the order in which its cells were written."""
    with path.open(encoding="utf-8", newline="") as file:
        cells = [row[-1] for row in csv.reader(file)][1:]
    shape = tuple(len(axis.names) for axis in axes)
    hidden = np.array([cell == MARK for cell in cells]).reshape(shape)
    counts = np.array([0 if cell == MARK else int(cell) for cell in cells], dtype=np.int64).reshape(shape)
    return ReadTable(Margins(tuple(axes), counts), hidden)


def require_hidden(read: ReadTable, table: SuppressedTable, params: HiddenCounts) -> None:
    """No small count is in the file, and none can be deduced from it more closely than was asked.

    Unless the parameters allow empty cells to be left out, readers know that no `*` stands for 0.
    """
    counts = table.margins.counts.reshape(-1)
    small = (counts > 0) & (counts < params.threshold)
    seen = ~read.hidden.reshape(-1)
    emptied = not params.zeros and (counts[~seen] == 0).any()
    if emptied or (seen & small).any() or (read.margins.counts.reshape(-1) != counts)[seen].any():
        raise CannotGuarantee("the written table is not what was decided, so it is not published; run it again")
    found = deduced(read.margins, read.hidden, small.reshape(read.hidden.shape), zeros=params.zeros)
    if not found.protect(counts, read.margins.least(params.zeros), params.protection):
        raise CannotGuarantee("a small count could be deduced from the written table, so it is not published")

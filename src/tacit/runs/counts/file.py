"""A table of counts as a file, and what its reader can deduce.

One line for each cell, sums among them: its names, and its count or `*`.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacit.arrays import BoolArray
from tacit.errors import CannotGuarantee
from tacit.formulas import guarded
from tacit.methods.frequencies.suppression import MARK, Axis, Margins, SmallCells, Suppressed, deduced

NUMBER = "number"


@dataclass(frozen=True, eq=False)
class ReadTable:
    """What a reader has: the published cells (0 where one is hidden), and which are hidden."""

    margins: Margins
    hidden: BoolArray


def write_table(table: Suppressed, path: Path, what: str, guard: bool) -> None:
    """Afterwards the table stands at `path`; `what` names the column of counts, `guard` keeps formulas from running."""
    axes, counts = table.margins.axes, table.margins.counts
    hidden = table.primary | table.secondary
    heads = [axis.name for axis in axes]
    clean = guarded if guard else str
    with path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*map(clean, heads), what if what not in heads else NUMBER])
        for at in np.ndindex(*counts.shape):
            names = [clean(axis.names[i]) for axis, i in zip(axes, at, strict=True)]
            writer.writerow([*names, MARK if hidden[at] else str(counts[at])])


def read_table(path: Path, axes: Sequence[Axis]) -> ReadTable:
    """What the file tells, in the order in which its cells were written."""
    with path.open(encoding="utf-8", newline="") as file:
        cells = [row[-1] for row in csv.reader(file)][1:]
    shape = tuple(len(axis.names) for axis in axes)
    hidden = np.array([cell == MARK for cell in cells]).reshape(shape)
    counts = np.array([0 if cell == MARK else int(cell) for cell in cells], dtype=np.int64).reshape(shape)
    return ReadTable(Margins(tuple(axes), counts), hidden)


def require_hidden(read: ReadTable, table: Suppressed, params: SmallCells) -> None:
    """No small count is in the file, and none can be told from it better than was asked.

    Unless empty cells may be left out, none is, and whoever reads the file knows that no `*` stands for 0.
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

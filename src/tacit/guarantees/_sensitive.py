"""The sensitive column that a guarantee is about, and how its values are distributed in each class.

A cell is a pair of class and value that somebody has. If a unit of privacy is named, a person may have several
values, so the counts of a class may add up to more than its people: `shares` (which sum to one in each class) divide by
the sum of counts, a frequency divides by people.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.classes import Classes, Frequencies
from tacit.errors import BadData, BadParameter
from tacit.spelling import meant

ADDED_BY_A_CLASS = "It bounds what a class adds, not what the whole table already reveals about everybody."


@dataclass(frozen=True, eq=False)
class SensitiveCells:
    """The cells of one sensitive column, class by class; `starts[i]` is the first cell of class i."""

    column: str
    frequencies: Frequencies
    starts: IntArray

    @property
    def ends(self) -> IntArray:
        """One past the last cell of each class."""
        return np.append(self.starts[1:], self.count.size)[: self.starts.size]

    @property
    def count(self) -> IntArray:
        """The people of each cell."""
        return self.frequencies.count

    @cached_property
    def totals(self) -> IntArray:
        """The sum of counts of each class."""
        return np.add.reduceat(self.count, self.starts)

    @cached_property
    def shares(self) -> FloatArray:
        """p: the part of each cell in its class."""
        return self.count / self.totals[self.frequencies.class_]

    @cached_property
    def reference(self) -> FloatArray:
        """q: the part of each value in the input."""
        return self.frequencies.reference / max(int(self.frequencies.reference.sum()), 1)

    @property
    def expected(self) -> FloatArray:
        """q, at the value of each cell."""
        return self.reference[self.frequencies.value]

    def sums(self, amounts: FloatArray) -> FloatArray:
        """The sum over the cells of each class."""
        return np.add.reduceat(amounts, self.starts)

    def distinct(self) -> IntArray:
        """How many values each class has."""
        return self.ends - self.starts


def column_of(name: str, column: str | None, classes: Classes) -> str:
    """The sensitive column that guarantee `name` speaks of: the given one, or the only one there is."""
    if column is None and len(classes.sensitive) == 1:
        return next(iter(classes.sensitive))
    if column is not None and column in classes.sensitive:
        return column
    # Searches ask this once for each guarantee and class, so the names are listed only for the message.
    there = ", ".join(repr(each) for each in classes.sensitive) or "none"
    if column is None:
        raise BadParameter(f"{name}: name the column that it is about; the sensitive columns are: {there}")
    hint = meant([column], classes.sensitive)
    raise BadParameter(f"{name}: {column!r} is not a sensitive column; the sensitive columns are: {there}{hint}")


def cells_of(name: str, column: str | None, classes: Classes) -> SensitiveCells:
    """The cells of the column that guarantee `name` speaks of; every class has one."""
    column = column_of(name, column, classes)
    frequencies = classes.sensitive[column]
    class_ = frequencies.class_
    starts = np.flatnonzero(class_[1:] != class_[:-1]) + 1
    if class_.size:
        starts = np.concatenate(([0], starts))
    if starts.size != classes.number:
        raise BadData(
            f"column {column!r}: {starts.size} of {classes.number} classes have a value; each must have one, "
            "so count a missing value as a value of its own, and sort the cells by class"
        )
    return SensitiveCells(column, frequencies, starts)

"""Cuts without the hierarchy: the values of a part in one column are an interval, or a set.

A column whose leaves are numbers is ordered: the label of a part is the interval from its lowest to its highest value,
and costs all leaves between. Of any other column the label is the set of the part's values. Parts are cut in two where
that pays best for each bit that it tells: an interval at a threshold, a set between its most frequent values and the
others. A set may also be cut into single values, or along the hierarchy.

Cells are pairs of part and value that occur; all thresholds of all parts are tried at once by running sums over cells.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, CodeArray, FloatArray, IntArray
from tacit.data.tables.grouping import add_up, group_by
from tacit.data.tables.hierarchies.numerals import read_numeral
from tacit.data.tables.hierarchy import MISSING, Hierarchy
from tacit.data.tables.table import Table
from tacit.methods.tables._partition.costs import meeting_levels
from tacit.methods.tables._partition.cuts import Cut, Members, Rules, cut_by, run_starts, times_log
from tacit.methods.tables._partition.partition import Ground, people_only


@dataclass(frozen=True, eq=False)
class Line:
    """The values of one column: `value[leaf]` in order, and the leaves that each covers.

    In an ordered column value v covers the places `low[v]` to `high[v]` of the order of leaves (`place[leaf]`); in any
    other, `size[v]` leaves.
    """

    value: IntArray
    size: IntArray
    low: IntArray
    high: IntArray
    place: IntArray
    ordered: bool

    @property
    def values(self) -> int:
        """How many values there are."""
        return int(self.size.size)


def line_of(table: Table, column: int) -> Line:
    """The values of a column: the labels of the least level that is allowed."""
    hierarchy, least = table.hierarchies[column], table.least[column]
    codes, size = hierarchy.codes[least].astype(np.int64), hierarchy.leaves_under(least)
    order = _order(hierarchy)
    place = np.arange(codes.size) if order is None else np.argsort(order)
    low = np.full(size.size, codes.size)
    high = np.zeros(size.size, dtype=np.int64)
    np.minimum.at(low, codes, place)
    np.maximum.at(high, codes, place)
    ordered = order is not None and bool((high - low + 1 == size).all())
    rank = np.argsort(np.argsort(low, kind="stable"))
    back = np.argsort(rank)
    return Line(rank[codes], size[back], low[back], high[back], place, ordered)


def _order(hierarchy: Hierarchy) -> IntArray | None:
    """The leaves by rising number, a missing value first; None where one is no number."""
    numerals = [read_numeral(leaf) for leaf in hierarchy.leaves if leaf != MISSING]
    if any(numeral is None for numeral in numerals):
        return None
    amounts = [float("-inf") if leaf == MISSING else float(leaf) for leaf in hierarchy.leaves]
    return np.argsort(amounts, kind="stable")


@dataclass(frozen=True, eq=False)
class _ValueCells:
    """Pairs of part and value that occur, sorted: the rows of each, a member of each, and the cell of each member."""

    part: IntArray
    value: IntArray
    rows: IntArray
    first: IntArray
    of_member: IntArray

    @classmethod
    def count(cls, members: Members, value: IntArray, values: int) -> "_ValueCells":
        """The cells of the members' values."""
        grouping = group_by(members.part * values + value, members.parts * values)
        rows = add_up(grouping.group, members.tally.rows, grouping.number)
        return cls(members.part[grouping.first], value[grouping.first], rows, grouping.first, grouping.group)


class SetProspects:
    """Labels are intervals and sets."""

    def __init__(self, ground: Ground, lines: tuple[Line, ...], members: Members) -> None:
        self.members, self.ground, self.lines = members, ground, lines
        self.cells = [
            _ValueCells.count(members, line.value[ground.leaves[c][members.atom]], line.values)
            for c, line in enumerate(lines)
        ]
        self.unit = [float(ground.table.weights[c]) / max(line.place.size - 1, 1) for c, line in enumerate(lines)]
        self.width = [self._widths(c, self.cells[c].part, members.parts) for c in range(len(lines))]
        full = [self.width[c] == line.place.size for c, line in enumerate(lines)]
        self.roots: BoolArray = np.logical_and.reduce(full) & ground.roots_read_suppressed
        self.current: FloatArray = np.array([u * (w - 1) for u, w in zip(self.unit, self.width, strict=True)])

    def _widths(self, column: int, group: IntArray, groups: int) -> IntArray:
        """The leaves that the cells of each group cover together; in an ordered column groups are runs of cells."""
        line, value = self.lines[column], self.cells[column].value
        if not line.ordered:
            return add_up(group, line.size[value], groups)
        width = np.zeros(groups, dtype=np.int64)
        starts = run_starts(group)
        ends = np.append(starts[1:], group.size) - 1
        width[group[starts]] = line.high[value[ends]] - line.low[value[starts]] + 1
        return width

    def cuts(self, column: int, rules: Rules) -> Iterator[Cut]:
        """In two; and where the column has no order, into single values and along the hierarchy."""
        line, cells = self.lines[column], self.cells[column]
        if self.ground.table.weights[column] == 0 or not (self.width[column] > 1).any():
            return
        for side in self._halves(column, rules):
            yield from cut_by(self.members, side, 2, rules)
        if not line.ordered:
            yield from cut_by(self.members, cells.value[cells.of_member], line.values, rules)
            yield from cut_by(self.members, *self._children(column), rules)

    def _children(self, column: int) -> tuple[CodeArray, int]:
        table = self.ground.table
        hierarchy, least = table.hierarchies[column], table.least[column]
        leaves = self.ground.leaves[column][self.members.atom]
        level = meeting_levels(table, column, leaves, self.members.starts)
        below = np.maximum(level - 1, least)
        return hierarchy.codes[below[self.members.part], leaves], len(hierarchy.labels[least])

    def _halves(self, column: int, rules: Rules) -> Iterator[IntArray]:
        """For each member the side that it falls on: by the threshold that pays best, then by the middle one."""
        cells, line = self.cells[column], self.lines[column]
        order = np.arange(cells.rows.size) if line.ordered else np.lexsort((cells.value, -cells.rows, cells.part))
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        starts = run_starts(cells.part)
        for score in self._scores(column, order, rules):
            best = _first_best(score, starts, cells.part)
            yield (rank[cells.of_member] > best[self.members.part]).astype(np.int64)

    def _scores(self, column: int, order: IntArray, rules: Rules) -> Iterator[FloatArray]:
        """What it is worth to cut after each cell, in the given order of cells."""
        cells = self.cells[column]
        part, rows = cells.part, cells.rows[order]
        starts = run_starts(part)
        last = np.append(starts[1:], part.size) - 1
        left = _running(rows, starts, part)
        right = left[last][part] - left
        limits = [limits for guarantee in rules.guarantees if (limits := guarantee.limits()) is not None]
        least = max([1, *(one.people for one in limits if one.counts_people)])
        allowed = (left >= least) & (right >= least)
        allowed[last] = False
        bits = times_log(left + right) - times_log(left) - times_log(right)
        yield np.where(allowed, self._saved(column, order, left, right) / np.maximum(bits, 1e-9), -1.0)
        if not people_only(rules.guarantees):
            yield np.where(allowed, np.minimum(left, right).astype(np.float64), -1.0)

    def _saved(self, column: int, order: IntArray, left: IntArray, right: IntArray) -> IntArray:
        """The leaves that all rows of a part save together when it is cut after each cell."""
        cells, line = self.cells[column], self.lines[column]
        part, value, width = cells.part, cells.value[order], self.width[column][cells.part]
        starts = run_starts(part)
        if line.ordered:
            below = line.high[value] - line.low[value[starts]][part] + 1
            ends = np.append(starts[1:], part.size) - 1
            above = line.high[value[ends]][part] - np.append(line.low[value[1:]], 0) + 1
        else:
            below = _running(line.size[value], starts, part)
            above = width - below
        saved: IntArray = left * (width - below) + right * (width - above)
        return saved

    def gain(self, column: int, cut: Cut) -> FloatArray:
        """What the narrower intervals and sets save."""
        width = self._widths(column, cut.group[self.cells[column].first], cut.rows.size)
        now = self.width[column]
        own = cut.sums(np.where(cut.rest, 0, cut.rows * (now[cut.part] - width)))
        if cut.fate == "drop":
            return own * self.unit[column]
        joint = cut.sums(width * cut.rest)
        if cut.loan is not None:
            joint = np.minimum(joint + width[cut.loan.group], now)
        return (own + cut.rest_rows() * (now - joint)) * self.unit[column]

    def unlabelled(self, cut: Cut) -> BoolArray:
        """Those with all leaves of every column whose rest may have them all again; without a loan it lacks some."""
        return self.roots & cut.has_rest & (cut.fate == "borrow")


def _running(amounts: IntArray, starts: IntArray, part: IntArray) -> IntArray:
    """Sums from the start of each part."""
    total = np.cumsum(amounts)
    return total - (total[starts] - amounts[starts])[part]


def _first_best(score: FloatArray, starts: IntArray, part: IntArray) -> IntArray:
    """The first cell of the highest score in each part."""
    best = np.maximum.reduceat(score, starts)[part] == score
    return np.minimum.reduceat(np.where(best, np.arange(score.size), score.size), starts)

"""What a node costs at least, as far as the number of rows of its classes tells: quick enough to try all neighbours.

Every guarantee that limits people asks for at least so many rows in a class, since nobody has less than one. If classes
with fewer rows are suppressed and all others kept, a node costs no more than it does with all guarantees. Where the
guarantees ask for people alone, and every row is a person, that is what it costs (`is_exact`).

The class of a combination is known by a sum of words, one for each label (`_class_counts.py`). So a column that moves
to another level changes one word of each sum, and none of the other columns is looked at again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.table import Table
from tacit.guarantees.guarantee import TableGuarantee
from tacit.methods.tables._nodes import Node
from tacit.methods.tables._objectives import CellCost, ClassCounts

HashArray = NDArray[np.uint64]
Counter = Callable[..., None]


@dataclass(frozen=True, eq=False)
class Move:
    """A column that goes to another level, and the classes of the node that it leads to."""

    column: int
    level: int
    counts: ClassCounts


def least_rows(guarantees: tuple[TableGuarantee, ...]) -> int:
    """So many rows, at the least, has every class that is kept: as many as people, and as many as different values."""
    stated = [limits for one in guarantees if (limits := one.limits()) is not None]
    return max((max(limits.people, limits.values) for limits in stated), default=1)


class Screen:
    """The classes of one node after another, all neighbours of which can be counted; begin with `stand_at`."""

    def __init__(self, table: Table, cells: CellCost, guarantees: tuple[TableGuarantee, ...]) -> None:
        present = table.tally.rows > 0
        self.least = least_rows(guarantees)
        self.is_exact = _asks_for_rows(table, guarantees)
        self.rows: IntArray = table.tally.rows[present]
        self.leaves: CodeArray = np.ascontiguousarray(table.leaves[:, present])
        self.gap = cells.gap
        self.words = tuple(
            tuple(_words(c, level, codes) for level, codes in enumerate(hierarchy.codes))
            for c, hierarchy in enumerate(table.hierarchies)
        )
        self.least_level, self.most_level = table.least, table.most
        self._count = _Room(self.rows.size)
        self.stand_at(table.most)

    def stand_at(self, node: Node) -> ClassCounts:
        """The classes of a node, whose neighbours are asked for next."""
        self.node = node
        self.key: HashArray = np.zeros(self.rows.size, dtype=np.uint64)
        self.added: FloatArray = np.zeros(self.rows.size)
        for column, level in enumerate(node):
            self.key += self.words[column][level][self.leaves[column]]
            self.added += self.gap[column][level][self.leaves[column]]
        if not node:
            return ClassCounts(0.0, 0, 0.0, 0)
        return next(self._counted(0, (node[0],))).counts

    def moves(self) -> Iterator[Move]:
        """All nodes in which one column stands at another of its levels."""
        for column, here in enumerate(self.node):
            levels = range(self.least_level[column], self.most_level[column] + 1)
            yield from self._counted(column, tuple(level for level in levels if level != here))

    def _counted(self, column: int, levels: tuple[int, ...]) -> Iterator[Move]:
        leaves, here = self.leaves[column], self.node[column]
        key = self.key - self.words[column][here][leaves]
        added = self.added - self.gap[column][here][leaves]
        for level in levels:
            label = (self.words[column][level], self.gap[column][level], leaves)
            yield Move(column, level, self._count(key, added, label, self.rows, self.least))


class _Room:
    """Counts classes in room that is made once; compiled, where that is possible."""

    def __init__(self, combinations: int) -> None:
        size = 1 << max(4, int(2 * combinations).bit_length())
        self.compiled = _compiled()
        self.slots: HashArray = np.zeros(size, dtype=np.uint64)
        self.counts: IntArray = np.zeros(size, dtype=np.int64)
        self.gaps: FloatArray = np.zeros(size)
        self.used: IntArray = np.zeros(combinations, dtype=np.int64)

    def __call__(
        self,
        key: HashArray,
        added: FloatArray,
        label: tuple[HashArray, FloatArray, CodeArray],
        rows: IntArray,
        least: int,
    ) -> ClassCounts:
        """The classes of the combinations with these keys and, in one column, these labels."""
        words, prices, leaves = label
        if self.compiled is None:
            return count_plainly(key + words[leaves], added + prices[leaves], rows, least)
        found = np.zeros(4)
        room = (self.slots, self.counts, self.gaps, self.used)
        self.compiled(key, words, added, prices, leaves, rows, least, *room, found)
        return ClassCounts(float(found[0]), int(found[1]), float(found[2]), int(found[3]))


def count_plainly(key: HashArray, added: FloatArray, rows: IntArray, least: int) -> ClassCounts:
    """The same count by sorting, for machines where nothing can be compiled."""
    _, group = np.unique(key, return_inverse=True)
    sizes = np.bincount(group, weights=rows)
    small = sizes < least
    gaps = np.bincount(group, weights=added * rows)
    kept = sizes[~small]
    return ClassCounts(float(gaps[small].sum()), int(sizes[small].sum()), float((kept**2).sum()), int(kept.size))


@lru_cache(maxsize=1)
def _compiled() -> Counter | None:
    """The compiled count; None where the compiler is missing or finds no folder for what it compiles."""
    try:
        from tacit.methods.tables._class_counts import count_classes
    except (ImportError, RuntimeError):
        return None
    compiled: Any = count_classes
    return compiled  # type: ignore[no-any-return]


def _asks_for_rows(table: Table, guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether the guarantees ask for people alone, and each row is a person."""
    stated = [one.limits() for one in guarantees]
    people_only = all(limits is not None and limits.counts_people for limits in stated)
    return people_only and table.tally.population is None and table.tally.one_row_each


def _words(column: int, level: int, codes: CodeArray) -> HashArray:
    """A word for each leaf, equal where labels are, as random as a mixer of bits makes them (Steele and others 2014).

    A label that all leaves share is 0: it tells no class from another.
    """
    if not codes.size or int(codes.max()) == 0:
        return np.zeros(codes.size, dtype=np.uint64)
    word = (np.uint64(column) << np.uint64(48)) ^ (np.uint64(level) << np.uint64(40)) ^ codes.astype(np.uint64)
    word = (word + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: HashArray = word ^ (word >> np.uint64(31))
    return mixed

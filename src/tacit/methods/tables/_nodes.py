"""Nodes of the generalisation lattice: one level for each column, and the class table of each node.

The table of a node can be rolled up from that of any node below it, since a label at a level has one label at every
higher level. `NodeTables` keeps the tables that were made, within a budget of memory, and rolls up from the smallest
that fits.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally

Node = tuple[int, ...]

BUDGET_BYTES = 256 * 2**20


def roll_up(table: Table, source: Tally, node: Node) -> Tally:
    """The class table of `node`, from a class table of a node below it; its codes are leaves of one member each."""
    columns = [c for c, level in enumerate(node) if level < table.hierarchies[c].height]
    labels = [table.hierarchies[c].codes[node[c]][source.codes[c]] for c in columns]
    sizes = [len(table.hierarchies[c].labels[node[c]]) for c in columns]
    keys = pack(labels, sizes, source.combinations)
    return source.merged(group_by(keys.key, keys.span))


class NodeTables:
    """The class tables made so far; when they outgrow the budget, those used longest ago are forgotten."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.bottom = _bottom(table)
        self.kept: dict[Node, Tally] = {}
        self._used: dict[Node, int] = {}
        self._index = _Index(len(table.hierarchies))
        self._bytes = 0
        self._clock = 0

    def at(self, node: Node) -> Tally:
        """The class table of `node`."""
        made = self.kept.get(node)
        if made is None:
            made = roll_up(self.table, self.smallest_below(node), node)
            self.kept[node] = made
            self._index.add(node, made.combinations)
            self._bytes += _size(made)
        self._touch(node)
        if self._bytes > BUDGET_BYTES:
            self._forget()
        return made

    def smallest_below(self, node: Node) -> Tally:
        """The smallest table at hand of a node not above `node`."""
        nearest = self._index.smallest_below(node)
        if nearest is None:
            return self.bottom
        self._touch(nearest)
        return self.kept[nearest]

    def _touch(self, node: Node) -> None:
        self._clock += 1
        self._used[node] = self._clock

    def _forget(self) -> None:
        """Halves the memory in use."""
        for node in sorted(self._used, key=self._used.__getitem__):
            if self._bytes <= BUDGET_BYTES // 2:
                break
            self._bytes -= _size(self.kept.pop(node))
            del self._used[node]
        self._index = _Index(len(self.table.hierarchies))
        for node, tally in self.kept.items():
            self._index.add(node, tally.combinations)


class _Index:
    """Nodes and their table sizes as arrays, so that the smallest one below a node is found at once."""

    def __init__(self, columns: int) -> None:
        self.nodes: list[Node] = []
        self.levels = np.empty((256, columns), dtype=np.int16)
        self.sizes = np.empty(256, dtype=np.int64)

    def add(self, node: Node, size: int) -> None:
        number = len(self.nodes)
        if number == self.sizes.size:
            self.levels = np.concatenate([self.levels, np.empty_like(self.levels)])
            self.sizes = np.concatenate([self.sizes, np.empty_like(self.sizes)])
        self.levels[number] = node
        self.sizes[number] = size
        self.nodes.append(node)

    def smallest_below(self, node: Node) -> Node | None:
        number = len(self.nodes)
        below = np.flatnonzero((self.levels[:number] <= np.array(node, dtype=np.int16)).all(axis=1))
        return self.nodes[below[np.argmin(self.sizes[below])]] if below.size else None


def _bottom(table: Table) -> Tally:
    """The table of the bottom node: the combinations themselves, with leaves as codes."""
    tally = table.tally
    leaves = tuple(hierarchy.leaves for hierarchy in table.hierarchies)
    return replace(tally, values=leaves, codes=table.leaves)


def _size(tally: Tally) -> int:
    arrays: list[NDArray[Any]] = [
        tally.codes,
        tally.rows,
        tally.people.settled,
        tally.people.spread_key,
        tally.people.spread_person,
    ]
    for part in tally.sensitive.values():
        arrays += [part.combination, part.value, part.census.settled]
        arrays += [part.census.spread_key, part.census.spread_person]
    return sum(int(array.nbytes) for array in arrays)

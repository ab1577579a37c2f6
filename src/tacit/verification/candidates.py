"""Candidates again: the published rows that may be a person's, found independently of the guarantee's own code.

Who may own which row is a question about all assignments of rows to people at once. One assignment is a witness: its
sums show that it is one, whoever found it. Given one, a row may be a person's if and only if it is in the witness, or
lies with the person on a cycle of the residual graph, in which people point to the rows that fit them and rows to the
people whom the witness gave them. Cycles are found with Tarjan's algorithm (1972), written out here. What is then
counted, rows or people, is counted in SQL. What each label can stand for is given: labels are read once.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.sources.arrow import from_numbers
from tacit.data.tables.linkage import Linkage
from tacit.data.tables.tally import Census

if TYPE_CHECKING:
    import duckdb

BLOCK = 20_000_000


def enter_candidates(connection: "duckdb.DuckDBPyConnection", linkage: Linkage) -> None:
    """Makes the table `candidates`: one number for each group of alike people of whom somebody may be published.

    `fitting` has the pairs of a group and a published row that fits it, and `shown` how often each row was published.
    """
    present = np.flatnonzero(linkage.raw.rows > 0)
    missing = int(linkage.raw.rows.sum() - linkage.shown.rows.sum())
    owner, row = _fitting(linkage, present)
    _register(connection, "fitting", owner=owner, row=row)
    _register(connection, "shown", row=np.arange(linkage.shown.rows.size), number=linkage.shown.rows)
    usable = _usable((owner, row), linkage.raw.rows[present], linkage.shown.rows, missing) if missing >= 0 else None
    if usable is None:
        # No assignment exists, so the release is of another table.
        connection.execute("create table candidates as select 0 as number from range(?)", [present.size])
        return
    inside = usable[: owner.size]
    absent = np.zeros(present.size, dtype=np.bool_) if not missing else usable[owner.size :]
    _register(connection, "pairs", owner=owner[inside], row=row[inside])
    _register(connection, "groups", owner=np.arange(present.size), more=missing * absent)
    if linkage.raw.one_row_each:
        connection.execute(
            "create table candidates as select (any_value(more) + sum(number))::bigint as number "
            "from pairs join shown using (row) join groups using (owner) group by owner"
        )
        return
    _enter_people(connection, "owner", linkage.raw.people, present)
    _enter_people(connection, "row", linkage.shown.people, np.arange(linkage.shown.rows.size))
    connection.execute(
        f"""create table candidates as with belonging as ({_different("owner", "row")}),
            owning as ({_different("row", "owner")})
        select least(any_value(belonging.number), min(owning.number))::bigint as number
        from pairs join belonging using (owner) join owning using (row) group by owner"""
    )


def _register(connection: "duckdb.DuckDBPyConnection", name: str, **columns: IntArray) -> None:
    import pyarrow as pa

    connection.register(name, pa.table({title: from_numbers(column) for title, column in columns.items()}))


def _enter_people(connection: "duckdb.DuckDBPyConnection", of: str, census: Census, present: IntArray) -> None:
    """The people of each key: a number of those who have one key only, and the others one by one."""
    place = np.full(census.settled.size, -1, dtype=np.int64)
    place[present] = np.arange(present.size)
    _register(connection, f"settled_{of}", **{of: np.arange(present.size), "settled": census.settled[present]})
    _register(connection, f"spread_{of}", **{of: place[census.spread_key], "person": census.spread_person})


def _different(group: str, key: str) -> str:
    """How many different people have a key that is paired with each group."""
    settled = f"select {group}, sum(settled) as settled from pairs join settled_{key} using ({key}) group by {group}"
    spread = f"select {group}, person from pairs join spread_{key} using ({key})"
    return f"""select {group}, any_value(settled) + count(distinct person) as number
        from ({settled}) left join ({spread}) using ({group}) group by {group}"""


def _fitting(linkage: Linkage, present: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of alike people and published rows of which every label covers the value, most telling column first."""
    order = np.argsort([float(fit.mean()) for fit in linkage.fits])
    codes, shown = linkage.raw.codes[:, present], linkage.shown.codes
    found = list(_blocks(linkage, codes, order.tolist())) if order.size else [_all_pairs(present.size, shown.shape[1])]
    owners, rows = zip(*found, strict=True) if found else ((), ())
    nothing = np.empty(0, dtype=np.int64)
    return np.concatenate([nothing, *owners]), np.concatenate([nothing, *rows])


def _all_pairs(people: int, rows: int) -> tuple[IntArray, IntArray]:
    return np.repeat(np.arange(people), rows), np.tile(np.arange(rows), people)


def _blocks(linkage: Linkage, codes: CodeArray, order: list[int]) -> Iterator[tuple[IntArray, IntArray]]:
    shown = linkage.shown.codes
    height = max(BLOCK // max(shown.shape[1], 1), 1)
    for first in range(0, codes.shape[1], height):
        block = codes[:, first : first + height]
        owner, row = np.nonzero(linkage.fits[order[0]][block[order[0]]][:, shown[order[0]]])
        for column in order[1:]:
            kept = linkage.fits[column][block[column, owner], shown[column, row]]
            owner, row = owner[kept], row[kept]
        yield owner + first, row


def _usable(pairs: tuple[IntArray, IntArray], people: IntArray, rows: IntArray, missing: int) -> BoolArray | None:
    """Which pairs some assignment uses, followed by who may be missing; None where there is no assignment.

    Rows that are missing could be anybody's: they are one more row that fits everybody.
    """
    everybody = np.arange(people.size if missing else 0)
    owner = np.concatenate([pairs[0], everybody])
    row = np.concatenate([pairs[1], np.full(everybody.size, rows.size)])
    capacity = np.append(rows, missing)
    given = _witness(owner, row, people, capacity)
    if not _is_assignment(given, (owner, row), people, capacity):
        return None
    component = _components(owner, row + people.size, given > 0, people.size + capacity.size)
    usable: BoolArray = (given > 0) | (component[owner] == component[row + people.size])
    return usable


def _witness(owner: IntArray, row: IntArray, people: IntArray, rows: IntArray) -> IntArray:
    """How many rows each pair gives in a largest assignment."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    nodes = people.size + rows.size
    start = np.concatenate([np.full(people.size, nodes), owner, people.size + np.arange(rows.size)])
    end = np.concatenate([np.arange(people.size), people.size + row, np.full(rows.size, nodes + 1)])
    room = np.concatenate([people, np.minimum(people[owner], rows[row]), rows]).astype(np.int32)
    graph = coo_array((room, (start, end)), shape=(nodes + 2, nodes + 2)).tocsr()
    flow = maximum_flow(graph, nodes, nodes + 1).flow.tocoo()
    used = (flow.data > 0) & (flow.row < people.size) & (flow.col < nodes)
    key = owner * nodes + people.size + row
    order = np.argsort(key)
    place = np.searchsorted(key[order], flow.row[used].astype(np.int64) * nodes + flow.col[used])
    given = np.zeros(owner.size, dtype=np.int64)
    given[order[place]] = flow.data[used]
    return given


def _is_assignment(given: IntArray, pairs: tuple[IntArray, IntArray], people: IntArray, rows: IntArray) -> bool:
    """Whether everybody has all rows of their own and every row is given once."""
    owned = np.bincount(pairs[0], weights=given, minlength=people.size)
    used = np.bincount(pairs[1], weights=given, minlength=rows.size)
    return bool((given >= 0).all()) and np.array_equal(owned, people) and np.array_equal(used, rows)


def _components(start: IntArray, end: IntArray, both_ways: BoolArray, nodes: int) -> IntArray:
    """The strongly connected component of every node; edges that go both ways are marked."""
    origin, target = np.concatenate([start, end[both_ways]]), np.concatenate([end, start[both_ways]])
    order = np.argsort(origin, kind="stable")
    first = np.searchsorted(origin[order], np.arange(nodes + 1)).tolist()
    search = _DepthFirstSearch(first, first[:-1], target[order].tolist(), nodes)
    for root in range(nodes):
        if not search.found[root]:
            search.visit(root)
    return np.array(search.component, dtype=np.int64)


class _DepthFirstSearch:
    """Tarjan's depth-first search, without recursion.

    `found[node]` is when a node was reached, from 1, and `low[node]` the earliest node that can be reached from below
    it. Nodes wait on `open` until the first one of their component is left.
    """

    def __init__(self, first: list[int], following: list[int], target: list[int], nodes: int) -> None:
        self.first, self.following, self.target = first, following, target
        self.found, self.low, self.component = [0] * nodes, [0] * nodes, [-1] * nodes
        self.open: list[int] = []
        self.clock = self.number = 0

    def visit(self, root: int) -> None:
        """Afterwards everything that can be reached from the root has its component."""
        path = [root]
        self._reach(root)
        while path:
            node = path[-1]
            edge = self.following[node]
            if edge < self.first[node + 1]:
                self.following[node] = edge + 1
                there = self.target[edge]
                if not self.found[there]:
                    self._reach(there)
                    path.append(there)
                elif self.component[there] < 0:
                    self.low[node] = min(self.low[node], self.found[there])
                continue
            path.pop()
            if path:
                self.low[path[-1]] = min(self.low[path[-1]], self.low[node])
            if self.low[node] == self.found[node]:
                self._close(node)

    def _reach(self, node: int) -> None:
        self.clock += 1
        self.found[node] = self.low[node] = self.clock
        self.open.append(node)

    def _close(self, node: int) -> None:
        """All that wait since the node was reached are one component with it."""
        while self.component[node] < 0:
            self.component[self.open.pop()] = self.number
        self.number += 1

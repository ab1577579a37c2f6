"""Placing what is left: each atom joins the class that it costs least, or is suppressed if that is cheaper.

Where no near class keeps the guarantees with it, near classes join around it until they do together; in the end that is
the whole part that the classes were grown in, which keeps them.
"""

from functools import reduce

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.methods.tables._partition.growth import GrowingClass, Nursery

NEAREST_TRIED = 20


class Placing:
    """The classes of one part of the start; `spare` rows may still be suppressed, each at the cost `gone`."""

    def __init__(self, nursery: Nursery, gone: float, spare: int) -> None:
        self.nursery, self.gone, self.spare = nursery, gone, spare
        self.made: list[GrowingClass] = []

    def place(self, left: list[int], whole: IntArray) -> None:
        """Every atom that is left has a place; `whole` are all atoms of the part, which keep the guarantees."""
        rows, spare = self.nursery.ground.tally.rows, self.spare
        self._lay_out()
        for atom in sorted(left, key=lambda atom: -int(rows[atom])):
            if not (self.made and self._drop_or_join(atom)) and not self._force(self.nursery.seed(atom)):
                self.made, self.spare = [self._all(whole)], spare
                return
        if self.nursery.ground.tally.people.spread_key.size and not self._joined_alike():
            self.made, self.spare = [self._all(whole)], spare
        if self.spare < spare:
            self._undo_drops(whole, spare)

    def _joined_alike(self) -> bool:
        """Whether classes that read alike are one, and it keeps the guarantees, with those around it if need be.

        Two classes that keep them may fail together where somebody stands in both and counts once.
        """
        while True:
            alike: dict[tuple[str, ...], list[GrowingClass]] = {}
            for grown in self.made:
                alike.setdefault(self.nursery.labels(grown), []).append(grown)
            if len(alike) == len(self.made):
                return True
            unions = [(reduce(self.nursery.joined, same), len(same) == 1) for same in alike.values()]
            keeping = [whole or self.nursery.keeps(union) for union, whole in unions]
            self.made = [union for (union, _), keeps in zip(unions, keeping, strict=True) if keeps]
            self._lay_out()
            failing = [union for (union, _), keeps in zip(unions, keeping, strict=True) if not keeps]
            if not all(self._force(union) for union in failing):
                return False

    def _undo_drops(self, whole: IntArray, spare: int) -> None:
        """One class of all takes the place of the others where these and what was suppressed cost more together."""
        everybody = self._all(whole)
        paid = float((self.cost * self.rows).sum()) + (spare - self.spare) * self.gone
        if everybody.rows * self.nursery.cost(everybody) < paid:
            self.made, self.spare = [everybody], spare

    def _lay_out(self) -> None:
        """The classes as arrays: leaf and level by column and class, rows and cost by class."""
        shape = (len(self.nursery.hierarchies), len(self.made))
        self.leaf = np.array([grown.leaf for grown in self.made], dtype=np.int64).reshape(shape[::-1]).T
        self.level = np.array([grown.level for grown in self.made], dtype=np.int64).reshape(shape[::-1]).T
        self.rows = np.array([grown.rows for grown in self.made], dtype=np.int64)
        self.cost = np.array([self.nursery.cost(grown) for grown in self.made])

    def _added(self, grown: GrowingClass) -> FloatArray:
        """What it adds to the cost of all rows when each class takes `grown` in."""
        cost = np.zeros(self.rows.size)
        for c in range(self.leaf.shape[0]):
            level = np.maximum(self.nursery.meet(c, grown)[self.leaf[c]], self.level[c])
            cost += self.nursery.costs.node[c][level, self.leaf[c]]
        added: FloatArray = (self.rows + grown.rows) * cost - self.rows * self.cost
        return added

    def _drop_or_join(self, atom: int) -> bool:
        """Whether the atom was suppressed, or joined a near class that keeps the guarantees with it."""
        seed = self.nursery.seed(atom)
        added = self._added(seed)
        order = np.argsort(added, kind="stable")[:NEAREST_TRIED]
        if seed.rows <= self.spare and seed.rows * self.gone < added[order[0]]:
            self.spare -= seed.rows
            return True
        for position in order.tolist():
            joined = self.nursery.joined(self.made[position], seed)
            if self.nursery.keeps(joined):
                self.made[position] = joined
                self.leaf[:, position], self.level[:, position] = joined.leaf, joined.level
                self.rows[position], self.cost[position] = joined.rows, self.nursery.cost(joined)
                return True
        return False

    def _force(self, grown: GrowingClass) -> bool:
        """Whether this and the classes around it, as many as it takes, are a class that keeps the guarantees."""
        while self.made:
            grown = self.nursery.joined(self.made.pop(int(np.argmin(self._added(grown)))), grown)
            self._lay_out()
            if self.nursery.keeps(grown):
                self.made.append(grown)
                self._lay_out()
                return True
        return False

    def _all(self, whole: IntArray) -> GrowingClass:
        grown = self.nursery.seed(int(whole[0]))
        for atom in whole[1:].tolist():
            self.nursery.add(grown, atom)
        return grown

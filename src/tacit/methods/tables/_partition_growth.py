"""Growing classes: one class at a time, counted as it grows, and its distance to everything that is left.

The distance of an atom from a class is what a row of the class costs when the atom joins: the cost of the least common
ancestors. All atoms are compared at once: for each column the cost of meeting every leaf is one short array, read at
the atoms' leaves.
"""

from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from tacit.arrays import BoolArray, CodeArray, FloatArray, IntArray
from tacit.data.classes import Classes, Frequencies
from tacit.data.grouping import pack
from tacit.data.tally import SensitiveTally
from tacit.methods.tables._partition import Ground
from tacit.methods.tables._partition_costs import Costs

LARGEST_BUNDLE = 2048


@dataclass(frozen=True, eq=False)
class Counted:
    """The sensitive values of one column atom by atom: those of atom i stand from `starts[i]` to `starts[i + 1]`."""

    part: SensitiveTally
    starts: IntArray
    value: IntArray
    count: IntArray

    @classmethod
    def of(cls, part: SensitiveTally, atoms: int) -> "Counted":
        """The values sorted by atom."""
        order = np.argsort(part.combination, kind="stable")
        starts = np.searchsorted(part.combination[order], np.arange(atoms + 1))
        return cls(part, starts, part.value[order], part.census.counts()[order])


@dataclass(eq=False)
class Grown:
    """A class as it grows: its atoms, one of its leaves and the level in each column, and its counts."""

    leaf: IntArray
    level: IntArray
    atoms: list[int] = field(default_factory=list)
    rows: int = 0
    people: int = 0
    population: int = 0
    values: dict[str, IntArray] = field(default_factory=dict)


class Nursery:
    """What is needed to grow classes on a ground: distances, counts and the guarantees."""

    def __init__(self, ground: Ground, costs: Costs) -> None:
        self.ground, self.costs = ground, costs
        self.people = ground.tally.people.counts()
        self.counted = {name: Counted.of(part, ground.atoms) for name, part in ground.tally.sensitive.items()}
        self.hierarchies = ground.table.hierarchies
        self.heights = np.array([hierarchy.height for hierarchy in self.hierarchies])
        self.bundles = _bundles([len(hierarchy.leaves) for hierarchy in self.hierarchies])
        self._met: dict[tuple[int, int, int], IntArray] = {}

    def seed(self, atom: int) -> Grown:
        """A class of one atom."""
        least = np.array(self.ground.table.least, dtype=np.int64)
        grown = Grown(self.ground.leaves[:, atom].astype(np.int64), least)
        self.add(grown, atom)
        return grown

    def add(self, grown: Grown, atom: int) -> None:
        """The class with one more atom."""
        tally = self.ground.tally
        grown.level = np.array(
            [self.meet(c, grown)[leaf] for c, leaf in enumerate(self.ground.leaves[:, atom].tolist())]
        )
        grown.atoms.append(atom)
        grown.rows += int(tally.rows[atom])
        grown.people += int(self.people[atom])
        grown.population += 0 if tally.population is None else int(tally.population[atom])
        for name, counted in self.counted.items():
            cells = slice(counted.starts[atom], counted.starts[atom + 1])
            values = grown.values.setdefault(name, np.zeros(len(counted.part.values), dtype=np.int64))
            np.add.at(values, counted.value[cells], counted.count[cells])

    def joined(self, one: Grown, other: Grown) -> Grown:
        """The class of all that two have; they stay as they are."""
        meeting = [self.meet(c, one)[leaf] for c, leaf in enumerate(other.leaf.tolist())]
        return Grown(
            leaf=one.leaf,
            level=np.maximum(meeting, other.level),
            atoms=one.atoms + other.atoms,
            rows=one.rows + other.rows,
            people=one.people + other.people,
            population=one.population + other.population,
            values={name: one.values[name] + values for name, values in other.values.items()},
        )

    def meet(self, column: int, grown: Grown) -> IntArray:
        """For every leaf, the level at which it meets the class."""
        leaf, level = int(grown.leaf[column]), int(grown.level[column])
        if (column, leaf, level) not in self._met:
            codes = self.hierarchies[column].codes
            self._met[column, leaf, level] = np.maximum((codes != codes[:, [leaf]]).sum(axis=0), level)
        return self._met[column, leaf, level]

    def packed(self, leaves: CodeArray) -> list[IntArray]:
        """The leaves of some atoms, several columns in one number, as `distances` reads them."""
        sizes = [len(hierarchy.leaves) for hierarchy in self.hierarchies]
        return [
            pack([leaves[c] for c in columns], [sizes[c] for c in columns], leaves.shape[1]).key
            for columns in self.bundles
        ]

    def distances(self, grown: Grown, packed: list[IntArray]) -> FloatArray:
        """What a row of the class costs when an atom with these leaves joins."""
        total = np.zeros(packed[0].size)
        for columns, key in zip(self.bundles, packed, strict=True):
            meetings = [self.costs.node[c][self.meet(c, grown), grown.leaf[c]] for c in columns]
            total += reduce(np.add.outer, meetings).ravel()[key]
        return total

    def cost(self, grown: Grown) -> float:
        """What a row of the class costs."""
        return float(sum(cost[grown.level[c], grown.leaf[c]] for c, cost in enumerate(self.costs.node)))

    def keeps(self, grown: Grown) -> bool:
        """Whether the class keeps all guarantees and does not read like suppressed rows."""
        if self.ground.roots_read_suppressed and (grown.level == self.heights).all():
            return False
        classes = Classes(
            rows=np.array([grown.rows]),
            sizes=np.array([grown.people]),
            sensitive={name: self._frequencies(name, values) for name, values in grown.values.items()},
            population=None if self.ground.tally.population is None else np.array([grown.population]),
        )
        return all(bool(g.satisfied(g.measure(classes))[0]) for g in self.ground.guarantees)

    def _frequencies(self, name: str, values: IntArray) -> Frequencies:
        part = self.counted[name].part
        value = np.flatnonzero(values)
        here = np.zeros(value.size, dtype=np.int64)
        return Frequencies(part.values, here, value, values[value], part.reference, part.ordered, part.hierarchy)


def _bundles(sizes: list[int]) -> list[list[int]]:
    """Columns put together while all their combinations are few, so that one look-up serves several."""
    bundles: list[list[int]] = [[]]
    span = 1
    for column in np.argsort(sizes, kind="stable").tolist():
        if bundles[-1] and span * sizes[column] > LARGEST_BUNDLE:
            bundles.append([])
            span = 1
        bundles[-1].append(column)
        span *= sizes[column]
    return bundles


def nearest(distance: FloatArray, rows: IntArray, free: BoolArray) -> int:
    """The nearest entry that is free, the largest of several; -1 where none is."""
    distance = np.where(free, distance, np.inf)
    least = float(distance.min(initial=np.inf))
    if not np.isfinite(least):
        return -1
    close = np.flatnonzero(distance <= least + 1e-12)
    return int(close[np.argmax(rows[close])])

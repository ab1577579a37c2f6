"""Growing classes: one class at a time, counted as it grows, and its distance to everything that is left.

The distance of an atom from a class is what a row of the class costs when the atom joins: the cost of the least common
ancestors. All atoms are compared at once: for each column the cost of meeting every leaf is one short array, read at
the atoms' leaves.

People are counted exactly: who stands in one atom only is added up, and who stands in several is a member of a set.
"""

from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from tacit.arrays import BoolArray, CodeArray, FloatArray, IntArray
from tacit.data.tables.classes import Classes, Frequencies
from tacit.data.tables.grouping import pack
from tacit.data.tables.tally import NOBODY, SensitiveTally
from tacit.methods.tables._partition.costs import Costs
from tacit.methods.tables._partition.partition import Ground

LARGEST_BUNDLE = 2048


@dataclass(frozen=True, eq=False)
class CountedRegion:
    """The sensitive values of one column atom by atom: those of atom i stand from `starts[i]` to `starts[i + 1]`.

    `count` are the people with a value who have it in one atom only; the others are in `spread`, where person p has the
    value `value_of[p]`.
    """

    part: SensitiveTally
    starts: IntArray
    value: IntArray
    count: IntArray
    spread: "Spread"
    value_of: IntArray

    @classmethod
    def of(cls, part: SensitiveTally, atoms: int) -> "CountedRegion":
        """The values sorted by atom."""
        order = np.argsort(part.combination, kind="stable")
        starts = np.searchsorted(part.combination[order], np.arange(atoms + 1))
        census = part.census
        value_of = np.zeros(int(census.spread_person.max(initial=-1)) + 1, dtype=np.int64)
        value_of[census.spread_person] = part.value[census.spread_key]
        spread = Spread.of(part.combination[census.spread_key], census.spread_person, atoms)
        return cls(part, starts, part.value[order], census.settled[order], spread, value_of)


@dataclass(frozen=True, eq=False)
class Spread:
    """The people who stand in several atoms: those of atom i from `starts[i]` to `starts[i + 1]`, in rising order."""

    starts: IntArray
    person: IntArray

    @classmethod
    def of(cls, atom: IntArray, person: IntArray, atoms: int) -> "Spread":
        """The pairs of atom and person sorted."""
        order = np.lexsort((person, atom))
        return cls(np.searchsorted(atom[order], np.arange(atoms + 1)), person[order])

    def joined(self, people: IntArray, atom: int) -> IntArray:
        """The people, and those of an atom."""
        return united(people, self.person[self.starts[atom] : self.starts[atom + 1]])


def united(one: IntArray, other: IntArray) -> IntArray:
    """Everybody who is in one of two sets."""
    if not one.size or not other.size:
        return one if one.size else other
    return np.union1d(one, other)


@dataclass(eq=False)
class GrowingClass:
    """A class as it grows: its atoms, one of its leaves and the level in each column, and its counts.

    `settled` and `values` count people who stand in one atom only (with that value); `spread` and `holders` are the
    others, by name.
    """

    leaf: IntArray
    level: IntArray
    atoms: list[int] = field(default_factory=list)
    rows: int = 0
    settled: int = 0
    population: int = 0
    values: dict[str, IntArray] = field(default_factory=dict)
    spread: IntArray = field(default_factory=lambda: NOBODY)
    holders: dict[str, IntArray] = field(default_factory=dict)

    @property
    def people(self) -> int:
        """How many different ones it has."""
        return self.settled + int(self.spread.size)


class Nursery:
    """What is needed to grow classes on a ground: distances, counts and the guarantees."""

    def __init__(self, ground: Ground, costs: Costs) -> None:
        self.ground, self.costs = ground, costs
        people = ground.tally.people
        self.settled = people.settled
        self.spread = Spread.of(people.spread_key, people.spread_person, ground.atoms)
        self.counted = {name: CountedRegion.of(part, ground.atoms) for name, part in ground.tally.sensitive.items()}
        self.hierarchies = ground.table.hierarchies
        self.heights = np.array([hierarchy.height for hierarchy in self.hierarchies])
        self.bundles = _bundles([len(hierarchy.leaves) for hierarchy in self.hierarchies])
        self._met: dict[tuple[int, int, int], IntArray] = {}

    def seed(self, atom: int) -> GrowingClass:
        """A class of one atom."""
        least = np.array(self.ground.table.least, dtype=np.int64)
        grown = GrowingClass(self.ground.leaves[:, atom].astype(np.int64), least)
        self.add(grown, atom)
        return grown

    def add(self, grown: GrowingClass, atom: int) -> None:
        """The class with one more atom."""
        tally = self.ground.tally
        grown.level = np.array(
            [self.meet(c, grown)[leaf] for c, leaf in enumerate(self.ground.leaves[:, atom].tolist())]
        )
        grown.atoms.append(atom)
        grown.rows += int(tally.rows[atom])
        grown.settled += int(self.settled[atom])
        grown.spread = self.spread.joined(grown.spread, atom)
        grown.population += 0 if tally.population is None else int(tally.population[atom])
        for name, counted in self.counted.items():
            cells = slice(counted.starts[atom], counted.starts[atom + 1])
            values = grown.values.setdefault(name, np.zeros(len(counted.part.values), dtype=np.int64))
            np.add.at(values, counted.value[cells], counted.count[cells])
            grown.holders[name] = counted.spread.joined(grown.holders.get(name, NOBODY), atom)

    def joined(self, one: GrowingClass, other: GrowingClass) -> GrowingClass:
        """The class of all that two have; they stay as they are."""
        meeting = [self.meet(c, one)[leaf] for c, leaf in enumerate(other.leaf.tolist())]
        return GrowingClass(
            leaf=one.leaf,
            level=np.maximum(meeting, other.level),
            atoms=one.atoms + other.atoms,
            rows=one.rows + other.rows,
            settled=one.settled + other.settled,
            population=one.population + other.population,
            values={name: one.values[name] + values for name, values in other.values.items()},
            spread=united(one.spread, other.spread),
            holders={name: united(one.holders[name], people) for name, people in other.holders.items()},
        )

    def meet(self, column: int, grown: GrowingClass) -> IntArray:
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

    def distances(self, grown: GrowingClass, packed: list[IntArray]) -> FloatArray:
        """What a row of the class costs when an atom with these leaves joins."""
        total = np.zeros(packed[0].size)
        for columns, key in zip(self.bundles, packed, strict=True):
            meetings = [self.costs.node[c][self.meet(c, grown), grown.leaf[c]] for c in columns]
            total += reduce(np.add.outer, meetings).ravel()[key]
        return total

    def cost(self, grown: GrowingClass) -> float:
        """What a row of the class costs."""
        return float(sum(cost[grown.level[c], grown.leaf[c]] for c, cost in enumerate(self.costs.node)))

    def labels(self, grown: GrowingClass) -> tuple[str, ...]:
        """What the class reads like."""
        nodes = zip(self.hierarchies, grown.level.tolist(), grown.leaf.tolist(), strict=True)
        return tuple(hierarchy.labels[level][hierarchy.codes[level, leaf]] for hierarchy, level, leaf in nodes)

    def keeps(self, grown: GrowingClass) -> bool:
        """Whether the class keeps all guarantees and does not read like suppressed rows."""
        if self.ground.roots_read_suppressed and (grown.level == self.heights).all():
            return False
        classes = Classes(
            rows=np.array([grown.rows]),
            sizes=np.array([grown.people]),
            sensitive={name: self._frequencies(name, grown) for name in grown.values},
            population=None if self.ground.tally.population is None else np.array([grown.population]),
        )
        return all(bool(g.satisfied(g.measure(classes))[0]) for g in self.ground.guarantees)

    def _frequencies(self, name: str, grown: GrowingClass) -> Frequencies:
        counted, values = self.counted[name], grown.values[name]
        part = counted.part
        values = values + np.bincount(counted.value_of[grown.holders[name]], minlength=values.size)
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

"""Classes: rows that are the same in all quasi-identifiers, as arrays with one entry for each class.

This is all that a guarantee sees. It is made from a tally and a grouping of its combinations, so the same check serves
a raw table, a candidate inside a search and a release that was read back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.tally import Census, SensitiveTally, Tally
from tacit.spelling import many

DENSE_CELLS = 4_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Frequencies(Discreet):
    """How many people of each class have each value of one sensitive column (cells sorted by class, none empty).

    `reference[value]` counts the people with that value in the input; the positions of `values` are the codes.
    """

    values: tuple[str, ...]
    class_: IntArray
    value: IntArray
    count: IntArray
    reference: IntArray
    ordered: bool = False
    hierarchy: Hierarchy | None = None

    def amounts(self) -> str:
        """How many cells there are, and how many values."""
        return f"{many(self.count.size, 'cell')} of {many(len(self.values), 'value')}"

    def starts(self, classes: int) -> IntArray:
        """Where the cells of each class begin (one more entry for the end)."""
        return np.searchsorted(self.class_, np.arange(classes + 1)).astype(np.int64)

    def blocks(self, classes: int) -> Iterator[tuple[slice, FloatArray]]:
        """Consecutive classes with their counts as a dense block `[class, value]`, small enough for memory."""
        width = max(len(self.values), 1)
        height = max(DENSE_CELLS // width, 1)
        starts = self.starts(classes)
        for first in range(0, classes, height):
            last = min(first + height, classes)
            cells = slice(starts[first], starts[last])
            flat = (self.class_[cells] - first) * width + self.value[cells]
            block = np.bincount(flat, weights=self.count[cells].astype(np.float64), minlength=(last - first) * width)
            yield slice(first, last), block.astype(np.float64, copy=False).reshape(last - first, width)


@dataclass(frozen=True, eq=False, repr=False)
class Classes(Discreet):
    """One entry for each class: its rows, its people, its sensitive values, its people in the population.

    `absent` counts the people of the population whose class has nobody in the data. `counted` names the entries. The
    sizes do not add up to the number of people where somebody is in several classes: `people` then says who is where.
    """

    counted: ClassVar[str] = "classes"

    rows: IntArray
    sizes: IntArray
    sensitive: Mapping[str, Frequencies] = field(default_factory=dict)
    population: IntArray | None = None
    absent: int = 0
    people: Census | None = None

    def amounts(self) -> str:
        """How many classes there are, and how many sensitive columns."""
        return f"{self.number:,} {self.counted}, {many(len(self.sensitive), 'sensitive column')}"

    @property
    def census(self) -> Census:
        """Who is in which class; everybody is in one where nothing else is said."""
        return Census(self.sizes) if self.people is None else self.people

    @property
    def number(self) -> int:
        """How many classes there are."""
        return int(self.sizes.size)


def classes_of(tally: Tally) -> Classes:
    """The classes of a tally in which every combination is a class; combinations without rows are absent."""
    sizes, population = tally.people.counts(), tally.population
    if population is None:
        cells = {name: _frequencies(part) for name, part in tally.sensitive.items()}
        return Classes(tally.rows, sizes, cells, people=tally.people)
    present = tally.rows > 0
    position = np.where(present, np.cumsum(present) - 1, -1)
    return Classes(
        rows=tally.rows[present],
        sizes=sizes[present],
        sensitive={name: _frequencies(part, position) for name, part in tally.sensitive.items()},
        population=population[present],
        absent=int(population[~present].sum()),
        people=tally.people.placed(position, int(present.sum())),
    )


def _frequencies(part: SensitiveTally, position: IntArray | None = None) -> Frequencies:
    """The cells of the classes that have a position (all, by default)."""
    class_, value, counts = part.combination, part.value, part.census.counts()
    if position is not None:
        kept = position[class_] >= 0
        class_, value, counts = position[class_][kept], value[kept], counts[kept]
    return Frequencies(part.values, class_, value, counts, part.reference, part.ordered, part.hierarchy)

"""Cell suppression as a choice of patterns: which columns each row is published without.

A *pattern* is a set of suppressed columns, written as the bits of a number. Rows of one pattern that agree in all other
columns are one class, so a choice of a pattern for every row is a whole release, and its cost is the sum of what the
patterns weigh. Rows of one combination may choose differently where nothing but numbers of rows is promised.

Combinations that only a population has go along at no cost: a class fits the people of those that it took.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.tables.grouping import EntryGroups, add_up, group_by, pack
from tacit.methods.tables._partition.partition import Ground, keeping, selected

LEFT = -1
"""The pattern of rows that found no class."""

IDLE = -2
"""The pattern of combinations without rows, which only a population has, where no class took them."""

MOST_PATTERNS = 4096
CHAINS = 60


@dataclass(frozen=True, eq=False)
class Portions:
    """`rows[i]` rows of atom `atom[i]` are published without the columns of `pattern[i]`."""

    atom: IntArray
    rows: IntArray
    pattern: IntArray

    def part(self, chosen: BoolArray | IntArray) -> "Portions":
        """Some of the portions."""
        return Portions(self.atom[chosen], self.rows[chosen], self.pattern[chosen])

    def beside(self, others: "Portions") -> "Portions":
        """These and others."""
        return Portions(
            np.concatenate([self.atom, others.atom]),
            np.concatenate([self.rows, others.rows]),
            np.concatenate([self.pattern, others.pattern]),
        )


@dataclass(frozen=True, eq=False)
class Problem:
    """The atoms of a table, the weight of a suppressed cell of each column, and what a class needs.

    `open_` are the columns that may be suppressed. `people` is the k of k-anonymity where nothing else is promised,
    each row is a person and there is no population; 0 where the guarantees must be asked. `barred`: nobody may be
    published without any column, since that would read like a suppressed row.
    """

    ground: Ground
    codes: IntArray
    sizes: tuple[int, ...]
    weights: FloatArray
    open_: tuple[int, ...]
    people: int
    barred: bool

    @property
    def columns(self) -> int:
        """How many there are."""
        return len(self.sizes)

    @cached_property
    def everything(self) -> int:
        """The pattern of all columns."""
        return (1 << self.columns) - 1

    @cached_property
    def idle(self) -> BoolArray:
        """Which atoms have no rows, since only the population has them."""
        without: BoolArray = self.ground.tally.rows == 0
        return without

    def weight(self, pattern: IntArray) -> FloatArray:
        """What a row of each pattern costs."""
        total = np.zeros(pattern.size)
        for column in self.open_:
            total += self.weights[column] * (pattern >> column & 1)
        return total

    def cost(self, portions: Portions) -> FloatArray:
        """What each portion costs; rows that found no class cost more than anything else."""
        return np.where(portions.pattern == LEFT, np.inf, self.weight(portions.pattern)) * portions.rows

    def grouped(self, pattern: int, atoms: IntArray) -> EntryGroups:
        """The atoms grouped by the columns outside a pattern."""
        kept = [column for column in range(self.columns) if not pattern >> column & 1]
        keys = pack([self.codes[c][atoms] for c in kept], [self.sizes[c] for c in kept], atoms.size)
        return group_by(keys.key, keys.span)

    def suffices(self, atoms: IntArray, rows: IntArray, classes: EntryGroups) -> BoolArray:
        """Which groups of atoms, each with so many rows, keep the guarantees as classes."""
        if self.people:
            return add_up(classes.group, rows, classes.number) >= self.people
        return keeping(self.ground.guarantees, selected(self.ground.tally, atoms).merged(classes))


def patterns_of(problem: Problem, columns: tuple[int, ...], generator: np.random.Generator) -> IntArray:
    """All patterns of these columns but the empty and the barred; of too many, small ones and random chains."""
    every = _all_patterns(columns) if 1 << len(columns) <= MOST_PATTERNS else _some_patterns(columns, generator)
    allowed = every != 0
    if problem.barred:
        allowed &= every != problem.everything
    chosen: IntArray = every[allowed]
    return chosen


def _all_patterns(columns: tuple[int, ...]) -> IntArray:
    number = np.arange(1 << len(columns))
    pattern = np.zeros(number.size, dtype=np.int64)
    for bit, column in enumerate(columns):
        pattern |= (number >> bit & 1) << column
    return pattern


def _some_patterns(columns: tuple[int, ...], generator: np.random.Generator) -> IntArray:
    """One or two columns, and chains from none to all in random orders, so that every row finds some company."""
    few = [sum(1 << c for c in chosen) for size in (1, 2) for chosen in combinations(columns, size)]
    chains = [np.cumsum(1 << generator.permutation(np.array(columns, dtype=np.int64))) for _ in range(CHAINS)]
    return np.unique(np.concatenate([np.array(few, dtype=np.int64), *chains]))

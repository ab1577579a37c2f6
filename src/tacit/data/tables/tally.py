"""Tallies: the result of the engine's counting pass, small enough for every algorithm.

A *combination* is a distinct tuple of quasi-identifier values. Where a person may have several rows, people are
counted, not rows, and counts of people can't be added up when groups merge: one person may be in both. A `Census`
therefore keeps the people that have one key only as plain counts (settled) and the rest as (key, person) pairs
(spread), so that merging stays exact.

Figures about people count each of them once, whatever number of keys they have: all of them (`number`), those who have
one of some keys (`number_in`), and everybody by the least of an amount over their keys (`least`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.grouping import EntryGroups, add_up, group_by
from tacit.data.tables.hierarchy import Hierarchy
from tacit.spelling import many

NOBODY: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class PeopleByAmount(Discreet):
    """Entry i: `people[i]` people with `amount[i]`; everybody stands in one entry."""

    amount: IntArray
    people: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Census(Discreet):
    """How many people share each key, in a form that merges exactly."""

    settled: IntArray
    spread_key: IntArray = field(default_factory=lambda: NOBODY)
    spread_person: IntArray = field(default_factory=lambda: NOBODY)

    def amounts(self) -> str:
        """How many keys people are counted by."""
        return many(self.settled.size, "key")

    def merged(self, group: IntArray, groups: int) -> "Census":
        """The census after every key became `group[key]`."""
        settled = add_up(group, self.settled, groups)
        if not self.spread_key.size:
            return Census(settled)
        people = int(self.spread_person.max()) + 1
        pairs = np.unique(group[self.spread_key] * people + self.spread_person)
        return Census(settled, pairs // people, pairs % people)

    def counts(self) -> IntArray:
        """The number of people of each key."""
        if not self.spread_key.size:
            return self.settled
        return self.settled + np.bincount(self.spread_key, minlength=self.settled.size)

    @property
    def number(self) -> int:
        """How many people there are: each counts once, with one key or with many."""
        return int(self.settled.sum()) + int(np.unique(self.spread_person).size)

    def number_in(self, keys: BoolArray) -> int:
        """How many people have at least one of these keys."""
        return int(self.settled[keys].sum()) + int(np.unique(self.spread_person[keys[self.spread_key]]).size)

    def least(self, amounts: IntArray) -> PeopleByAmount:
        """Everybody by the least of the amounts of their keys."""
        there = np.flatnonzero(self.settled)
        persons, place = np.unique(self.spread_person, return_inverse=True)
        least = np.full(persons.size, amounts.max(initial=0), dtype=np.int64)
        np.minimum.at(least, place, amounts[self.spread_key])
        ones = np.ones(persons.size, dtype=np.int64)
        return PeopleByAmount(np.concatenate([amounts[there], least]), np.concatenate([self.settled[there], ones]))

    def placed(self, place: IntArray, keys: int) -> "Census":
        """The census of `keys` keys, the old key i at `place[i]`; those at -1 are left out, with who has no other."""
        kept, stay = np.flatnonzero(place >= 0), place[self.spread_key] >= 0
        settled = np.zeros(keys, dtype=np.int64)
        settled[place[kept]] = self.settled[kept]
        return Census(settled, place[self.spread_key[stay]], self.spread_person[stay])


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveTally(Discreet):
    """How many people of each combination have each value of one sensitive column.

    Cell i says: `census` people of combination `combination[i]` have the value `values[value[i]]`. `reference` counts
    the people with each value in the whole input; `ordered` says whether the order of `values` means anything.
    """

    column: str
    values: tuple[str, ...]
    combination: IntArray
    value: IntArray
    census: Census
    reference: IntArray
    ordered: bool = False
    hierarchy: Hierarchy | None = None

    def amounts(self) -> str:
        """How many cells there are, and how many values."""
        return f"{many(self.combination.size, 'cell')} of {many(len(self.values), 'value')}"

    def merged(self, combinations: EntryGroups) -> "SensitiveTally":
        """The tally after every combination became its group."""
        width = max(len(self.values), 1)
        key = combinations.group[self.combination] * width + self.value
        cells = group_by(key, combinations.number * width)
        kept = key[cells.first]
        census = self.census.merged(cells.group, cells.number)
        return replace(self, combination=kept // width, value=kept % width, census=census)


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Discreet):
    """Distinct combinations of the quasi-identifiers, with the rows and people that share each.

    `codes[column, combination]` is a position in `values[column]`. `people` counts rows where no unit of privacy is
    named. Where a population is given, `population` counts its people, and combinations found only in the population
    are included with no rows.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    codes: CodeArray
    rows: IntArray
    people: Census
    sensitive: Mapping[str, SensitiveTally] = field(default_factory=dict)
    population: IntArray | None = None

    def amounts(self) -> str:
        """How many combinations and columns there are."""
        known = f"{many(self.combinations, 'combination')} of {many(len(self.columns), 'column')}"
        return f"{known}, {many(len(self.sensitive), 'sensitive column')}"

    @property
    def combinations(self) -> int:
        """How many distinct combinations there are."""
        return int(self.rows.size)

    @property
    def one_row_each(self) -> bool:
        """Whether each row is a person, so that people are counted as rows are."""
        return not self.people.spread_key.size and np.array_equal(self.people.settled, self.rows)

    def merged(self, grouping: EntryGroups) -> "Tally":
        """The tally after every combination became its group; the codes are those of one combination of each group."""
        group, number = grouping.group, grouping.number
        return Tally(
            columns=self.columns,
            values=self.values,
            codes=self.codes[:, grouping.first],
            rows=add_up(group, self.rows, number),
            people=self.people.merged(group, number),
            sensitive={name: part.merged(grouping) for name, part in self.sensitive.items()},
            population=None if self.population is None else add_up(group, self.population, number),
        )

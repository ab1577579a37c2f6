"""Movement: how much the columns of a table change within the values of a key, beside how they change at random.

For a key u and another column c, take the pairs of rows that follow each other within one value of u, and let

    m(c | u) = mean d(c, c') over these pairs  /  mean d(c, c') over all pairs of rows,

where d is 0 or 1 for categories (so that the denominator is the index of Gini and Simpson) and the distance of ranks
for numbers (Gini's mean difference). This is a quotient of two quadratic entropies (Rao 1982): 0 for a column that is
constant within u, about 1 for one that u says nothing about. A column is *steady* where m is at most `STEADY`; it *says
something* where chance alone would make at least `EXPECTED` of the pairs differ, and where the file is not sorted by
it. Pairs that follow each other in the file let a column that moves with time, such as an age, be steady.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.sources.arrow import to_numbers
from tacit.inspection import shapes, words

if TYPE_CHECKING:
    import pyarrow as pa

STEADY = 0.3
UNSTEADY = 0.5
EXPECTED = 8
SORTED = 0.98
"""The share of changes from row to row that go one way, from which on a file is sorted by a column."""
MANY = 16
SMOOTH = 0.5
"""The correlation of the frequencies of neighbouring numbers from which on they are measured."""
TRAITS = frozenset[words.Meaning]({"sex", "birth", "origin"})
"""What does not change within a person."""


def kinds(name: str) -> frozenset[words.Meaning]:
    """Which traits of a person the column tells: sex, birth, origin."""
    return words.meanings(name) & TRAITS


@dataclass(frozen=True)
class Movement:
    """How much each telling column moves within a key."""

    moves: Mapping[str, float] = field(default_factory=dict)

    @property
    def traits(self) -> list[str]:
        """The telling columns that do not change within a person."""
        return [name for name in self.moves if kinds(name)]

    @property
    def steady(self) -> list[str]:
        """The telling columns that stay the same, or nearly so."""
        return [name for name, moved in self.moves.items() if moved <= STEADY]

    @property
    def share(self) -> float:
        """The share of the telling columns that are steady."""
        return len(self.steady) / max(len(self.moves), 1)

    @property
    def has_steady_traits(self) -> bool:
        """Whether there are traits, and all of them are steady."""
        told = [name for name in self.traits if not self._may_mean_otherwise(name)]
        return bool(told) and all(self.moves[name] <= STEADY for name in told)

    @property
    def changing(self) -> list[str]:
        """Traits that change within a value, as they can't within a person, unless they are somebody else's.

        Where another trait of the same kind is steady, as a worker's origin beside that of clients, it is the person's.
        """
        return [
            name
            for name in self.traits
            if self.moves[name] > UNSTEADY
            and not self._may_mean_otherwise(name)
            and not any(kinds(other) & kinds(name) for other in self.steady)
        ]

    def _may_mean_otherwise(self, name: str) -> bool:
        """Whether it is an origin that may be one of orders or of visits, since sex or birth stands still beside it."""
        return kinds(name) == {"origin"} and any(kinds(other) & {"sex", "birth"} for other in self.steady)


@dataclass(frozen=True, eq=False)
class PlacedColumn:
    """A column as places: numbers by their rank between 0 and 1, categories by a code; and which of the two."""

    places: FloatArray
    codes: IntArray
    is_number: bool
    are_sexes: bool = False
    are_names: bool = False
    are_records: bool = False

    @classmethod
    def of(cls, column: "pa.ChunkedArray") -> "PlacedColumn":
        dictionary = column.combine_chunks().dictionary_encode()
        values, codes = dictionary.dictionary.to_pylist(), to_numbers(dictionary.indices, np.int32).astype(np.int64)
        numbers = _numbers(values)
        if numbers is None or len(values) <= 2:
            texts = [text for text in values if text]
            told = shapes.are_sexes(texts), shapes.are_names(texts), shapes.are_records(texts)
            return cls(codes.astype(np.float64), codes, False, *told)
        ranks = np.empty(len(values))
        order = np.argsort(numbers, kind="stable")
        counts = np.bincount(codes, minlength=len(values))[order]
        ranks[order] = (np.cumsum(counts) - counts / 2) / max(codes.size, 1)
        return cls(ranks[codes], codes, True)

    @property
    def is_sorted(self) -> bool:
        """Whether the rows stand in the order of the column, so that neighbours are alike whoever they are."""
        steps = np.diff(self.places)
        # Where a person's rows stand together, what stays the same within them hardly moves from row to row.
        moved = steps[steps != 0]
        return self.is_number and moved.size > 0 and max((moved > 0).mean(), (moved < 0).mean()) >= SORTED

    @property
    def is_measured(self) -> bool:
        """Whether neighbouring numbers are about as frequent, and those in the middle most, as of what is measured.

        How often a number of a person or a thing comes says nothing about the next one.
        """
        counts = np.unique(self.places, return_counts=True)[1].astype(np.float64)
        if not self.is_number or counts.size < MANY or counts.std() == 0:
            return False
        around = float(np.corrcoef(counts[1:], counts[:-1])[0, 1])
        middle = counts[counts.size // 4 : -(counts.size // 4)]
        return around >= SMOOTH and middle.mean() >= 2 * (counts.sum() - middle.sum()) / (counts.size - middle.size)

    def distance(self, first: IntArray, second: IntArray) -> float:
        """The mean distance of pairs of rows."""
        a, b = self.places[first], self.places[second]
        return float(np.abs(a - b).mean() if self.is_number else (a != b).mean())

    def expected(self) -> float:
        """The mean distance of two rows drawn at random."""
        rows = self.codes.size
        if not self.is_number:
            return 1.0 - float(((np.bincount(self.codes) / rows) ** 2).sum())
        ordered = np.sort(self.places)
        return float(2 * ((2 * np.arange(1, rows + 1) - rows - 1) * ordered).sum() / rows**2)


def _numbers(values: Sequence[str]) -> FloatArray | None:
    """The values as numbers, a missing one below all; None where one is no number."""
    try:
        return np.array([float(value) if value else -np.inf for value in values])
    except ValueError:
        return None


def moves(codes: IntArray, columns: Mapping[str, PlacedColumn]) -> Movement:
    """How much each telling column moves within a key, beside how it moves between any two rows.

    `codes` are the values of the key, row by row.
    """
    order = np.argsort(codes, kind="stable")
    same = codes[order][1:] == codes[order][:-1]
    first, second = order[:-1][same], order[1:][same]
    found = {}
    for name, column in columns.items():
        if not first.size or column.is_sorted:
            continue
        expected = column.expected()
        if expected * first.size >= EXPECTED:
            found[name] = column.distance(first, second) / expected
    return Movement(found)

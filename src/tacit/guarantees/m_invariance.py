"""m-invariance (Xiao and Tao 2007): over all releases of a series, a person's classes show one set of m or more values.

Against an adversary who finds a person's class in every release and keeps the values that all have in common (W10). Two
conditions:

- each release is m-unique: every class has at least m rows, all with different sensitive values;
- a person who appears in several releases stands in classes with the same set of values, its *signature*.

Then the adversary, who may know who is in the table and everybody's quasi-identifiers, links a person with its value
with a chance of at most 1/m, however many releases there are, as long as values do not change. Rows may be counterfeit:
they count like others, since nobody can tell which they are.

What one release can show is measured class by class: the number of its rows, 0 where two share a value. It is not
monotone: two classes that share a value break it when they merge. What the series shows is found by `check_series` from
the rows of all releases and from who stood in which class, in code that no method shares. Distinct m-diversity and
m-anonymity (counterfeits counted) of each release follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.tables.classes import Classes
from tacit.guarantees.bounds import because
from tacit.guarantees.guarantee import Guarantee, Monotone
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.sensitive import cells_of
from tacit.params import Params


class MInvariance(Params):
    """Each class of each release has at least m rows, all with different values, the same for a person who stays."""

    name: ClassVar[str] = "m-invariance"
    title: ClassVar[str] = "m-invariance"
    paper: ClassVar[str] = "https://doi.org/10.1145/1247480.1247556"
    monotone: ClassVar[Monotone] = "no"
    about_series: ClassVar[bool] = True

    m: Annotated[
        int,
        Field(ge=2, description="the least number of different values in each class of each release"),
        because("it must be at least 2, since a class with one value gives that value away"),
    ]
    column: Annotated[str | None, Field(description="the sensitive column; may be left out where there is one")] = None

    @property
    def bound(self) -> float:
        """The least number of rows."""
        return self.m

    @property
    def promise(self) -> str:
        """In words."""
        column = self.column or "the sensitive column"
        return f"each class has at least {self.m} rows, all with different values of {column}"

    def measure(self, classes: Classes) -> FloatArray:
        """The rows of each class, 0 where two of them share a value."""
        cells = cells_of(self.name, self.column, classes)
        if not classes.number:
            return np.zeros(0)
        different = np.maximum.reduceat(cells.count, cells.starts) == 1
        return np.where(different, np.minimum(classes.sizes, cells.distinct()), 0).astype(np.float64)

    def satisfied(self, measured: FloatArray) -> BoolArray:
        """At least m."""
        return measured >= self.m

    def margin(self, measured: FloatArray) -> FloatArray:
        """Rows above m."""
        return measured - self.m

    def worst(self, measured: FloatArray) -> float:
        """The smallest class, or 0 where a class shows a value twice."""
        return float(measured.min(initial=np.inf))

    def found(self, worst: float) -> str:
        """In words."""
        return f"the smallest has {worst:g}" if worst else "two rows of one class share a value"

    def unkeepable(self, measured: FloatArray) -> FloatArray:
        """Nothing: every class can be split into single rows, which break it, or be taken as it is."""
        return np.zeros(measured.size)

    def implied(self) -> tuple[Guarantee, ...]:
        """At least m people and m values."""
        return (KAnonymity(k=self.m), LDiversity(l=self.m, kind="distinct", column=self.column))


@dataclass(frozen=True, eq=False)
class SeriesRelease:
    """One release: the class and the value of each published row; and, in private, which person stands in which class.

    Classes are numbered within the release; values and people are numbered alike in all releases of a series.
    """

    class_: IntArray
    value: IntArray
    person: IntArray
    home: IntArray


@dataclass(frozen=True)
class SeriesFinding:
    """What a whole series shows: how many releases are not m-unique, and whose signature changed.

    `astray` counts people who stand in a class that was not published in that release.
    """

    releases: int
    people: int
    smallest: int
    not_unique: tuple[int, ...]
    changed: int
    astray: int

    @property
    def holds(self) -> bool:
        """Whether the series is m-invariant."""
        return not self.not_unique and not self.changed and not self.astray

    @property
    def says(self) -> str:
        """In words."""
        if self.holds:
            return f"over {self.releases} release(s) each of {self.people:,} people kept one set of values"
        unique = f"releases {', '.join(map(str, self.not_unique))} are not m-unique; " if self.not_unique else ""
        lost = f"; {self.astray:,} stand in classes that were not published" if self.astray else ""
        changed = f"{self.changed:,} of {self.people:,} people have sets of values that differ between releases"
        return f"{unique}{changed}{lost}"


def check_series(m: int, releases: Sequence[SeriesRelease]) -> SeriesFinding:
    """Whether every release is m-unique and everybody keeps one signature, releases numbered from 1."""
    numbers: dict[frozenset[int], int] = {}
    least, pairs = [], [_NOBODY]
    for release in releases:
        rows = _rows_by_class(release)
        least.append(
            min((len(values) if len(set(values)) == len(values) else 0 for values in rows.values()), default=m)
        )
        signature = {q: numbers.setdefault(frozenset(values), len(numbers)) for q, values in rows.items()}
        pairs.append(np.stack([release.person, _looked_up(signature, release.home)]))
    person, found = np.concatenate(pairs, axis=1)
    people, different = np.unique(np.unique(np.stack([person, found]), axis=1)[0], return_counts=True)
    return SeriesFinding(
        releases=len(releases),
        people=int(people.size),
        smallest=min(least, default=0),
        not_unique=tuple(number for number, size in enumerate(least, start=1) if size < m),
        changed=int((different > 1).sum()),
        astray=int((found < 0).sum()),
    )


def _looked_up(signature: dict[int, int], home: IntArray) -> IntArray:
    """The signature of each person's class, -1 where there is no such class."""
    classes, place = np.unique(home, return_inverse=True)
    return np.array([signature.get(q, -1) for q in classes.tolist()], dtype=np.int64)[place]


def _rows_by_class(release: SeriesRelease) -> dict[int, tuple[int, ...]]:
    """The values of the rows of each class."""
    order = np.argsort(release.class_, kind="stable")
    class_, value = release.class_[order], release.value[order]
    borders = np.flatnonzero(np.diff(class_)) + 1
    first = class_[np.concatenate([[0], borders])].tolist() if class_.size else []
    return {q: tuple(part.tolist()) for q, part in zip(first, np.split(value, borders), strict=False)}


_NOBODY: IntArray = np.empty((2, 0), dtype=np.int64)

GUARANTEE: type[Guarantee] = MInvariance

"""Signatures over all releases: whether every release is m-unique, and whether everybody keeps one set of values.

m-unique is a release in which every class has at least m rows, all with different values. The *signature* of a person
is the set of values of the person's class; who appears in several releases must have one signature in all of them
(Xiao and Tao 2007). No method shares this code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.remembered_release import RememberedRelease
from tacit.spelling import many, noun


@dataclass(frozen=True)
class SignatureFinding:
    """What all releases show together: how many releases are not m-unique, and whose signature changed.

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
        """Whether the releases are m-invariant together."""
        return not self.not_unique and not self.changed and not self.astray

    @property
    def says(self) -> str:
        """What was measured, as a phrase."""
        whole = many(self.people, "person", "people")
        if self.holds:
            return f"over {many(self.releases, 'release')} each of {whole} kept one set of values"
        unique = f"{_numbered(self.not_unique)} not m-unique; " if self.not_unique else ""
        lost = f"; {many(self.astray, 'stands', 'stand')} in classes that were not published" if self.astray else ""
        has = noun(self.changed, "has", "have")
        changed = f"{self.changed:,} of {whole} {has} sets of values that differ between releases"
        return f"{unique}{changed}{lost}"

    @property
    def figures(self) -> Mapping[str, tuple[int, ...]]:
        """What the second measure must find too."""
        return {
            "smallest": (self.smallest,),
            "not_unique": self.not_unique,
            "people": (self.people,),
            "changed": (self.changed,),
            "astray": (self.astray,),
        }


def check_signatures(m: int, releases: Sequence[RememberedRelease]) -> SignatureFinding:
    """Whether every release is m-unique and everybody keeps one signature, releases numbered from 1."""
    numbers: dict[frozenset[int], int] = {}
    least, pairs = [], [_NOBODY]
    for release in releases:
        rows = _rows_by_class(release)
        least.append([len(values) if len(set(values)) == len(values) else 0 for values in rows.values()])
        signature = {q: numbers.setdefault(frozenset(values), len(numbers)) for q, values in rows.items()}
        pairs.append(np.stack([release.person, _looked_up(signature, release.home)]))
    person, found = np.concatenate(pairs, axis=1)
    people, different = np.unique(np.unique(np.stack([person, found]), axis=1)[0], return_counts=True)
    return SignatureFinding(
        releases=len(releases),
        people=int(people.size),
        smallest=min((size for sizes in least for size in sizes), default=0),
        not_unique=tuple(number for number, sizes in enumerate(least, start=1) if min(sizes, default=m) < m),
        changed=int((different > 1).sum()),
        astray=int((found < 0).sum()),
    )


def _looked_up(signature: dict[int, int], home: IntArray) -> IntArray:
    """The signature of each person's class, -1 where there is no such class."""
    classes, place = np.unique(home, return_inverse=True)
    return np.array([signature.get(q, -1) for q in classes.tolist()], dtype=np.int64)[place]


def _rows_by_class(release: RememberedRelease) -> dict[int, tuple[int, ...]]:
    """The values of the rows of each class."""
    order = np.argsort(release.class_, kind="stable")
    class_, value = release.class_[order], release.value[order]
    borders = np.flatnonzero(np.diff(class_)) + 1
    first = class_[np.concatenate([[0], borders])].tolist() if class_.size else []
    return {q: tuple(part.tolist()) for q, part in zip(first, np.split(value, borders), strict=False)}


_NOBODY: IntArray = np.empty((2, 0), dtype=np.int64)


def _numbered(releases: tuple[int, ...]) -> str:
    """The releases by their numbers, and that they are: `release 1 is`."""
    numbers = ", ".join(map(str, releases))
    return f"release {numbers} is" if len(releases) == 1 else f"releases {numbers} are"

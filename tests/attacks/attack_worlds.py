"""Small tables with a release of them, as rows of text, and the same in the package's terms."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from hypothesis import strategies as st
from tests.oracle.counted import tally_of
from tests.oracle.judge import Row, Scene

from tacit.data.tables.adversary_view import AdversaryView, view_as_is, view_of
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import stands_for

QUASI = ("zip", "sex", "age")
PATHS = {
    "zip": {z: [z, z[:2] + "*", "*"] for z in ("101", "102", "111", "112", "120")},
    "sex": {s: [s, "*"] for s in ("f", "m")},
    "age": {a: [a, "young" if a < "40" else "old", "*"] for a in ("20", "30", "40", "50")},
}
SECRETS = {
    "flu": ["flu", "lung", "*"],
    "cold": ["cold", "lung", "*"],
    "ulcer": ["ulcer", "stomach", "*"],
    "cancer": ["cancer", "stomach", "*"],
}


@dataclass(frozen=True)
class World:
    """Everybody's rows, and the published rows without the suppressed ones, in no particular order."""

    rows: list[Row]
    released: list[Row]
    quasi: tuple[str, ...] = QUASI
    secrets: tuple[str, ...] = tuple(SECRETS)

    def fits(self, row: Row, published: Row) -> bool:
        return all(published[c] in PATHS[c][row[c]] for c in self.quasi)

    def candidates(self, row: Row) -> list[Row]:
        return [published for published in self.released if self.fits(row, published)]

    def alike(self, row: Row) -> int:
        return sum(all(row[c] == other[c] for c in self.quasi) for other in self.rows)

    def prior(self, value: str) -> Fraction:
        return Fraction(sum(row["secret"] == value for row in self.rows), len(self.rows))

    def view(self) -> AdversaryView:
        return self.view_with(self.raw())

    def view_with(self, raw: AdversaryView) -> AdversaryView:
        shown = tally_of(self.scene(self.released), self.quasi, {"secret": False})
        stands = [
            stands_for(Hierarchy.from_paths(c, list(PATHS[c].values())), raw.known.values[i], shown.values[i])
            for i, c in enumerate(self.quasi)
        ]
        return view_of(raw.known, shown, stands)

    def raw(self) -> AdversaryView:
        return view_as_is(tally_of(self.scene(self.rows), self.quasi, {"secret": False}))

    def scene(self, rows: list[Row]) -> Scene:
        return Scene(
            rows=rows,
            quasi=self.quasi,
            input=self.rows,
            domains={"secret": list(self.secrets)},
            paths={"secret": SECRETS},
        )


def label(column: str, value: str, level: int) -> str:
    return PATHS[column][value][level]


def full_domain(random: Random, most: int = 14) -> World:
    """Every column at one level; some classes suppressed."""
    rows = draw_rows(random, most)
    levels = {c: random.randrange(len(next(iter(PATHS[c].values())))) for c in QUASI}
    made = [{**row, **{c: label(c, row[c], levels[c]) for c in QUASI}} for row in rows]
    gone = {key(row) for row in made if random.random() < 0.1}
    return World(rows, [row for row in made if key(row) not in gone])


def local(random: Random, most: int = 14) -> World:
    """Random classes, each at its common ancestors; some rows suppressed."""
    rows = draw_rows(random, most)
    group = [random.randrange(max(len(rows) // 3, 1)) for _ in rows]
    released = []
    for number in set(group):
        members = [row for row, g in zip(rows, group, strict=True) if g == number]
        shared = {c: common(c, {row[c] for row in members}) for c in QUASI}
        released += [{**row, **shared} for row in members if random.random() < 0.9]
    return World(rows, released)


def common(column: str, values: set[str]) -> str:
    paths = [PATHS[column][value] for value in values]
    return next(level[0] for level in zip(*paths, strict=True) if len(set(level)) == 1)


def draw_rows(random: Random, most: int) -> list[Row]:
    choices = {c: list(PATHS[c]) for c in QUASI} | {"secret": list(SECRETS)}
    return [{name: random.choice(values) for name, values in choices.items()} for _ in range(random.randint(1, most))]


def key(row: Row) -> tuple[str, ...]:
    return tuple(row[c] for c in QUASI)


def smallest_class(world: World) -> int:
    return min(Counter(key(row) for row in world.released).values(), default=0)


def worlds(most: int = 14) -> st.SearchStrategy[World]:
    """Tables of up to `most` rows with a release of either kind."""
    drawn = st.tuples(st.integers(0, 2**20), st.booleans())
    return drawn.map(lambda pair: (local if pair[1] else full_domain)(Random(pair[0]), most))


WORLDS = worlds()

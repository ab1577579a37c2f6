"""Small released tables whose rows have a secret, in the plainest form."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from tests.metrics.tables.worlds import Cell, Paths, World, census_of, node, publication, tally_of, worlds

from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.tally import Census, SensitiveTally

SECRET = "secret"
VALUES = ("1", "2", "4", "9", "10")
ILLS: Paths = [["1", "low", "*"], ["2", "low", "*"], ["4", "low", "*"], ["9", "high", "*"], ["10", "high", "*"]]

Class = tuple[str, ...] | None
Shares = Mapping[str, Fraction]


@dataclass(frozen=True)
class SecretWorld:
    """A world, and the secret of each row."""

    world: World
    secrets: list[str]


@st.composite
def secret_worlds(draw: st.DrawFn, persons: bool = False, split: bool = False, suppress: bool = True) -> SecretWorld:
    """A world whose rows have one of five numbers, which have a hierarchy, as a secret."""
    world = draw(worlds(persons=persons, split=split))
    if not suppress:
        roots = tuple(node(p, p[0][0], len(p[0]) - 1) for p in world.paths)
        world = replace(world, published=[roots if cells is None else cells for cells in world.published])
    rows = len(world.rows)
    return SecretWorld(world, draw(st.lists(st.sampled_from(VALUES), min_size=rows, max_size=rows)))


def secret_publication(one: SecretWorld) -> PublishedTable:
    """The same in the package's terms."""
    published, world = publication(one.world), one.world
    _, combinations = tally_of(world)
    cells = sorted({(combinations.index(row), VALUES.index(v)) for row, v in zip(world.rows, one.secrets, strict=True)})
    where = [
        cells.index((combinations.index(row), VALUES.index(v))) for row, v in zip(world.rows, one.secrets, strict=True)
    ]
    census = Census(np.bincount(where, minlength=len(cells)).astype(np.int64))
    reference = np.array([one.secrets.count(value) for value in VALUES], dtype=np.int64)
    if world.persons is not None:
        who = [person * len(VALUES) + cells[cell][1] for person, cell in zip(world.persons, where, strict=True)]
        census = census_of(set(zip(where, who, strict=True)), len(cells))
        people = {(p, v) for p, v in zip(world.persons, one.secrets, strict=True)}
        reference = np.array([sum(v == value for _, v in people) for value in VALUES], dtype=np.int64)
    part = SensitiveTally(
        column=SECRET,
        values=VALUES,
        combination=np.array([cell[0] for cell in cells], dtype=np.int64),
        value=np.array([cell[1] for cell in cells], dtype=np.int64),
        census=census,
        reference=reference,
        ordered=True,
        hierarchy=Hierarchy.from_paths(SECRET, ILLS),
    )
    tally = replace(published.table.tally, sensitive={SECRET: part})
    return replace(published, table=replace(published.table, tally=tally))


def classes_of(one: SecretWorld) -> dict[Class, dict[str, Fraction]]:
    """How many entries of each published class have each secret; None is the suppressed rows, without their secrets.

    Rows of one combination that are published in several ways share its secrets in proportion.
    """
    world = one.world
    found: dict[Class, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for row in set(world.rows):
        mine = [i for i, other in enumerate(world.rows) if other == row]
        for i in mine:
            for j in mine:
                found[world.texts(i)][one.secrets[j]] += Fraction(1, len(mine))
    return found


def prior_of(one: SecretWorld) -> dict[str, Fraction]:
    """The share of each value in the input."""
    return {value: Fraction(one.secrets.count(value), len(one.secrets)) for value in VALUES}


def shares_of(counts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Counts as shares."""
    total = sum(counts.values(), Fraction(0))
    return {value: count / total for value, count in counts.items() if count}


def distance(kind: str, guess: str, value: str) -> Fraction:
    """How far a guess is from the truth."""
    if kind == "equal":
        return Fraction(guess != value)
    if kind == "numeric":
        return Fraction(abs(int(guess) - int(value)), 9)
    if kind == "ordered":
        return Fraction(abs(VALUES.index(guess) - VALUES.index(value)), 4)
    paths = {path[0]: path for path in ILLS}
    level = next(k for k in range(3) if paths[guess][k] == paths[value][k])
    return Fraction(level, 2)


def expected(kind: str, guess: str, shares: Shares) -> Fraction:
    """The expected distance of a guess."""
    return sum((share * distance(kind, guess, value) for value, share in shares.items()), Fraction(0))


def patients() -> SecretWorld:
    """W4: twelve patients in three classes of four; diseases are 1 heart, 2 flu, 4 cancer."""
    zips = [[z, f"{z[:3]}**", "*"] for z in ("13053", "13068", "14850", "14853")]
    ages = [[str(a), "<30" if a < 30 else "30-40" if a <= 40 else ">40", "*"] for a in range(20, 60)]
    rows = [
        ("13053", "28"), ("13068", "29"), ("13068", "21"), ("13053", "23"),
        ("14853", "50"), ("14853", "55"), ("14850", "47"), ("14850", "59"),
        ("13053", "31"), ("13053", "37"), ("13068", "36"), ("13068", "32"),
    ]  # fmt: skip
    cells: list[tuple[Cell, ...] | None] = [(node(zips, z, 1), node(ages, a, 1)) for z, a in rows]
    return SecretWorld(World(("zip", "age"), (zips, ages), rows, cells, (1.0, 1.0)), list("112241224444"))


def untouched(one: SecretWorld) -> SecretWorld:
    """The same table published as it is."""
    world = one.world
    cells: list[tuple[Cell, ...] | None] = [
        tuple(node(p, leaf, 0) for p, leaf in zip(world.paths, row, strict=True)) for row in world.rows
    ]
    return replace(one, world=replace(world, published=cells))


def numbered(world: World, columns: str) -> World:
    """The same world with numbers for the leaves of these columns: the leaf a3 becomes 10."""
    names = {f"{column}{i}": str(i * i + 1) for column in columns for i in range(6)}

    def renamed(cell: Cell) -> Cell:
        return Cell(
            names.get(cell.text, cell.text), frozenset(names.get(leaf, leaf) for leaf in cell.leaves), cell.level
        )

    return replace(
        world,
        paths=tuple([[names.get(label, label) for label in path] for path in p] for p in world.paths),
        rows=[tuple(names.get(leaf, leaf) for leaf in row) for row in world.rows],
        published=[None if cells is None else tuple(map(renamed, cells)) for cells in world.published],
    )

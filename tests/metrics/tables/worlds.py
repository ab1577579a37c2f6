"""Small released tables, row by row, in the plainest form: what the metrics are held against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from tacit.data.tables.cover import Cover
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.published import PublishedTable, publish
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census, Tally

Paths = list[list[str]]


@dataclass(frozen=True)
class Cell:
    """A published cell: its text, the leaves it stands for, the least level that holds it."""

    text: str
    leaves: frozenset[str]
    level: int


@dataclass(frozen=True)
class World:
    """Rows, and for each what is published of it (None: suppressed). Persons name the rows' people, if any."""

    columns: tuple[str, ...]
    paths: tuple[Paths, ...]
    rows: list[tuple[str, ...]]
    published: list[tuple[Cell, ...] | None]
    weights: tuple[float, ...]
    persons: list[int] | None = None

    def domain(self, column: int) -> list[str]:
        return [path[0] for path in self.paths[column]]

    def height(self, column: int) -> int:
        return len(self.paths[column][0]) - 1

    def texts(self, row: int) -> tuple[str, ...] | None:
        cells = self.published[row]
        return None if cells is None else tuple(cell.text for cell in cells)


def node(paths: Paths, leaf: str, level: int) -> Cell:
    """The cell that publishes `leaf` at `level` of its hierarchy."""
    path = next(path for path in paths if path[0] == leaf)
    return Cell(path[level], frozenset(p[0] for p in paths if p[level] == path[level]), path.index(path[level]))


def leaf_set(paths: Paths, leaves: Sequence[str]) -> Cell:
    """The cell that publishes a set of leaves, which need not be a node."""
    height = len(paths[0])
    common = next(level for level in range(height) if len({p[level] for p in paths if p[0] in leaves}) == 1)
    return Cell("{" + ", ".join(sorted(leaves)) + "}", frozenset(leaves), common)


def publication(world: World) -> PublishedTable:
    """The same world in the package's terms."""
    tally, combinations = tally_of(world)
    portions = sorted({(combinations.index(row), world.texts(i) or ()) for i, row in enumerate(world.rows)})
    counts = [
        sum((combinations.index(row), world.texts(i) or ()) == portion for i, row in enumerate(world.rows))
        for portion in portions
    ]
    cells = [_cells(world, c) for c in range(len(world.columns))]
    labels = [tuple(each) for each in cells]
    codes = [[labels[c].index(texts[c]) if texts else 0 for _, texts in portions] for c in range(len(world.columns))]
    recoding = Recoding(
        columns=world.columns,
        labels=tuple(labels),
        leaves=tuple(np.array([len(cell.leaves) for cell in each.values()], dtype=np.int64) for each in cells),
        codes=np.array(codes, dtype=np.int32).reshape(len(world.columns), len(portions)),
        combination=np.array([combination for combination, _ in portions], dtype=np.int64),
        rows=np.array(counts, dtype=np.int64),
        suppressed=np.array([not texts for _, texts in portions], dtype=np.bool_),
        covers=tuple(_cover(world, c, each) for c, each in enumerate(cells)),
    )
    hierarchies = tuple(Hierarchy.from_paths(c, p) for c, p in zip(world.columns, world.paths, strict=True))
    return publish(Table.of(tally, hierarchies, world.weights), recoding)


def tally_of(world: World) -> tuple[Tally, list[tuple[str, ...]]]:
    """The tally of the rows, and its combinations in order."""
    combinations = sorted(set(world.rows))
    values = tuple(tuple(sorted({row[c] for row in world.rows})) for c in range(len(world.columns)))
    codes = [[values[c].index(each[c]) for each in combinations] for c in range(len(world.columns))]
    rows = np.array([world.rows.count(each) for each in combinations], dtype=np.int64)
    people = Census(rows)
    if world.persons is not None:
        pairs = {(combinations.index(row), person) for row, person in zip(world.rows, world.persons, strict=True)}
        people = census_of(pairs, len(combinations))
    shaped = np.array(codes, dtype=np.int32).reshape(len(world.columns), len(combinations))
    return Tally(world.columns, values, shaped, rows, people), combinations


def census_of(pairs: set[tuple[int, int]], keys: int) -> Census:
    """People with one key are settled, the others spread."""
    keys_of = {person: {k for k, p in pairs if p == person} for _, person in pairs}
    settled = [sum(k == key and len(keys_of[p]) == 1 for k, p in pairs) for key in range(keys)]
    spread = sorted((k, p) for k, p in pairs if len(keys_of[p]) > 1)
    columns = [np.array([pair[i] for pair in spread], dtype=np.int64) for i in (0, 1)]
    return Census(np.array(settled, dtype=np.int64), *columns)


def _cells(world: World, column: int) -> dict[str, Cell]:
    """The labels of a column, with one that nobody uses."""
    unused = Cell("nobody's", frozenset(world.domain(column)[:1]), 0)
    used = {cells[column].text: cells[column] for cells in world.published if cells is not None}
    return {unused.text: unused, **dict(sorted(used.items()))}


def _cover(world: World, column: int, cells: Mapping[str, Cell]) -> Cover | None:
    if not any(text.startswith("{") for text in cells):
        return None
    domain = world.domain(column)
    return Cover.from_sets([sorted(domain.index(leaf) for leaf in cell.leaves) for cell in cells.values()])


@st.composite
def hierarchies(draw: st.DrawFn, column: str) -> Paths:
    """Up to six leaves below up to three levels; a label with one child may keep the child's text."""
    height = draw(st.integers(0, 3))
    leaves = draw(st.integers(1, 6)) if height else 1
    levels = [[f"{column}{leaf}" for leaf in range(leaves)]]
    for level in range(1, height + 1):
        below = levels[-1]
        nodes = list(dict.fromkeys(below))
        parent = {n: draw(st.integers(0, len(nodes) - 1)) if level < height else 0 for n in nodes}
        keeps = draw(st.booleans()) and level < height
        text = {}
        for n in nodes:
            single = sum(parent[other] == parent[n] for other in nodes) == 1
            text[n] = n if single and keeps else "*" if level == height else f"{column}.{level}.{parent[n]}"
        levels.append([text[n] for n in below])
    return [list(path) for path in zip(*levels, strict=True)]


@st.composite
def worlds(draw: st.DrawFn, persons: bool = False, split: bool = True) -> World:
    """One to three columns, one to ten rows, each row published at levels or sets of its own, or suppressed.

    Without `split`, equal rows are published alike.
    """
    columns = tuple("abc"[: draw(st.integers(1, 3))])
    paths = tuple(draw(hierarchies(column)) for column in columns)
    domains = [[path[0] for path in p] for p in paths]
    rows = draw(st.lists(st.tuples(*(st.sampled_from(domain) for domain in domains)), min_size=1, max_size=10))
    published = []
    for i, row in enumerate(rows):
        earlier = rows.index(row)
        published.append(draw(_publications(paths, row)) if split or earlier == i else published[earlier])
    weights = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=len(columns), max_size=len(columns)))
    people = draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows))) if persons else None
    return World(columns, paths, rows, published, tuple(weights) if any(weights) else (1.0,) * len(columns), people)


@st.composite
def _publications(draw: st.DrawFn, paths: Sequence[Paths], row: tuple[str, ...]) -> tuple[Cell, ...] | None:
    if draw(st.integers(0, 3)) == 0:
        return None
    cells = []
    for p, leaf in zip(paths, row, strict=True):
        if draw(st.integers(0, 3)) == 0:
            others = draw(st.lists(st.sampled_from([path[0] for path in p]), max_size=3))
            cells.append(leaf_set(p, sorted({leaf, *others})))
        else:
            cells.append(node(p, leaf, draw(st.integers(0, len(p[0]) - 1))))
    return tuple(cells)


def weighted(world: World, per_column: Sequence[float]) -> float:
    return sum(w * x for w, x in zip(world.weights, per_column, strict=True)) / sum(world.weights)


WORKCLASS = [
    [leaf, group, "*"]
    for group, leaves in {
        "Government": ["State", "Local", "Federal"],
        "Private": ["Private"],
        "Self-employed": ["Inc", "Not-inc"],
        "Unemployed": ["Without-pay", "Never-worked"],
    }.items()
    for leaf in leaves
]
AGE = [[str(age), "30–35" if age < 35 else "35–40", "30–40"] for age in range(30, 40)]


def loss_example() -> World:
    """W6: (Government, 30–35) and (Private, 30–40), weights 0.6 and 0.4."""
    return World(
        columns=("workclass", "age"),
        paths=(WORKCLASS, AGE),
        rows=[("State", "32"), ("Private", "36")],
        published=[
            (node(WORKCLASS, "State", 1), node(AGE, "32", 1)),
            (node(WORKCLASS, "Private", 1), node(AGE, "36", 2)),
        ],
        weights=(0.6, 0.4),
    )


def all_suppressed() -> World:
    """Three rows of a column with two leaves and one with one, nothing published."""
    paths = ([["a0", "*"], ["a1", "*"]], [["b0"]])
    return World(("a", "b"), paths, [("a0", "b0"), ("a1", "b0"), ("a1", "b0")], [None] * 3, (1.0, 1.0))


def one_row() -> World:
    """One row, published as it is."""
    paths = ([["a0", "*"], ["a1", "*"]],)
    return World(("a",), paths, [("a0",)], [(node(paths[0], "a0", 0),)], (1.0,))

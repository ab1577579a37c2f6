"""Brute force: the sensitivity of any small question, with the neighbours that attain it.

The question is a Python function of a tuple of rows that returns a number or a vector. All datasets over a small
domain, with up to `most` people, are asked, and all pairs of neighbours compared: the answer is exact for that world
and a lower bound beyond it. Use it to check a declared sensitivity, and to see which two datasets are hard to tell
apart. Rows are invented from the domain, never private data, so they may be shown.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any, Literal

import numpy as np

from tacit.accounting.exact import whole
from tacit.arrays import FloatArray
from tacit.errors import BadParameter
from tacit.sensitivity.neighbours import RECORD, Neighbours, Unit, known_relation

Row = Hashable
AnyRows = tuple[Row, ...]
Query = Callable[[AnyRows], Any]
Norm = Literal["l1", "l2", "linf"]
AnyDataset = tuple[int, ...]
MOST_DATASETS = 200_000
MOST_PAIRS = 3_000_000


@dataclass(frozen=True)
class World:
    """Everything that could be: rows of `domain`, `least` to `most` people, neighbours for a unit of privacy.

    A person has one row, or 1 to `unit.rows` rows. Datasets are compared as multisets; `ordered` keeps the order, for
    questions that depend on it.
    """

    domain: Sequence[Row]
    most: int
    least: int = 0
    neighbours: Neighbours = "add-remove"
    unit: Unit = RECORD
    ordered: bool = False

    def __post_init__(self) -> None:
        known_relation(self.neighbours)
        whole("least", self.least, least=0)
        whole("most", self.most, least=max(self.least, 1))
        changing = [type(row).__name__ for row in self.domain if not _is_value(row)]
        if changing:
            raise BadParameter(
                f"a row of the domain is a {changing[0]}, which may change; write it as a tuple of values"
            )
        if not self.domain or len(set(self.domain)) != len(self.domain):
            raise BadParameter("the domain is empty or names a row twice; list every possible row once")

    @cached_property
    def people(self) -> tuple[AnyRows, ...]:
        """All that one person can contribute."""
        sizes = range(1, self.unit.rows + 1)
        return tuple(rows for size in sizes for rows in combinations_with_replacement(self.domain, size))


def _is_value(row: Any) -> bool:
    """Whether a set can hold the row: a tuple can be hashed by its type, and not with a list in it."""
    try:
        hash(row)
    except TypeError:
        return False
    return True


@dataclass(frozen=True)
class Exploration:
    """The largest difference, and a pair of neighbours that attains it; `pairs` were compared."""

    sensitivity: float
    first: AnyRows
    second: AnyRows
    first_answer: FloatArray
    second_answer: FloatArray
    pairs: int


def global_sensitivity(query: Query, world: World, norm: Norm = "l1") -> Exploration:
    """The largest difference between the answers on any two neighbours of the world."""
    kinds = len(world.people)
    sizes = range(world.least, world.most + 1)
    number = sum(kinds**size if world.ordered else math.comb(kinds + size - 1, size) for size in sizes)
    if number > MOST_DATASETS:
        raise BadParameter(
            f"the world has {number} datasets; brute force goes up to {MOST_DATASETS}: use a smaller domain"
        )
    choose = (lambda size: product(range(kinds), repeat=size)) if world.ordered else _multisets(kinds)
    return _explore(query, (dataset for size in sizes for dataset in choose(size)), world, norm)


def local_sensitivity(query: Query, rows: Sequence[Any], world: World, norm: Norm = "l1") -> Exploration:
    """The largest difference between the answer on `rows` and on any of its neighbours.

    For a unit of several rows, `rows` holds one tuple for each person.
    """
    return _explore(query, [_place(rows, world)], world, norm)


def sensitivity_within(query: Query, rows: Sequence[Any], distance: int, world: World) -> Exploration:
    """The largest local sensitivity at any dataset within `distance` steps of `rows` (W29's A(f, x, k)), in L1."""
    steps = whole("distance", distance, least=0)
    return _explore(query, sorted(_within(_place(rows, world), world, steps)), world, "l1")


def neighbours_of(rows: Sequence[Any], world: World) -> list[AnyRows]:
    """All neighbours of `rows` in the world."""
    place = _place(rows, world)
    return [_flat(dataset, world) for dataset in sorted(_within(place, world, world.unit.people) - {place})]


def _multisets(kinds: int) -> Callable[[int], Iterator[AnyDataset]]:
    return lambda size: combinations_with_replacement(range(kinds), size)


def _explore(
    query: Query, datasets: Iterator[AnyDataset] | Sequence[AnyDataset], world: World, norm: Norm
) -> Exploration:
    answers: dict[AnyDataset, FloatArray] = {}
    best: Exploration | None = None
    pairs = 0

    def answer(dataset: AnyDataset) -> FloatArray:
        if dataset not in answers:
            answers[dataset] = _asked(query, _flat(dataset, world))
        return answers[dataset]

    for dataset in datasets:
        for other in sorted(_within(dataset, world, world.unit.people) - {dataset}):
            pairs += 1
            gap = _distance(answer(dataset), answer(other), norm)
            if best is None or gap > best.sensitivity:
                ends = _flat(dataset, world), _flat(other, world)
                best = Exploration(gap, *ends, answer(dataset), answer(other), pairs)
        if pairs > MOST_PAIRS:
            raise BadParameter(f"more than {MOST_PAIRS} pairs of neighbours; use a smaller domain or fewer people")
    if best is None:
        raise BadParameter("this world has no two neighbours; allow more people or more kinds of rows")
    return Exploration(best.sensitivity, best.first, best.second, best.first_answer, best.second_answer, pairs)


def _within(dataset: AnyDataset, world: World, steps: int) -> set[AnyDataset]:
    """All datasets of the world that so many steps reach, `dataset` among them."""
    reached = edge = {dataset}
    for _ in range(steps):
        edge = {other for member in edge for other in _steps(member, world)} - reached
        reached = reached | edge
    return reached


def _steps(dataset: AnyDataset, world: World) -> Iterator[AnyDataset]:
    kinds, size = range(len(world.people)), len(dataset)
    found: Iterator[AnyDataset]
    if world.neighbours == "replace":
        found = ((*dataset[:i], kind, *dataset[i + 1 :]) for i in range(size) for kind in kinds if kind != dataset[i])
    else:
        found = _grown_or_shrunk(dataset, world)
    return found if world.ordered else (tuple(sorted(other)) for other in found)


def _grown_or_shrunk(dataset: AnyDataset, world: World) -> Iterator[AnyDataset]:
    size = len(dataset)
    if size < world.most:
        places = range(size + 1) if world.ordered else (size,)
        yield from ((*dataset[:i], kind, *dataset[i:]) for i in places for kind in range(len(world.people)))
    if size > world.least:
        yield from (dataset[:i] + dataset[i + 1 :] for i in range(size))


def _place(rows: Sequence[Any], world: World) -> AnyDataset:
    wanted = [(row,) if world.unit.rows == 1 else tuple(sorted(row, key=world.domain.index)) for row in rows]
    position = {person: place for place, person in enumerate(world.people)}
    unknown = sum(person not in position for person in wanted)
    if unknown or not world.least <= len(wanted) <= world.most:
        raise BadParameter(
            f"the dataset has {len(wanted)} people, {unknown} of them outside the domain; the world has "
            f"{world.least} to {world.most} people of its domain"
        )
    places = [position[person] for person in wanted]
    return tuple(places if world.ordered else sorted(places))


def _flat(dataset: AnyDataset, world: World) -> AnyRows:
    people = world.people
    return tuple(row for kind in dataset for row in people[kind])


def _asked(query: Query, rows: AnyRows) -> FloatArray:
    answer = np.atleast_1d(np.asarray(query(rows), dtype=np.float64))
    if not np.isfinite(answer).all():
        raise BadParameter(f"the question has no finite answer on {len(rows)} rows; give it one for every dataset")
    return answer


def _distance(first: FloatArray, second: FloatArray, norm: Norm) -> float:
    if first.shape != second.shape:
        raise BadParameter(f"the question answers with shapes {first.shape} and {second.shape}; it must be one shape")
    return float(np.linalg.norm((first - second).ravel(), {"l1": 1, "l2": 2, "linf": np.inf}[norm]))

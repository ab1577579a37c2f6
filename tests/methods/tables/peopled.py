"""Tables about people with several rows: a twin that counts rows instead, and every partition of a tiny table."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from tests.methods.tables.recoded import (
    QUASI,
    Case,
    Label,
    Run,
    holds,
    loss_of,
    published_rows,
    scene_of,
    table_of,
)
from tests.oracle.judge import Row

from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census
from tacit.errors import CannotGuarantee


def by_rows(case: Case) -> Table:
    """The table of a case as if every row were a person."""
    return table_of(replace(case, unit=None))


def is_found_out(case: Case, run: Run) -> bool:
    """Whether the judge refuses what a method publishes that takes rows for people."""
    table = by_rows(case)
    try:
        answer = run(table, case.request)
    except CannotGuarantee:
        return False
    return not holds(case, scene_of(case, published_rows(case, table, answer.recoding)))


def partitions(number: int) -> Iterator[list[int]]:
    """Every way to put so many things into groups, as the group of each."""
    if not number:
        yield []
        return
    for rest in partitions(number - 1):
        for group in range(max(rest, default=-1) + 2):
            yield [*rest, group]


def keys_of(case: Case) -> list[tuple[str, ...]]:
    """The distinct combinations."""
    return sorted({tuple(row[name] for name in QUASI) for row in case.rows})


def least_loss(case: Case) -> Fraction | None:
    """The least loss of all local recodings that publish whole combinations and suppress nobody; None without any."""
    keys = keys_of(case)
    found = []
    for groups in partitions(len(keys)):
        rows = _published(case, dict(zip(keys, groups, strict=True)))
        if holds(case, scene_of(case, rows)):
            found.append(loss_of(case, rows))
    return min(found, default=None)


def _published(case: Case, groups: dict[tuple[str, ...], int]) -> list[tuple[Row, tuple[Label, ...] | None]]:
    labels = {
        group: tuple(
            _ancestor(case, name, {key[c] for key, other in groups.items() if other == group})
            for c, name in enumerate(QUASI)
        )
        for group in set(groups.values())
    }
    return [(row, labels[groups[tuple(row[name] for name in QUASI)]]) for row in case.rows]


def _ancestor(case: Case, name: str, values: set[str]) -> Label:
    return next(label for label in _above(case, name, min(values)) if values <= label.leaves)


def _above(case: Case, name: str, value: str) -> list[Label]:
    """The nodes above a value, from itself to the root."""
    paths = case.paths[name]
    return [
        Label(text, frozenset(leaf for leaf, path in paths.items() if path[level] == text))
        for level, text in enumerate(paths[value])
    ]


def least_loss_within_population(case: Case, k: int) -> Fraction:
    """A bound from below for k-map alone: every combination in the cheapest labels that fit k people."""
    assert case.population is not None
    best = {}
    for key in keys_of(case):
        boxes = itertools.product(*(_above(case, name, key[c]) for c, name in enumerate(QUASI)))
        best[key] = min(
            (loss_of(case, [(case.rows[0], box)]) for box in boxes if _fits(case, box) >= k), default=Fraction(1)
        )
    return sum((best[tuple(row[name] for name in QUASI)] for row in case.rows), Fraction(0)) / len(case.rows)


def _fits(case: Case, box: tuple[Label, ...]) -> int:
    assert case.population is not None
    return sum(all(person[name] in box[c].leaves for c, name in enumerate(QUASI)) for person in case.population)


def tiny(generator: np.random.Generator, case: Case, combinations: int) -> Case:
    """The case with rows of so many combinations only, several each, its people as they were."""
    keys = keys_of(case)[:combinations]
    rows = []
    for row in case.rows:
        key = keys[int(generator.integers(len(keys)))]
        rows.append({**row, **dict(zip(QUASI, key, strict=True))})
    return replace(case, rows=rows, limit=0.0)


def count(census: Census, keys: list[int]) -> int:
    """The people of some keys together, one by one."""
    people = {int(p) for k, p in zip(census.spread_key, census.spread_person, strict=True) if k in keys}
    return int(census.settled[keys].sum()) + len(people)

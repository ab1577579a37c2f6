"""Differencing: two allowed counts whose people differ in one person give away that person's secret.

A system that refuses counts of few people still answers "all in town A" and "all in town A but the nurses born in
May": the individual tracker (Schlörer 1975; Denning, Denning and Schwartz 1979). Queries are "X and not Y" with X
everybody or one condition, and Y a conjunction of conditions on public columns; allowed are those that hold at least
`least` people. Pairs are found by fingerprints: people get random 64-bit numbers and a query the sum of its people's,
so two queries that differ in one person differ by that person's number (a chance hit is excluded by comparing the
sets).
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from tacit.arrays import BoolArray, IntArray
from tacit.attacks._success import success
from tacit.attacks.statistics._answers import WAYS, AnswerNoise, Way, allowed_rate, contest_of, laplace_answers
from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest
from tacit.release.attacks import Success


class Differencing(AnswerNoise):
    """A table of public columns and one secret bit, and the counts that are allowed."""

    people: Annotated[int, Field(ge=4, le=1000, description="how many people the table has")] = 300
    columns: Annotated[int, Field(ge=1, le=6, description="how many public columns there are")] = 3
    values: Annotated[int, Field(ge=2, le=20, description="how many values each public column has")] = 8
    least: Annotated[int, Field(ge=1, description="the least number of people in an allowed count")] = 10


@dataclass(frozen=True)
class Isolation:
    """For each person, two allowed queries that differ in that person alone: `with_[p]` holds p, `without[p]` does not;
    -1 where there are none."""

    with_: IntArray
    without: IntArray

    @property
    def people(self) -> IntArray:
        """Who is isolated."""
        return np.flatnonzero(self.with_ >= 0)


def trackers(public: IntArray) -> BoolArray:
    """The people of every query "X" and "X and not Y", one row for each that differs from the others."""
    rows, columns = public.shape
    bases = [np.ones(rows, dtype=np.bool_)]
    bases += [public[:, column] == value for column in range(columns) for value in np.unique(public[:, column])]
    exceptions = [np.zeros(rows, dtype=np.bool_)]
    for size in range(1, columns + 1):
        for chosen in combinations(range(columns), size):
            cells = np.unique(public[:, chosen], axis=0, return_inverse=True)[1].ravel()
            exceptions += list(cells == np.arange(cells.max() + 1)[:, None])
    held = np.packbits(np.array(bases)[:, None, :] & ~np.array(exceptions), axis=2).reshape(-1, -(-rows // 8))
    return np.unpackbits(np.unique(held, axis=0), axis=1, count=rows).astype(np.bool_)


def allowed(queries: BoolArray, least: int) -> BoolArray:
    """The queries that hold enough people."""
    found: BoolArray = queries[queries.sum(axis=1) >= least]
    return found


def isolate(queries: BoolArray) -> Isolation:
    """For each person a pair of queries that differ in that person alone, where there is one."""
    people: int = queries.shape[1]
    marks = np.random.default_rng(0).integers(0, 2**63, size=people).astype(np.uint64)
    prints: NDArray[np.uint64] = queries.astype(np.uint64) @ marks
    order = np.argsort(prints)
    with_, without = np.full(people, -1), np.full(people, -1)
    for person in range(people):
        holding = np.flatnonzero(queries[:, person])
        wanted = prints[holding] - marks[person]
        place = order[np.minimum(np.searchsorted(prints, wanted, sorter=order), len(order) - 1)]
        for one in np.flatnonzero(prints[place] == wanted):
            if (queries[holding[one]] != queries[place[one]]).sum() == 1:
                with_[person], without[person] = holding[one], place[one]
                break
    return Isolation(with_, without)


def run(params: Differencing, generator: np.random.Generator) -> Contest:
    """How often the secret bit of a person is right; who can't be isolated is guessed by a coin."""
    public = generator.integers(0, params.values, size=(params.people, params.columns))
    secret = generator.random(params.people) < 0.5
    queries = allowed(trackers(public), params.least)
    pairs = isolate(queries)
    counts: IntArray = queries.astype(np.int64) @ secret
    by_way = {way: _fared(way, params, pairs, (counts, secret), generator) for way in WAYS}
    return contest_of(params, by_way)


def _fared(
    way: Way, params: Differencing, pairs: Isolation, truth: tuple[IntArray, BoolArray], generator: np.random.Generator
) -> Success:
    """Each person is attacked alone with two answers, so the private ones share epsilon between these two."""
    counts, secret = truth
    who = pairs.people
    asked = np.stack([counts[pairs.with_[who]], counts[pairs.without[who]]], axis=1).astype(np.float64)
    answers = laplace_answers(asked, way, params, generator)
    right = ((answers[:, 0] - answers[:, 1] > 0.5) == secret[who]).sum()
    hits = float(right) + 0.5 * (params.people - who.size)
    limit = allowed_rate(params.epsilon) if way == "private" else 1.0
    return success(hits, params.people, 0.5, isolated=float(who.size), allowed=limit)


ATTACK = StatisticsAttack(
    title="Differencing",
    params=Differencing,
    run=run,
    needs="counts of people who meet conditions on public columns, refused if there are few",
    gives="the secret of everybody whom two allowed counts isolate",
    knowledge="the public columns of everybody, and which counts are allowed",
    story="The adversary asks for two large groups that differ in one person and subtracts.",
    paper="https://doi.org/10.1145/320064.320069",
    example=Differencing(),
)

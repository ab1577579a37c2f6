"""Candidates: the published rows that may be a person's, given everybody's quasi-identifiers.

People alike in the raw table are one node of a bipartite graph, rows that read alike are another, each with its number;
an edge joins them where the row fits the person. What is published came from some assignment of rows to people, an
integral flow that uses all of both. Given one such flow (Dinic 1970), an edge carries a unit in *some* such flow if and
only if it carries one in this, or its ends lie in one strongly connected component (Tarjan 1972) of the residual graph
(people → rows along every edge, rows → people where there is flow). Rows that are missing from the release could be
anybody's: one more node fits everybody, and counts for nothing.

Where people have several rows the assignment is still one of rows to rows, but people are counted: the different people
whom the rows that may be one of a person's belong to, and for each of these rows the people who may own it. The fewest
of all these numbers is what the person has.

Pairs are found with sets of rows as machine words, one bit a row, and a conjunction over the columns.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.classes import Classes
from tacit.data.tables.tally import Census, Tally
from tacit.errors import BadParameter

BLOCK_WORDS = 250_000
WORD = 64
MOST_PAIRS = 20_000_000
BLOCK_PEOPLE = 5_000_000


@dataclass(frozen=True, eq=False, repr=False)
class LinkedPeople(Classes):
    """People with equal rows in the raw table, as classes, each with the number of published rows that may be theirs.

    If people have several rows, it is the number of people that the promise is about.
    """

    counted: ClassVar[str] = "groups of alike people"

    candidates: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))


@dataclass(frozen=True, eq=False, repr=False)
class CandidatePairs(Discreet):
    """Combination `combination[i]` is fitted by the published class `class_[i]`."""

    combination: IntArray
    class_: IntArray


def have_several_rows(tally: Tally) -> bool:
    """Whether somebody has more than one row."""
    return not tally.one_row_each


def linked(raw: Tally, shown: Tally, fits: Sequence[BoolArray]) -> LinkedPeople:
    """The people of the raw table with their candidates in the release; `fits[column][value, label]`.

    People who can't be in any published row were suppressed: they are left out, like their rows. Where no assignment
    of rows to people exists the release is of another table, and nobody has a candidate.
    """
    present = np.flatnonzero(raw.rows > 0)
    rows, codes, census = raw.rows[present], raw.codes[:, present], _only(raw.people, present)
    missing = int(rows.sum() - shown.rows.sum())
    pairs = fitting_pairs(codes, shown.codes, fits)
    usable = _usable(pairs, rows, shown.rows, missing) if missing >= 0 else None
    if usable is None:
        return LinkedPeople(rows, census.counts(), people=census, candidates=np.zeros(rows.size, dtype=np.int64))
    used = CandidatePairs(pairs.combination[usable.pairs], pairs.class_[usable.pairs])
    found = np.bincount(used.combination, weights=shown.rows[used.class_], minlength=rows.size).astype(np.int64)
    kept = found > 0
    found += missing * usable.absent
    if have_several_rows(raw):
        found = fewest_people(used, census, shown.people)
    people = _only(census, np.flatnonzero(kept))
    return LinkedPeople(rows[kept], census.counts()[kept], people=people, candidates=found[kept])


def _only(census: Census, keys: IntArray) -> Census:
    """The census of these combinations."""
    place = np.full(census.settled.size, -1, dtype=np.int64)
    place[keys] = np.arange(keys.size)
    return census.placed(place, keys.size)


def fewest_people(used: CandidatePairs, raw: Census, shown: Census) -> IntArray:
    """For each combination the fewest people of two kinds: to whom the rows that may be one of its rows belong, and
    who may own one of these rows."""
    belonging = people_among(used.combination, used.class_, raw.settled.size, shown)
    owning = people_among(used.class_, used.combination, shown.settled.size, raw)
    np.minimum.at(belonging, used.combination, owning[used.class_])
    return belonging


def people_among(group: IntArray, key: IntArray, groups: int, census: Census) -> IntArray:
    """How many different people have a key of each group; the pairs of group and key are different."""
    from scipy.sparse import csr_array

    settled = np.bincount(group, weights=census.settled[key], minlength=groups).astype(np.int64)
    if not census.spread_key.size:
        return settled
    keys, number = census.settled.size, int(census.spread_person.max()) + 1
    ones = np.ones(census.spread_key.size, dtype=np.int32)
    has = csr_array((ones, (census.spread_key, census.spread_person)), shape=(keys, number))
    holds = csr_array((np.ones(group.size, dtype=np.int32), (group, key)), shape=(groups, keys))
    met = np.bincount(group, weights=np.diff(has.indptr)[key], minlength=groups)
    ends = np.searchsorted(np.cumsum(met), np.arange(0, met.sum(), BLOCK_PEOPLE), side="right")
    for first, last in pairwise(np.unique(np.concatenate([[0], ends, [groups]])).tolist()):
        settled[first:last] += np.diff((holds[first:last] @ has).indptr)
    return settled


def fitting_pairs(codes: CodeArray, shown: CodeArray, fits: Sequence[BoolArray]) -> CandidatePairs:
    """All pairs of a combination and a published class of which every label covers its value."""
    words = max(-(-shown.shape[1] // WORD), 1)
    masks = [_masks(fit, column, words) for fit, column in zip(fits, shown, strict=True)]
    owners, classes, number = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], 0
    for first, block in _blocks(codes, masks, words):
        person, word = np.nonzero(block)
        inside = np.unpackbits(block[person, word].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        entry, bit = np.nonzero(inside)
        number += entry.size
        if number > MOST_PAIRS:
            raise BadParameter(
                f"more than {MOST_PAIRS:,} pairs of people and published rows fit, too many to compare, so candidates "
                "can't be counted; promise a number of people in each class, which needs no comparison, or publish "
                "finer labels, such as sets"
            )
        owners.append(first + person[entry])
        classes.append(word[entry] * WORD + bit)
    return CandidatePairs(np.concatenate(owners), np.concatenate(classes))


def _masks(fit: BoolArray, shown: IntArray | CodeArray, words: int) -> NDArray[np.uint64]:
    """`[value, word]`: the published classes whose label in this column covers the value, as bits."""
    padded = np.zeros((fit.shape[0], words * WORD), dtype=np.bool_)
    padded[:, : shown.size] = fit[:, shown]
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def _blocks(
    codes: CodeArray, masks: Sequence[NDArray[np.uint64]], words: int
) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """Consecutive combinations with the bits of the classes that fit them, small enough for memory."""
    height = max(BLOCK_WORDS // words, 1)
    for first in range(0, codes.shape[1], height):
        block = np.full((min(height, codes.shape[1] - first), words), ~np.uint64(0))
        for mask, column in zip(masks, codes, strict=True):
            block &= mask[column[first : first + height]]
        yield first, block


@dataclass(frozen=True, eq=False, repr=False)
class _Usable(Discreet):
    """Which pairs some assignment uses, and who may have been suppressed."""

    pairs: BoolArray
    absent: BoolArray


def _usable(pairs: CandidatePairs, people: IntArray, rows: IntArray, missing: int) -> _Usable | None:
    """What some assignment of rows to people uses; None where there is none.

    Where rows are missing, one more class after the last fits everybody.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    everybody = np.arange(people.size if missing else 0)
    owner = np.concatenate([pairs.combination, everybody])
    class_ = np.concatenate([pairs.class_, np.full(everybody.size, rows.size)])
    flow = _flow(CandidatePairs(owner, class_), people, np.append(rows, missing))
    if flow is None:
        return None
    first, nodes = people.size, people.size + rows.size + 1
    sources = np.concatenate([owner, first + flow.class_])
    targets = np.concatenate([first + class_, flow.combination])
    graph = coo_array((np.ones(sources.size, dtype=np.int8), (sources, targets)), shape=(nodes, nodes)).tocsr()
    component = connected_components(graph, directed=True, connection="strong")[1]
    same = component[owner] == component[first + class_]
    absent = same[pairs.class_.size :] if missing else np.zeros(people.size, dtype=np.bool_)
    return _Usable(same[: pairs.class_.size], absent)


def _flow(pairs: CandidatePairs, people: IntArray, rows: IntArray) -> CandidatePairs | None:
    """The pairs that one assignment of all rows to all people uses; None where there is none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    first, source = people.size, people.size + rows.size
    sources = np.concatenate([np.full(people.size, source), pairs.combination, first + np.arange(rows.size)])
    targets = np.concatenate([np.arange(people.size), first + pairs.class_, np.full(rows.size, source + 1)])
    room = np.minimum(people[pairs.combination], rows[pairs.class_])
    capacity = np.concatenate([people, room, rows]).astype(np.int32)
    network = csr_array((capacity, (sources, targets)), shape=(source + 2, source + 2))
    found = maximum_flow(network, source, source + 1)
    if found.flow_value != people.sum():
        return None
    flow = found.flow[:first].tocoo()
    used = (flow.data > 0) & (flow.col < source)
    return CandidatePairs(flow.row[used].astype(np.int64), flow.col[used].astype(np.int64) - first)

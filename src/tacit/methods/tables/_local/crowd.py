"""A crowd: the people of each unit, so that the people of any set of units can be counted.

Numbers of people do not add up where one stands in several units. So who stands in one unit only is *settled* and
counted there, and who stands in several is *spread*: known by a number, with the list of these units. Two things keep
the lists short. A unit that has enough people for a class suffices whatever it is joined to, so all its people are
taken for settled, and who is spread over such units and one other is settled in that one too. And whoever stands in
more than `MOST_PLACES` of the rest (such as the person that all rows without a name belong to) is settled in the first
of them and not counted in the others. So a count is exact or too low, and one that suffices does suffice.
"""

from typing import NamedTuple

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.tally import NOBODY, Census
from tacit.methods.tables._kernels import inner

MOST_PLACES = 32


class Crowd(NamedTuple):
    """Unit i has `settled[i]` people, and the spread ones `person[first[i]:first[i + 1]]`.

    Spread person p stands in the units `unit[begin[p]:begin[p + 1]]`. All but `settled` are empty where nobody is.
    """

    settled: IntArray
    first: IntArray
    person: IntArray
    begin: IntArray
    unit: IntArray


def alone(settled: IntArray) -> Crowd:
    """The crowd in which everybody stands in one unit."""
    return Crowd(settled, NOBODY, NOBODY, NOBODY, NOBODY)


def crowd_of(census: Census, least: int) -> Crowd:
    """The people of each key of a census, where `least` people are enough for a class."""
    counts = census.counts().astype(np.int64)
    rare = counts < least
    kept = rare[census.spread_key]
    key, person = census.spread_key[kept], census.spread_person[kept]
    order = np.lexsort((key, person))
    key, person = key[order], person[order]
    _, head, person, places = np.unique(person, return_index=True, return_inverse=True, return_counts=True)
    fixed = (places == 1) | (places > MOST_PLACES)
    settled = np.where(rare, census.settled, counts) + np.bincount(key[head[fixed]], minlength=counts.size)
    spread = ~fixed[person]
    if not spread.any():
        return alone(settled)
    begin = np.concatenate([[0], np.cumsum(places[~fixed])])
    person, key = (np.cumsum(~fixed) - 1)[person[spread]], key[spread]
    by_key = np.argsort(key, kind="stable")
    first = np.searchsorted(key[by_key], np.arange(counts.size + 1))
    return Crowd(settled, first, person[by_key], begin, key)


@inner
def add_spread(crowd, live, slot, seat, total):  # type: ignore[no-untyped-def]
    """Add to each slot the spread people of its live units, everybody once; `seat` is where all live units are."""
    for i in range(live.size):
        seat[live[i]] = slot[i]
    for i in range(live.size):
        for place in range(crowd.first[live[i]], crowd.first[live[i] + 1]):
            at = crowd.begin[crowd.person[place]]
            # The units of a person come in one order. The walk ends at the first of them in this slot, or at the unit
            # itself: so everybody is counted at one unit of a slot, the first.
            while crowd.unit[at] != live[i] and seat[crowd.unit[at]] != slot[i]:
                at += 1
            if crowd.unit[at] == live[i]:
                total[slot[i]] += 1


@inner
def newcomers(crowd, unit, where):  # type: ignore[no-untyped-def]
    """How many people of a unit stand in no other unit of its class."""
    number = crowd.settled[unit]
    if crowd.person.size:
        for place in range(crowd.first[unit], crowd.first[unit + 1]):
            person = crowd.person[place]
            at, end = crowd.begin[person], crowd.begin[person + 1]
            # The walk stops at another unit of the same class; who has none is new to it.
            while at < end and (crowd.unit[at] == unit or where[crowd.unit[at]] != where[unit]):
                at += 1
            if at == end:
                number += 1
    return number

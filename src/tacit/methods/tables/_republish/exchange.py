"""Exchange: two people with the same value swap places if that lowers the loss of their classes.

Signatures stay: classes of one signature may exchange anybody, others only people whom no earlier release binds. So
sweeps take turns: one among the people of each signature, one among those who are free. In a sweep everybody looks at
one class that might suit: the columns are put in a random order, each at a random level, and the classes (without the
one who would leave) sorted by that key beside the people. Of the exchanges that gain, the best of both its classes are
made.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.data.tables.grouping import pack
from tacit.methods.tables._republish.line import Line
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import coins, permutation, uniform_integers

REACH = 2
"""How far from its own place in the order of classes somebody looks."""
LEAST_GAIN = 1e-9


@dataclass(frozen=True, eq=False)
class Crowd:
    """Everybody's class and value, the signature of each class, and who is free to change signature."""

    class_: IntArray
    value: IntArray
    signature: IntArray
    free: BoolArray


@dataclass(frozen=True, eq=False)
class Spans:
    """From where to where the classes reach: `[column, class]`, and `[column, person]` without the person."""

    low: IntArray
    high: IntArray
    rest_low: IntArray
    rest_high: IntArray
    people: IntArray


def exchange(lines: Sequence[Line], crowd: Crowd, sweeps: int, bits: RandomBits) -> IntArray:
    """The class of everybody after so many sweeps; nothing costs more than before."""
    place = np.array([line.place for line in lines])
    free = np.flatnonzero(crowd.free)
    class_ = crowd.class_
    for sweep in range(sweeps):
        spans = measure_spans(place, class_)
        apart = (sweep % 2 == 0 and not crowd.free.all()) or not free.size
        who = np.arange(class_.size) if apart else free
        kin = crowd.signature[class_[who]] if apart else np.zeros(who.size, dtype=np.int64)
        kin = kin * (int(crowd.value.max()) + 1) + crowd.value[who]
        other = _candidates(lines, place, spans, (who, kin), bits)
        pairs = (who[other.fits], who[other.place[other.fits]])
        mine, theirs = _chosen(lines, place, class_, spans, pairs)
        moved = class_.copy()
        moved[mine], moved[theirs] = class_[theirs], class_[mine]
        class_ = moved
    return class_


def measure_spans(place: IntArray, class_: IntArray) -> Spans:
    """The spans of all classes; of somebody alone in a class, the rest is where the person is."""
    order = np.argsort(class_, kind="stable")
    group = class_[order]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    people = np.diff(starts, append=order.size)
    rest = np.empty((2, *place.shape), dtype=np.int64)
    ends = np.empty((2, place.shape[0], starts.size), dtype=np.int64)
    for column, row in enumerate(place[:, order]):
        for way, sign in enumerate((1, -1)):
            towards = sign * row
            end = np.minimum.reduceat(towards, starts)
            there = towards == end[group]
            second = np.minimum.reduceat(np.where(there, np.iinfo(np.int64).max, towards), starts)
            sole = there & (np.add.reduceat(there.astype(np.int64), starts) == 1)[group] & (people > 1)[group]
            rest[way, column, order] = sign * np.where(sole, second[group], end[group])
            ends[way, column] = sign * end
    return Spans(ends[0], ends[1], rest[0], rest[1], people)


def _candidates(
    lines: Sequence[Line], place: IntArray, spans: Spans, among: tuple[IntArray, IntArray], bits: RandomBits
) -> "_Partners":
    """For each of the people one of the same kin who has a place that might suit."""
    who, kin = among
    columns, sizes = [np.tile(kin, 2)], [int(kin.max()) + 1]
    for column in permutation(len(lines), bits):
        codes = lines[column].codes
        level = int(uniform_integers(codes.shape[0], 1, bits)[0])
        edge = np.where(coins(who.size, bits), spans.rest_low[column, who], spans.rest_high[column, who])
        columns.append(codes[level][np.concatenate([place[column, who], edge])].astype(np.int64))
        sizes.append(codes.shape[1])
    keys = pack(columns, sizes, 2 * who.size).key
    order = np.argsort(keys[who.size :], kind="stable")
    found = np.searchsorted(keys[who.size :][order], keys[: who.size])
    aside = uniform_integers(2 * REACH + 1, who.size, bits) - REACH
    other = order[np.clip(found + aside, 0, who.size - 1)]
    return _Partners(other, kin[other] == kin)


@dataclass(frozen=True, eq=False)
class _Partners:
    """One candidate for each of the people, and whether they are kin."""

    place: IntArray
    fits: BoolArray


def _chosen(
    lines: Sequence[Line], place: IntArray, class_: IntArray, spans: Spans, pairs: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """The pairs whose exchange gains most for both their classes; no class takes part twice."""
    mine, other = pairs
    now = spans.people * _costs(lines, spans.low, spans.high)
    gain = now[class_[mine]] + now[class_[other]]
    for leaves, comes in ((mine, other), (other, mine)):
        alone = spans.people[class_[leaves]] == 1
        low = np.where(alone, place[:, comes], np.minimum(spans.rest_low[:, leaves], place[:, comes]))
        high = np.where(alone, place[:, comes], np.maximum(spans.rest_high[:, leaves], place[:, comes]))
        gain -= spans.people[class_[leaves]] * _costs(lines, low, high)
    gain[class_[mine] == class_[other]] = 0.0
    order = np.argsort(-gain, kind="stable")[: int((gain > LEAST_GAIN).sum())]
    mine, other = mine[order], other[order]
    turn = np.arange(order.size)
    first = np.full(spans.people.size, order.size, dtype=np.int64)
    for side in (mine, other):
        np.minimum.at(first, class_[side], turn)
    made = (first[class_[mine]] == turn) & (first[class_[other]] == turn)
    return mine[made], other[made]


def _costs(lines: Sequence[Line], low: IntArray, high: IntArray) -> FloatArray:
    total = np.zeros(low.shape[1])
    for line, first, last in zip(lines, low, high, strict=True):
        total += line.cost(first, last)
    return total

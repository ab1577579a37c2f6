"""Singling out: how many people are alone with their values in a few columns (Manning, Haglin and Keane 2008).

A person is singled out by a set of columns if nobody else has the same values there. What one set reveals, every larger
set reveals too, so a set is worth telling only if it singles out more people than each of its parts of one column
less; the difference to the best of them is its gain.

All sets up to a number of columns are counted where sets × entries stay within LIMIT. In a wider table the sets of
two and more columns are limited to the columns of the highest entropy, as many as LIMIT allows: those single out most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, zip_longest
from math import comb

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.cards.metric import Metric, MetricValue
from tacit.data.tables.grouping import DENSE_SPAN, LARGEST_KEY, PackedKeys, pack
from tacit.data.tables.tally import Tally
from tacit.data.tables.view import Comparison
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.release.tables import SinglingOut

LIMIT = 20_000_000

ColumnNames = tuple[int, ...]


def singling_out(tally: Tally, most: int = 3, keep: int = 10) -> tuple[SinglingOut, ...]:
    """The `keep` most telling sets of up to `most` columns: small sets first, the strongest of each size first.

    Places are dealt out in turn to the sizes, within a size by gain; a set without gain is never told.
    """
    if most < 1 or keep < 0:
        raise BadParameter(f"most is {most} and keep is {keep}; at least 1 column and 0 sets are needed")
    crowd = _crowd(tally)
    unique = {columns: _alone(crowd, columns) for columns in _sets(crowd, most)}
    gains = {columns: number - _best_part(columns, unique) for columns, number in unique.items()}
    told = [columns for columns, gain in gains.items() if gain > 0]
    ranked = [sorted((c for c in told if len(c) == size), key=lambda c: -gains[c]) for size in range(1, most + 1)]
    dealt = [columns for columns in chain.from_iterable(zip_longest(*ranked)) if columns is not None][:keep]
    dealt.sort(key=lambda columns: (len(columns), -unique[columns], columns))
    return tuple(_fact(tally, crowd, columns, unique[columns]) for columns in dealt)


def uniqueness(tally: Tally) -> SinglingOut:
    """How many people are alone with their values in all columns together."""
    crowd, columns = _crowd(tally), tuple(range(len(tally.columns)))
    return _fact(tally, crowd, columns, _alone(crowd, columns))


@dataclass(frozen=True, eq=False)
class _Crowd:
    """Who is there: entry i says that person `person[i]` has the combination with the codes `codes[:, i]`.

    Of the people who have one combination only, two at most stand here for each: more can't be alone either.
    """

    codes: CodeArray
    sizes: tuple[int, ...]
    person: IntArray
    people: int
    entropy: FloatArray
    settled: bool

    @property
    def entries(self) -> int:
        return int(self.person.size)


def _crowd(tally: Tally) -> _Crowd:
    census = tally.people
    first, second = np.flatnonzero(census.settled > 0), np.flatnonzero(census.settled > 1)
    alone = first.size + second.size
    spread, person = np.unique(census.spread_person, return_inverse=True)
    counts = census.counts()
    return _Crowd(
        codes=tally.codes[:, np.concatenate([first, second, census.spread_key])],
        sizes=tuple(len(values) for values in tally.values),
        person=np.concatenate([np.arange(alone), alone + person]),
        people=int(census.settled.sum()) + int(spread.size),
        entropy=np.array([_entropy(codes, counts) for codes in tally.codes]),
        settled=spread.size == 0,
    )


def _alone(crowd: _Crowd, columns: ColumnNames) -> int:
    """How many people have values in `columns` that nobody else has."""
    keys = pack([crowd.codes[c] for c in columns], [crowd.sizes[c] for c in columns], crowd.entries)
    if keys.span > DENSE_SPAN * crowd.entries + 1024:
        return _alone_by_sorting(crowd, keys)
    if crowd.settled:
        return int((np.bincount(keys.key) == 1).sum())
    somebody = np.empty(keys.span, dtype=np.int64)
    somebody[keys.key] = crowd.person
    company = np.zeros(keys.span, dtype=np.bool_)
    company[keys.key[somebody[keys.key] != crowd.person]] = True
    return _distinct(crowd.person[~company[keys.key]], crowd)


def _alone_by_sorting(crowd: _Crowd, keys: PackedKeys) -> int:
    if crowd.settled:
        ordered, bits = np.sort(keys.key), 0
    else:
        bits = crowd.entries.bit_length()
        key = keys.key if keys.span <= LARGEST_KEY >> bits else np.unique(keys.key, return_inverse=True)[1]
        ordered = np.sort((key << bits) | crowd.person)
    key = ordered >> bits
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    ends = np.append(starts[1:], key.size) - 1
    if crowd.settled:
        return int((starts == ends).sum())
    return _distinct(ordered[starts[ordered[starts] == ordered[ends]]] & ((1 << bits) - 1), crowd)


def _distinct(persons: IntArray, crowd: _Crowd) -> int:
    seen = np.zeros(crowd.entries, dtype=np.bool_)
    seen[persons] = True
    return int(seen.sum())


def _sets(crowd: _Crowd, most: int) -> list[ColumnNames]:
    """The sets of columns to count, small ones first."""
    everything = range(crowd.codes.shape[0])
    chosen: Sequence[int] = everything
    allowed = LIMIT // max(crowd.entries, 1) - len(everything)
    if _number_of_sets(len(everything), most) > allowed:
        ranked = sorted(everything, key=lambda c: -crowd.entropy[c])
        width = max(w for w in range(len(everything) + 1) if not w or _number_of_sets(w, most) <= allowed)
        chosen = sorted(ranked[:width])
    larger = (combinations(chosen, size) for size in range(2, most + 1))
    return [(c,) for c in everything] + list(chain.from_iterable(larger))


def _number_of_sets(width: int, most: int) -> int:
    return sum(comb(width, size) for size in range(2, most + 1))


def _entropy(codes: CodeArray, people: IntArray) -> float:
    share = np.bincount(codes, weights=people) / max(int(people.sum()), 1)
    share = share[share > 0]
    return float(-(share * np.log2(share)).sum())


def _best_part(columns: ColumnNames, unique: Mapping[ColumnNames, int]) -> int:
    return max((unique[part] for part in combinations(columns, len(columns) - 1) if part), default=0)


def _fact(tally: Tally, crowd: _Crowd, columns: ColumnNames, unique: int) -> SinglingOut:
    names = tuple(tally.columns[c] for c in columns)
    return SinglingOut(columns=names, unique=unique, share=unique / max(crowd.people, 1))


def measure_uniqueness(compared: Comparison, params: Params) -> MetricValue:
    """The share of released people that all columns together single out; a column's is that of the column alone."""
    crowd = _crowd(compared.after.classes)
    per_column = {name: _alone(crowd, (c,)) / max(crowd.people, 1) for c, name in enumerate(compared.after.columns)}
    return MetricValue(uniqueness(compared.after.classes).share, per_column)


METRIC = Metric(
    title="Singling out",
    params=Params,
    run=measure_uniqueness,
    needs="the published classes",
    gives="the share of released people who are alone with their values",
    standard=("release", "two tables"),
    is_share=True,
    of_risk=True,
    paper="https://doi.org/10.1007/s10618-007-0078-6",
    example=Params(),
)

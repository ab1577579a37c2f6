"""Partition selection: keys that nobody declared, such as words, places or products, that enough people have.

Korolova, Kenthapadi, Mishra and Ntoulas (2009) publish keys whose noisy number of people passes a threshold. Of all
ways to do so, Desfontaines, Voss, Gipson and Mandayam (2022) find the one that publishes every key most often: the
chance p(n) of a key with n people is the largest with p(0) = 0 that keeps p(n) <= e**e p(n - 1) + d and 1 - p(n - 1)
<= e**e (1 - p(n)) + d. It is attained exactly by noise with Pr[x] proportional to e**(-e |x|) up to a size A: publish
where n + x > A. So a key that nobody has is never published, one person's alone with probability d = Pr[x = A] only,
and the noisy count comes for free. A is the least size that keeps d.

Of a person at most `most` keys are kept, by a fair sample of their own. They come or go together, so each key gets e =
epsilon / most and d with 1 - (1 - d)**most = delta: as many failures that are independent are that likely together, and
without one the losses add up to epsilon. Under `replace` a person leaves as many keys as they enter: twice as many.

The interval of a count is that of its noise, which never exceeds A. It is meant for all keys, published or not: one
that is published by luck has large noise, and its interval fails more often than those of keys that many have.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from tacit.accounting.events import Approximate, Event, in_scope
from tacit.accounting.exact import exact
from tacit.accounting.scope import Scope
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.least_epsilon import Dial, with_least
from tacit.cards.statistics import KeySelection
from tacit.cards.takes import PersonAndKey
from tacit.data.aggregates.array_cells import MISSING, coded_texts, has_owner, owner_codes
from tacit.data.aggregates.keys import KeyCounts, Keys
from tacit.data.aggregates.scale import require_columns
from tacit.methods.mechanisms.finite_laplace import FiniteNoise, edge_mass
from tacit.noise.answer import Interval, NoisyAnswer
from tacit.noise.fields import Delta, Epsilon
from tacit.noise.noise import check_level, error_steps, least
from tacit.noise.private_answer import DerivedAnswer, scoped
from tacit.noise.statistic_params import NeighboursField
from tacit.noise.values import two_columns
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.contributions import keep_sampled
from tacit.sensitivity.pair import Pair


class PartitionSelection(Params):
    """Keys that enough people have."""

    epsilon: Epsilon
    delta: Delta
    neighbours: NeighboursField = "add-remove"
    most: Annotated[int, Field(ge=1, le=1_000_000, description="the largest number of keys kept for one person")] = 1

    @property
    def scope(self) -> Scope:
        """Between which datasets answers are alike: a person with any number of rows."""
        return Scope(self.neighbours, contributions=None)

    @property
    def touched(self) -> int:
        """How many keys a person's coming, going or being replaced can change, each by one."""
        return self.most * (2 if self.neighbours == "replace" else 1)


NO_KEY = "No group had enough people to be named; a larger epsilon or delta names smaller ones."


@dataclass(frozen=True)
class PartitionAnswer(DerivedAnswer):
    """The published keys in alphabetical order, and how many people have each, with noise."""

    source: ClassVar[str] = "counts"

    keys: tuple[str, ...]
    counts: NoisyAnswer

    def told(self) -> Mapping[str, Any]:
        """The noisy number of people of each published key."""
        return {"values": self.counts.values, "keys": self.keys}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """The keys."""
        return list(self.keys)

    def remarks(self) -> tuple[str, ...]:
        """That there is nothing to show, where there is nothing."""
        return () if self.keys else (NO_KEY,)

    def interval(self, level: float = 0.95) -> Interval:
        """For each published key bounds of how many people have it, as far as its noise tells."""
        return self.counts.interval(level)


@lru_cache(maxsize=64)
def noise(params: PartitionSelection) -> FiniteNoise:
    """What is added to each count; a key is published where the sum exceeds the largest noise."""
    rate = exact(params.epsilon) / params.touched
    allowed = -math.expm1(math.log1p(-params.delta) / params.touched) * (1 - 1e-9)
    return FiniteNoise(rate, 1 + least(lambda more: edge_mass(float(rate), 1, 1 + more) <= allowed, 1 << 62))


def publish_chance(params: PartitionSelection, people: int) -> float:
    """The chance that a key which so many people have, after their keys were sampled, is published."""
    used = noise(params)
    need = used.most - people + 1
    return _reaches(used, need) if need > 0 else 1 - _reaches(used, 1 - need)


def _reaches(used: FiniteNoise, steps: int) -> float:
    """Pr[noise >= steps] for steps from 1."""
    return used.beyond(steps - 1) / 2


def people_needed(params: PartitionSelection, level: float = 0.95) -> int:
    """How many people must have a key for it to be published with probability `level`."""
    check_level(level)
    return least(lambda people: publish_chance(params, people) >= level, 1 << 62)


def for_people(people: int, params: PartitionSelection, level: float = 0.95) -> PartitionSelection:
    """The parameters with the least epsilon at which keys of so many people are published with probability `level`."""
    return with_least(params, people, lambda asked: float(people_needed(asked, level)), Dial())


def error(params: PartitionSelection, level: float = 0.95) -> float:
    """What the count of a key is off by, at most, with probability `level`."""
    return float(error_steps(noise(params), level))


def partition_selection(log: Sequence[ArrayLike], params: PartitionSelection, bits: RandomBits) -> PartitionAnswer:
    """The keys that enough people have, of a log with the person and the key of each row; missing ones are none."""
    owner, column = two_columns(log, "a log is two columns of one length: the person and the key of each row")
    found = coded_texts(column)
    keys = sorted(found.texts)
    rising = {key: place for place, key in enumerate(keys)}
    place = np.array([rising[key] for key in found.texts], dtype=np.int64)
    there = (found.codes != MISSING) & has_owner(owner)
    pairs = np.unique(owner_codes(owner)[there] * max(len(keys), 1) + place[found.codes[there]])
    kept = keep_sampled(pairs // max(len(keys), 1), params.most, bits)
    people = np.bincount(pairs[kept] % max(len(keys), 1), minlength=len(keys)).astype(np.int64)
    return _answer(_PeopleByKey(keys, people), params, bits)


def wanted(columns: Sequence[str], params: PartitionSelection, first: Sequence[str] = ()) -> Keys:
    """What an engine must count: the people who have each key, given by the columns of the person and of the key; of a
    person the first keys by the columns in `first` count."""
    require_columns(columns, 2)
    return Keys(columns[0], columns[1], params.most, tuple(first))


def from_aggregates(found: KeyCounts, params: PartitionSelection, bits: RandomBits) -> PartitionAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    kept = found.like(wanted(["person", "key"], params))
    order = sorted(range(len(kept.keys)), key=kept.keys.__getitem__)
    return _answer(_PeopleByKey([kept.keys[place] for place in order], kept.counts[order]), params, bits)


@dataclass(frozen=True)
class _PeopleByKey:
    """Keys with the number of people who have each; secret."""

    keys: list[str]
    people: IntArray


@scoped
def _answer(found: _PeopleByKey, params: PartitionSelection, bits: RandomBits) -> PartitionAnswer:
    used = noise(params)
    noisy = found.people + used.draw(found.people.size, bits)
    chosen = np.flatnonzero(noisy > used.most)
    event = Approximate(exact(params.epsilon), exact(params.delta))
    keys = tuple(found.keys[place] for place in chosen)
    return PartitionAnswer(keys, NoisyAnswer(noisy[chosen], used, event, lower=1))


def spends(params: PartitionSelection) -> Event:
    """What the selection and the counts cost."""
    return in_scope(Approximate(exact(params.epsilon), exact(params.delta)), params.scope)


def neighbouring_logs(params: PartitionSelection) -> list[Pair]:
    """A person more, or another one, with as many keys as are kept: nobody else's, or those of one or of many."""
    own = [f"own {place}" for place in range(params.most)]
    shared = [f"shared {place}" for place in range(params.most)]
    crowd = [(person, key) for person in range(noise(params).most) for key in shared]
    pairs = []
    for before in ([], crowd[: params.most], crowd):
        for keys in (own, shared):
            joined = [*before, *(("last", key) for key in keys)]
            other = [*before, *(("last", key) for key in (own if keys is shared else shared))]
            pairs.append((other if params.neighbours == "replace" else before, joined))
    return [Pair(_columns(first), _columns(second)) for first, second in pairs]


def _columns(rows: list[tuple[Any, str]]) -> list[Any]:
    return [np.array([str(person) for person, _ in rows]), np.array([key for _, key in rows], dtype=str)]


METHOD = KeySelection(
    title="Partition selection",
    params=PartitionSelection,
    run=partition_selection,
    takes=PersonAndKey(kept="most"),
    wanted=wanted,
    answer=from_aggregates,
    keys=lambda answer: answer.keys,
    spends=spends,
    delta="delta",
    error=any_rows(error),
    needs="the person and the key of each row of a log; keys need not be declared",
    gives="the keys that enough people have, each with the noisy number of people",
    paper="https://arxiv.org/abs/2006.03684",
    example=PartitionSelection(epsilon=1.0, delta=1e-6, most=2),
    neighbours=neighbouring_logs,
)

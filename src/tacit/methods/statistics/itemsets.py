"""Frequent itemsets: the k sets of declared items that most baskets hold, and how many do (Bhaskar and others 2010).

One basket moves the support of every set by at most 1, all in one direction, whatever its length. Half of epsilon
chooses k sets one after the other by the exponential mechanism, half adds noise of scale 2 k contributions / epsilon
to their supports (the basket may hold all k). Candidates are all sets of 1 to `size` declared items, so none is
missed because a subset of it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Composed, Event, in_scope
from tacit.accounting.exact import exact
from tacit.arrays import BoolArray, IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import BasketAndItem
from tacit.data.aggregates.array_cells import owner_codes
from tacit.errors import BadData
from tacit.methods.mechanisms.top_k import TopK, choose, loss
from tacit.methods.mechanisms.top_k import spends as choice_spends
from tacit.noise.answer import Interval, NoisyAnswer
from tacit.noise.axes import NOWHERE, Categories
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.setting import WHOLE, Allowance, Moves, NoiseSetting, add_noise, setting
from tacit.noise.statistic_params import NameList, StatisticParams
from tacit.noise.values import two_columns
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_datasets import of_baskets

_MOST = 500_000


class Itemsets(StatisticParams):
    """The commonest sets of declared items; `contributions` is the most baskets of one person."""

    items: NameList
    k: Annotated[int, Field(ge=1, le=10_000, description="how many sets are named")]
    size: Annotated[int, Field(ge=1, le=3, description="the largest number of items in a set")] = 2

    @model_validator(mode="after")
    def _enough(self) -> Self:
        number = sum(comb(len(self.items), size) for size in range(1, self.size + 1))
        if not self.k <= number <= _MOST:
            raise ValueError(f"there are {number} sets; they must be at least k = {self.k} and at most {_MOST}")
        if len(set(self.items)) != len(self.items):
            raise ValueError("an item is declared twice")
        return self


@dataclass(frozen=True)
class ItemsetsAnswer(Publishable):
    """The chosen sets, the noisy number of baskets that hold each, and what it cost."""

    sets: tuple[tuple[str, ...], ...]
    supports: NoisyAnswer
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The noisy supports, and the sets."""
        return {"values": self.supports.values, "sets": self.sets}

    def labels(self, columns: Sequence[str]) -> list[str]:
        """The items of each set."""
        return [" + ".join(chosen) for chosen in self.sets]

    def interval(self, level: float = 0.95) -> Interval:
        """For each chosen set bounds that hold the number of baskets with probability `level`."""
        return self.supports.interval(level)


def candidates(params: Itemsets) -> list[tuple[int, ...]]:
    """All sets of items by position; public."""
    places = range(len(params.items))
    return [chosen for size in range(1, params.size + 1) for chosen in combinations(places, size)]


def supports(baskets: Sequence[ArrayLike], params: Itemsets) -> IntArray:
    """How many baskets hold each candidate; secret."""
    held = _incidence(baskets, params)
    pairs = held.astype(np.float64).T @ held
    counts = [np.diag(pairs)]
    if params.size >= 2:
        counts.append(pairs[np.triu_indices(len(pairs), 1)])
    if params.size == 3:
        counts += [_triples(held, first) for first in range(len(pairs) - 2)]
    return np.rint(np.concatenate(counts)).astype(np.int64)


def _triples(held: BoolArray, first: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    rest = held[held[:, first], first + 1 :]
    pairs = rest.astype(np.float64).T @ rest
    return np.asarray(pairs[np.triu_indices(len(pairs), 1)])


def _incidence(baskets: Sequence[ArrayLike], params: Itemsets) -> BoolArray:
    owner, items = two_columns(baskets, "baskets are two columns of one length: the basket and the item of each row")
    codes = Categories(names=params.items).codes(items)
    basket = owner_codes(owner)
    held = np.zeros((int(basket.max(initial=-1)) + 1, len(params.items)), dtype=np.bool_)
    held[basket[codes != NOWHERE], codes[codes != NOWHERE]] = True
    return held


def selection(params: Itemsets) -> TopK:
    """How sets are chosen."""
    together = params.neighbours == "add-remove"
    move = float(params.contributions)
    return TopK(epsilon=params.epsilon / 2, sensitivity=move, monotonic=together, k=params.k, grid=0)


def used(params: Itemsets) -> NoiseSetting:
    """The noise of each chosen set's support."""
    move = params.k * params.contributions
    rest = exact(params.epsilon) - exact(params.epsilon / 2)
    return setting(Moves(move, exact(move)), Allowance(rest))


def itemsets(baskets: Sequence[ArrayLike], params: Itemsets, bits: RandomBits) -> ItemsetsAnswer:
    """The k commonest sets, or nearly the commonest, with noisy supports."""
    return from_counts(supports(baskets, params), params, bits)


@scoped
def from_counts(counts: IntArray, params: Itemsets, bits: RandomBits) -> ItemsetsAnswer:
    """The same, where an engine has counted the baskets that hold each of the `candidates`, in their order."""
    sets = candidates(params)
    if np.shape(counts) != (len(sets),):
        raise BadData(f"there are {np.size(counts)} counts; give one for each of {len(sets)} sets")
    choice = choose(counts, selection(params), bits)
    noisy = add_noise(counts[choice.chosen], used(params), WHOLE, bits)
    names = tuple(tuple(params.items[item] for item in sets[place]) for place in choice.chosen)
    return ItemsetsAnswer(names, noisy, Composed((choice.event, noisy.event)))


def spends(params: Itemsets) -> Event:
    """What choices and supports cost."""
    return in_scope(Composed((choice_spends(selection(params)), used(params).event)), params.scope)


def error(params: Itemsets, level: float = 0.95) -> float:
    """How far any chosen support stays behind the k-th best, at most, with probability `level`."""
    return float(loss(selection(params), len(candidates(params)), level))


METHOD = Statistic(
    title="Frequent itemsets",
    params=Itemsets,
    run=itemsets,
    takes=BasketAndItem(),
    spends=spends,
    error=any_rows(error),
    neighbours=lambda params: of_baskets(params.items, None, params.neighbours, params.contributions),
    needs="the basket and the item of each row; the items are declared",
    gives="the k sets of items that the most baskets contain, with the noisy number of baskets",
    paper="https://doi.org/10.1145/1835804.1835869",
    example=Itemsets(epsilon=1.0, items=("bread", "milk", "aspirin"), k=2),
)

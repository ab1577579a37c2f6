"""Bounding contributions: at most so many rows, or groups, of a person are kept, which makes a sensitivity true.

Which rows are kept may depend on the rows of the same person only; that makes the bounded table differ in at most
`most` rows when a person comes or goes. Sampling keeps each of a person's rows with equal chance and so stays fair to
all of them; truncation keeps the first ones in the order of the array and needs no randomness, but favours what comes
first. Engines, which have no random bits, choose by a hash (`data.aggregates.lots`): it is as fair as sampling, but the
same every time, so an engine keeps other rows than are sampled here. Rows whose person is missing (None, NaN, NaT,
pandas.NA, an empty text) are not kept, since they may be of several people, of whom one would make room for another;
columns of objects are compared as text.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.accounting.exact import whole
from tacit.arrays import BoolArray, IntArray
from tacit.data.aggregates.array_cells import as_array, has_owner, owner_codes
from tacit.errors import BadData
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutation


def keep_first(people: NDArray[Any], most: int) -> BoolArray:
    """Which rows stay when each person keeps the first `most`."""
    owner = _column(people)
    return _leading(owner, np.arange(owner.size, dtype=np.int64), whole("most", most)) & has_owner(people)


def keep_sampled(people: NDArray[Any], most: int, bits: RandomBits) -> BoolArray:
    """Which rows stay when each person keeps `most` of their rows, every choice equally likely."""
    owner = _column(people)
    return _leading(owner, permutation(owner.size, bits), whole("most", most)) & has_owner(people)


def keep_groups(people: NDArray[Any], groups: NDArray[Any], most: int, bits: RandomBits) -> BoolArray:
    """Which rows stay when each person keeps the rows of `most` different groups, every choice equally likely."""
    person, group = owner_codes(people), owner_codes(groups)
    if person.size != group.size:
        raise BadData(f"there are {person.size} people but {group.size} groups; both need one entry for each row")
    width = int(group.max(initial=0)) + 1
    pairs, pair = np.unique(person * width + group, return_inverse=True)
    kept = _leading(pairs // width, permutation(pairs.size, bits), whole("most", most))
    chosen: BoolArray = kept[pair] & has_owner(people)
    return chosen


def _column(values: NDArray[Any]) -> NDArray[Any]:
    """People as numbers that can be put in order."""
    column = as_array(values)
    return column if column.ndim == 1 and column.dtype.kind in "iubf" else owner_codes(column)


def _leading(people: NDArray[Any], order: IntArray, most: int) -> BoolArray:
    """Which rows are among the first `most` of their person, the rows taken in this order."""
    by_person = order[np.argsort(people[order], kind="stable")]
    ranked = people[by_person]
    begins = np.ones(ranked.size, dtype=np.bool_)
    begins[1:] = ranked[1:] != ranked[:-1]
    if ranked.dtype.kind == "f":
        begins[1:] &= ~(np.isnan(ranked[1:]) & np.isnan(ranked[:-1]))
    place = np.arange(ranked.size)
    kept = np.empty(ranked.size, dtype=np.bool_)
    kept[by_person] = place - np.maximum.accumulate(np.where(begins, place, 0)) < most
    return kept

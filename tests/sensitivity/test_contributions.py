"""Bounding contributions: nobody keeps more than allowed, everyone's rows have the same chance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import BadData, BadParameter
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.contributions import keep_first, keep_groups, keep_sampled

people = st.lists(st.integers(0, 6), max_size=40).map(lambda rows: np.array(rows, dtype=np.int64))
most = st.integers(1, 5)


@given(people=people, most=most)
def test_the_first_rows_are_kept(people: np.ndarray, most: int) -> None:
    kept, seen = keep_first(people, most), {}
    for person, stays in zip(people.tolist(), kept.tolist(), strict=True):
        seen[person] = seen.get(person, 0) + 1
        assert stays == (seen[person] <= most)


@given(people=people, most=most, seed=st.integers(0, 100))
def test_a_sample_has_the_right_size(people: np.ndarray, most: int, seed: int) -> None:
    kept = keep_sampled(people, most, RandomBits.from_seed(seed))
    for person in np.unique(people):
        mine = people == person
        assert kept[mine].sum() == min(most, mine.sum())


@given(people=people, most=most, seed=st.integers(0, 100), data=st.data())
def test_groups_are_kept_whole(people: np.ndarray, most: int, seed: int, data: st.DataObject) -> None:
    size = people.size
    groups = np.array(data.draw(st.lists(st.sampled_from("abcd"), min_size=size, max_size=size)), dtype="U1")
    kept = keep_groups(people, groups, most, RandomBits.from_seed(seed))
    for person in np.unique(people):
        mine = people == person
        assert len(set(groups[mine & kept])) == min(most, len(set(groups[mine])))
        assert not set(groups[mine & kept]) & set(groups[mine & ~kept])


ROWS, PEOPLE, KEPT = 5, 20_000, 2
TOLERANCE = math.sqrt(math.log(2 * ROWS * 1e9) / (2 * PEOPLE))
"""Hoeffding's bound for the shares of ROWS positions over PEOPLE people, at an error rate of 1e-9 in all."""


def shares(kept: np.ndarray) -> np.ndarray:
    return kept.reshape(PEOPLE, ROWS).mean(axis=0)


def test_every_row_has_the_same_chance() -> None:
    kept = keep_sampled(np.repeat(np.arange(PEOPLE), ROWS), KEPT, RandomBits.from_seed("rows"))
    assert np.abs(shares(kept) - KEPT / ROWS).max() <= TOLERANCE


def test_truncation_favours_what_comes_first() -> None:
    """The twin that must fail."""
    kept = keep_first(np.repeat(np.arange(PEOPLE), ROWS), KEPT)
    assert np.abs(shares(kept) - KEPT / ROWS).max() > TOLERANCE


def test_every_group_has_the_same_chance_however_large_it_is() -> None:
    """Each person has 4 rows in group 0 and 1 in group 1; one group is kept, either with probability a half."""
    who, where = np.repeat(np.arange(PEOPLE), ROWS), np.tile([0, 0, 0, 0, 1], PEOPLE)
    kept = keep_groups(who, where, 1, RandomBits.from_seed("groups"))
    assert np.abs(shares(kept)[[0, 4]] - 0.5).max() <= TOLERANCE


def test_a_person_less_changes_nobody_elses_first_rows() -> None:
    who = np.array([1, 2, 1, 3, 2, 1, 3])
    kept = keep_first(who, 2)
    others = who != 2
    assert (keep_first(who[others], 2) == kept[others]).all()


def test_names_and_missing_people() -> None:
    assert keep_first(np.array(["b", "a", "b", "b"]), 1).tolist() == [True, True, False, False]
    assert keep_first(np.array([math.nan, 1.0, math.nan]), 1).tolist() == [False, True, False]
    assert keep_first(np.array([], dtype=np.int64), 3).size == 0


def test_bad_input_is_refused() -> None:
    bits = RandomBits.from_seed(1)
    with pytest.raises(BadParameter):
        keep_first(np.array([1]), 0)
    with pytest.raises(BadData):
        keep_first(np.array([[1]]), 1)
    with pytest.raises(BadData):
        keep_groups(np.array([1]), np.array([1, 2]), 1, bits)

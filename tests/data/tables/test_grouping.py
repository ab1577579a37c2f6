"""Grouping and packing: the same groups as plain Python, in the order of the columns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.grouping import LARGEST_KEY, add_up, group_by, pack


@given(st.lists(st.integers(0, 40), max_size=30), st.sampled_from([41, 10**6]))
def test_groups_are_those_of_equal_keys(keys: list[int], span: int) -> None:
    """A small span is addressed directly, a large one is sorted."""
    found = group_by(np.array(keys, dtype=np.int64), span)
    distinct = sorted(set(keys))
    assert found.number == len(distinct)
    assert found.group.tolist() == [distinct.index(key) for key in keys]
    assert [keys[i] for i in found.first] == distinct


@given(st.integers(0, 4), st.integers(0, 12), st.data())
def test_packed_keys_are_equal_and_ordered_as_the_columns_are(width: int, length: int, data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.sampled_from([1, 2, 3, 2**31, 2**40]), min_size=width, max_size=width))
    columns = [
        data.draw(st.lists(st.integers(0, min(size, 5) - 1), min_size=length, max_size=length)) for size in sizes
    ]
    keys = pack([np.array(column, dtype=np.int64) for column in columns], sizes, length)
    rows = list(zip(*columns, strict=True)) if width else [()] * length
    assert keys.span <= LARGEST_KEY
    assert all(0 <= key < keys.span for key in keys.key)
    for i in range(length):
        for j in range(length):
            assert (keys.key[i] < keys.key[j]) == (rows[i] < rows[j])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2**40)), max_size=20))
def test_sums_are_exact(pairs: list[tuple[int, int]]) -> None:
    group, amounts = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in range(2))
    assert add_up(group, amounts, 5).tolist() == [sum(a for g, a in pairs if g == wanted) for wanted in range(5)]

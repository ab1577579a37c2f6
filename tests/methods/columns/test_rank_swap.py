import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.randomness.tolerance import LOG, frequencies_fit

from tacit.data.columns import columns_of
from tacit.errors import BadData, BadParameter
from tacit.methods.columns.rank_swap import RankSwap, partners, rank_swap
from tacit.randomness.stream import RandomBits


@given(st.integers(1, 60), st.integers(2, 20), st.integers(0, 1000))
def test_partners_are_a_permutation_within_the_width(size, width, seed):
    found = partners(size, width, RandomBits.from_seed(seed))
    assert sorted(found) == list(range(size))
    assert all(abs(i - j) <= width - 1 for i, j in enumerate(found))
    assert set(np.flatnonzero(found == np.arange(size))) <= {0, size - 1}


@pytest.mark.slow
def test_the_partner_of_the_lowest_rank_has_the_law_that_borders_and_pairs_give_it():
    """Width 4 of 4 ranks: by the offset, the lowest rank shares its block with 3, 2, 1 or no others."""
    bits = RandomBits.from_seed(5)
    drawn = np.array([partners(4, 4, bits)[0] for _ in range(8000)])
    law = np.array([1, 1 / 3 + 1 / 2 + 1, 1 / 3 + 1 / 2, 1 / 3]) / 4
    assert frequencies_fit(drawn, law)
    assert not frequencies_fit(drawn, np.array([0, 1, 1, 1]) / 3)


def test_ranks_move_as_far_as_theory_says():
    """Within a whole block of even width w the mean squared distance of partners is w (w + 1) / 6."""
    width, blocks = 8, 20_000
    found = partners(width * blocks, width, RandomBits.from_seed(6))
    moved = (found - np.arange(found.size)) ** 2
    inner = moved[width:-width].mean()
    # Blocks are independent, each mean lies within 0 and (w - 1)**2: Hoeffding.
    tolerance = (width - 1) ** 2 * math.sqrt(LOG / (2 * (blocks - 3)))
    assert abs(inner - width * (width + 1) / 6) <= tolerance
    for other in (6, 10):
        assert abs(inner - other * (other + 1) / 6) > tolerance


CELLS = st.lists(st.integers(-5, 5) | st.none(), min_size=2, max_size=40)


@given(CELLS.filter(lambda cells: len(cells) - cells.count(None) != 1), st.integers(50, 100), st.integers(0, 99))
def test_the_column_keeps_its_numbers_and_its_gaps(cells, percent, seed):
    numbers = np.array([np.nan if cell is None else cell for cell in cells], dtype=float)
    found = rank_swap(columns_of({"x": numbers}), RankSwap(percent=percent), RandomBits.from_seed(seed))["x"].values
    assert np.array_equal(np.isnan(found), np.isnan(numbers))
    assert np.array_equal(np.sort(found), np.sort(numbers), equal_nan=True)


def test_no_number_travels_further_than_promised():
    numbers = np.random.default_rng(1).permutation(1000).astype(float)
    found = rank_swap(columns_of({"x": numbers}), RankSwap(percent=2), RandomBits.from_seed(7))["x"].values
    assert np.abs(found - numbers).max() <= 20
    assert np.abs(found - numbers).max() > 15
    assert (found == numbers).sum() <= 2


def test_each_column_is_swapped_by_itself():
    numbers = np.arange(500.0)
    found = rank_swap(columns_of({"x": numbers, "y": numbers}), RankSwap(percent=10), RandomBits.from_seed(8))
    assert not np.array_equal(found["x"].values, found["y"].values)


def test_what_would_not_move_is_refused():
    with pytest.raises(
        BadParameter, match="less than one rank of the 10 numbers in column 'x'; it must be at least 10"
    ):
        rank_swap(columns_of({"x": np.arange(10.0)}), RankSwap(percent=5), RandomBits.from_seed(1))
    with pytest.raises(BadData, match="works on numbers"):
        rank_swap(columns_of({"x": ["a", "b"]}), RankSwap(percent=5), RandomBits.from_seed(1))

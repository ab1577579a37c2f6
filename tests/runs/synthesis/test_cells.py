"""Codes as cells: numbers lie in their bins, are drawn evenly, and have the digits that suit what is declared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.examples import draws, examples

from tacit.data.dataset import DeclaredColumn
from tacit.noise.answer import NoisyAnswer
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.randomness.stream import RandomBits
from tacit.runs.synthesis.cells import cells_of, decimals_of, labels_of


def numbers(bounds, decimals=None):
    return DeclaredColumn.parse("column", {"role": "sensitive", "bounds": list(bounds), "decimals": decimals})


def made(codes, size):
    column = np.asarray(codes, dtype=np.int64)[:, None]
    return SyntheticRows(NoisyAnswer(np.zeros(1), None, None), column, (size,), ((0,),))  # type: ignore[arg-type]


def values(column, codes, size):
    return cells_of(["x"], [column], made(codes, size), RandomBits.from_os())["x"].to_pylist()


@pytest.mark.parametrize(
    ("bounds", "bins", "decimals"),
    [
        ((0, 120), 20, 0),
        ((0, 1), 20, 4),
        ((0, 20), 20, 0),
        ((0, 19), 20, 3),
        ((0.5, 100.5), 10, 1),
        ((-1e9, 1e9), 10, 0),
    ],
)
def test_digits_follow_from_what_is_declared(bounds, bins, decimals):
    """Whole where both bounds are and a bin is 1 wide; else the least digits that give a bin a hundred numbers."""
    assert decimals_of(numbers(bounds), bins) == decimals
    assert decimals_of(numbers(bounds, 2), bins) == 2


@examples(60)
@given(st.floats(-1000, 1000), st.floats(0.01, 2000), st.integers(1, 30), st.none() | st.integers(0, 6), st.data())
def test_numbers_lie_in_their_bins(lower, width, bins, decimals, data):
    column = numbers((lower, lower + width), decimals)
    codes = data.draw(st.lists(st.integers(0, bins), min_size=1, max_size=20))
    step = 10.0 ** -decimals_of(column, bins)
    for code, value in zip(codes, values(column, codes, bins), strict=True):
        if code == bins:
            assert value is None
            continue
        low, high = lower + width * code / bins, lower + width * (code + 1) / bins
        # A bin without a multiple of the step takes the next one.
        assert low - 1e-6 * step - 1e-9 <= value <= max(high, low + step) + 1e-6 * step + 1e-9
        assert lower <= value <= lower + width


def test_all_numbers_of_a_bin_are_equally_likely():
    size = draws(4000)
    found = np.bincount(np.array(values(numbers((0, 9)), [0] * size, 1)), minlength=10)
    assert found.size == 10
    assert stats.chisquare(found).pvalue > 1e-9
    assert stats.chisquare(np.append(found[:9] + found[9] // 9, 0) + 0.1).pvalue < 1e-9, "a lost end would be noticed"


def test_categories_are_their_names():
    column = DeclaredColumn.parse("column", {"role": "sensitive", "categories": ["007", "b"]})
    assert values(column, [1, 0, 2], 2) == ["b", "007", None]
    assert labels_of(column, 2) == ("007", "b", "no value")
    assert labels_of(numbers((0, 10)), 2) == ("0 to 5", "5 to 10", "no value")


def test_whole_numbers_are_written_as_such():
    assert all(isinstance(value, int) for value in values(numbers((0, 120)), [0, 1], 20))
    assert all(isinstance(value, float) for value in values(numbers((0, 1)), [0, 1], 20))

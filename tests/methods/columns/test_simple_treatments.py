"""Rounding, top and bottom coding, samples: exact multiples, limits, every sample equally likely.

Covers methods/*/rounding, top_bottom_coding, methods/*/sample.
"""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.data.columns import columns_of
from tacit.errors import BadData, BadParameter, CannotGuarantee
from tacit.methods.columns.rounding import Rounding, round_columns
from tacit.methods.columns.sample import Sample, draw_sample
from tacit.methods.columns.top_bottom_coding import TopBottomCoding, code_ends
from tacit.randomness.stream import RandomBits

NUMBERS = st.lists(st.integers(-50, 50) | st.none(), min_size=1, max_size=30)


def as_floats(cells):
    return np.array([np.nan if cell is None else cell for cell in cells], dtype=float)


def rounded(values, seed=1, **params):
    return round_columns(columns_of({"x": values}), Rounding(**params), RandomBits.from_seed(seed))["x"].values


@given(NUMBERS, st.integers(1, 20))
def test_nearest_rounding_in_whole_numbers(cells, base):
    found = rounded(as_floats(cells), base=base)
    for cell, shown in zip(cells, found, strict=True):
        if cell is None:
            assert math.isnan(shown)
        else:
            assert shown == base * math.floor(Fraction(cell, base) + Fraction(1, 2))


def test_multiples_of_a_decimal_are_the_decimals():
    assert rounded(np.array([0.29, 0.31, 1.14]), base=0.1).tolist() == [0.3, 0.3, 1.1]
    assert rounded(np.array([7.0, 149_999.0]), base=1e5).tolist() == [0, 100_000]


@pytest.mark.parametrize(("value", "up"), [(13.0, 0.3), (-13.0, 0.7), (20.0, 0.0)])
def test_random_rounding_keeps_the_mean(value, up):
    found = rounded(np.full(50_000, value), base=10, kind="random")
    lower = 10 * math.floor(value / 10)
    assert set(found) <= {lower, lower + 10}
    tolerance = bernstein(up, found.size)
    assert abs((found > lower).mean() - up) <= tolerance
    assert abs((found > lower).mean() - (up + 0.05)) > tolerance


def test_rounding_refuses_what_it_can_not_keep_exact():
    with pytest.raises(BadData, match="column 'x' has numbers of more than"):
        rounded(np.array([1e20]), base=0.001)
    with pytest.raises(BadData, match="infinite"):
        rounded(np.array([math.inf]), base=1)
    with pytest.raises(BadParameter, match="base"):
        Rounding.parse("columns/rounding", {"base": 0})


def coded(values, **params):
    return code_ends(columns_of({"x": values}), TopBottomCoding(**params), RandomBits.from_seed(1))["x"].values


@given(NUMBERS, st.integers(-20, 0), st.integers(1, 20))
def test_declared_limits(cells, bottom, top):
    found = coded(as_floats(cells), bottom=bottom, top=top)
    for cell, shown in zip(cells, found, strict=True):
        assert math.isnan(shown) if cell is None else shown == min(max(cell, bottom), top)


@given(NUMBERS.filter(lambda cells: len(cells) > cells.count(None)), st.sampled_from([0.1, 0.25, 0.5, 0.9]))
def test_quantiles_are_the_least_numbers_that_leave_at_most_the_share(cells, share):
    there = [cell for cell in cells if cell is not None]
    most = Fraction(str(share)) * len(there)
    top = min(limit for limit in there if sum(cell > limit for cell in there) <= most)
    bottom = max(limit for limit in there if sum(cell < limit for cell in there) <= most)
    found = coded(as_floats(there), top_share=share)
    assert found.tolist() == [min(cell, top) for cell in there]
    assert coded(as_floats(there), bottom_share=share).tolist() == [max(cell, bottom) for cell in there]


def test_the_mean_of_the_end_keeps_the_total_and_needs_three():
    values = np.array([1.0, 2.0, 10.0, 20.0, 60.0])
    assert coded(values, top=5, replacement="mean").tolist() == [1, 2, 30, 30, 30]
    assert coded(values, top=100, replacement="mean").tolist() == values.tolist()
    with pytest.raises(CannotGuarantee, match="fewer than 3 numbers of column 'x'"):
        coded(values, top=15, replacement="mean")


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({}, "no end is coded"),
        ({"top": 1, "top_share": 0.1}, "not both"),
        ({"bottom": 1, "bottom_share": 0.1}, "not both"),
        ({"top": 1, "bottom": 1}, "bottom must be below top"),
        ({"top_share": 0.5, "bottom_share": 0.5}, "nothing would be left"),
    ],
)
def test_limits_that_make_no_sense_are_refused(params, words):
    with pytest.raises(BadParameter, match=words):
        TopBottomCoding.parse("columns/top-bottom-coding", params)


@pytest.mark.slow
def test_every_set_of_rows_is_equally_likely_to_be_the_sample():
    bits, sets = RandomBits.from_seed(3), list(combinations(range(4), 2))
    columns = columns_of({"x": np.arange(4.0), "y": ["a", "b", "c", "d"]})
    drawn = []
    for _ in range(6000):
        found = draw_sample(columns, Sample(size=2), bits)
        kept = found["x"].values.astype(int)
        assert found["y"].texts() == tuple("abcd"[i] for i in kept)
        drawn.append(sets.index(tuple(kept)))
    assert frequencies_fit(np.array(drawn), np.full(6, 1 / 6))
    assert not frequencies_fit(np.array(drawn), np.array([0.8, 1, 1, 1, 1, 1.2]) / 6)


def test_a_share_is_taken_exactly_and_never_empty():
    columns = columns_of({"x": np.arange(10.0)})
    bits = RandomBits.from_seed(1)
    assert draw_sample(columns, Sample(share=0.3), bits).rows == 3
    assert draw_sample(columns, Sample(share=0.01), bits).rows == 1
    assert draw_sample(columns, Sample(share=1), bits)["x"].values.tolist() == list(range(10))
    with pytest.raises(BadParameter, match="11 rows is asked for, but there are only 10"):
        draw_sample(columns, Sample(size=11), bits)
    with pytest.raises(BadParameter, match="either `share` or `size`"):
        Sample.parse("columns/sample", {})

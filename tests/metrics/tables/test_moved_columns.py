"""Numeric columns before and after a treatment: distance, bins, correlations, against scipy.

Covers total_variation, wasserstein, correlation.
"""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.examples import examples

from tacit.errors import BadData
from tacit.metrics.tables._columns import compare_columns, compare_correlations, correlations

NUMBERS = st.floats(-100, 100).map(lambda x: round(x, 3))
COLUMNS = arrays(np.float64, st.shared(st.integers(1, 12), key="rows"), elements=NUMBERS)
WEIGHTS = arrays(np.float64, st.shared(st.integers(1, 12), key="rows"), elements=st.integers(1, 4).map(float))


@examples(50)
@given(COLUMNS, COLUMNS, WEIGHTS)
def test_numbers_travel_as_scipy_says(before: np.ndarray, after: np.ndarray, weights: np.ndarray) -> None:
    found = compare_columns(before, after, weights)
    assert found.wasserstein == pytest.approx(
        scipy.stats.wasserstein_distance(before, after, weights, weights), abs=1e-9
    )
    assert 0 <= found.total_variation <= 1
    assert found.kullback_leibler >= 0


@examples(50)
@given(COLUMNS, WEIGHTS)
def test_weights_are_repetitions(column: np.ndarray, weights: np.ndarray) -> None:
    repeated = np.repeat(column, weights.astype(int))
    other = column[::-1].copy()
    plain = compare_columns(repeated, np.repeat(other, weights.astype(int)), bins=3)
    found = compare_columns(column, other, weights, bins=3)
    assert found.total_variation == pytest.approx(plain.total_variation)
    assert found.kullback_leibler == pytest.approx(plain.kullback_leibler)
    assert found.wasserstein == pytest.approx(plain.wasserstein, abs=1e-9)


def test_bins_hold_equal_parts_of_the_first_side() -> None:
    """Four bins of five of twenty numbers; the other side has all of them in the last."""
    before = np.arange(20.0)
    found = compare_columns(before, np.full(20, 99.0), bins=4)
    assert found.total_variation == pytest.approx(0.75)
    smooth = np.array([0.5, 0.5, 0.5, 20.5]) / 22
    assert found.kullback_leibler == pytest.approx(scipy.stats.entropy([0.25] * 4, smooth, base=2))
    assert found.wasserstein == pytest.approx(99 - before.mean())


def test_the_same_column_has_not_moved() -> None:
    column = np.array([1.0, np.nan, 3.0, 3.0])
    found = compare_columns(column, column)
    assert (found.total_variation, found.wasserstein) == (0, 0)


def test_missing_numbers_are_left_out() -> None:
    before, after = np.array([1.0, 2.0, np.nan]), np.array([np.nan, 2.0, 5.0])
    assert compare_columns(before, after).wasserstein == pytest.approx(2.0)
    with pytest.raises(BadData, match="no number"):
        compare_columns(before, np.full(3, np.nan))
    with pytest.raises(BadData, match="same rows"):
        compare_columns(before, after[:2])


@examples(50)
@given(arrays(np.float64, (8, 3), elements=st.integers(-5, 5).map(float)), st.integers(0, 5))
def test_correlations_are_pearsons(cells: np.ndarray, seed: int) -> None:
    weights = np.random.default_rng(seed).integers(1, 4, 8).astype(np.float64)
    found = correlations(cells, weights)
    varies = np.ptp(cells, axis=0) > 0
    repeated = np.repeat(cells, weights.astype(int), axis=0)
    for i in range(3):
        for j in range(3):
            expected = 1.0 if i == j else 0.0
            if i != j and varies[i] and varies[j]:
                expected = scipy.stats.pearsonr(repeated[:, i], repeated[:, j])[0]
            assert found[i, j] == pytest.approx(expected, abs=1e-9)


def test_a_change_of_correlations() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    before, after = np.stack([x, x, -x], axis=1), np.stack([x, -x, -x], axis=1)
    found = compare_correlations(before, after)
    assert (found.mean, found.highest) == pytest.approx((4 / 3, 2))
    assert compare_correlations(before * 1e-9 + 1, before).highest == pytest.approx(0, abs=1e-6)
    with pytest.raises(BadData, match="same shape"):
        compare_correlations(before, after[:, :2])


def test_rows_with_a_missing_number_are_left_out_of_their_pairs() -> None:
    cells = np.array([[1.0, 2.0, np.nan], [2.0, 1.0, 5.0], [3.0, 5.0, 7.0], [4.0, 4.0, 6.0]])
    found = correlations(cells, np.ones(4))
    assert found[0, 1] == pytest.approx(np.corrcoef(cells[:, 0], cells[:, 1])[0, 1])
    assert found[0, 2] == pytest.approx(np.corrcoef(cells[1:, 0], cells[1:, 2])[0, 1])

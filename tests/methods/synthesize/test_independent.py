"""Independent columns: what is measured, how many rows are made of it, and that columns are drawn apart."""

import math
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.examples import draws, examples

from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter
from tacit.methods.synthesize.independent import (
    MOST_ROWS,
    Independent,
    answer,
    error,
    estimated_rows,
    independent,
    shares_of,
    used,
    wanted,
    whole_counts,
)
from tacit.noise.consistency import with_total
from tacit.randomness.stream import RandomBits

AXES = [{"kind": "categories", "names": ["x", "y"]}, {"kind": "bins", "lower": 0, "upper": 4, "bins": 2}]
EXACT = Independent.parse("test", {"epsilon": 1e6, "axes": AXES})
"""So little noise that none is drawn: Pr[not 0] < 2 e**(-5 10**5)."""
ROWS = ["x", "y", None, "other", "x"], [0.0, 9.0, math.nan, 1.9, None]


def marginals(made):
    return [Counter(made.codes[:, axis].tolist()) for axis in range(made.codes.shape[1])]


def test_without_noise_every_column_is_the_one_that_was_given():
    made = independent(ROWS, EXACT, RandomBits.from_seed(1))
    assert marginals(made) == [Counter({0: 2, 1: 1, 2: 2}), Counter({0: 2, 1: 1, 2: 2})]
    assert made.noisy.values.tolist() == [2, 1, 2, 2, 1, 2]
    assert made.seeded


def test_a_database_gives_what_arrays_give():
    towns, ages = ["x", "y", None, "other", "x"] * 30, [0.0, 9.0, None, 1.9, None] * 30
    table = pa.table({"town": towns, "age": ages})
    params = Independent.parse("test", {"epsilon": 0.5, "axes": AXES, "delta": 1e-6})
    with DuckDB() as engine:
        found = engine.aggregates(Source("frame", frame=table), wanted(["town", "age"], params))
    one = answer(found, params, RandomBits.from_seed(7))
    other = independent([towns, ages], params, RandomBits.from_seed(7))
    assert one.codes.tolist() == other.codes.tolist()
    assert one.noisy.values.tolist() == other.noisy.values.tolist()


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_noise_is_made_for_what_one_row_moves(neighbours, columns):
    """All pairs of rows over three values in each column, by brute force: L1 and L2 of the difference of counts."""
    axes = [{"kind": "categories", "names": ["x", "y"]}] * columns
    params = Independent.parse("test", {"epsilon": 1.0, "axes": axes, "neighbours": neighbours})
    cells = [np.eye(3, dtype=int)[list(codes)].ravel() for codes in np.ndindex(*(3,) * columns)]
    if neighbours == "add-remove":
        moves = [np.abs(one) for one in cells]
    else:
        moves = [np.abs(one - other) for one in cells for other in cells]
    assert used(params).noise.rate * max(int(move.sum()) for move in moves) == 1
    gaussian = used(Independent.parse("test", {**params.model_dump(), "delta": 1e-6}))
    largest = max(math.sqrt(float((move**2).sum())) for move in moves)
    assert float(gaussian.event.sensitivity) == pytest.approx(largest, rel=1e-9)
    assert float(gaussian.event.sensitivity) >= largest


def test_rows_of_a_person_are_paid_for():
    one, three = (
        used(Independent.parse("test", {"epsilon": 1.0, "axes": AXES, "contributions": rows})).noise.rate
        for rows in (1, 3)
    )
    assert one == 3 * three


@examples(100)
@given(st.lists(st.floats(-50, 200), min_size=1, max_size=12), st.integers(1, 300), st.integers(1, 900))
def test_whole_counts_are_next_to_the_shares_of_the_nearest_counts(noisy, there, made):
    values = np.array(noisy)
    shares = shares_of(values, there)
    assert shares.sum() == pytest.approx(1)
    assert np.abs(shares * there - with_total(values, there)).max() <= 1e-9
    counts = whole_counts(shares, made)
    assert counts.sum() == made
    assert counts.min() >= 0
    assert np.abs(counts - shares * made).max() <= 1 + 1e-9


def test_a_table_of_another_length_keeps_the_shares():
    columns = [["x"] * 600 + ["y"] * 300 + [None] * 100, [1.0] * 1000]
    params = Independent.parse("test", {"epsilon": 1e6, "axes": AXES, "rows": 50})
    made = independent(columns, params, RandomBits.from_os())
    assert marginals(made) == [Counter({0: 30, 1: 15, 2: 5}), Counter({0: 50})]


def test_the_number_of_rows_is_weighted_by_precision():
    """Sums over m cells have variance m v; the unbiased weights of least variance are 1/m over their sum."""
    small, large = np.array([60.0, 44.0]), np.full(8, 12.0)
    assert estimated_rows([small, large]) == round((104 / 2 + 96 / 8) / (1 / 2 + 1 / 8))
    assert estimated_rows([np.array([-5.0])]) == 1
    assert estimated_rows([np.array([1e18])]) == MOST_ROWS


def test_a_number_of_rows_that_was_asked_for_is_made():
    params = Independent.parse("test", {"epsilon": 0.01, "axes": AXES, "rows": 17})
    assert independent(ROWS, params, RandomBits.from_os()).codes.shape == (17, 2)


def test_columns_are_drawn_apart():
    """Of two equal columns, half x and half y, as many rows stay equal as a random order gives: hypergeometric."""
    rows = 2 * draws(500)
    column = ["x", "y"] * (rows // 2)
    axes = [AXES[0], AXES[0]]
    made = independent(
        [column, column], Independent.parse("test", {"epsilon": 1e6, "axes": axes}), RandomBits.from_os()
    )
    both = int((made.codes == 0).all(axis=1).sum())
    law = stats.hypergeom(rows, rows // 2, rows // 2)
    assert law.ppf(5e-10) <= both <= law.isf(5e-10)
    assert not law.ppf(5e-10) <= rows // 2 <= law.isf(5e-10), "columns that stay together would be noticed"


def test_the_error_that_is_told_is_the_one_of_the_noise():
    """Geometric noise of rate 1/4 (epsilon 0.5, two columns): Pr[|X| > t] = 2 e**(-(t+1)/4) / (1 + e**(-1/4))."""
    params = Independent.parse("test", {"epsilon": 0.5, "axes": AXES})
    bound = error(params)
    beyond = [2 * math.exp(-(t + 1) / 4) / (1 + math.exp(-1 / 4)) for t in (bound, bound - 1)]
    assert beyond[0] <= 0.05 < beyond[1]


def test_bad_input_is_refused():
    with pytest.raises(BadData, match="2 columns"):
        independent([["x"]], EXACT, RandomBits.from_seed(1))
    with pytest.raises(BadData, match="differ in length"):
        independent([["x"], [1.0, 2.0]], EXACT, RandomBits.from_seed(1))
    with pytest.raises(BadParameter, match="axes"):
        Independent.parse("test", {"epsilon": 1.0, "axes": []})

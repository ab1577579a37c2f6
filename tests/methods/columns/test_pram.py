import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.data.columns import columns_of
from tacit.errors import BadData, BadParameter
from tacit.methods.columns._transition import exact_matrix, reversal
from tacit.methods.columns.pram import (
    Corner,
    Pram,
    epsilon_of,
    estimate,
    feasible_corners,
    invariant_matrix,
    is_feasible,
    randomise,
    symmetric_matrix,
)
from tacit.randomness.stream import RandomBits

ROWS = 60_000
UNEVEN = ((0.7, 0.2, 0.1), (0.1, 0.6, 0.3), (0.25, 0.25, 0.5))


def test_w43_the_symmetric_matrix_of_two_and_of_seven():
    two, seven = symmetric_matrix(2, 10), symmetric_matrix(7, 10)
    assert two[0, 0] == pytest.approx(0.9999546, abs=5e-8)
    assert two[0, 1] == pytest.approx(0.0000454, abs=5e-8)
    assert seven[3, 3] == pytest.approx(0.9997277, abs=5e-8)
    assert seven[3, 4] == pytest.approx(0.00004539, abs=5e-9)
    assert seven[3, 4] != pytest.approx(0.000123, abs=5e-7)


@pytest.mark.parametrize(("categories", "epsilon"), [(2, 0.5), (3, 1.0), (5, 3.0)])
def test_w43_the_epsilon_of_a_matrix(categories, epsilon):
    assert epsilon_of(symmetric_matrix(categories, epsilon)) == pytest.approx(epsilon)
    assert epsilon_of(UNEVEN) == pytest.approx(math.log(0.7 / 0.1))
    assert epsilon_of([[1, 0], [0.5, 0.5]]) == math.inf
    assert epsilon_of([[0.5, 0.5], [0.5, 0.5]]) == 0


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.floats(0.01, 5))
def test_w43_the_feasible_region_of_two_categories_is_where_the_matrix_promises_epsilon(p00, p11, epsilon):
    reached = epsilon_of([[p00, 1 - p00], [1 - p11, p11]])
    assume(abs(reached - epsilon) > 1e-9)
    assert is_feasible(Corner(p00, p11), epsilon) == (reached <= epsilon)


@given(st.floats(0.01, 5), st.integers(0, 3), st.floats(0, 1), st.floats(0.001, 0.5))
def test_w43_the_corners_enclose_the_feasible_region(epsilon, side, along, out):
    corners = feasible_corners(epsilon)
    one, other = corners[side], corners[(side + 1) % 4]
    edge = Corner(one.p00 + along * (other.p00 - one.p00), one.p11 + along * (other.p11 - one.p11))
    inner = Corner(0.5 + 0.999 * (edge.p00 - 0.5), 0.5 + 0.999 * (edge.p11 - 0.5))
    outer = Corner(0.5 + (1 + out) * (edge.p00 - 0.5), 0.5 + (1 + out) * (edge.p11 - 0.5))
    assert is_feasible(inner, epsilon)
    assert not is_feasible(outer, epsilon)
    assert all(corner.p00 + corner.p11 <= corners[2].p00 + corners[2].p11 for corner in corners)


def test_w43_the_unbiased_estimate_of_the_true_shares():
    true = np.array([0.5, 0.3, 0.2])
    observed = true @ np.array(UNEVEN)
    assert estimate(1e6 * observed, UNEVEN).shares == pytest.approx(true)
    assert estimate(1e6 * true, UNEVEN).shares != pytest.approx(true)


def test_w43_dependent_releases_share_their_epsilon():
    """T looks at one person's value multiply their odds, so T matrices of epsilon / T promise epsilon together."""
    one = symmetric_matrix(3, 1.5 / 4)
    together = np.array([np.outer(one[i], one[i]).ravel() for i in range(3)])
    for _ in range(2):
        together = np.array([np.outer(together[i], one[i]).ravel() for i in range(3)])
    ratios = together[:, None, :] / together[None, :, :]
    assert math.log(ratios.max()) == pytest.approx(1.5)


@pytest.mark.parametrize(("categories", "epsilon"), [(2, 1.0), (3, 0.7), (4, 2.0)])
def test_no_matrix_of_that_epsilon_keeps_more_truth(categories, epsilon):
    """A linear programme over all matrices: the largest mean of the diagonal under every ratio constraint."""
    cells, rows = categories**2, []
    for column in range(categories):
        for i in range(categories):
            for j in range(categories):
                if i != j:
                    row = np.zeros(cells)
                    row[i * categories + column], row[j * categories + column] = 1, -math.exp(epsilon)
                    rows.append(row)
    sums = np.kron(np.eye(categories), np.ones(categories))
    found = linprog(
        -np.eye(categories).ravel(), np.array(rows), np.zeros(len(rows)), sums, np.ones(categories), bounds=(0, 1)
    )
    assert np.trace(symmetric_matrix(categories, epsilon)) == pytest.approx(-found.fun, rel=1e-9)


def drawn_from(truth, params, seed=1):
    column = columns_of({"x": [truth] * ROWS})
    return randomise(column, params, RandomBits.from_seed(seed))["x"].codes.astype(np.int64)


@pytest.mark.parametrize("epsilon", [0.8, 2.0, 4.0])
def test_published_values_have_the_symmetric_law(epsilon):
    categories = ("a", "b", "c")
    for code, truth in enumerate(categories):
        drawn = drawn_from(truth, Pram(categories=categories, epsilon=epsilon))
        assert frequencies_fit(drawn, symmetric_matrix(3, epsilon)[code])
    for wrong in (0.8 * epsilon, 1.2 * epsilon):
        assert not frequencies_fit(drawn, symmetric_matrix(3, wrong)[2])


def test_published_values_have_the_law_of_a_given_matrix():
    params = Pram(categories=("a", "b", "c"), matrix=UNEVEN)
    for code, truth in enumerate("abc"):
        drawn = drawn_from(truth, params)
        assert frequencies_fit(drawn, np.array(UNEVEN[code]))
        assert not frequencies_fit(drawn, np.array(UNEVEN[(code + 1) % 3]))


def test_rows_with_zeros_and_ones_are_kept_exactly():
    params = Pram(categories=("a", "b", "c"), matrix=((1, 0, 0), (0, 0.5, 0.5), (0, 1, 0)))
    assert set(drawn_from("a", params)) == {0}
    assert set(drawn_from("b", params)) == {1, 2}
    assert set(drawn_from("c", params)) == {1}


@given(st.lists(st.integers(0, 50), min_size=3, max_size=3))
def test_invariant_matrices_leave_the_shares_as_they_are(counts):
    assume(sum(counts) > 0)
    found = invariant_matrix(UNEVEN, counts)
    assert found.sum(axis=1) == pytest.approx(np.ones(3))
    assert np.array(counts) @ found == pytest.approx(np.array(counts, dtype=float))
    exact = exact_matrix(UNEVEN)
    back = reversal(exact, tuple(counts))
    for k in range(3):
        total = sum(counts[i] * exact[i][j] * back[j][k] for i in range(3) for j in range(3))
        assert total == counts[k]
    assert all(sum(row) == 1 for row in back)


def test_invariant_pram_publishes_unbiased_shares_and_plain_pram_does_not():
    cells = np.repeat(["a", "b", "c"], [40_000, 15_000, 5_000])
    columns = columns_of({"x": cells})
    params = Pram(categories=("a", "b", "c"), matrix=UNEVEN, invariant=True)
    drawn = randomise(columns, params, RandomBits.from_seed(1))["x"].codes
    plain = randomise(columns, params.model_copy(update={"invariant": False}), RandomBits.from_seed(1))["x"].codes
    law = invariant_matrix(UNEVEN, [40_000, 15_000, 5_000])
    for code, rows in enumerate((slice(0, 40_000), slice(40_000, 55_000), slice(55_000, 60_000))):
        assert frequencies_fit(drawn[rows].astype(np.int64), law[code])
    shares = np.array([4, 1.5, 0.5]) / 6
    for code in range(3):
        assert abs((drawn == code).mean() - shares[code]) <= bernstein(0.5, ROWS)
        assert code != 0 or abs((plain == code).mean() - shares[code]) > bernstein(0.5, ROWS)


def test_estimates_are_as_far_from_the_truth_as_their_errors_say():
    truth = np.repeat([0, 1, 2], [30_000, 20_000, 10_000])
    columns = columns_of({"x": np.array(["a", "b", "c"])[truth]})
    matrix = symmetric_matrix(3, 1.0)
    drawn = randomise(columns, Pram(categories=("a", "b", "c"), epsilon=1.0), RandomBits.from_seed(9))["x"].codes
    found = estimate(np.bincount(drawn, minlength=3), matrix)
    true = np.array([3, 2, 1]) / 6
    # 6.2 deviations of a normal number; the stated errors also count the drawing of the people, so they are larger.
    assert (np.abs(found.shares - true) <= 6.2 * found.errors).all()
    assert (np.abs(np.bincount(drawn, minlength=3) / ROWS - true) > 6.2 * found.errors).any()
    lie, odds = 1 / (2 + math.e), math.e / (2 + math.e)
    shares = np.bincount(drawn, minlength=3) / ROWS
    assert found.errors == pytest.approx(np.sqrt(shares * (1 - shares) / ROWS) / (odds - lie))


def test_exact_matrices_are_normalised_in_fractions():
    third = 0.3333333333
    assert all(sum(row) == 1 for row in exact_matrix([[third, 1 - third], [0.1, 0.9]]))
    assert exact_matrix([[0.1, 0.9], [0.9, 0.1]])[0][0] == Fraction(1, 10)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[0.5, 0.6], [0.5, 0.5]], r"row 1 of the matrix adds up to 1\.1"),
        ([[1.5, -0.5], [0.5, 0.5]], "negative"),
        ([[0.5, 0.5]], "square"),
        ([[1.0]], "square"),
        ([[math.nan, 1], [0, 1]], "negative or not finite"),
    ],
)
def test_what_is_no_matrix_of_probabilities_is_refused(matrix, words):
    with pytest.raises(BadParameter, match=words):
        epsilon_of(matrix)


def test_what_can_not_be_randomised_is_refused():
    bits = RandomBits.from_seed(1)
    params = Pram(categories=("a", "b"), epsilon=1)
    with pytest.raises(BadData, match="column 'x' has 2 values that are not among the 2 declared") as caught:
        randomise(columns_of({"x": ["a", "zebra", ""]}), params, bits)
    assert "zebra" not in str(caught.value)
    with pytest.raises(BadData, match="works on categories"):
        randomise(columns_of({"x": [1.0]}), params, bits)
    with pytest.raises(BadParameter, match="no inverse"):
        estimate([1, 1], [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(BadData, match="one count"):
        estimate([1, 1, 1], [[0.5, 0.5], [0.4, 0.6]])
    for wrong, words in (
        ({"categories": ["a", "b"]}, "either `epsilon` or `matrix`"),
        ({"categories": ["a", "a"], "epsilon": 1}, "named twice"),
        ({"categories": ["a", "b"], "matrix": [[1.0]]}, "2 rows and columns"),
        ({"categories": ["a"], "epsilon": 1}, "categories"),
    ):
        with pytest.raises(BadParameter, match=words):
            Pram.parse("columns/pram", wrong)

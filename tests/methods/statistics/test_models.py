"""Covariance, regressions, k-means: intervals, oracles without noise, W33, the better beside the textbook.

Covers covariance, linear_regression, logistic_regression, k_means.
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.methods.statistics.answers import coverage, data_for
from tests.randomness.tolerance import bernstein

from tacit.accounting.account import account
from tacit.errors import BadParameter
from tacit.methods.statistics import (
    _moments,
    covariance,
    k_means,
    linear_regression,
    logistic_regression,
    textbook_k_means,
)
from tacit.methods.statistics._clusters import mean_square
from tacit.methods.statistics._logistic.minimum import minimum
from tacit.randomness.stream import RandomBits

SQUARE = {"lower": (0.0, 0.0), "upper": (1.0, 1.0)}
GENERATOR = np.random.default_rng(11)
TABLE = GENERATOR.multivariate_normal([50, 20], [[200, 60], [60, 50]], 3000).clip([0, 0], [100, 40])
BOUNDS = {"lower": (0.0, 0.0), "upper": (100.0, 40.0)}


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_intervals_of_covariances(delta, neighbours):
    params = covariance.Covariance(epsilon=1.0, delta=delta, neighbours=neighbours, **BOUNDS)
    truth = np.cov(TABLE.T, bias=True)
    runs = 300
    for shrink, holds in ((1.0, True), (0.5, False)):
        found = coverage(lambda bits: covariance.covariance(TABLE, params, bits), truth, runs, shrink=shrink)
        assert (abs(found - 0.955) <= 0.015 + bernstein(0.95, runs)) is holds


def test_gaussian_noise_serves_many_columns_better():
    """Ten columns: L1 grows as 66, L2 as its root, so from some delta on Gaussian noise is smaller."""
    box = {"lower": (0.0,) * 10, "upper": (1.0,) * 10}
    plain, smooth = (_moments.used(covariance.Covariance(epsilon=1.0, delta=d, **box)) for d in (0.0, 1e-6))
    assert float(smooth.noise.sigma) < 2**0.5 / float(plain.noise.rate)


def test_the_nearest_covariance_has_no_negative_eigenvalue():
    params = covariance.Covariance(epsilon=0.5, **BOUNDS)
    answers = [covariance.covariance(TABLE[:300], params, RandomBits.from_seed(seed)) for seed in range(30)]
    assert min(np.linalg.eigvalsh(answer.values).min() for answer in answers) < 0
    assert min(np.linalg.eigvalsh(answer.nearest).min() for answer in answers) >= -1e-6
    hardly = covariance.covariance(TABLE[:2], params, RandomBits.from_seed(1))
    whole, apart = hardly.interval(), ~np.eye(len(hardly.halves), dtype=bool)
    assert (whole.upper == np.outer(hardly.halves, hardly.halves)).all()
    assert (whole.lower[apart] == -whole.upper[apart]).all()
    assert (np.diag(whole.lower) == 0).all()


def test_a_line_through_many_rows_is_the_least_squares_line():
    rows = np.column_stack([TABLE, np.clip(0.3 * TABLE[:, 0] - 0.5 * TABLE[:, 1] + 30, 0, 100)])
    params = linear_regression.LinearRegression(epsilon=1e6, lower=(0, 0, 0), upper=(100, 40, 100))
    line = linear_regression.linear_regression(rows, params, RandomBits.from_seed(1))
    whole = np.column_stack([TABLE, np.ones(len(TABLE))])
    expected = np.linalg.lstsq(whole, rows[:, 2], rcond=None)[0]
    assert [*line.slopes, line.intercept] == pytest.approx(expected, rel=2e-3)
    assert line.predict(TABLE[:5]) == pytest.approx(rows[:5, 2], rel=1e-2)


def test_a_private_line_is_useful_and_noise_hurts():
    rows = np.column_stack([TABLE[:, 0], np.clip(0.5 * TABLE[:, 0] + 10, 0, 100)])

    def worst(epsilon):
        params = linear_regression.LinearRegression(epsilon=epsilon, lower=(0, 0), upper=(100, 100))
        seeds = (RandomBits.from_seed(seed) for seed in range(20))
        return np.mean([abs(linear_regression.linear_regression(rows, params, bits).slopes[0] - 0.5) for bits in seeds])

    assert worst(4.0) < 0.05 < worst(0.02)


def test_the_minimum_is_that_of_another_optimiser():
    params = logistic_regression.METHOD.example
    table = np.asarray(data_for("logistic-regression"))
    rows, signs = logistic_regression.scaled(table[:, :-1], params.box), np.where(table[:, -1] > 0.5, 1.0, -1.0)

    def objective(weights):
        return np.logaddexp(0, -signs * (rows @ weights)).sum() + params.regularisation / 2 * weights @ weights

    expected = minimize(objective, np.zeros(2), method="BFGS", options={"gtol": 1e-7}).x
    assert minimum(rows, signs, params.regularisation) == pytest.approx(expected, abs=1e-6)
    assert (np.linalg.norm(rows, axis=1) <= 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_intervals_of_logistic_weights(delta):
    params = logistic_regression.METHOD.example.model_copy(update={"delta": delta})
    table = np.asarray(data_for("logistic-regression"))
    signs = np.where(table[:, -1] > 0.5, 1.0, -1.0)
    truth = minimum(logistic_regression.scaled(table[:, :-1], params.box), signs, 10.0)
    for shrink, holds in ((1.0, True), (0.5, False)):
        found = coverage(
            lambda bits: logistic_regression.logistic_regression(table, params, bits), truth, 400, shrink=shrink
        )
        assert (found >= 0.94 - bernstein(0.94, 800)) is holds


def test_a_private_classifier_tells_most_rows_apart():
    table = np.tile(np.asarray(data_for("logistic-regression")), (10, 1))
    params = logistic_regression.LogisticRegression(epsilon=4.0, lower=(0.0,), upper=(100.0,), regularisation=5.0)
    model = logistic_regression.logistic_regression(table, params, RandomBits.from_seed(2))
    assert ((model.predict(table[:, :1]) > 0.5) == (table[:, 1] > 0.5)).mean() > 0.8


def test_w33_noise_of_rounds():
    """T = 5, epsilon = 2, a square of width 10: sizes 2 T / epsilon = 5, sums 2 T Dom / epsilon = 100."""
    params = textbook_k_means.TextbookKMeans(epsilon=2.0, lower=(0.0, 0.0), upper=(10.0, 10.0), k=3, rounds=5)
    noise = textbook_k_means.used(params)
    assert 1 / noise.sizes.noise.rate == 5
    assert 10 / noise.sums.noise.rate / (1 << 16) == 100
    answer = textbook_k_means.textbook_k_means(np.zeros((5, 2)), params, RandomBits.from_seed(1))
    assert account(answer.event).epsilon == 2.0


def test_the_grid_is_better_than_the_rounds_and_both_find_clusters_with_much_budget():
    rows = np.asarray(data_for("textbook-k-means"))
    middles = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])
    best = mean_square(rows, middles)

    def found(run, params):
        return np.median([mean_square(rows, run(rows, params, RandomBits.from_seed(s)).centres) for s in range(15)])

    grid = found(k_means.k_means, k_means.KMeans(epsilon=1.0, **SQUARE, k=3, guess=900))
    rounds = found(textbook_k_means.textbook_k_means, textbook_k_means.TextbookKMeans(epsilon=1.0, **SQUARE, k=3))
    assert grid < rounds
    assert grid < 2 * best
    much = k_means.KMeans(epsilon=1000.0, **SQUARE, k=3, guess=900)
    answer = k_means.k_means(rows, much, RandomBits.from_seed(1))
    assert mean_square(rows, answer.centres) < 1.05 * best
    assert sorted(answer.sizes) == pytest.approx([300] * 3, abs=6)
    assert np.bincount(answer.assign(rows)).tolist() == pytest.approx([300] * 3, abs=6)


@pytest.mark.parametrize("delta", [0.0, 0.5])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_with_much_budget_the_covariance_is_that_of_the_rows(delta, neighbours):
    params = covariance.Covariance(epsilon=1e4, delta=delta, neighbours=neighbours, **BOUNDS)
    found = covariance.covariance(TABLE, params, RandomBits.from_seed(3)).values
    assert found == pytest.approx(np.cov(TABLE.T, bias=True), rel=5e-3)


def test_many_rows_of_a_person_are_answered_or_refused_by_parameter():
    for contributions, answered in ((100, True), (1 << 20, False)):
        params = covariance.Covariance(epsilon=1.0, delta=1e-6, contributions=contributions, lower=(0,), upper=(1,))
        if answered:
            assert covariance.covariance(TABLE[:, :1], params, RandomBits.from_seed(4)).event is not None
        else:
            with pytest.raises(BadParameter, match="sigma"):
                covariance.covariance(TABLE[:, :1], params, RandomBits.from_seed(4))

"""Count, sum, mean, variance, histogram: worked examples, laws of the noise, intervals, error against theory.

Covers statistics/count, statistics/sum, statistics/mean, statistics/variance, statistics/histogram, histogram_mean,
truncated_mean, noise/axes, noise/consistency.
"""

import math
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import draws, examples
from tests.methods.statistics.answers import AGES, coverage, held, intervals_of
from tests.randomness.tolerance import bernstein, dkw, fits, gaussian_mass, laplace_mass

from tacit.errors import BadData, BadParameter
from tacit.methods.statistics import count, histogram, histogram_mean, mean, truncated_mean, variance
from tacit.methods.statistics import sum as sums
from tacit.methods.statistics._laplace_sum import sum_quantile, sum_tail
from tacit.noise.axes import Bins, Categories
from tacit.noise.consistency import not_negative, with_total
from tacit.noise.values import range_of, total, total_square
from tacit.randomness.stream import RandomBits

RUNS = draws(2000)
SALARIES = [1234, 1300, 1233, 1250, 1284, 2000, 2300, 2044, 2573, 2745, 2853, 2483, 3633, 3182, 3274, 3935]


def _scale(used, grid) -> float:
    return float(grid.step / used.noise.rate)


@pytest.mark.parametrize(("epsilon", "scale"), [(1.0, 2000), (0.4, 5000), (2.0, 1000)])
def test_w20_the_clamped_output_bounds_the_sensitivity(epsilon, scale):
    params = truncated_mean.METHOD.example.model_copy(update={"epsilon": epsilon})
    assert truncated_mean.sensitivity(params).l1 == 2000
    assert _scale(truncated_mean.used(params), truncated_mean.output_grid(params)) == pytest.approx(scale, rel=1e-4)


def test_w20_answers_keep_the_output_range():
    params = truncated_mean.METHOD.example
    found = [truncated_mean.truncated_mean(SALARIES, params, RandomBits.from_seed(seed)).value for seed in range(50)]
    assert min(found) == 2000
    assert max(found) == 4000


def test_w19_the_mean_of_many_rows():
    for rows, sensitivity in ((5, 19800), (10**6, Fraction(99, 1000))):
        params = truncated_mean.TruncatedMean(epsilon=1, lower=1000, upper=100000, least_rows=rows)
        assert truncated_mean.sensitivity(params).l1 == sensitivity
    salaries = [1000, 2000, 3000, 2000, 1000, 6000, 2000, 10000, 2000, 4000]
    params = truncated_mean.TruncatedMean(epsilon=1, lower=1000, upper=100000, least_rows=5)
    for values, expected in ((salaries, 3300), ([*salaries, 100000], 12090.91)):
        found = truncated_mean.mean_of(range_of(1000, 100000).totals(values), params)
        assert float(found) == pytest.approx(expected, abs=5e-3)


def test_w23_the_mean_from_a_histogram():
    axis = Bins(lower=1000, upper=4000, bins=3)
    counts = np.bincount(axis.codes(SALARIES))
    assert counts.tolist() == [5, 7, 4]
    assert histogram_mean.mean_of_counts(counts, axis.middles) == 2437.5
    assert np.mean(SALARIES) == 2332.6875
    noisy = counts + np.array([0.7534844, -0.6143575, -1.5725160])
    assert noisy == pytest.approx([5.753484, 6.385643, 2.427484], abs=1e-6)
    assert histogram_mean.mean_of_counts(noisy, axis.middles) == pytest.approx(2271.67, abs=5e-3)


@pytest.mark.parametrize(("factor", "fit"), [(1.0, True), (0.8, False), (1.2, False)])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_noise_of_cells_fits_its_law(neighbours, factor, fit):
    axes = (Bins(lower=0, upper=1, bins=60_000),)
    params = histogram.Histogram(epsilon=0.25, neighbours=neighbours, axes=axes)
    noise = histogram.from_counts(np.full(60_000, 9), params, RandomBits.from_seed(1)).noisy.values - 9
    scale = (4 if neighbours == "add-remove" else 8) * factor
    assert fits(noise, laplace_mass(scale), 300) is fit


@pytest.mark.parametrize(("factor", "fit"), [(1.0, True), (0.8, False), (1.2, False)])
def test_gaussian_noise_of_cells_fits_its_law(factor, fit):
    params = histogram.Histogram(epsilon=1.0, delta=1e-6, axes=(Bins(lower=0, upper=1, bins=60_000),))
    answer = histogram.from_counts(np.full(60_000, 9), params, RandomBits.from_seed(1))
    assert fits(answer.noisy.values - 9, gaussian_mass(float(answer.noisy.noise.sigma) * factor), 300) is fit


SCALARS = {
    "sum": (lambda bits: sums.noisy_sum(AGES, sums.Sum(epsilon=0.5, lower=-50, upper=100), bits).value, 18480, 200.0),
    "mean": (lambda bits: mean.mean(AGES, mean.Mean(epsilon=0.5, lower=0, upper=100), bits).above, 184.8, 2.0),
}


@cache
def noise_of(name):
    """What was added to the truth in many answers, in rising order."""
    ask, truth, _ = SCALARS[name]
    bits = RandomBits.from_seed(2)
    return np.sort([ask(bits) - truth for _ in range(RUNS)])


@pytest.mark.slow
@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize(("factor", "fit"), [(1, True), (0.5, False), (2, False)])
def test_the_noise_of_one_answer_fits_the_laplace_law(name, factor, fit):
    noise = noise_of(name) / (SCALARS[name][2] * factor)
    law = np.where(noise < 0, np.exp(noise) / 2, 1 - np.exp(-noise) / 2)
    found = np.searchsorted(noise, noise, side="right") / RUNS
    assert bool(np.abs(found - law).max() <= dkw(RUNS)) is fit


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "fit"), [(1, True), (0.5, False), (2, False)])
def test_the_noise_of_a_count_fits_the_geometric_law(factor, fit):
    bits = RandomBits.from_seed(2)
    noise = np.array([count.count(AGES > 30, count.Count(epsilon=0.5), bits).values[0] - 280 for _ in range(RUNS)])
    assert fits(noise, laplace_mass(2.0 * factor), 200) is fit


def _mean(bits, **more):
    return mean.mean(AGES, mean.Mean(epsilon=0.5, lower=0, upper=100, **more), bits)


def _variance(bits, **more):
    return variance.variance(AGES, variance.Variance(epsilon=0.5, lower=0, upper=100, **more), bits)


def _cells(bits, **more):
    params = histogram.Histogram(epsilon=0.5, axes=(Bins(lower=0, upper=100, bins=10),), **more)
    return histogram.histogram([AGES], params, bits)


MIDDLES = np.floor(AGES / 10) * 10 + 5
CELLS = np.bincount((AGES // 10).astype(int), minlength=10)
INTERVALS = {
    "count": (lambda bits: count.count(AGES > 30, count.Count(epsilon=0.5), bits), 280),
    "sum": (lambda bits: sums.noisy_sum(AGES, sums.Sum(epsilon=0.5, lower=0, upper=100), bits), AGES.sum()),
    "mean": (_mean, AGES.mean()),
    "mean of few": (
        lambda bits: mean.mean(AGES[:20], mean.Mean(epsilon=0.5, lower=0, upper=100), bits),
        AGES[:20].mean(),
    ),
    "mean, replace": (partial(_mean, neighbours="replace"), AGES.mean()),
    "truncated mean": (
        lambda bits: truncated_mean.truncated_mean(
            AGES, truncated_mean.TruncatedMean(epsilon=0.5, lower=0, upper=100, least_rows=400), bits
        ),
        AGES.mean(),
    ),
    "variance": (_variance, AGES.var()),
    "variance, replace": (partial(_variance, neighbours="replace"), AGES.var()),
    "histogram": (_cells, CELLS),
    "histogram mean": (
        lambda bits: histogram_mean.histogram_mean(
            AGES, histogram_mean.HistogramMean(epsilon=0.5, lower=0, upper=100, bins=10), bits
        ),
        MIDDLES.mean(),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_hold_the_truth_as_often_as_said_and_half_of_them_do_not(name):
    """94 to 97 % over 20,000 runs is for the benchmark; here the tolerance is that of fewer runs."""
    ask, truth = INTERVALS[name]
    runs = draws(600)
    intervals = intervals_of(ask, runs)
    assert 0.94 - bernstein(0.94, runs) <= held(intervals, truth) <= 0.97 + bernstein(0.97, runs)
    if name != "mean of few":
        assert held(intervals, truth, shrink=0.4) < 0.94 - bernstein(0.94, runs)


@pytest.mark.slow
def test_an_interval_of_few_rows_is_wide_but_true():
    """Three rows at epsilon 0.1: hardly anything is known, and the interval says so."""
    few = partial(mean.mean, AGES[:3], mean.Mean(epsilon=0.1, lower=0, upper=100))
    assert coverage(few, AGES[:3].mean(), 600) >= 0.94 - bernstein(0.94, 600)
    widths = [few(RandomBits.from_seed(seed)).error() for seed in range(50)]
    assert np.median(widths) > 25
    spread = variance.variance(AGES[:10], variance.Variance(epsilon=0.01, lower=0, upper=100), RandomBits.from_seed(1))
    assert (spread.interval().lower[0], spread.interval().upper[0]) == (0, 2500)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_error_of_the_mean_is_that_of_theory(neighbours):
    """A Laplace square has a variance of 5 sigma**4; six standard errors of its mean have a chance below 1e-8."""
    params = mean.Mean(epsilon=0.5, lower=0, upper=100, neighbours=neighbours)
    bits = RandomBits.from_seed(4)
    square = np.mean([(mean.mean(AGES, params, bits).value - AGES.mean()) ** 2 for _ in range(RUNS)])
    theory = mean.standard_error(params, AGES.size, AGES.mean() / 100) ** 2
    tolerance = 6 * math.sqrt(5 / RUNS)
    assert abs(square / theory - 1) <= tolerance
    assert abs(square / (2 * theory) - 1) > tolerance


@pytest.mark.slow
@examples(25)
@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=4), st.floats(0.05, 20))
def test_the_tail_of_a_sum_of_laplace_noises(scales, far):
    """Against the inversion of the characteristic function, Pr[|X| <= q] = 2/pi int sin(qt) phi(t) / t dt."""
    largest = max(scales)
    reach = far * largest
    points = np.linspace(1e-9, 4000 / largest, 800_001)
    phi = np.prod([1 / (1 + (scale * points) ** 2) for scale in scales], axis=0)
    inside = 2 / math.pi * np.trapezoid(np.sin(reach * points) / points * phi, points)
    assert sum_tail(scales, reach) == pytest.approx(1 - inside, abs=4e-3)


@pytest.mark.slow
@pytest.mark.parametrize("scales", [(1.0,), (1.0, 1.0), (3.0, 1.0, 0.5), (1.0,) * 4, (1.0,) * 12, tuple(range(1, 30))])
def test_quantiles_of_sums_hold_as_often_as_said(scales):
    draws = np.random.default_rng(1).laplace(0, 1, (200_000, len(scales))) @ np.array(scales)
    for level in (0.9, 0.95):
        inside = float((np.abs(draws) <= sum_quantile(scales, level)).mean())
        assert abs(inside - level) <= bernstein(level, draws.size) + 3e-3
        assert float((np.abs(draws) <= 0.8 * sum_quantile(scales, level)).mean()) < level - bernstein(level, draws.size)


@given(st.lists(st.integers(-(2**28), 2**28), max_size=50))
def test_sums_are_exact(numbers):
    steps = np.array(numbers, dtype=np.int64)
    assert total(steps) == sum(numbers)
    assert total_square(steps) == sum(number**2 for number in numbers)


def test_a_sum_does_not_depend_on_the_order_of_rows_and_floats_would():
    values = np.array([1e-3, 99.9, 1 / 3] * 1000)
    held = range_of(0, 100)
    assert total(held.steps(values)) == total(held.steps(np.sort(values)))
    assert float(np.add.reduce(values.astype(np.float32))) != float(np.add.reduce(np.sort(values).astype(np.float32)))


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.integers(1, 200))
def test_counts_with_a_known_total_are_the_nearest(counts, total_rows):
    """The solution is max(c - shift, 0) with the shift found by halving, a second way to the same point."""
    found = with_total(np.array(counts), total_rows)
    low, high = min(counts) - total_rows - 1.0, max(counts) + 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(np.array(counts) - middle, 0).sum() > total_rows else (low, middle)
    assert found == pytest.approx(np.maximum(np.array(counts) - low, 0), abs=1e-6)
    assert (not_negative(np.array(counts)) >= 0).all()


def test_a_histogram_of_two_axes_is_consistent():
    axes = (Bins(lower=0, upper=100, bins=4), Categories(names=("a", "b", "c")))
    rows = [AGES, np.array(["a", "b", "unheard of", "b"] * 100)]
    params = histogram.Histogram(epsilon=1.0, axes=axes, total=300)
    answer = histogram.histogram(rows, params, RandomBits.from_seed(5))
    assert answer.values.shape == (4, 3)
    assert answer.values.sum() == pytest.approx(300)
    assert answer.values.min() >= 0
    assert axes[1].position("b") == 1
    with pytest.raises(BadParameter, match="not a declared category"):
        axes[1].position("unheard of")


def test_rows_of_undeclared_categories_are_counted_nowhere():
    axes = (Categories(names=("b", "a")),)
    params = histogram.Histogram(epsilon=1e6, axes=axes)
    answer = histogram.histogram([np.array(["a", "x", "b", "a"])], params, RandomBits.from_seed(6))
    assert answer.values.tolist() == [1, 2]


def test_columns_that_do_not_match_the_axes_are_refused():
    params = histogram.METHOD.example
    for columns in ([AGES, AGES], []):
        with pytest.raises(BadData, match="one column for each axis"):
            histogram.histogram(columns, params, RandomBits.from_seed(7))
    with pytest.raises(BadData, match="10 cells"):
        histogram.from_counts(np.arange(3), params, RandomBits.from_seed(7))


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_with_much_budget_the_answer_is_the_statistic(neighbours):
    """At epsilon 1e5 the noise of each lies below a thousandth of what it is added to."""
    rows = np.random.default_rng(8).uniform(-20, 120, 500)
    clamped = np.clip(rows, 0, 100)
    shared = {"epsilon": 1e5, "lower": 0, "upper": 100, "neighbours": neighbours}
    bits = RandomBits.from_seed(9)
    assert sums.noisy_sum(rows, sums.Sum(**shared), bits).value == pytest.approx(clamped.sum(), rel=1e-3)
    assert mean.mean(rows, mean.Mean(**shared), bits).value == pytest.approx(clamped.mean(), rel=1e-3)
    assert variance.variance(rows, variance.Variance(**shared), bits).value == pytest.approx(clamped.var(), rel=1e-3)
    least = truncated_mean.TruncatedMean(**shared, least_rows=100)
    assert truncated_mean.truncated_mean(rows, least, bits).value == pytest.approx(clamped.mean(), rel=1e-3)

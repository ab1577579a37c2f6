"""Intervals and errors of quantiles, extremes, ranges, regression and choices: exact laws, coverage, accuracy first.

Covers statistics/quantiles, extremes, statistics/ranges, linear_regression, logistic_regression, best_choice,
best_candidate, clipping, keywords, itemsets.
"""

import math
from itertools import product

import numpy as np
import pytest
from tests.examples import draws
from tests.methods.statistics.answers import AGES, coverage, held, intervals_of
from tests.randomness.tolerance import bernstein

from tacit.errors import BadParameter
from tacit.methods.statistics import (
    best_candidate,
    best_choice,
    clipping,
    count,
    extremes,
    histogram,
    itemsets,
    keywords,
    linear_regression,
    logistic_regression,
    mean,
    mode,
    quantiles,
    ranges,
    truncated_mean,
    uniform_grid,
)
from tacit.methods.statistics import sum as sums
from tacit.methods.statistics._quantiles.crossing import crude_reach, reach
from tacit.randomness.stream import RandomBits

FIRST = [count, sums, truncated_mean, uniform_grid, histogram, mode, best_choice, keywords, itemsets, clipping]
FIRST += [quantiles, extremes, best_candidate, logistic_regression]


def _name(module):
    return module.__name__.rsplit(".", 1)[1]


@pytest.mark.parametrize("module", FIRST, ids=_name)
def test_the_least_epsilon_keeps_the_error_and_a_hundredth_less_does_not(module):
    params = module.METHOD.example
    top = 40.0 * module.error(params, 0.9) / 17
    found = module.METHOD.for_error(top, params, 400, level=0.9)
    assert module.error(found, 0.9) <= top
    assert module.error(found.model_copy(update={"epsilon": 0.98 * found.epsilon}), 0.9) > top * 0.98
    assert found.epsilon < params.epsilon


@pytest.mark.slow
def test_a_mean_can_be_asked_accuracy_first():
    """One Laplace noise of scale 100 / (1000 epsilon): 0.1 ln 20 / epsilon."""
    params = mean.Mean(epsilon=1.0, lower=0, upper=100, neighbours="replace")
    assert mean.error(params, 1000) == pytest.approx(0.1 * math.log(20), rel=1e-6)
    assert mean.METHOD.for_error(0.05, params, 1000).epsilon == pytest.approx(2 * math.log(20), rel=1e-6)
    within = mean.Mean(epsilon=1.0, lower=0, upper=100)
    answers = [mean.mean(np.full(1000, 50.0), within, RandomBits.from_seed(seed)).value for seed in range(800)]
    kept = np.mean(np.abs(np.array(answers) - 50) <= mean.error(within, 1000, 0.9))
    assert abs(kept - 0.9) <= bernstein(0.9, 800)


def _chances(regrets, rate):
    weights = np.exp(-float(rate) * np.asarray(regrets, dtype=float))
    return weights / weights.sum()


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_intervals_of_quantiles_hold_the_quantiles_of_the_rows(neighbours):
    """Counts that are cut around both quantiles serve both."""
    rows, runs = np.random.default_rng(5).gamma(5, 8, 3000).clip(0, 100), draws(60)
    shares = (0.25, 0.9)
    params = quantiles.Quantiles(
        epsilon=4.0, lower=0, upper=100, quantiles=shares, neighbours=neighbours, interval_share=0.5
    )
    truth = np.quantile(rows, shares)

    def ask(bits):
        return quantiles.quantiles(rows, params, bits)

    intervals = intervals_of(ask, runs)
    assert held(intervals, truth) >= 0.95 - bernstein(0.95, runs)
    assert held(intervals, truth, shrink=0.1) < 0.95 - bernstein(0.95, runs)
    answer = ask(RandomBits.from_seed(1))
    ends, wider = answer.interval(), answer.interval(0.999)
    assert ((ends.lower <= answer.values) & (answer.values <= ends.upper)).all()
    assert ((wider.lower <= ends.lower) & (ends.upper <= wider.upper)).all()
    assert np.diff(np.searchsorted(np.sort(rows), [ends.lower, ends.upper]), axis=0).max() < 150


@pytest.mark.slow
@pytest.mark.parametrize("rows", [np.full(2000, 37.0), np.repeat([3.0, 90.0], 1000), np.empty(0), [5.0]], ids=len)
def test_quantiles_of_hard_rows_are_held_and_found(rows):
    params = quantiles.Quantiles(epsilon=1.0, lower=0, upper=100, resolution=100, interval_share=0.5)
    bits, runs = RandomBits.from_seed(2), 150
    middle = float(np.median(rows)) if len(rows) else 50.0
    ends = [quantiles.quantiles(rows, params, bits).interval() for _ in range(runs)]
    assert np.mean([end.lower[0] <= middle <= end.upper[0] for end in ends]) >= 0.95 - bernstein(0.95, runs)
    if len(set(rows)) == 1 and len(rows) > 1:
        assert {(end.lower[0], end.upper[0]) for end in ends} == {(37.0, 37.0)}


def test_without_a_share_there_is_no_interval():
    params = quantiles.Quantiles(epsilon=2.0, lower=0, upper=100)
    assert quantiles.quantiles(AGES, params, RandomBits.from_seed(1)).interval() is None


@pytest.mark.parametrize("which", ["minimum", "maximum"])
def test_an_extreme_lies_beyond_every_row_hardly_ever(which):
    """All datasets of up to four values at five candidates, by the exact law; the worst has all rows at one place."""
    params = extremes.Extremes(epsilon=1.0, lower=0, upper=4, resolution=4, which=which)
    rate, worst = 0.5, 0.0
    for size, times in product((1, 2, 4), (1, 30)):
        for rows in product(range(5), repeat=size):
            places = np.repeat(rows, times)
            inner = 4 - places if which == "minimum" else places
            law = _chances(extremes.distances(places, params), rate)
            worst = max(worst, law[inner.max() + 1 :].sum())
    assert worst == pytest.approx(extremes.miss(params), rel=1e-12)
    assert worst <= 0.05


@pytest.mark.parametrize(("which", "truth"), [("maximum", 92.0), ("minimum", 3.0)])
def test_intervals_of_extremes(which, truth):
    params = extremes.Extremes(epsilon=1.0, lower=0, upper=100, resolution=100, which=which)
    assert coverage(lambda bits: extremes.extremes(AGES, params, bits), truth, 200) >= 0.95 - bernstein(0.95, 200)
    answer = extremes.extremes(AGES, params, RandomBits.from_seed(1))
    ends = answer.interval()
    assert (ends.upper[0] == 100) if which == "maximum" else (ends.lower[0] == 0)
    assert ends.upper[0] - ends.lower[0] < 40
    sure = answer.interval(0.9999)
    assert (sure.lower[0], sure.upper[0]) == (0, 100)


def test_the_outer_end_of_an_extreme_can_not_be_nearer():
    """A row at the bound is held with 95 %, so without it the bound is held with 1 - 0.05 e**epsilon at least."""
    params = extremes.Extremes(epsilon=1.0, lower=0, upper=100, resolution=100)
    bits = RandomBits.from_seed(2)
    ends = [extremes.extremes(AGES, params, bits).interval().upper[0] for _ in range(50)]
    assert np.mean(np.array(ends) == 100) >= 1 - 0.05 * math.e


RISING = np.random.default_rng(6).gamma(5, 8, 2000).clip(0, 100)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_intervals_of_quantiles_from_ranges(share):
    """At least 95 %; on smooth rows neighbouring borders must miss too."""
    params = ranges.Ranges(epsilon=0.5, lower=0, upper=100, bins=200, branching=6)
    truth, runs = float(np.quantile(RISING, share)), draws(300)

    def ask(bits):
        answer = ranges.ranges(RISING, params, bits)
        return type("Asked", (), {"interval": lambda self, level: answer.quantile_interval(share, level)})()

    intervals = intervals_of(ask, runs)
    assert held(intervals, truth) >= 0.95 - bernstein(0.95, runs)
    assert held(intervals, truth, shrink=0.3) < 0.95 - bernstein(0.95, runs)


def test_quantiles_from_ranges_are_near_and_wrong_shares_are_refused():
    params = ranges.Ranges(epsilon=5.0, lower=0, upper=100, bins=200, branching=6)
    answer = ranges.ranges(RISING, params, RandomBits.from_seed(3))
    assert answer.quantile(0.5) == pytest.approx(np.median(RISING), abs=1)
    nothing = ranges.ranges(np.empty(0), params, RandomBits.from_seed(3)).quantile_interval(0.5)
    assert nothing.lower[0] < nothing.upper[0]
    for wrong in (0.0, 1.0, -1.0, math.nan):
        with pytest.raises(BadParameter, match="share"):
            answer.quantile(wrong)
        with pytest.raises(BadParameter, match="share"):
            answer.quantile_interval(wrong)


@pytest.mark.slow
def test_the_crude_reach_is_never_below_the_true_one():
    params = ranges.Ranges(epsilon=1.0, lower=0, upper=1, bins=64, branching=4)
    answer = ranges.ranges(np.empty(0), params, RandomBits.from_seed(4))
    for share, level in product((0.1, 0.5), (0.5, 0.95, 0.999)):
        rising = answer.rising(share)
        assert max(reach(rising, z, level) for z in range(1, 64, 7)) <= crude_reach(rising, level)


def test_the_error_of_a_range_is_said_beforehand():
    params = ranges.Ranges(epsilon=1.0, lower=0, upper=1, bins=64, branching=4)
    answer = ranges.ranges(np.empty(0), params, RandomBits.from_seed(5))
    assert ranges.error(params, 3, 40) == pytest.approx(answer.between(3, 40).error())


NOISY_LINE = np.clip(0.5 * RISING + 20 + np.random.default_rng(7).normal(0, 5, RISING.size), 0, 100)


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_intervals_of_regression_coefficients(delta, neighbours):
    rows = np.column_stack([RISING, 100 - RISING[::-1], NOISY_LINE])
    params = linear_regression.LinearRegression(
        epsilon=4.0, delta=delta, neighbours=neighbours, lower=(0, 0, 0), upper=(100, 100, 100)
    )
    whole = np.column_stack([rows[:, :2], np.ones(len(rows))])
    truth, runs = np.linalg.lstsq(whole, rows[:, 2], rcond=None)[0], 400
    for shrink, holds in ((1.0, True), (0.5, False)):
        found = coverage(
            lambda bits: linear_regression.linear_regression(rows, params, bits), truth, runs, shrink=shrink
        )
        assert (abs(found - 0.955) <= 0.015 + bernstein(0.95, runs)) is holds


def test_where_the_noise_hides_the_line_nothing_is_claimed():
    params = linear_regression.LinearRegression(epsilon=0.1, lower=(0, 0), upper=(100, 100))
    rows = np.column_stack([RISING, NOISY_LINE])[:50]
    ends = linear_regression.linear_regression(rows, params, RandomBits.from_seed(6)).interval()
    assert np.isinf(ends.lower).all()
    assert np.isinf(ends.upper).all()

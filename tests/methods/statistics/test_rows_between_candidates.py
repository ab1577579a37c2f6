"""Many rows at a value that is no candidate: whatever chooses on a grid must find it, within half a step.

Covers statistics/quantiles, extremes, statistics/ranges, clipping, smooth_sensitivity, propose_test_release.
"""

import numpy as np
import pytest
from tests.methods.statistics.answers import held, intervals_of
from tests.methods.statistics.test_order_statistics import law, law_of_the_quantile, ranks_as_they_are
from tests.randomness.tolerance import ALPHA, bernstein

from tacit.methods.mechanisms._robust import Limits, order_statistic
from tacit.methods.statistics import clipping, extremes, quantiles, ranges
from tacit.methods.statistics._candidates import CandidatePoints
from tacit.methods.statistics._quantiles.crossing import crude_reach
from tacit.noise.grid import Grid
from tacit.randomness.stream import RandomBits

STEPS = 1000
PRICES = np.full(5000, 9.99), {"lower": 0, "upper": 100, "epsilon": 1.0}
ONES = np.full(5000, 1.0), {"lower": 0, "upper": 15, "epsilon": 1.0}
FEW = np.full(200, 7.3), {"lower": 0, "upper": 60, "epsilon": 10.0}
CHILDREN = np.repeat([1.0, 2.0], [750, 250]), {"lower": 0, "upper": 15, "epsilon": 1.0}
MASSES = {"prices": PRICES, "ones": ONES, "few": FEW, "children": CHILDREN}


def further_than_half_a_step(values, truth, params):
    half = (params.upper - params.lower) / STEPS / 2
    return np.abs(np.asarray(values) - truth) > half * (1 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("name", MASSES)
def test_a_quantile_between_candidates_is_found(name, share):
    """By the exact law, and by answers; ranks of the rows as they are would leave it to chance."""
    rows, asked = MASSES[name]
    params = quantiles.Quantiles(**asked, quantiles=(share,), resolution=STEPS)
    truth = np.quantile(rows, share, method="inverted_cdf")
    points, chances, _ = law_of_the_quantile(rows, params)
    far = further_than_half_a_step(points, truth, params)
    assert chances[far].sum() < ALPHA
    assert law(*ranks_as_they_are(rows, params), params, quantiles.ties(params))[far].sum() > 0.9
    answers = [quantiles.METHOD.run(rows, params, RandomBits.from_seed(seed)).value for seed in range(20)]
    assert not further_than_half_a_step(answers, truth, params).any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prices", "ones", "few"])
def test_several_quantiles_between_candidates_are_found(name):
    """Further away they would miss their ranks by a quarter of the rows or more, which is beyond the error."""
    rows, asked = MASSES[name]
    params = quantiles.Quantiles(**asked, quantiles=(0.25, 0.5, 0.75), resolution=STEPS)
    assert quantiles.error(params, 1 - ALPHA) < rows.size / 4
    answers = [quantiles.METHOD.run(rows, params, RandomBits.from_seed(seed)).values for seed in range(10)]
    assert not further_than_half_a_step(answers, rows[0], params).any()


@pytest.mark.parametrize("shares", [(0.5,), (0.25, 0.5, 0.75)], ids=len)
@pytest.mark.parametrize("name", ["prices", "ones", "few"])
def test_intervals_end_at_the_candidates_beside_the_rows(name, shares):
    """Half of the rows or a quarter lie beyond the other borders, and the noise of a count has scale 2 / epsilon."""
    rows, asked = MASSES[name]
    params = quantiles.Quantiles(**asked, quantiles=shares, resolution=STEPS, interval_share=0.5)
    points = CandidatePoints(params.lower, params.upper, STEPS).rising
    above = int(np.searchsorted(points, rows[0]))
    for seed in range(5):
        answer = quantiles.METHOD.run(rows, params, RandomBits.from_seed(seed))
        ends = answer.interval()
        assert set(zip(ends.lower.tolist(), ends.upper.tolist(), strict=True)) == {(points[above - 1], points[above])}
        assert ((ends.lower <= answer.values) & (answer.values <= ends.upper)).all()


CROWDS = np.repeat([49.9, 49.94, 50.0], [500, 300, 500])


@pytest.mark.slow
@pytest.mark.parametrize(("rounded", "holds"), [(False, True), (True, False)])
def test_intervals_hold_the_median_of_the_rows_as_they_are(rounded, holds, monkeypatch):
    """The median lies between two crowds, and is rounded to the first; counts of rounded rows would lose it."""
    if rounded:
        monkeypatch.setattr(CandidatePoints, "ranks", lambda self, rows, nearest: 2 * nearest)
    params = quantiles.Quantiles(epsilon=4.0, lower=0, upper=100, resolution=STEPS, interval_share=0.5)
    runs = 300
    found = held(intervals_of(lambda bits: quantiles.METHOD.run(CROWDS, params, bits), runs), np.median(CROWDS))
    assert (found >= 0.95 - bernstein(0.95, runs)) is holds


@pytest.mark.slow
@pytest.mark.parametrize("name", MASSES)
def test_by_default_whole_numbers_and_round_decimals_are_found_exactly(name):
    rows, asked = MASSES[name]
    params = quantiles.Quantiles(**asked)
    points, chances, _ = law_of_the_quantile(rows, params)
    truth = 10.0 if name == "prices" else np.median(rows)
    assert chances[points != truth].sum() < ALPHA


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_rows_at_candidates_are_chosen_by_the_law_that_they_had(epsilon, neighbours):
    """So nothing is lost on them: rounding moves none."""
    rows = np.random.default_rng(3).normal(38, 13, 1000).round().clip(17, 90)
    params = quantiles.Quantiles(epsilon=epsilon, lower=17, upper=90, resolution=73, neighbours=neighbours)
    _, chances, _ = law_of_the_quantile(rows, params)
    assert (chances == law(*ranks_as_they_are(rows, params), params, quantiles.ties(params))).all()


EQUAL = ["prices", "ones", "few"]


@pytest.mark.parametrize("which", ["minimum", "maximum"])
@pytest.mark.parametrize("name", EQUAL)
def test_an_extreme_between_candidates_is_found(name, which):
    """Rows were always rounded here: at a depth that is seldom missed, all candidates but the nearest miss it."""
    rows, asked = MASSES[name]
    depth = int(60 / asked["epsilon"])
    params = extremes.Extremes(**asked, which=which, resolution=STEPS, depth=depth)
    assert extremes.miss(params) < ALPHA
    gaps = extremes.distances(params.points.places(rows), params)
    assert np.sort(gaps)[:2].tolist() == [0, depth]
    answers = [extremes.METHOD.run(rows, params, RandomBits.from_seed(seed)).value for seed in range(20)]
    assert not further_than_half_a_step(answers, rows[0], params).any()


@pytest.mark.parametrize("bins", [7, 100, 1000])
@pytest.mark.parametrize("name", MASSES)
def test_a_median_from_bins_lies_in_the_bin_of_the_rows(name, bins):
    """A quarter of the rows on either side of its middle rank is more than the noise, and the line drawn between its
    borders stays within."""
    rows, asked = MASSES[name]
    params = ranges.Ranges(**{**asked, "epsilon": 10.0}, bins=bins)
    borders = np.linspace(params.lower, params.upper, bins + 1)
    place = int(np.searchsorted(borders, np.median(rows), side="right")) - 1
    for seed in range(10):
        answer = ranges.METHOD.run(rows, params, RandomBits.from_seed(seed))
        assert crude_reach(answer.rising(0.5), 1 - ALPHA) < rows.size / 4
        assert borders[place] <= answer.quantile(0.5) <= borders[place + 1]


@pytest.mark.parametrize("name", EQUAL)
def test_a_bound_to_clip_at_is_the_next_one_above_the_rows(name):
    """Below it no row is kept, and from it on all are: both lie further from the share than the error."""
    rows, asked = MASSES[name]
    bounds = tuple(np.linspace(asked["lower"], asked["upper"], STEPS + 1))
    params = clipping.Clipping(epsilon=10.0, bounds=bounds, share=0.5)
    assert clipping.error(params, 1 - ALPHA) < rows.size / 2
    for seed in range(10):
        answer = clipping.METHOD.run(rows, params, RandomBits.from_seed(seed))
        assert answer.bound == bounds[int(np.searchsorted(bounds, rows[0]))]


@pytest.mark.parametrize("name", EQUAL)
def test_noise_is_added_to_a_median_on_a_grid_which_no_few_rows_move(name):
    """Smooth sensitivity and propose-test-release choose nothing: what they add noise to is the rounded median."""
    rows, asked = MASSES[name]
    limits = Limits.of(asked["lower"], asked["upper"], Grid(-3))
    robust = order_statistic(rows, 0.5, limits, rows.size // 2 - 1)
    assert abs(robust.value / 8 - rows[0]) <= 1 / 16
    assert not robust.local[:-1].any()

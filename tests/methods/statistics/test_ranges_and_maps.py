"""Trees of counts and maps: consistency against least squares, intervals, shapes, pictures.

Covers statistics/ranges, uniform_grid, adaptive_grid, privtree.
"""

from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import draws
from tests.methods.statistics.answers import AGES, data_for, held, intervals_of
from tests.methods.statistics.paths import path_loss
from tests.randomness.tolerance import bernstein

from tacit.errors import BadParameter
from tacit.methods.statistics import adaptive_grid, privtree, ranges, uniform_grid
from tacit.methods.statistics._map import Map
from tacit.methods.statistics._places import split_corners
from tacit.randomness.stream import RandomBits

SQUARE = {"lower": (0.0, 0.0), "upper": (1.0, 1.0)}
POINTS = np.asarray(data_for("privtree"))


def tree(branching, levels):
    """The matrix that sums leaves to the nodes of all levels, from the top."""
    leaves = np.eye(branching**levels)
    return np.vstack(
        [leaves.reshape(branching**level, -1, leaves.shape[1]).sum(axis=1) for level in range(1, levels + 1)]
    )


@pytest.mark.parametrize(("branching", "levels"), [(2, 1), (2, 4), (3, 2), (4, 3)])
@given(seed=st.integers(0, 10**6))
def test_consistent_counts_are_those_of_least_squares(branching, levels, seed):
    sums = tree(branching, levels)
    noisy = np.random.default_rng(seed).normal(0, 10, len(sums))
    parts = np.split(noisy, np.cumsum([branching**level for level in range(1, levels)]))
    expected = np.linalg.lstsq(sums, noisy, rcond=None)[0]
    assert ranges.consistent(list(parts), branching) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 11), (0, 16)])
def test_the_weights_of_a_range_are_those_of_the_pseudo_inverse(first, last):
    params = ranges.Ranges(epsilon=1.0, lower=0, upper=100, bins=16, branching=2)
    answer = ranges.ranges(AGES, params, RandomBits.from_seed(1))
    found = np.array(answer.between(first, last).scales)
    expected = np.abs(np.linalg.pinv(tree(2, 4))[first:last].sum(axis=0)) * params.levels / params.epsilon
    assert (found**2).sum() == pytest.approx((expected**2).sum())
    assert answer.between(first, last).centre == pytest.approx(answer.values[first:last].sum())


def test_a_long_range_is_better_than_a_sum_of_cells():
    """The promise of the tree: 200 of 256 cells at noise 1 / epsilon each have a variance of 400."""
    params = ranges.Ranges(epsilon=1.0, lower=0, upper=100, bins=256, branching=16)
    answer = ranges.ranges(AGES, params, RandomBits.from_seed(2))
    assert 2 * sum(scale**2 for scale in answer.between(20, 220).scales) < 400 / 2


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_intervals_of_ranges(neighbours):
    params = ranges.Ranges(epsilon=1.0, lower=0, upper=100, bins=50, branching=4, neighbours=neighbours)

    def ask(bits):
        return ranges.ranges(AGES, params, bits).between(10, 40)

    truth = ((AGES >= 20) & (AGES < 80)).sum()
    runs = draws(600)
    intervals = intervals_of(ask, runs)
    assert 0.94 - bernstein(0.94, runs) <= held(intervals, truth) <= 0.97 + bernstein(0.97, runs)
    assert held(intervals, truth, shrink=0.5) < 0.94 - bernstein(0.94, runs)


def test_ranges_outside_are_refused():
    answer = ranges.ranges(AGES, ranges.METHOD.example, RandomBits.from_seed(3))
    for first, last in ((3, 3), (-1, 4), (0, 65)):
        with pytest.raises(BadParameter, match="range"):
            answer.between(first, last)


ADAPTIVE = adaptive_grid.AdaptiveGrid(epsilon=1.0, **SQUARE, guess=900)
MAPS = {
    "uniform": partial(uniform_grid.uniform_grid, POINTS, uniform_grid.UniformGrid(epsilon=1.0, **SQUARE, side=20)),
    "adaptive": partial(
        adaptive_grid.adaptive_grid, POINTS, adaptive_grid.AdaptiveGrid(epsilon=1.0, **SQUARE, guess=900)
    ),
    "privtree": partial(privtree.privtree, POINTS, privtree.PrivTree(epsilon=1.0, **SQUARE)),
}


@pytest.mark.parametrize("name", MAPS)
def test_cells_fill_the_rectangle_once(name):
    answer = MAPS[name](RandomBits.from_seed(4))
    assert (answer.high - answer.low).prod(axis=1).sum() == pytest.approx(1)
    probes = np.random.default_rng(1).uniform(0, 1, (200, 2))
    owners = ((probes[:, None] >= answer.low) & (probes[:, None] < answer.high)).all(axis=2).sum(axis=1)
    assert (owners == 1).all()


@pytest.mark.parametrize("name", MAPS)
def test_counts_are_about_right(name):
    """Noise of scale 2 at most on each of at most 1,500 cells; six of its standard deviations."""
    answer = MAPS[name](RandomBits.from_seed(5))
    truth = ((POINTS >= 0) & (POINTS < 0.5)).all(axis=1).sum()
    reach = 6 * np.sqrt(2 * 2.0**2 * len(answer.counts))
    assert abs(answer.count_in((0, 0), (0.5, 0.5)) - truth) <= reach
    assert abs(answer.counts.sum() - len(POINTS)) <= reach
    with pytest.raises(BadParameter, match="rectangle"):
        answer.count_in((0.5, 0.0), (0.5, 1.0))


def test_adaptive_maps_have_small_cells_where_rows_are():
    rows = np.concatenate([np.full((20_000, 2), 0.1) + np.random.default_rng(2).normal(0, 0.02, (20_000, 2))])
    grid = adaptive_grid.AdaptiveGrid(epsilon=1.0, **SQUARE, guess=20_000)
    for answer in (
        adaptive_grid.adaptive_grid(rows, grid, RandomBits.from_seed(6)),
        privtree.privtree(rows, privtree.PrivTree(epsilon=1.0, **SQUARE), RandomBits.from_seed(6)),
    ):
        areas = (answer.high - answer.low).prod(axis=1)
        near = (answer.low < 0.1).all(axis=1) & (answer.high > 0.1).all(axis=1)
        far = (answer.low < 0.9).all(axis=1) & (answer.high > 0.9).all(axis=1)
        assert areas[near].max() < areas[far].min()


def test_both_counts_of_a_cell_are_weighed_by_their_variances():
    """One coarse cell of 3 x 3: against least squares with weights alpha**2 and (1 - alpha)**2."""
    rough, fine, alpha = np.array([40.0]), np.arange(9.0), 0.3
    found = adaptive_grid.combined(rough, fine, np.array([3]), alpha)
    rows = np.vstack([alpha * np.ones(9), (1 - alpha) * np.eye(9)])
    expected = np.linalg.lstsq(rows, np.concatenate([alpha * rough, (1 - alpha) * fine]), rcond=None)[0]
    assert found == pytest.approx(expected)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=16))
def test_the_decisions_of_a_tree_cost_no_more_than_their_share(counts):
    """The exact loss of any path whose counts fall, and that the bound is not idle."""
    used = privtree.splitting(privtree.PrivTree(epsilon=2.0, **SQUARE, share=0.5))
    assert path_loss(sorted(counts, reverse=True), used) <= 1


def test_the_bound_of_a_tree_is_nearly_attained():
    used = privtree.splitting(privtree.PrivTree(epsilon=2.0, **SQUARE, share=0.5))
    assert max(path_loss([count] * 16, used) for count in range(1, 60)) > 0.5
    half = privtree.Splitting(used.scale / 2, used.lowered // 2)
    assert max(path_loss([count] * 16, half) for count in range(1, 60)) > 1


def test_a_map_is_a_picture_that_can_be_read_aloud():
    answer = MAPS["privtree"](RandomBits.from_seed(7))
    root = ElementTree.fromstring(answer.svg("Patients <by place>"))
    space = {"svg": "http://www.w3.org/2000/svg"}
    assert root.find("svg:title", space).text == "Patients <by place>"
    assert f"{len(answer.counts)} cells" in root.find("svg:desc", space).text
    assert len(root.findall(".//svg:rect", space)) == len(answer.counts)
    assert answer._repr_html_().startswith("<svg")


def test_the_darkest_cell_is_the_densest():
    answer = Map(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 1.0], [3.0, 1.0]]), np.array([5.0, 6.0]), None)
    root = ElementTree.fromstring(answer.svg())
    shades = [float(cell.get("fill-opacity")) for cell in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert shades[0] > shades[1] > 0


def test_the_side_of_a_uniform_grid_balances_noise_and_coarseness():
    params = uniform_grid.UniformGrid(epsilon=1.0, **SQUARE, guess=100_000)
    assert params.cells_a_side == 100
    for wrong in ({}, {"side": 3, "guess": 3}):
        with pytest.raises(BadParameter, match="either side"):
            uniform_grid.UniformGrid.parse("map", {"epsilon": 1.0, **SQUARE, **wrong})
    with pytest.raises(BadParameter, match="two"):
        uniform_grid.UniformGrid.parse("map", {"epsilon": 1.0, "lower": (0,), "upper": (1,), "side": 2})


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_rectangles_that_are_split_together_are_split_as_each_alone(sides, seed):
    generator = np.random.default_rng(seed)
    low = generator.normal(size=(len(sides), 2))
    high = low + generator.uniform(0.1, 3, size=low.shape)
    together = split_corners(low, high, np.array(sides))
    cells = [
        (one + np.array([x, y]) * size, one + np.array([x + 1, y + 1]) * size)
        for one, size, side in zip(low, (high - low) / np.array(sides)[:, None], sides, strict=True)
        for x in range(side)
        for y in range(side)
    ]
    np.testing.assert_array_equal(together[0], [lower for lower, _ in cells])
    np.testing.assert_array_equal(together[1], [upper for _, upper in cells])

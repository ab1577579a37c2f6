"""Intervals from tests at borders: tails and pairs against other formulas, the definition by hand, the hardest rows.

Covers statistics/quantiles, statistics/ranges.
"""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.randomness.tolerance import bernstein

from tacit.methods.statistics import ranges
from tacit.methods.statistics._candidates import CandidatePoints
from tacit.methods.statistics._laplace_sum import sum_tail
from tacit.methods.statistics._quantiles import crossing as _crossing
from tacit.methods.statistics._quantiles.crossing import RisingCounts, Stretch, chance_of, crossing, reach
from tacit.methods.statistics._quantiles.laplace_tail import tail_of
from tacit.methods.statistics._quantiles.ranked import rank_values
from tacit.methods.statistics._quantiles.surroundings import Surroundings, bin_counts, cuts
from tacit.randomness.stream import RandomBits


@pytest.mark.parametrize("scales", [(1.0,), (0.5, 3.0), (1.0, 2.0, 4.0), (1.0, 1.7, 2.9, 5.0)])
def test_tails_are_those_of_partial_fractions(scales):
    tail = tail_of(np.array(scales))
    for size in (0.0, 0.3, 1.0, 4.0, 15.0):
        far = sum_tail(scales, size) / 2
        assert tail.beyond(np.array([size, -size])) == pytest.approx([far, 1 - far], abs=1e-4)
    for chance in (0.4, 0.05, 0.01):
        assert sum_tail(scales, tail.reach(chance)) / 2 == pytest.approx(chance, rel=2e-3)


def flat(bins, border, share):
    """Weights of the noises of equal bins."""
    return np.where(np.arange(bins) < border, 1 - share, -share)


def worst_loss(own, other, reaches):
    """The bound of the module's docstring over a grid of x and y, and far beyond it, from drawn noises."""
    first, second = reaches
    apart = [*np.linspace(0, 1.5, 7) * first, 1e9]
    return max(
        np.mean((own < y - first) & (other < -x - second)) + np.mean((own > y + first) & (other > second - x))
        for x, y in product(apart, apart)
        if min(x, y) <= first
    )


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("bins", [4, 8, 20, 50])
def test_the_worst_loss_of_a_bin_is_what_the_level_leaves(bins, share):
    border, draws = max(1, round(bins * share) - 2), 150_000
    pair = flat(bins, border, share), flat(bins, border + 1, share)
    noise = np.random.default_rng(bins).laplace(0, 1, (draws, bins))
    chance = chance_of(*pair, 0.95)
    own, other = (noise @ weights for weights in pair)
    assert 0.025 <= chance <= 0.05
    for each, holds in ((chance, True), (0.0667, False)):
        found = worst_loss(own, other, [tail_of(weights).reach(each) for weights in pair])
        assert bool(abs(found - 0.05) <= bernstein(0.05, draws) + 2e-4) is holds


def test_of_two_borders_with_one_noise_each_may_miss_in_half():
    weights = flat(6, 3, 0.5)
    assert chance_of(weights, weights, 0.95) == pytest.approx(0.025, rel=1e-4)
    assert 0.049 <= chance_of(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.95) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.75])
@pytest.mark.parametrize("rate", [0.4, 1.0, 3.0])
def test_whole_number_noise_loses_no_more_by_exact_sums(rate, share):
    """Three bins, all noises up to where next to nothing is left, for all x and y that rows can give."""
    far = math.ceil(16 / rate)
    law = np.exp(-rate * np.abs(np.arange(-far, far + 1)))
    law /= law.sum()
    places = np.arange(-far, far + 1)
    first, second, third = np.meshgrid(places, places, places, indexing="ij")
    chances = np.einsum("i,j,k->ijk", law, law, law).ravel()
    total = share * (first + second + third)
    own, other = (first - total).ravel(), (first + second - total).ravel()
    counted = RisingCounts(np.zeros(4), lambda border: flat(3, border, share), 1 / rate, 2.0)
    near, next_one = (reach(counted, border, 0.95) for border in (1, 2))
    for x, y in product((0.0, 0.25, 0.5, 1.0, 2.0, 5.0, 1e9), repeat=2):
        below = (own < y - near) & (other < -x - next_one)
        above = (own > y + near) & (other > next_one - x)
        assert chances[below | above].sum() <= 0.05 + 1e-6


@pytest.mark.slow
@given(
    st.lists(st.integers(-60, 60), min_size=1, max_size=9), st.sampled_from([0.5, 0.2]), st.sampled_from([0.5, 0.95])
)
def test_the_stretch_is_that_of_its_definition(counts, share, level):
    around = Surroundings(np.array(counts, dtype=float), np.arange(len(counts) + 1.0), 4.0)
    rising, last = around._rising(share), len(counts)
    reaches = {z: reach(rising, z, level) for z in range(1, last)}
    low = [z for z in range(1, last) if rising.excess[z] >= -reaches[z]]
    high = [z for z in range(1, last) if rising.excess[z] <= reaches[z]]
    ends = sorted([min(low, default=last) - 1, max(high, default=0)])
    assert crossing(rising, level) == Stretch(*ends)
    assert all(far <= _crossing.crude_reach(rising, level) for far in reaches.values())


def test_a_higher_level_gives_a_wider_interval():
    around = Surroundings(np.array([9.0, 3.0, -2.0, 4.0, 8.0, 12.0]), np.arange(7.0), 2.0)
    found = [around.interval((0.5,), level) for level in (0.2, 0.5, 0.9, 0.99, 0.9999)]
    for near, wide in pairwise(found):
        assert wide.lower <= near.lower
        assert near.upper <= wide.upper
    assert found[0].upper - found[0].lower < found[-1].upper - found[-1].lower


HELD = CandidatePoints(0.0, 1000.0, 1000)
ROWS = {
    "one point": np.full(900, 412.0),
    "two far crowds": np.repeat([3.0, 990.0], [500, 500]),
    "two far crowds and one between": np.repeat([3.0, 7.0, 990.0], [500, 1, 500]),
    "a median alone between crowds": np.repeat([499.0, 500.0, 501.0], [500, 1, 500]),
    "the same within a step": np.repeat([499.0, 499.5, 500.0], [500, 1, 500]),
    "gaps that double": np.repeat(1000 - 2.0 ** np.arange(10), 30),
    "smooth": np.linspace(0, 1000, 801),
    "none": np.empty(0),
    "one": np.array([1000.0]),
    "few": np.array([2.0, 500.2, 500.4]),
}


def held_share(rows, place, shrink=1.0, draws=20_000):
    """How often the interval around this place holds the bin of the least median, by vectors; noise of epsilon 0.25."""
    ranked, cut = rank_values(rows, HELD, True), cuts(np.array([place]), HELD.resolution)
    counts = bin_counts(ranked, cut)
    rising = Surroundings(counts.astype(float), np.zeros(counts.size + 1), 4.0)._rising(0.5)
    reaches = np.array([shrink * reach(rising, border, 0.95) for border in range(1, counts.size)])
    generator = np.random.default_rng(place)
    noise = np.subtract(*generator.geometric(-math.expm1(-0.25), (2, draws, counts.size)))
    below = np.cumsum(counts + noise, axis=1)
    found = below[:, :-1] - below[:, -1:] / 2
    exact = np.cumsum(counts)[:-1] - counts.sum() / 2
    first = np.where((found >= -reaches).any(axis=1), (found >= -reaches).argmax(axis=1), counts.size - 1)
    last = np.where((found <= reaches).any(axis=1), counts.size - 1 - (found <= reaches)[:, ::-1].argmax(axis=1), 0)
    low, high = np.minimum(first, last), np.maximum(first, last)
    median = int((exact < 0).sum())
    return float(np.mean((low <= median) & (median <= high)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("place", [0, 3, 412, 499, 500, 1000])
def test_the_interval_holds_on_all_rows_wherever_the_bins_were_cut(name, place):
    assert held_share(ROWS[name], place) >= 0.95 - bernstein(0.95, 20_000)


@pytest.mark.slow
def test_on_the_hardest_rows_it_holds_hardly_more_often_and_a_shorter_reach_does_not_do():
    alone = ROWS["a median alone between crowds"]
    assert 0.95 - bernstein(0.95, 20_000) <= held_share(alone, 500) <= 0.96
    assert held_share(alone, 500, shrink=0.9) < 0.95 - bernstein(0.95, 20_000)


@pytest.mark.slow
def test_hardest_rows_for_quantiles_from_ranges():
    """Noise of the whole tree, by vectors: only the two borders of the lone median's bin are near 0."""
    params = ranges.Ranges(epsilon=0.5, lower=0, upper=100, bins=100, branching=10)
    answer = ranges.ranges(np.empty(0), params, RandomBits.from_seed(1))
    rising, draws = answer.rising(0.5), 50_000
    noise = np.random.default_rng(2).laplace(0, 1, (draws, rising.weights(1).size))
    own, other = (rising.scale * noise @ rising.weights(border) for border in (47, 48))
    near, far = (reach(rising, border, 0.95) for border in (47, 48))
    for factor, holds in ((1.0, True), (0.85, False)):
        below = (own < 0.5 - factor * near) & (other < -0.5 - factor * far)
        above = (own > 0.5 + factor * near) & (other > factor * far - 0.5)
        assert bool(0.94 <= 1 - np.mean(below | above) <= 0.97) is holds


def test_cuts_are_fine_near_a_place_and_coarse_far_away():
    found = cuts(np.array([500]), 1000)
    assert {1000, 1001, 998, 1003} <= set(found.tolist())
    assert found.size < 70
    assert cuts(np.array([0]), 1).tolist() == [1]
    assert (np.diff(cuts(np.array([2, 90]), 100)) > 0).all()


@given(st.lists(st.integers(0, 8), max_size=12), st.integers(0, 8))
def test_bins_are_counted_as_by_hand(values, place):
    held = CandidatePoints(0.0, 4.0, 4)
    rows, cut = np.array(values) / 2, cuts(np.array([place // 2]), 4)
    found = bin_counts(rank_values(rows, held, True), cut)
    # A row at candidate i lies after cut 2 i and before cut 2 i + 1, one between i and i + 1 after the latter.
    codes = 2 * np.floor(rows) + np.where(rows % 1 > 0, 1.5, 0.5)
    expected = [sum(low <= code < high for code in codes) for low, high in zip([-1, *cut], [*cut, 99], strict=True)]
    assert found.tolist() == expected

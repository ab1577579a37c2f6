"""Quantiles, extremes, mode: laws of the choice, ranks, ties.

Covers statistics/quantiles, extremes, statistics/mode.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import draws
from tests.methods.statistics.answers import AGES
from tests.randomness.test_selection import flip_law
from tests.randomness.tolerance import frequencies_fit

from tacit.accounting.account import account
from tacit.accounting.events import Exponential, Repeated
from tacit.accounting.exact import exact
from tacit.methods.mechanisms.permute_and_flip import worst_chance
from tacit.methods.statistics import extremes, mode, quantiles
from tacit.methods.statistics._candidates import CandidatePoints
from tacit.methods.statistics._quantiles.ranked import rank_values
from tacit.randomness.stream import RandomBits

ROWS = np.array([0, 1, 1, 2, 4, 4, 4])
BETWEEN = np.array([0.4, 0.6, 1.2, 1.9, 2.1, 3.5, 4.0])
GAPS = {"add-remove": np.array([3.0, 1.5, 0.0, 0.5, 1.5]), "replace": np.array([3.0, 1.5, 0.0, 0.5, 2.0])}
"""3.5 is so far from the middle ranks 0.5, 2, 3.5, 4 of 0, 1, 2, 3 in ROWS. The ranks [4, 7] of 4 are narrowed by the
error at 95 %, ln(4 / 0.1) / 2 < 2 rows where one comes or goes, to [5, 6], and where one is replaced to their middle,
5.5."""
GAPS_BETWEEN = np.array([3.0, 1.5, 0.5, 1.5, 2.5])
"""3.5 is so far from the middle ranks 0.5, 2, 4, 5, 6 of 0, 1, 2, 3, 4 in BETWEEN, which is rounded to 0, 1, 1, 2, 2,
4, 4."""


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "fit"), [(1.0, True), (0.5, False), (2.0, False)])
@pytest.mark.parametrize(
    ("rows", "gaps", "neighbours"),
    [(ROWS, GAPS["add-remove"], "add-remove"), (ROWS, GAPS["replace"], "replace"), (BETWEEN, GAPS_BETWEEN, "replace")],
    ids=["at candidates, add-remove", "at candidates, replace", "between candidates"],
)
def test_the_median_is_chosen_by_its_law(rows, gaps, neighbours, factor, fit):
    params = quantiles.Quantiles(epsilon=2.0, lower=0, upper=4, resolution=4, neighbours=neighbours)
    bits = RandomBits.from_seed(1)
    drawn = np.array([quantiles.quantiles(rows, params, bits).value for _ in range(draws(1500))]).astype(int)
    move = 0.5 if neighbours == "add-remove" else 1.0
    assert frequencies_fit(drawn, flip_law(gaps - gaps.min(), 2.0 * factor / (2 * move))) is fit


@pytest.mark.slow
def test_values_are_rounded_before_ranks_are_counted():
    """Rounded, the rows are 1 (five times) and 3 (twice): 3.5 lies in the narrowed ranks [1, 4] of 1, and 3.5, 1.5,
    2.5, 3.5 from the others. As they are, it would lie 3.5, 0.5, 1.5, 3.5, 3.5 from the ranks 0, 3, 5, 7, 7."""
    params = quantiles.Quantiles(epsilon=2.0, lower=0, upper=4, resolution=4)
    bits = RandomBits.from_seed(8)
    rows = [0.6, 0.6, 0.7, 1.2, 1.4, 2.6, 2.7]
    drawn = np.array([quantiles.quantiles(rows, params, bits).value for _ in range(4000)]).astype(int)
    assert frequencies_fit(drawn, flip_law(np.array([3.5, 0.0, 1.5, 2.5, 3.5]), 2.0))
    assert not frequencies_fit(drawn, flip_law(np.array([3.0, 0.0, 1.0, 3.0, 3.0]), 2.0))


_gauss = lru_cache(maxsize=8)(np.polynomial.legendre.leggauss)


def chances(regrets, rate):
    """The law of permute-and-flip where each candidate comes at a uniform moment t of its own: w_i times the integral
    of the product of 1 - t w_j over the others, a polynomial that Gauss and Legendre's sum integrates exactly."""
    weights = np.exp(-rate * regrets)
    points, parts = _gauss(weights.size // 2 + 1)
    misses = np.log1p(-np.outer((points + 1) / 2, weights))
    others = np.exp(misses.sum(axis=1, keepdims=True) - misses)
    return weights * (parts @ others) / 2


def test_both_laws_of_permute_and_flip_agree():
    assert chances(GAPS["replace"], 0.7) == pytest.approx(flip_law(GAPS["replace"], 0.7), rel=1e-12)


def law(below, upto, params, most_ties):
    """The chances of all candidates for the only quantile."""
    share = exact(params.quantiles[0])
    far = quantiles.gaps(below, upto, share, most_ties)
    return chances((far - far.min()).astype(float), float(quantiles.choice_rate(params, share)))


def ranks_as_they_are(rows, params):
    """How many rows lie below and up to each candidate: those of the twins, which do not round."""
    points = params.points.rising
    return [np.searchsorted(np.sort(rows), points, side=side) for side in ("left", "right")]


def law_of_the_quantile(rows, params):
    """The candidates and their chances: with narrowed ranks, and with those that ties make wide."""
    ranked = rank_values(rows, params.points, False)
    laws = [law(ranked.below, ranked.upto, params, most) for most in (quantiles.ties(params), 0)]
    return params.points.rising, *laws


def test_ties_at_their_middle_rank_halve_the_error_of_the_median():
    """Thirty rows at each of ten values: by the exact law, against ranks that ties make wide."""
    params = quantiles.Quantiles(epsilon=0.1, lower=0, upper=9, resolution=9)
    points, narrowed, wide = law_of_the_quantile(np.repeat(np.arange(11.0).clip(0, 9), 30), params)
    squares = (points - 5) ** 2
    assert 2 * narrowed @ squares < wide @ squares


def test_a_value_that_most_rows_share_does_not_lose_to_one_that_nobody_has():
    """The middle rank of 0, 300, is further from 500 than the rank of all values between, 600: the ranks stay wide."""
    params = quantiles.Quantiles(epsilon=0.2, lower=0, upper=10, resolution=10)
    _, narrowed, _ = law_of_the_quantile(np.repeat([0.0, 10.0], [600, 400]), params)
    assert narrowed[0] > 0.99


SMALL_FLOATS = st.floats(-3, 3, allow_nan=False)
SHARES = st.fractions(0, 1, max_denominator=10_000)


@given(
    st.lists(st.integers(-192, 192).map(lambda part: part / 64), max_size=12),
    st.sampled_from([1, 2, 4, 8, 16]),
    SHARES,
    st.integers(0, 5),
)
def test_ranks_of_rounded_rows_are_those_of_brute_force(values, resolution, share, most):
    """Bounds and values in which no float rounds: the nearest of all candidates, the greater of two."""
    held = CandidatePoints(-1.5, 2.5, resolution)
    points = [Fraction(point) for point in held.rising.tolist()]
    rows = [max(points, key=lambda point: (-abs(point - Fraction(value)), point)) for value in values]
    ranked = rank_values(values, held, False)
    found = quantiles.gaps(ranked.below, ranked.upto, share, most)
    for gap, point in zip(found.tolist(), points, strict=True):
        below, upto = sum(row < point for row in rows), sum(row <= point for row in rows)
        less = min(upto - below, most)
        low, high, target = below + share * less, upto - (1 - share) * less, share * len(rows)
        assert gap == max(low - target, target - high, 0) * share.denominator


ENDS = st.tuples(SMALL_FLOATS, SMALL_FLOATS).filter(lambda ends: ends[0] < ends[1])
APART = ENDS.filter(lambda ends: 10 * 2.0**-53 * max(map(abs, ends)) * 300 <= ends[1] - ends[0])
"""Bounds that leave room for 300 steps as a database counts them."""


@given(APART, st.integers(1, 300), st.lists(SMALL_FLOATS, max_size=9))
def test_rows_lie_at_and_between_the_candidates_by_exact_comparison(ends, resolution, values):
    held = CandidatePoints(*ends, resolution)
    points = held.rising
    near = np.concatenate([points, np.nextafter(points, -9), np.nextafter(points, 9), (points[1:] + points[:-1]) / 2])
    rows = held.clamped([*values, *near])
    expected = np.searchsorted(points, rows, side="left") + np.searchsorted(points, rows, side="right") - 1
    assert held.ranks(rows, held.nearest(rows)).tolist() == expected.tolist()
    counts = rank_values(rows, held, True).among
    assert counts.tolist() == np.bincount(expected, minlength=2 * resolution + 1).tolist()


@pytest.mark.parametrize("lower", [-1000, -7, 0, 17, 10**9])
def test_whole_numbers_between_whole_bounds_are_candidates_to_the_last_bit(lower):
    for width in range(1, 2001):
        points = extremes.Extremes(epsilon=1.0, lower=lower, upper=lower + width).points
        each, rest = divmod(points.resolution, width)
        assert (rest, 500 <= points.resolution <= 2000) == (0, True)
        assert (points.rising[::each] == np.arange(lower, lower + width + 1)).all()


@pytest.mark.parametrize(
    ("lower", "upper", "steps"), [(0, 60, 1200), (0, 100, 1000), (17, 90, 730), (0, 2000, 2000), (0, 2001, 1000)]
)
def test_steps_that_nobody_declared_are_about_a_thousand_and_round(lower, upper, steps):
    """Twentieths, tenths, tenths, units; and where units are too many, a thousand."""
    params = quantiles.Quantiles(epsilon=1.0, lower=lower, upper=upper)
    assert params.steps == steps == params.points.resolution
    assert params.model_copy(update={"resolution": 999}).steps == 999
    assert params.model_copy(update={"upper": upper + 0.5}).steps == 1000
    assert quantiles.Quantiles(epsilon=1.0, lower=0, upper=60).points.rising[146] == 7.3


@given(ENDS, st.integers(1, 1000))
def test_candidates_rise_from_bound_to_bound(ends, resolution):
    points = CandidatePoints(*ends, resolution).rising
    assert (np.diff(points) >= 0).all()
    assert (points[0], points[-1]) == ends


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
@pytest.mark.parametrize(("share", "neighbours", "move"), [(0.5, "add-remove", 0.5), (0.9, "replace", 1.0)])
def test_the_error_of_a_single_quantile_holds_for_the_worst_scores(share, neighbours, move, level):
    """All others behind the best by the error, by the exact chance; by four fifths of it that would not do."""
    params = quantiles.Quantiles(
        epsilon=0.5, lower=0, upper=1, quantiles=(share,), neighbours=neighbours, interval_share=0.0
    )
    rows = quantiles.error(params, level)
    assert worst_chance(math.exp(-0.5 * rows / (2 * move)), 1001) <= 1 - level
    assert worst_chance(math.exp(-0.5 * 0.8 * rows / (2 * move)), 1001) > 1 - level


@pytest.mark.parametrize("interval_share", [0.0, 0.5])
@pytest.mark.parametrize("shares", [(0.5,), (0.25, 0.5, 0.75)])
def test_all_choices_together_cost_epsilon(shares, interval_share):
    params = quantiles.Quantiles(epsilon=1.5, lower=0, upper=100, quantiles=shares, interval_share=interval_share)
    assert account(quantiles.cost(params)).epsilon == 1.5


@pytest.mark.slow
def test_ranks_of_many_quantiles_are_within_the_bound():
    shares = tuple(np.round(np.arange(0.05, 1, 0.05), 2))
    params = quantiles.Quantiles(epsilon=2.0, lower=0, upper=1, quantiles=shares, resolution=10_000)
    rows = np.random.default_rng(1).beta(2, 5, 20_000)
    answer = quantiles.quantiles(rows, params, RandomBits.from_seed(2))
    ranks = np.searchsorted(np.sort(rows), answer.values)
    assert np.abs(ranks - np.array(shares) * rows.size).max() <= quantiles.error(params, 0.999999) + 20
    assert (np.diff(answer.values) >= 0).all()
    assert account(answer.event).epsilon == 2.0


def test_nineteen_quantiles_cost_as_much_as_five():
    shares = tuple(np.round(np.arange(0.05, 1, 0.05), 2))
    params = quantiles.Quantiles(epsilon=2.0, lower=0, upper=1, quantiles=shares)
    assert quantiles.cost(params) == Repeated(Exponential(Fraction(2, 5)), 5)


def test_a_replaced_row_spends_one_choice_of_the_whole_range_at_each_level():
    """Not two of half the range: it may stay in one part, which it then moves by two steps; rho is twice as large."""
    params = quantiles.Quantiles(epsilon=2.0, lower=0, upper=1, quantiles=(0.25, 0.5, 0.75), neighbours="replace")
    assert quantiles.cost(params) == Repeated(Exponential(Fraction(1)), 2)
    # The median of a part: weights of exp(-rate distance in half rows), which a row moves by 2 half rows either way.
    assert 4 * quantiles.choice_rate(params, Fraction(1, 2)) == 1


def test_ties_do_not_shift_other_quantiles():
    """Six of ten rows are 50; the tenth and the ninetieth percentile lie among the others."""
    rows = np.concatenate([np.linspace(0, 40, 2000), np.full(6000, 50), np.linspace(60, 100, 2000)])
    params = quantiles.Quantiles(epsilon=4.0, lower=0, upper=100, quantiles=(0.1, 0.5, 0.9))
    found = quantiles.quantiles(rows, params, RandomBits.from_seed(3)).values
    assert found == pytest.approx([20, 50, 80], abs=1.5)


@pytest.mark.parametrize(("which", "sign"), [("maximum", 1), ("minimum", -1)])
def test_few_rows_lie_beyond_an_extreme_but_not_none(which, sign):
    rows = np.random.default_rng(4).uniform(20, 80, 5000)
    params = extremes.Extremes(epsilon=1.0, lower=0, upper=100, which=which, resolution=10_000)
    bits = RandomBits.from_seed(4)
    found = [extremes.extremes(rows, params, bits) for _ in range(100)]
    beyond = np.array([(sign * rows > sign * answer.value).sum() for answer in found])
    most = extremes.error(params, 1 - 1e-9) + 2
    assert np.abs(beyond - found[0].depth).max() <= most
    assert (beyond > 0).mean() > 0.5


def test_the_depth_is_the_error_at_95_percent():
    """999 candidates of weight w = e**(-depth / 2) against one of 1: 999 w / (1 + 999 w) <= 0.05."""
    params = extremes.Extremes(epsilon=1.0, lower=0, upper=100, resolution=999)
    assert extremes.depth(params) == math.ceil(2 * math.log(999 * 0.95 / 0.05))
    assert 0.03 <= extremes.miss(params) <= 0.05 < extremes.miss(params.model_copy(update={"depth": 19}))
    assert extremes.depth(params.model_copy(update={"depth": 3})) == 3


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "fit"), [(1.0, True), (0.5, False), (2.0, False)])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_mode_is_chosen_by_its_law(neighbours, factor, fit):
    params = mode.Mode(epsilon=1.0, categories=("a", "b", "c"), neighbours=neighbours)
    bits = RandomBits.from_seed(5)
    drawn = np.array([mode.from_counts(np.array([3, 5, 4]), params, bits).index for _ in range(draws(2500))])
    rate = factor * (1.0 if neighbours == "add-remove" else 0.5)
    assert frequencies_fit(drawn, flip_law(np.array([2, 0, 1]), rate)) is fit


def test_the_mode_of_a_column():
    rows = np.array(["b"] * 900 + ["a"] * 10 + ["not declared"] * 5000)
    params = mode.Mode(epsilon=1.0, categories=("a", "b"))
    assert mode.mode(rows, params, RandomBits.from_seed(6)).name == "b"
    assert mode.error(params) < 10


def test_the_median_of_a_column_is_near():
    params = quantiles.Quantiles(epsilon=4.0, lower=0, upper=100, resolution=100)
    assert quantiles.quantiles(AGES, params, RandomBits.from_seed(7)).value == pytest.approx(36.5, abs=2.5)


@pytest.mark.parametrize("epsilon", [1e-20, 1e-30, 1e-300])
def test_a_tiny_epsilon_gives_any_candidate_and_no_error_of_numbers(epsilon):
    """The error in ranks, ln(steps / 0.1) / epsilon, is then more than 2**63, beyond which no array counts rows."""
    params = quantiles.Quantiles(epsilon=epsilon, lower=0, upper=4, resolution=4)
    assert quantiles.error(params) > 2.0**63
    bits = RandomBits.from_seed(1)
    drawn = {quantiles.quantiles(ROWS, params, bits).value for _ in range(400)}
    # Each of five candidates is missed by all 400 draws with probability 0.8**400 < 1e-38.
    assert drawn == {0.0, 1.0, 2.0, 3.0, 4.0}


@given(
    st.integers(0, 5),
    st.lists(st.integers(0, 20), max_size=12),
    st.integers(0, 3),
    st.fractions("1/10", "9/10", max_denominator=10_000),
)
def test_runs_of_places_have_the_regrets_of_their_places(low, steps, beyond, share):
    """Places are never listed one by one; a run between two rows must have what each of its places has."""
    rows = low + np.sort(np.array(steps, dtype=np.int64))
    high = low + max(steps, default=0) + beyond
    part = quantiles._SortedPart(rows, low, high, Fraction(0), Fraction(1))
    runs = quantiles._runs(part)
    found = np.repeat(quantiles.gaps(runs.below, runs.upto, share), runs.length)
    places = range(low, high + 1)
    below = np.array([sum(rows < place) for place in places])
    upto = np.array([sum(rows <= place) for place in places])
    ranks = [(int(first), int(last)) for first, last in zip(below, upto, strict=True)]
    target = share * len(rows)
    far = [max(first - target, target - last, 0) * share.denominator for first, last in ranks]
    assert found.tolist() == far

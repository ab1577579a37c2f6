"""The noise of each statistic against brute force: what one unit of privacy moves, over all datasets of a small world.

`question(params)` is the exact vector before noise, in the units of the noise; `claim(params)` what it is calibrated
to. Both relations; one and two rows of a person.

Covers methods/statistics/*.
"""

from fractions import Fraction

import numpy as np
import pytest
from tests.methods.statistics.paths import path_loss

from tacit.methods.statistics import (
    _moments,
    adaptive_grid,
    best_candidate,
    best_choice,
    clipping,
    count,
    covariance,
    extremes,
    histogram,
    itemsets,
    k_means,
    keywords,
    logistic_regression,
    mean,
    mode,
    privtree,
    quantiles,
    ranges,
    textbook_k_means,
    truncated_mean,
    uniform_grid,
    variance,
)
from tacit.methods.statistics import sum as sums
from tacit.methods.statistics._candidates import CandidatePoints
from tacit.methods.statistics._clusters import nearest
from tacit.methods.statistics._logistic.minimum import minimum
from tacit.methods.statistics._quantiles.ranked import rank_values
from tacit.methods.statistics._quantiles.surroundings import bin_counts, cuts
from tacit.noise.axes import Bins, Categories, count_cells
from tacit.noise.values import range_of, total
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.exploration import World, global_sensitivity
from tacit.sensitivity.neighbours import RECORD, user

DOMAIN = (-7.0, 0.0, 3.3, 10.0, float("inf"))


def world(params, least=0, most=3):
    unit = RECORD if params.contributions == 1 else user(params.contributions)
    domain = DOMAIN if params.contributions == 1 else DOMAIN[::2]
    return World(domain, most=most, least=least, neighbours=params.neighbours, unit=unit)


def asked(kind, **more):
    return [
        kind(epsilon=1.0, neighbours="add-remove", contributions=1, **more),
        kind(epsilon=1.0, neighbours="add-remove", contributions=2, **more),
        kind(epsilon=1.0, neighbours="replace", contributions=1, **more),
    ]


def column(rows):
    return np.array(rows, dtype=np.float64)


@pytest.mark.parametrize("params", asked(count.Count))
def test_count(params):
    found = global_sensitivity(lambda rows: sum(row > 1 for row in rows), world(params))
    assert found.sensitivity <= count.used(params).event.sensitivity <= found.sensitivity * 2


@pytest.mark.parametrize("params", asked(sums.Sum, lower=-4.0, upper=10.0))
def test_sum(params):
    held = sums.range_for(params)
    found = global_sensitivity(lambda rows: total(held.steps(column(rows))), world(params))
    assert found.sensitivity <= sums.used(params).event.sensitivity
    if params.contributions == 1:
        assert found.sensitivity == sums.used(params).event.sensitivity


@pytest.mark.parametrize("params", asked(mean.Mean, lower=-4.0, upper=10.0))
def test_mean(params):
    held = range_of(-4.0, 10.0)

    def weights(rows):
        steps = held.steps(column(rows)) - held.low
        return [total(steps), total(held.width - steps)]

    found = global_sensitivity(
        (lambda rows: weights(rows)[0]) if params.neighbours == "replace" else weights, world(params)
    )
    assert found.sensitivity == mean.used(params).event.sensitivity


@pytest.mark.parametrize("params", asked(variance.Variance, lower=-4.0, upper=10.0)[:2])
def test_variance_weights(params):
    held = range_of(-4.0, 10.0)
    found = global_sensitivity(
        lambda rows: variance.weights(held.steps(column(rows)) - held.low, held.width), world(params)
    )
    assert found.sensitivity == variance.used(params).event.sensitivity


@pytest.mark.parametrize("params", asked(truncated_mean.TruncatedMean, lower=-4.0, upper=10.0, least_rows=2))
def test_truncated_mean_also_where_the_promise_of_rows_is_broken(params):
    def mean(rows):
        return float(truncated_mean.mean_of(range_of(-4.0, 10.0).totals(column(rows)), params))

    found = global_sensitivity(mean, world(params))
    assert found.sensitivity <= truncated_mean.sensitivity(params).l1 + Fraction(1, 10**6)
    if params.contributions == 1:
        assert found.sensitivity == pytest.approx(float(truncated_mean.sensitivity(params).l1), rel=1e-6)


AXES = (Bins(lower=0.0, upper=9.0, bins=3), Categories(names=("3.3", "10")))


@pytest.mark.parametrize("params", asked(histogram.Histogram, axes=AXES[:1]) + asked(histogram.Histogram, axes=AXES))
def test_histogram(params):
    columns = [column] * len(params.axes)
    found = global_sensitivity(lambda rows: count_cells([make(rows) for make in columns], params.axes), world(params))
    assert found.sensitivity == histogram.used(params).event.sensitivity


@pytest.mark.parametrize("ties", [0, 1, 2, 100])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)])
@pytest.mark.parametrize("params", asked(quantiles.Quantiles, lower=-4.0, upper=10.0, resolution=4))
def test_quantile_scores_move_by_no_more_than_the_choice_is_calibrated_to(params, share, ties):
    held = CandidatePoints(-4.0, 10.0, 4)

    def scores(rows):
        ranked = rank_values(column(rows), held, False)
        return quantiles.gaps(ranked.below, ranked.upto, share, ties)

    found = global_sensitivity(scores, world(params), "linf")
    calibrated = 1 / (2 * quantiles.choice_rate(params, share))
    assert found.sensitivity <= calibrated
    if params.neighbours == "add-remove" and params.contributions == 1:
        assert found.sensitivity == calibrated


@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize("params", asked(quantiles.Quantiles, lower=-4.0, upper=10.0, resolution=4, interval_share=0.5))
def test_counts_around_a_quantile(params, place):
    held, cut = CandidatePoints(-4.0, 10.0, 4), cuts(np.array([place]), 4)
    found = global_sensitivity(
        lambda rows: bin_counts(rank_values(column(rows), held, True), cut).astype(np.int64), world(params)
    )
    assert found.sensitivity == quantiles.used(params).event.sensitivity


@pytest.mark.parametrize("params", asked(quantiles.Quantiles, lower=1e15, upper=1e15 + 1, interval_share=0.5))
def test_counts_around_quantiles_whose_candidates_floats_make_one(params):
    """A row stands at 125 candidates at once, but counts at one of them."""
    held, cut = CandidatePoints(params.lower, params.upper, 1000), cuts(np.array([490, 510]), 1000)
    domain = tuple(1e15 + place / 8 for place in range(9))[:: params.contributions]
    unit = RECORD if params.contributions == 1 else user(params.contributions)
    found = global_sensitivity(
        lambda rows: bin_counts(rank_values(column(rows), held, True), cut),
        World(domain, most=2, neighbours=params.neighbours, unit=unit),
    )
    assert found.sensitivity == quantiles.used(params).event.sensitivity


@pytest.mark.parametrize("which", ["minimum", "maximum"])
@pytest.mark.parametrize("params", asked(extremes.Extremes, lower=-4.0, upper=10.0, resolution=4, depth=1))
def test_extreme_scores(params, which):
    held, params = CandidatePoints(-4.0, 10.0, 4), params.model_copy(update={"which": which})
    found = global_sensitivity(
        lambda rows: extremes.distances(held.places(column(rows)), params), world(params), "linf"
    )
    assert found.sensitivity == extremes.selection(params).sensitivity


@pytest.mark.parametrize("params", asked(mode.Mode, categories=("0.0", "3.3", "10.0")))
def test_mode_scores(params):
    axes = (Categories(names=params.categories),)
    found = global_sensitivity(lambda rows: count_cells([column(rows)], axes), world(params), "linf")
    assert found.sensitivity == mode.selection(params).sensitivity


def test_a_sum_that_is_not_clamped_is_caught():
    params = sums.Sum(epsilon=1.0, lower=-4.0, upper=10.0)
    wild = World((-40.0, 0.0, 10.0), most=3)
    held = sums.range_for(params)
    found = global_sensitivity(lambda rows: total(held.grid.steps(column(rows)).counts) if rows else 0, wild)
    assert found.sensitivity > sums.used(params).event.sensitivity


PLANE = ((0.0, 0.0), (1.0, 1.0), (0.3, 0.9), (float("nan"), 2.0))


def plane_world(params):
    unit = RECORD if params.contributions == 1 else user(params.contributions)
    domain = PLANE if params.contributions == 1 else PLANE[1:3]
    return World(domain, most=3, neighbours=params.neighbours, unit=unit)


def matrix(rows):
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2)


SQUARE = {"lower": (0.0, 0.0), "upper": (1.0, 1.0)}


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("params", asked(covariance.Covariance, **SQUARE))
def test_moments(params, norm):
    found = global_sensitivity(lambda rows: _moments.exact_moments(matrix(rows), params), plane_world(params), norm)
    claimed = _moments.moves(params)
    bound = claimed.l1 if norm == "l1" else float(claimed.l2)
    assert found.sensitivity <= bound
    if params.neighbours == "add-remove" and params.contributions == 1:
        assert found.sensitivity == pytest.approx(bound)


@pytest.mark.parametrize("params", asked(ranges.Ranges, lower=-4.0, upper=10.0, bins=4, branching=2))
def test_nodes_of_ranges(params):
    found = global_sensitivity(lambda rows: np.concatenate(ranges.node_counts(column(rows), params)), world(params))
    assert found.sensitivity == ranges.used(params).event.sensitivity


@pytest.mark.parametrize("params", asked(uniform_grid.UniformGrid, **SQUARE, side=2))
def test_cells_of_a_map(params):
    found = global_sensitivity(lambda rows: uniform_grid.cell_counts(matrix(rows), params), plane_world(params))
    assert found.sensitivity == uniform_grid.used(params).event.sensitivity
    grid = k_means.KMeans(**params.model_dump(exclude={"side", "guess"}), k=2, guess=100)
    found = global_sensitivity(lambda rows: k_means.cell_counts(matrix(rows), grid), plane_world(params))
    assert found.sensitivity == k_means.used(grid).event.sensitivity
    coarse = adaptive_grid.AdaptiveGrid(**params.model_dump(exclude={"side", "guess"}), guess=100)
    assert adaptive_grid.used(coarse, Fraction(1, 2)).event.sensitivity == found.sensitivity
    tree = privtree.PrivTree(**params.model_dump(exclude={"side", "guess"}))
    assert privtree.leaf_setting(tree).event.sensitivity == found.sensitivity


@pytest.mark.parametrize("params", asked(textbook_k_means.TextbookKMeans, **SQUARE, k=2))
def test_sizes_and_sums_of_clusters(params):
    centres = np.array([[0.0, 0.0], [65536.0, 65536.0]])

    def sums(rows):
        steps = params.box.steps(matrix(rows), 1 << 16)
        return textbook_k_means.cluster_sums(steps, nearest(steps.astype(np.float64), centres), 2)

    noise = textbook_k_means.used(params)
    for place, used in enumerate((noise.sizes, noise.sums)):
        found = global_sensitivity(lambda rows, place=place: sums(rows)[place].ravel(), plane_world(params))
        assert found.sensitivity <= used.event.sensitivity
        if params.neighbours == "add-remove":
            assert found.sensitivity == used.event.sensitivity


@pytest.mark.parametrize("goal", ["greatest", "least"])
@pytest.mark.parametrize("params", asked(best_choice.BestChoice, lower=0.0, upper=1.0, candidates=("a", "b")))
def test_scores_of_choices(params, goal):
    params = params.model_copy(update={"goal": goal})
    found = global_sensitivity(lambda rows: best_choice.score_sums(matrix(rows), params), plane_world(params), "linf")
    assert found.sensitivity == best_choice.selection(params).sensitivity


def test_scores_of_choices_move_in_one_direction():
    """What `monotonic` takes for granted, for all statistics that say so."""
    params = best_choice.BestChoice(epsilon=1.0, lower=0.0, upper=1.0, candidates=("a", "b"))
    here = best_choice.score_sums(matrix(PLANE[:2]), params)
    for more in PLANE:
        assert (best_choice.score_sums(matrix((*PLANE[:2], more)), params) >= here).all()


@pytest.mark.parametrize("share", [0.5, 0.95])
@pytest.mark.parametrize("params", asked(clipping.Clipping, bounds=(-5.0, 1.0, 4.0, 20.0)))
def test_questions_of_clipping(params, share):
    params = params.model_copy(update={"share": share})
    found = global_sensitivity(lambda rows: clipping.questions(column(rows), params), world(params), "linf")
    assert found.sensitivity <= clipping.sparse_vector(params).sensitivity
    assert found.sensitivity == clipping.sparse_vector(params).sensitivity or params.contributions > 1


BASKETS = (("a",), ("a", "b"), ("a", "b", "c"), ("c", "unheard of"))


def listed(rows):
    pairs = [(place, item) for place, row in enumerate(rows) for item in row]
    return [np.array([place for place, _ in pairs]), np.array([item for _, item in pairs], dtype=str)]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_supports_of_itemsets(neighbours, size):
    params = itemsets.Itemsets(epsilon=1.0, items=("a", "b", "c"), k=3, size=size, neighbours=neighbours)
    world = World(BASKETS, most=3, neighbours=neighbours)
    found = global_sensitivity(lambda rows: itemsets.supports(listed(rows), params), world, "linf")
    assert found.sensitivity == itemsets.selection(params).sensitivity
    chosen = global_sensitivity(lambda rows: itemsets.supports(listed(rows), params)[:3], world)
    assert chosen.sensitivity <= itemsets.used(params).event.sensitivity


@pytest.mark.parametrize("params", asked(best_candidate.BestCandidate, lower=0.0, upper=1.0, candidates=("a", "b")))
def test_scores_of_one_run(params):
    """A run tells one candidate's noisy sum, so the largest move of any single one counts."""
    found = global_sensitivity(lambda rows: best_choice.score_sums(matrix(rows), params), plane_world(params), "linf")
    assert found.sensitivity == best_candidate.used(params).event.sensitivity


@pytest.mark.parametrize("score", ["users", "rows"])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_w34_scores_of_keywords_by_users(neighbours, score):
    """Users write at most three words here, so that nothing is left to chance; the repeated word tells the scores
    apart."""
    users = (("a",), ("a", "a", "a"), ("a", "b", "c"), ("c", "unheard of"))
    params = keywords.Keywords(epsilon=1.0, vocabulary=("a", "b", "c"), k=1, most=3, score=score, neighbours=neighbours)
    found = global_sensitivity(
        lambda rows: keywords.keyword_scores(listed(rows), params, RandomBits.from_seed(1)),
        World(users, most=3, neighbours=neighbours),
        "linf",
    )
    assert found.sensitivity == keywords.selection(params).sensitivity == (1 if score == "users" else 3)


@pytest.mark.parametrize(
    "params", asked(logistic_regression.LogisticRegression, lower=(0.0,), upper=(1.0,), regularisation=0.5)
)
def test_weights_of_a_logistic_regression(params):
    def weights(rows):
        table = np.nan_to_num(matrix(rows))
        signs = np.where(table[:, 1] > 0.5, 1.0, -1.0)
        return minimum(logistic_regression.scaled(table[:, :1], params.box), signs, 0.5)

    step = float(logistic_regression.output_grid(params).step)
    for norm in ("l1", "l2"):
        found = global_sensitivity(weights, plane_world(params), norm)
        claimed = logistic_regression.moves(params)
        assert found.sensitivity <= float(claimed.l1 if norm == "l1" else claimed.l2) * step


def test_a_tree_that_does_not_lower_its_counts_is_caught():
    """The loss of a path of PrivTree, from the exact law of its noise: see `test_maps`."""
    params = privtree.PrivTree(epsilon=1.0, **SQUARE, depth=16)
    used = privtree.splitting(params)
    assert path_loss([40] * 16, used) <= 0.5
    assert path_loss([1000] * 16, used) <= 0.5
    assert path_loss([1] * 16, privtree.Splitting(used.scale, 0)) > 0.5

"""What each mechanism says of its error beforehand: against exact laws, at its worst, and the least epsilon for it.

Covers methods/mechanisms/*.
"""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.mechanisms.laws import argmax_law, laplace_law
from tests.methods.mechanisms.test_sparse_vector import chance_of, reaches
from tests.randomness.test_selection import flip_law
from tests.randomness.tolerance import bernstein

from tacit.catalogue import methods
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.mechanisms import (
    bounded_laplace,
    discrete_gaussian,
    exponential,
    finite_laplace,
    gaussian,
    geometric,
    laplace,
    noisy_max,
    permute_and_flip,
    propose_test_release,
    randomised_rounding,
    smooth_sensitivity,
    sparse_vector,
    top_k,
    truncated_laplace,
)
from tacit.noise.scores import loss_steps, score_rate
from tacit.randomness.stream import RandomBits

NUMBERS = [
    laplace,
    geometric,
    gaussian,
    discrete_gaussian,
    truncated_laplace,
    finite_laplace,
    randomised_rounding,
    bounded_laplace,
    propose_test_release,
]
CHOICES = [exponential, permute_and_flip, noisy_max, top_k, sparse_vector]


def _name(module):
    return module.__name__.rsplit(".", 1)[1]


def test_every_mechanism_says_its_error_and_all_but_one_can_be_asked_accuracy_first():
    """The noise of smooth sensitivity depends on the data, so no epsilon can be named beforehand."""
    names = {name.removeprefix("mechanisms/").replace("-", "_") for name in methods() if name.startswith("mechanisms/")}
    assert names == {_name(module) for module in [*NUMBERS, *CHOICES, smooth_sensitivity]}
    assert all(callable(module.error) for module in [*NUMBERS, *CHOICES, smooth_sensitivity])
    assert all(module.METHOD.error is module.error for module in [*NUMBERS, *CHOICES])
    with pytest.raises(BadParameter, match="not known beforehand"):
        smooth_sensitivity.METHOD.for_error(1.0, smooth_sensitivity.METHOD.example)


@pytest.mark.slow
@pytest.mark.parametrize("module", [*NUMBERS, *CHOICES], ids=_name)
@pytest.mark.parametrize("level", [0.8, 0.99])
def test_the_least_epsilon_keeps_the_error_and_a_hundredth_less_does_not(module, level):
    example = module.METHOD.example
    field = "rho" if module is discrete_gaussian else "epsilon"
    more = (20,) if module in CHOICES else ()
    top = 5.0 if module is bounded_laplace else 40.0
    found = module.METHOD.for_error(top, example, *more, level=level)
    assert module.error(found, *more, level) <= top
    less = found.model_copy(update={field: 0.99 * getattr(found, field)})
    assert module.error(less, *more, level) > top
    assert found.model_copy(update={field: getattr(example, field)}) == example


@pytest.mark.parametrize("module", [*NUMBERS, *CHOICES], ids=_name)
def test_errors_that_no_epsilon_keeps_and_nonsense_are_refused(module):
    more = (20,) if module in CHOICES else ()
    if module in (geometric, discrete_gaussian):
        assert module.error(module.METHOD.for_error(1e-12, module.METHOD.example)) == 0
    else:
        with pytest.raises(CannotGuarantee, match="less accuracy"):
            module.METHOD.for_error(1e-12, module.METHOD.example, *more)
    for wrong in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(BadParameter, match="error"):
            module.METHOD.for_error(wrong, module.METHOD.example, *more)
    with pytest.raises(BadParameter, match="level"):
        module.error(module.METHOD.example, *more, level=1.0)
    if more:
        with pytest.raises(BadParameter, match="whole number"):
            module.error(module.METHOD.example, 0)


def _exponential_law(regrets, rate):
    weights = np.exp(-rate * np.asarray(regrets, dtype=float))
    return weights / weights.sum()


LAWS = {
    "exponential": (exponential, _exponential_law),
    "permute-and-flip": (permute_and_flip, lambda regrets, rate: flip_law(np.asarray(regrets), rate)),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_loss_of_a_choice_is_exact_at_its_worst(name, level):
    """One best, four others as far behind: the bound is kept there, and one step less is not."""
    module, law = LAWS[name]
    params = module.METHOD.params(epsilon=0.7, sensitivity=1, grid=0)
    steps, rate = loss_steps(module.worst_chance, params, 5, level), float(score_rate(params))
    assert 1 - law([0] + [steps + 1] * 4, rate)[0] <= 1 - level
    assert 1 - law([0] + [steps] * 4, rate)[0] > 1 - level
    assert module.error(params, 5, level) == steps + 1
    assert module.error(params, 1, level) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=5), st.integers(0, 8))
def test_no_other_scores_are_worse(name, others, steps):
    module, law = LAWS[name]
    regrets = np.array([0, *others])
    lost = float(law(regrets, 0.4)[regrets > steps].sum())
    assert lost <= module.worst_chance(math.exp(-0.4 * (steps + 1)), regrets.size) + 1e-12


def test_permute_and_flip_loses_less():
    params = {"epsilon": 1, "sensitivity": 1, "grid": 0}
    plain = exponential.error(exponential.ExponentialMechanism(**params), 1000)
    flipped = permute_and_flip.error(permute_and_flip.PermuteAndFlip(**params), 1000)
    assert plain - flipped == pytest.approx(2 * math.log(2), abs=1.1)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["peeling", "one-shot"])
@pytest.mark.parametrize("scores", [(9, 9, 0, 0), (9, 4, 4, 4), (5, 5, 5, 0), (3, 2, 1, 0)])
def test_no_chosen_score_is_further_behind_the_k_th_best(way, scores):
    params = top_k.TopK(epsilon=4, sensitivity=1, k=2, way=way, grid=0)
    steps, kth = top_k.loss(params, 4, 0.8), sorted(scores)[-2]
    rate = float(score_rate(params, 2))
    law = _peeled(scores, rate) if way == "peeling" else argmax_law(scores, rate, 8, places=2)
    kept = sum(chance for chosen, chance in law.items() if min(scores[i] for i in chosen) >= kth - steps)
    assert kept >= 0.8


def _peeled(scores, rate):
    weights = np.exp(rate * np.array(scores, dtype=float))
    return {
        (i, j): weights[i] / weights.sum() * weights[j] / (weights.sum() - weights[i])
        for i, j in permutations(range(len(scores)), 2)
    }


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_w31_the_error_of_a_session_is_kept_at_its_worst_and_hardly_more_than_needed(level):
    """Two answers just too low, two just too high. All are judged right with the chance of the exact law, summed over
    the noise of the threshold."""
    params = sparse_vector.SparseVector(epsilon=3, sensitivity=1, threshold=0, answers=4, grid=0)
    used = sparse_vector.setting(params)
    rates = float(used.for_threshold.rate), float(used.for_answer.rate)
    reach = int(sparse_vector.error(params, 4, level)) - 1

    def right(far):
        answers = (-far - 1, -far - 1, far + 1, far + 1)
        return sum(chance_of(p, answers, 0, rates) for p in ((False, False, True, True),))

    assert right(reach) >= level
    assert right(reach - 2) < level


def test_w31_no_other_answers_are_judged_worse():
    params = sparse_vector.SparseVector(epsilon=3, sensitivity=1, threshold=0, answers=3, grid=0)
    used = sparse_vector.setting(params)
    rates = float(used.for_threshold.rate), float(used.for_answer.rate)
    reach = int(sparse_vector.error(params, 3, 0.9)) - 1
    for signs in product((-1, 1), repeat=3):
        pattern = tuple(sign > 0 for sign in signs)
        assert chance_of(pattern, tuple(sign * (reach + 1) for sign in signs), 0, rates) >= 0.9


def test_reported_values_say_their_error():
    params = sparse_vector.SparseVector(epsilon=3, sensitivity=1, threshold=0, numeric=0.5, grid=0)
    rate = float(sparse_vector.setting(params).for_value.rate)
    steps = sparse_vector.value_error(params, 0.9) - 0.5
    assert 2 * reaches(int(steps) + 1, rate) <= 0.1 < 2 * reaches(int(steps), rate)
    assert sparse_vector.value_error(sparse_vector.METHOD.example) == math.inf


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_w29_the_test_passes_from_its_distance_on(level):
    params = propose_test_release.METHOD.example
    half = Fraction(1)
    threshold = propose_test_release.passing_threshold(half, params.delta)
    far = propose_test_release.passing_distance(params, level)
    law = laplace_law(1.0, 200)

    def passes(distance):
        return law[200 + threshold - distance + 1 :].sum()

    assert passes(far) >= level > passes(far - 1)


@pytest.mark.slow
def test_w29_the_interval_holds_the_order_statistic():
    params = propose_test_release.METHOD.example.model_copy(update={"reach": 40})
    rows, bits, runs = np.full(100, 50.0), RandomBits.from_seed(1), 1000
    ends = [propose_test_release.propose_test_release(rows, params, bits).interval(0.9) for _ in range(runs)]
    held = np.mean([end.lower[0] <= 50 <= end.upper[0] for end in ends])
    assert abs(held - 0.9) <= bernstein(0.9, runs) + 1e-3


SKEWED = np.random.default_rng(2).gamma(5, 8, 500).clip(0, 100)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
@pytest.mark.parametrize("quantile", [0.5, 0.9])
def test_w30_intervals_hold_as_often_as_they_say_and_half_of_them_do_not(epsilon, quantile):
    params = smooth_sensitivity.SmoothSensitivity(
        epsilon=epsilon, delta=1e-3, lower=0, upper=1000, quantile=quantile, reach=60
    )
    truth, bits, runs = np.sort(SKEWED)[math.ceil(quantile * 500) - 1], RandomBits.from_seed(3), 800
    answers = [smooth_sensitivity.smooth_order_statistic(SKEWED, params, bits) for _ in range(runs)]
    off = np.array([abs(answer.value - truth) / answer.error(0.95) for answer in answers])
    assert abs((off <= 1).mean() - 0.95) <= bernstein(0.95, runs) + 1e-3
    assert (off <= 0.5).mean() < 0.95 - bernstein(0.95, runs)


@pytest.mark.parametrize("scale", [0.01, 0.2, 1.0])
def test_w30_the_quantile_of_the_known_law(scale):
    """E e**(-v), drawn here without the package."""
    generator = np.random.default_rng(4)
    drawn = generator.exponential(size=200_000) * np.exp(-generator.laplace(0, scale, 200_000))
    for level in (0.5, 0.95):
        within = (drawn <= smooth_sensitivity._pivot(scale, level)).mean()
        assert abs(within - level) <= bernstein(level, drawn.size) + 1 / 4000


def test_w30_the_width_is_hidden_by_its_own_noise():
    """Over all small datasets and neighbours: the logarithm in steps moves by no more than its noise is for."""
    from tacit.methods.mechanisms._robust import Limits, order_statistic
    from tacit.noise.grid import Grid

    used = smooth_sensitivity.setting(
        smooth_sensitivity.SmoothSensitivity(epsilon=1, delta=0.01, lower=0, upper=64, grid=0)
    )
    limits = Limits(Grid(0), 0, 64)

    def steps(data):
        width = smooth_sensitivity.smooth_sensitivity(order_statistic(np.array(data), 0.5, limits, 3), used.beta)
        return math.floor(math.log(width) / used.step + 0.5)

    moves = [
        abs(steps(data) - steps((value, *data[1:])))
        for data in product((0, 1, 7, 64), repeat=3)
        for value in (0, 1, 7, 64)
    ]
    assert 200 <= max(moves) <= used.spread / used.spread_rate == 257

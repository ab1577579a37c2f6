"""Logistic regression by rounds: noise in a cube, sums of rows, the surrogate, accuracy, intervals, hostile rows.

Covers logistic_regression, _logistic/moments.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize
from tests.auditing.planting import other_params, planted
from tests.auditing.twins import sound
from tests.examples import examples
from tests.methods.statistics.answers import coverage
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.accounting.account import account
from tacit.auditing.audit import audit
from tacit.errors import BadParameter
from tacit.methods.statistics import logistic_regression
from tacit.methods.statistics._box import Box
from tacit.methods.statistics._logistic.answer import NoiseLaw
from tacit.methods.statistics._logistic.noise import Purse, coarser, cube_noise
from tacit.methods.statistics._logistic.rounds import COUNT, CURVED, MOMENTS, ROUNDS
from tacit.methods.statistics._logistic.sums import CURVATURE, PRODUCT, PULL, LogisticRows, square
from tacit.methods.statistics._logistic.surrogate import Surrogate
from tacit.noise.setting import Allowance
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.exploration import World, global_sensitivity
from tacit.sensitivity.neighbours import RECORD, user

NAME = "statistics/logistic-regression"
HALF = Fraction(1, 2)
BITS = RandomBits.from_seed("rounds")
GENERATOR = np.random.default_rng(12)


def asked(epsilon=1.0, columns=1, **more):
    box = {"lower": (-1.0,) * columns, "upper": (1.0,) * columns}
    return logistic_regression.LogisticRegression(epsilon=epsilon, **box, **more)


def invented(rows, weights, intercept=0.3, seed=1):
    """Features even in the box, labels by the given weights; and the weights of the fit without privacy."""
    generator = np.random.default_rng(seed)
    features = generator.uniform(-1, 1, (rows, len(weights)))
    chance = 1 / (1 + np.exp(-(features @ np.array(weights) + intercept)))
    return np.column_stack([features, generator.random(rows) < chance])


def model(table, penalty=1e-3):
    """The weights of the rows themselves, by another optimiser, for features scaled to the unit ball."""
    whole = np.column_stack([table[:, :-1], np.ones(len(table))]) / math.sqrt(table.shape[1])
    signs = np.where(table[:, -1] > 0.5, 1.0, -1.0)

    def objective(weights):
        slack = signs * (whole @ weights)
        slope = -whole.T @ (signs / (1 + np.exp(slack))) + penalty * weights
        return np.logaddexp(0, -slack).sum() + penalty / 2 * weights @ weights, slope

    start = np.zeros(whole.shape[1])
    return minimize(objective, start, jac=True, method="BFGS", options={"gtol": 1e-4}).x


def loss(table, weights):
    whole = np.column_stack([table[:, :-1], np.ones(len(table))]) / math.sqrt(table.shape[1])
    return float(np.logaddexp(0, np.where(table[:, -1] > 0.5, -1.0, 1.0) * (whole @ weights)).mean())


def cube_cells(rate, places=6):
    """The probability of each largest coordinate of two, the rest as the last cell."""
    sizes = np.arange(2000)
    cells = np.where(sizes == 0, 1, 8 * sizes) * np.exp(-rate * sizes)
    law = cells / cells.sum()
    return np.append(law[:places], law[places:].sum())


@pytest.mark.slow
def test_cube_noise_has_its_law():
    """Drawn at rate 1/2; the laws of rates 0.4 and 0.6 must not fit. A shell of radius k has 8 k points."""
    bits = RandomBits.from_seed("cube")
    drawn = np.array([cube_noise(HALF, 2, bits) for _ in range(6000)])
    for rate, fit in ((0.5, True), (0.4, False), (0.6, False)):
        assert frequencies_fit(np.minimum(np.abs(drawn).max(axis=1), 6), cube_cells(rate)) is fit
    corner, chance = (drawn == [1, -1]).all(axis=1).mean(), cube_cells(0.5)[1] / 8
    assert abs(corner - chance) <= bernstein(chance, len(drawn))


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 3, 10])
def test_the_deviation_of_cube_noise(size):
    """In steps of a thousandth of the scale. The tolerance is seven standard errors of a mean of squares (1e-9 leaves
    6.1 for a normal one), whose kurtosis is that of a uniform number times that of a gamma radius."""
    purse = Purse(Allowance(Fraction(1)), 1)
    bits, runs = RandomBits.from_seed("deviation"), 2000
    drawn = np.array([cube_noise(Fraction(1, 1000), size, bits) for _ in range(runs)]) / 1000
    fourth = 1.8 * (size + 3) * (size + 4) / ((size + 1) * (size + 2))
    wrong = 7 * math.sqrt((fourth - 1) / runs)
    for factor, fit in ((1.0, True), (0.7, False), (1.5, False)):
        off = float((drawn[:, 0] ** 2).mean()) / (factor * purse.deviation(size)) ** 2 - 1
        assert (abs(off) <= wrong) is fit
    assert purse.deviation(size, 4.0, HALF) == pytest.approx(8 * purse.deviation(size))


def test_shares_add_up_and_the_smaller_noise_is_taken():
    for rounds in ROUNDS:
        assert sum(rounds) == 100
    assert COUNT + max(MOMENTS.values()) < 1
    assert 0 < CURVED < 1
    for size in (2, 40):
        budget = Allowance.of(1.0, 1e-6)
        chosen, others = Purse.least(budget, 1, size), (Purse(budget, 1), Purse(Allowance.of(1.0), 1))
        assert chosen.deviation(size, 1.0, HALF) == min(one.deviation(size, 1.0, HALF) for one in others)
    assert (
        Purse.least(Allowance.of(1.0, 1e-6), 1, 2).budget.delta
        == 0
        < Purse.least(Allowance.of(1.0, 1e-6), 1, 40).budget.delta
    )


@pytest.mark.parametrize(("shift", "apart"), [(0, 3), (1, 1), (3, 2)])
def test_a_coarser_grid_moves_no_sum_further(shift, apart):
    sums = np.arange(-40, 40)
    assert np.abs(coarser(sums + (apart << shift), shift) - coarser(sums, shift)).max() == apart
    assert np.abs((coarser(sums, shift) << shift) - sums).max() <= 1 << shift >> 1


@pytest.mark.parametrize("asks", [{"epsilon": 1e-9}, {"epsilon": 1e-3, "delta": 1e-6}, {"contributions": 1 << 20}])
def test_much_noise_is_no_error(asks):
    answer = logistic_regression.logistic_regression(invented(2000, (1.0,) * 40), asked(columns=40, **asks), BITS)
    assert np.isfinite(answer.weights).all()


DOMAIN = ((-1.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.3, 1.0), (math.nan, math.inf), (-math.inf, math.nan))
SUMS = {
    "count": (lambda rows: rows.count(), 1, 1),
    "first pull": (lambda rows: rows.pull(np.zeros(2)), 1 << PULL - 1, 1),
    "pull": (lambda rows: rows.pull(np.array([-30.0, 5.0])), 1 << PULL, 1 - 1e-3),
    "squares": (lambda rows: rows.squares(), 1 << PRODUCT, 1),
    "products": (lambda rows: rows.products(), 1 << PRODUCT, 1),
    "curvature": (lambda rows: rows.curvature(np.zeros(2)), 1 << CURVATURE - 2, 1),
    "curvature elsewhere": (lambda rows: rows.curvature(np.array([0.4, -0.7])), 1 << CURVATURE - 2, 0.5),
}


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize(("neighbours", "contributions"), [("add-remove", 1), ("add-remove", 2), ("replace", 1)])
def test_no_person_moves_a_sum_by_more_than_the_noise_is_for(name, neighbours, contributions):
    ask, most, attained = SUMS[name]
    unit = RECORD if contributions == 1 else user(contributions)
    rows = 2 if neighbours == "replace" else contributions

    def question(people):
        return ask(LogisticRows.read(np.array(people, dtype=np.float64).reshape(len(people), 2), Box((-1.0,), (1.0,))))

    domain = DOMAIN if contributions == 1 else DOMAIN[:3]
    found = global_sensitivity(question, World(domain, most=3, neighbours=neighbours, unit=unit), "linf")
    assert found.sensitivity <= most * rows
    if neighbours == "add-remove":
        assert found.sensitivity >= attained * most * rows


def by_hand(features, yes, weights):
    """Pull and curvature from fractions of the definition, row by row."""
    pull, curve = np.zeros(features.shape[1]), np.zeros((features.shape[1],) * 2)
    for row, label in zip(features, yes, strict=True):
        chance = 1 / (1 + math.exp(-float(row @ weights)))
        pull += (label - chance) * row
        curve += chance * (1 - chance) * np.outer(row, row)
    return pull, curve


TABLES = st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.booleans()), min_size=1, max_size=20)


@examples(60)
@given(TABLES, st.tuples(*[st.floats(-5, 5)] * 3))
def test_sums_are_those_of_the_definition_and_rows_do_not_meet(table, weights):
    """A logit is rounded by 2**-11 and by the rounding of weights and features, a probability by 2**-15."""
    given_rows, at, box = np.array(table, dtype=np.float64), np.array(weights), Box((-1.0,) * 2, (1.0,) * 2)
    rows = LogisticRows.read(given_rows, box)
    pull, curve = by_hand(np.column_stack([given_rows[:, :-1], np.ones(len(table))]), given_rows[:, -1], at)
    off = (2.0**-11 + 3 * 2.0**-11 + 10 * 2.0**-12) / 4 + 2.0**-15 + 2.0**-12
    assert rows.pull(at) / 2.0**PULL == pytest.approx(pull, abs=off * len(table))
    assert square(rows.curvature(at) / 2.0**CURVATURE, 3) == pytest.approx(curve, abs=(off + 2.0**-9) * len(table))
    alone = [LogisticRows.read(given_rows[[place]], box) for place in range(len(table))]
    for ask in (LogisticRows.products, LogisticRows.squares, lambda one: one.pull(at), lambda one: one.curvature(at)):
        assert (ask(rows) == np.sum([ask(one) for one in alone], axis=0)).all()


CROWD = Surrogate(100.0, np.array([0.2, -0.1]), np.array([[0.3, 0.05], [0.05, 0.2]]))


@examples(40)
@given(st.tuples(*[st.floats(-6, 6)] * 3).filter(lambda weights: max(map(abs, weights[:-1])) >= 1e-2))
def test_derivatives_of_the_surrogate(weights):
    at, step = np.array(weights), 1e-5
    ways = np.eye(3) * step
    slopes = [(CROWD.loss(at + way) - CROWD.loss(at - way)) / (2 * step) for way in ways]
    curves = [(CROWD.gradient(at + way) - CROWD.gradient(at - way)) / (2 * step) for way in ways]
    assert CROWD.gradient(at) == pytest.approx(np.array(slopes), abs=1e-4)
    assert CROWD.curvature(at) == pytest.approx(np.array(curves), abs=2e-3)
    assert np.linalg.eigvalsh(CROWD.curvature(at)).min() >= -1e-9


def test_the_surrogate_is_exact_for_one_even_feature_and_near_zero():
    even = Surrogate(1.0, np.zeros(1), np.array([[1 / 3]]))
    for weight, intercept in ((3.0, 0.5), (0.1, -2.0)):
        expected = quad(lambda x, w=weight, b=intercept: np.logaddexp(0, w * x + b) - (w * x + b) / 2, -1, 1)[0] / 2
        assert even.loss(np.array([weight, intercept])) == pytest.approx(expected, abs=1e-6)
    moments = CROWD.spread + np.outer(CROWD.means, CROWD.means)
    assert CROWD.curvature(np.zeros(3))[:-1, :-1] == pytest.approx(CROWD.rows * moments / 4)


def test_fitted_weights_are_those_of_another_optimiser():
    pull, penalty = np.array([12.0, -8.0, 20.0]), 2.0

    def objective(weights):
        return CROWD.loss(weights) - pull @ weights + penalty / 2 * weights @ weights

    expected = minimize(objective, np.zeros(3), method="BFGS", options={"gtol": 1e-6}).x
    assert CROWD.fitted(pull, penalty, np.zeros(3)) == pytest.approx(expected, abs=1e-4)
    far = CROWD.fitted(1000 * pull, 1e-3, np.zeros(3))
    held = CROWD.held(np.zeros(3), far, 2.0)
    assert CROWD.length(held) == pytest.approx(2.0)
    assert CROWD.held(np.zeros(3), held, 3.0) is held


@pytest.mark.parametrize("gaussian", [False, True])
def test_the_reach_of_an_interval_is_the_quantile_of_the_noise(gaussian):
    """Two pulls with noise in cubes (or Gaussian) of deviations 2 and 1; 0.7 of the reach holds too little. Cornish and
    Fisher leave out the square of the excess kurtosis over 384 and less, here below 0.006."""
    ways, runs = np.array([[1.0, 0.2, -0.5], [0.0, 1.0, 0.0], [0.3, 0.3, 0.3]]), 20_000
    law = NoiseLaw(ways, np.array([2.0, 1.0]), 0.0, gaussian)
    radius = GENERATOR.gamma(4, 1, (2, runs, 1)) / math.sqrt(20 / 3)
    cubes = radius * GENERATOR.uniform(-1, 1, (2, runs, 3))
    noise = GENERATOR.normal(size=(2, runs, 3)) if gaussian else cubes
    error = np.abs((2 * noise[0] + noise[1]) @ ways.T)
    for shrink, holds in ((1.0, True), (0.7, False)):
        kept = (error <= shrink * law.reach(0.95)).mean(axis=0)
        assert (np.abs(kept - 0.95) <= 0.006 + bernstein(0.95, runs)).all() == holds
    wider = NoiseLaw(ways, np.array([2.0, 1.0]), 3.0, gaussian).reach(0.95)
    assert wider == pytest.approx(law.reach(0.95) + 3 * np.linalg.norm(ways, axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(("neighbours", "contributions"), [("add-remove", 1), ("add-remove", 3), ("replace", 1)])
@pytest.mark.parametrize("rows", [0, 20, 5000])
def test_the_budget_is_spent_whole_whatever_was_asked(delta, neighbours, contributions, rows):
    table = invented(rows, (1.0,) * 12)
    params = asked(2.0, 12, delta=delta, neighbours=neighbours, contributions=contributions)
    spent = account(logistic_regression.logistic_regression(table, params, RandomBits.from_seed(1)).event, delta)
    assert 0.999 * 2 <= spent.epsilon <= 2 * (1 + 1e-9)


def test_the_error_is_known_beforehand_only_under_a_declared_regularisation():
    for ask in (logistic_regression.error, lambda params: logistic_regression.METHOD.for_error(1.0, params, 100)):
        with pytest.raises(BadParameter, match="declare a regularisation"):
            ask(asked())
    assert logistic_regression.error(asked(regularisation=10.0)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("weights", [(3.0,), (2.0, -1.0, 0.5, 0.0)])
def test_with_much_budget_the_model_is_that_of_the_rows(weights):
    table = invented(4000, weights)
    params = asked(1e4, len(weights))
    found = logistic_regression.logistic_regression(table, params, RandomBits.from_seed(2))
    assert found.weights == pytest.approx(model(table, found.regularisation), abs=0.02)
    assert found.regularisation < 0.1


def excess(table, params, seeds=12):
    best = loss(table, model(table))
    found = (
        logistic_regression.logistic_regression(table, params, RandomBits.from_seed(seed)) for seed in range(seeds)
    )
    return float(np.mean([loss(table, one.weights) - best for one in found]))


@pytest.mark.slow
def test_more_rows_come_nearer_to_the_model_without_noise():
    """Newton's error falls as the square of the rows, that of noise too; fourfold rows must at least halve both."""
    lost = [excess(invented(rows, (3.0, -2.0)), asked(1.0, 2)) for rows in (500, 2000, 8000)]
    assert lost[0] > 2 * lost[1] > 4 * lost[2] > 0
    assert lost[2] < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_rounds_lose_less_than_output_perturbation_under_any_penalty(neighbours):
    table = invented(2000, (6.0,))
    least = min(excess(table, asked(1.0, neighbours=neighbours, regularisation=r)) for r in (2.0, 10.0, 40.0))
    assert excess(table, asked(1.0, neighbours=neighbours)) < least / 3


@pytest.mark.slow
def test_intervals_hold_the_weights_of_the_rows_or_claim_nothing():
    table, runs = invented(2000, (2.0,)), 100
    params = asked(2.0)
    penalty = logistic_regression.logistic_regression(table, params, RandomBits.from_seed(3)).regularisation
    truth = model(table, penalty)
    for shrink, holds in ((1.0, True), (0.3, False)):
        found = coverage(
            lambda bits: logistic_regression.logistic_regression(table, params, bits), truth, runs, shrink=shrink
        )
        assert (found >= 0.95 - bernstein(0.95, runs)) is holds
    few = logistic_regression.logistic_regression(table[:50], params, RandomBits.from_seed(4)).interval()
    assert np.isinf(few.lower).all()
    assert np.isinf(few.upper).all()


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_no_rows_are_an_error(delta, neighbours):
    """Missing labels, infinite features, one class, few rows, none: all answered with finite weights."""
    params = asked(1.0, 2, delta=delta, neighbours=neighbours)
    plain = invented(3000, (4.0, 0.0))
    broken = plain.copy()
    broken[::3, 0], broken[1::3, 1], broken[2::3, 2] = math.nan, -math.inf, math.nan
    one_class, apart = plain * [1, 1, 0] + [0, 0, 1], plain.copy()
    apart[:, 2] = apart[:, 0] > 0
    same = np.ones((3000, 3))
    missing = [[0.5, None, None], [10**400, 0.1, 1]]
    for rows in (plain, broken, one_class, apart, same, missing, plain[:1], plain[:0]):
        answer = logistic_regression.logistic_regression(rows, params, RandomBits.from_seed(5))
        assert np.isfinite(answer.weights).all()
        assert np.isfinite(answer.predict([[0.0, 0.0]])).all()


def test_classes_that_a_feature_tells_apart_give_weights_that_do():
    table = invented(3000, (4.0, 0.0))
    table[:, 2] = table[:, 0] > 0
    answer = logistic_regression.logistic_regression(table, asked(1.0, 2), RandomBits.from_seed(6))
    assert ((answer.predict(table[:, :2]) > 0.5) == (table[:, 2] > 0.5)).mean() > 0.95


@pytest.mark.slow
def test_the_audit_finds_nothing_in_rounds_and_catches_their_twin():
    bits, params = RandomBits.from_seed("rounds"), {"regularisation": None}
    assert not audit(sound(NAME, **params), 150, bits).refuted
    assert audit(planted(NAME, other_params("noise for eight times epsilon", epsilon=8.0), **params), 150, bits).refuted

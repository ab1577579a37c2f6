"""The best of a random number of private runs: its price against exact laws, the law of the number, its accuracy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.randomness.tolerance import bernstein, frequencies_fit

from tacit.accounting.account import account
from tacit.accounting.cases import cases
from tacit.accounting.events import (
    Approximate,
    BestOf,
    Gaussian,
    Group,
    PoissonSampled,
    Pure,
    Repeated,
    from_json,
    to_json,
)
from tacit.accounting.price import price
from tacit.accounting.renyi import ORDERS, renyi_losses
from tacit.accounting.runs import NegativeBinomial, Poisson
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.statistics import best_candidate as bc
from tacit.methods.statistics import best_choice
from tacit.methods.statistics.best_candidate import BestCandidate, ScoredResult
from tacit.randomness.stream import RandomBits

LAWS = [NegativeBinomial(eta, gamma) for eta in (0, 1, 0.5, -0.5, 3) for gamma in (0.3, 0.01)] + [
    Poisson(0.5),
    Poisson(20),
]


def number_law(runs, most):
    """Pr[0], …, Pr[most] runs, from the definition."""
    if isinstance(runs, Poisson):
        mean = float(runs.mean)
        return np.exp([k * math.log(mean) - mean - math.lgamma(k + 1) for k in range(most + 1)])
    eta, gamma = float(runs.eta), float(runs.gamma)
    weights = [0.0, 1.0]
    for k in range(1, most):
        weights.append(weights[-1] * (1 - gamma) * (k + eta) / (k + 1))
    return np.array(weights) / sum(weights)


def best_law(runs, one):
    """The law of the best result, results in rising order of score, from the law of one run; nothing comes first."""
    upto = np.concatenate([[0.0], np.cumsum(one)])
    within = np.array([runs.all_within(min(float(chance), 1.0)) for chance in upto])
    return np.append(within[0], np.diff(within)) if isinstance(runs, Poisson) else np.diff(within)


@pytest.mark.parametrize("runs", LAWS, ids=str)
def test_the_number_of_runs_has_the_mean_and_the_generating_function_of_its_law(runs):
    law = number_law(runs, 8000)
    numbers = np.arange(law.size)
    assert law.sum() == pytest.approx(1, abs=1e-9)
    assert law @ numbers == pytest.approx(float(runs.mean), rel=1e-9)
    for chance in (0.0, 0.3, 0.99, 1.0):
        assert law @ chance ** numbers.astype(float) == pytest.approx(runs.all_within(chance), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [NegativeBinomial(0, 0.2), NegativeBinomial(1, 0.2), Poisson(3)], ids=str)
def test_numbers_are_drawn_by_their_law(runs):
    bits = RandomBits.from_seed(1)
    drawn = np.minimum([bc.draw_number(runs, bits) for _ in range(8000)], 12)
    law = number_law(runs, 400)
    law = np.append(law[:12], law[12:].sum())
    assert frequencies_fit(drawn, law)
    twin = number_law(NegativeBinomial(0, 0.4), 400)
    assert not frequencies_fit(drawn, np.append(twin[:12], twin[12:].sum()))


def _close_pair(epsilon, up):
    """Randomised response over results: those marked up are likelier in the first law, the others in the second."""
    heavy = np.where(up, math.exp(epsilon), 1.0)
    other = np.where(up, 1.0, math.exp(epsilon))
    return heavy / heavy.sum(), other / other.sum()


def _worst_ratio(runs, one, two):
    first, second = best_law(runs, one), best_law(runs, two)
    kept = (first > 1e-290) & (second > 1e-290)
    return float(np.abs(np.log(first[kept]) - np.log(second[kept])).max())


@pytest.mark.parametrize("runs", LAWS, ids=str)
@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6), st.lists(st.booleans(), min_size=6, max_size=6))
def test_the_best_result_costs_no_more_than_the_price(runs, weights, up):
    """Any law of one run and any epsilon-close other: odds of each result of the best, exactly."""
    one = np.array(weights) / sum(weights)
    tilt = np.where(np.array(up[: one.size]), math.exp(0.25), math.exp(-0.25))
    two = one * tilt / (one * tilt).sum()
    epsilon = float(np.abs(np.log(one / two)).max())
    assume(epsilon >= 1e-6)
    allowed = float(price(BestOf(Pure(epsilon), runs)).epsilon)
    assert _worst_ratio(runs, one, two) <= allowed * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(("eta", "times"), [(0, 2), (1, 3), (0.5, 2.5)])
def test_the_price_is_reached_and_one_epsilon_less_would_be_a_lie(eta, times):
    """A rare good result, likelier in one law by e**epsilon, and hardly any end to the runs."""
    epsilon, rare, runs = 0.1, 1e-4, NegativeBinomial(eta, 1e-9)
    one = np.array([1 - rare, rare / 2, rare / 2])
    two = np.array([0.0, rare / 2 * math.exp(-epsilon), rare / 2 * math.exp(epsilon)])
    two[0] = 1 - two.sum()
    loss = _worst_ratio(runs, one, two)
    assert price(BestOf(Pure(epsilon), runs)).epsilon == Fraction(str(times)) * Fraction("0.1")
    assert (times - 1) * epsilon < loss <= times * epsilon


def test_a_fixed_number_of_runs_would_cost_far_more():
    """The best of 40 runs of randomised response: all must lie for the worse result."""
    truth = math.exp(0.1) / (1 + math.exp(0.1))
    loss = 40 * math.log(truth / (1 - truth))
    assert loss == pytest.approx(4.0)
    assert price(BestOf(Pure(0.1), NegativeBinomial(1, 1 / 40))).epsilon == Fraction(3, 10)


@pytest.mark.parametrize("runs", [law for law in LAWS if float(law.mean) > 1], ids=str)
def test_renyi_losses_of_the_best_are_above_the_exact_ones(runs):
    one, two = _close_pair(0.3, np.array([False, True, False, True]))
    found = renyi_losses(cases(BestOf(Pure(float(np.abs(np.log(one / two)).max())), runs))[0])
    for first, second in ((one, two), (two, one)):
        here, there = best_law(runs, first), best_law(runs, second)
        here, there = here[here > 0], there[there > 0]
        for place in range(0, ORDERS.size, 25):
            order = ORDERS[place]
            if order > 200:
                break
            exactly = np.logaddexp.reduce(order * np.log(here) + (1 - order) * np.log(there)) / (order - 1)
            assert exactly <= found[place] + 1e-9


@pytest.mark.slow
def test_accounts_of_the_best():
    event = BestOf(Pure(0.1), NegativeBinomial(0, 0.01))
    assert account(event).epsilon == 0.2
    assert from_json(to_json(event)) == event
    assert account(Group(event, 3)).epsilon == pytest.approx(0.6)
    many = account(Repeated(event, 200), 1e-6)
    assert many.epsilon < 200 * 0.2 / 2
    approximate = price(BestOf(Approximate(0.1, 1e-8), NegativeBinomial(1, 0.01)))
    assert approximate.epsilon == Fraction(3, 10)
    assert float(approximate.delta) == pytest.approx(1e-6)
    assert price(BestOf(PoissonSampled(Pure(1.0), 0.01), Poisson(5))).epsilon < 0.1


def test_the_best_of_gaussian_runs_is_accounted_by_renyi_and_beats_the_crude_rho():
    spent = account(BestOf(Gaussian(10), NegativeBinomial(0, 0.01)), 1e-6)
    assert spent.method == "rdp"
    assert account(Gaussian(10), 1e-6).epsilon < spent.epsilon < spent.by_method["zcdp"]
    with pytest.raises(BadParameter, match="no bound is known"):
        account(BestOf(Gaussian(10), Poisson(5)), 1e-6)
    with pytest.raises(CannotGuarantee, match="delta"):
        price(BestOf(Approximate(0.1, 0.01), Poisson(200)))


def test_nonsense_numbers_of_runs_are_refused():
    for wrong in (
        lambda: NegativeBinomial(-1, 0.5),
        lambda: NegativeBinomial(0, 0),
        lambda: NegativeBinomial(0, 1),
        lambda: NegativeBinomial(math.nan, 0.5),
        lambda: Poisson(0),
        lambda: Poisson(math.inf),
    ):
        with pytest.raises(BadParameter):
            wrong()


@pytest.mark.slow
@pytest.mark.parametrize("law", ["logarithmic", "geometric", "poisson"])
def test_the_card_spends_epsilon_and_expects_the_runs_that_were_asked_for(law):
    params = BestCandidate(epsilon=1.0, lower=0.0, upper=1.0, candidates=("a", "b"), runs=20, law=law)
    answer = bc.best_candidate(np.ones((50, 2)), params, RandomBits.from_seed(2))
    assert 0.9999 <= account(answer.event).epsilon <= 1.0
    assert float(bc.law_of(params).mean) == pytest.approx(20, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "best"), [("greatest", "good"), ("least", "bad")])
def test_the_best_is_found_with_its_score(goal, best):
    rows = np.column_stack([np.ones(3000), np.arange(3000) % 2, np.zeros(3000)])
    params = BestCandidate(epsilon=2.0, lower=0.0, upper=1.0, candidates=("good", "fair", "bad"), goal=goal, runs=200)
    bits, runs = RandomBits.from_seed(3), 300
    answers = [bc.best_candidate(rows, params, bits) for _ in range(runs)]
    assert np.mean([answer.name == best for answer in answers]) >= 0.95 - bernstein(0.95, runs)
    sums = {"good": 3000, "fair": 1500, "bad": 0}
    ends = [(answer.interval(), sums[answer.name]) for answer in answers]
    held = np.mean([end.lower[0] <= truth <= end.upper[0] for end, truth in ends])
    assert held >= 0.95 - bernstein(0.95, runs)


@pytest.mark.parametrize("law", ["logarithmic", "geometric", "poisson"])
@pytest.mark.parametrize("number", [1, 2, 5, 200])
def test_all_runs_of_the_best_that_was_drawn_by_sums_over_numbers_and_draws(law, number):
    """With k runs the best r of m candidates are missed with (1 - r / m)**k; then j of the k are of the next one."""
    params = BestCandidate(epsilon=1.0, lower=0, upper=1, candidates=tuple(map(str, range(number))), runs=6, law=law)
    chances = number_law(bc.law_of(params), 2500)
    numbers, chance = np.arange(chances.size), 0.3
    ranks = np.arange(number)[:, None] / number
    lost = (1 - ranks - (1 - chance) / number) ** numbers - (1 - ranks - 1 / number) ** numbers
    found = bc.all_below(params, chance)
    assert found >= chances @ lost.sum(axis=0) - 1e-9
    if number <= 64:
        assert found == pytest.approx(chances @ lost.sum(axis=0), abs=1e-6)
    assert found <= chance * (1 - chances[0]) + 1e-9


def _published_noise(params, sums, draws):
    """The noise of the best of runs of candidates with these sums, drawn by vectors, run by run."""
    generator, law = np.random.default_rng(len(sums)), number_law(bc.law_of(params), 3000)
    numbers = -np.sort(-generator.choice(law.size, draws, p=law / law.sum()))
    best, noise = np.full(draws, -np.inf), np.zeros(draws)
    for turn in range(int(numbers[0])):
        still = int((numbers > turn).sum())
        drawn = generator.laplace(0, float(1 / bc.run_epsilon(params)), still)
        score = np.array(sums)[generator.integers(0, len(sums), still)] + drawn
        noise[:still] = np.where(score > best[:still], drawn, noise[:still])
        best[:still] = np.maximum(score, best[:still])
    return noise


@pytest.mark.slow
@pytest.mark.parametrize("law", ["logarithmic", "geometric", "poisson"])
def test_the_interval_of_the_score_holds_however_the_candidates_do(law):
    """Alike, near, far apart, alone: never lost in more than 5 %, on some in more than 3 %."""
    draws, lost, shorter = 40_000, [], []
    for sums in ((0,), (0, 0), (0, 10), (0, 20), (0, 40), (0, 1000), (0, 30, 60, 90), tuple(range(0, 4000, 400))):
        params = BestCandidate(
            epsilon=0.5, lower=0.0, upper=1.0, candidates=tuple(map(str, range(len(sums)))), runs=10, law=law
        )
        noise = _published_noise(params, sums, draws)
        for miss, rates in ((0.025, lost), (0.06, shorter)):
            most, least = bc.most_noise(params, miss), bc.least_noise(params, miss)
            rates.append(float(np.mean((noise > most) | (noise < least))))
    assert 0.03 <= max(lost) <= 0.05 + bernstein(0.05, draws)
    assert max(shorter) > 0.05 + bernstein(0.05, draws)


def test_of_many_runs_the_published_noise_is_above_0():
    params = BestCandidate(epsilon=1.0, lower=0.0, upper=1.0, candidates=("a", "b"), runs=200, law="poisson")
    assert bc.least_noise(params, 0.025) > 0
    one = BestCandidate(epsilon=1.0, lower=0.0, upper=1.0, candidates=("a", "b"), runs=1.01)
    assert bc.least_noise(one, 0.025) < 0


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "holds"), [(1.01, True), (0.15, False)])
def test_the_chosen_sum_is_behind_by_no_more_than_said(factor, holds):
    """One best, nine others behind by a little more than the bound: the best is chosen; by far less: it is not."""
    params = BestCandidate(
        epsilon=1.0, lower=0.0, upper=1.0, candidates=tuple(map(str, range(10))), runs=200, law="geometric"
    )
    most = bc.error(params, 0.9)
    assert most > best_choice.error(best_choice.BestChoice(**params.model_dump(exclude={"runs", "law"})), 0.9)
    rows = np.zeros((math.ceil(factor * most), 10))
    rows[:, 4] = 1.0
    bits, runs = RandomBits.from_seed(4), 400
    kept = sum(bc.best_candidate(rows, params, bits).name == "4" for _ in range(runs)) / runs
    assert (kept >= 0.9 - bernstein(0.9, runs)) is holds


def test_too_few_runs_for_a_promise_are_refused():
    params = BestCandidate(epsilon=1.0, lower=0.0, upper=1.0, candidates=tuple(map(str, range(100))), runs=2)
    with pytest.raises(CannotGuarantee, match="more runs"):
        bc.error(params)


def test_any_private_mechanism_can_be_run_and_none_at_all_may_be():
    bits = RandomBits.from_seed(5)
    turns = iter(range(1000))
    found = bc.best_of(lambda bits: ScoredResult(next(turns), "model"), NegativeBinomial(1, 0.2), bits)
    assert found.result == "model"
    nothing = [bc.best_of(lambda bits: ScoredResult(1.0, "model"), Poisson(0.01), bits) for _ in range(20)]
    assert None in nothing
    params = BestCandidate(epsilon=1.0, lower=0.0, upper=1.0, candidates=("a", "b"), runs=1.01, law="poisson")
    answers = [bc.best_candidate(np.ones((5, 2)), params, RandomBits.from_seed(seed)) for seed in range(30)]
    empty = next(answer for answer in answers if answer.name is None)
    assert empty.interval().upper.size == 0
    assert empty.published()["values"] == []

"""W37 and the attacks on published statistics, held against what theory says of their success.

Covers averaging, differencing, poll, reconstruction, tracing.
"""

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.randomness.tolerance import bernstein

from tacit.attacks.statistics import averaging, differencing, poll, reconstruction, tracing
from tacit.attacks.statistics._answers import WAYS, allowed_rate, laplace_answers, sigma_of
from tacit.catalogue import attacks
from tacit.testing import check_statistics_attack

NAMES = [name for name in attacks() if name.startswith("statistics/")]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_attack_is_held_off_by_privacy_and_not_by_its_absence(name: str) -> None:
    found = check_statistics_attack(name)
    assert tuple(found.by_way) == WAYS
    assert found.by_way["exact"].low > found.by_way["private"].high


def test_each_way_says_how_it_answers() -> None:
    found = poll.run(poll.Poll(trials=100, noise=3.5, epsilon=0.25), rng())
    words = ["exact answers", "noise of a fixed size, 3.5", "differential privacy, epsilon 0.25"]
    assert [way.words for way in found.against] == words


@pytest.mark.slow
def test_w37_answers_with_small_error_rebuild_nearly_the_whole_column() -> None:
    points = reconstruction.curve(reconstruction.Reconstruction(people=200), rng()).points
    rates = {point.noise: point.rate for point in points}
    assert rates[0] == 1
    # A tenth of sqrt(n): each bit is wrong with probability 7e-6, so of 200 bits two are with probability 1e-6.
    assert rates[0.1] >= 1 - 1 / 200
    # Four times sqrt(n): little better than a coin.
    coin = reconstruction.expected_rate(4 * math.sqrt(200), 200, 800)
    assert rates[4] <= coin + bernstein(coin, 200)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.1, 0.25, 0.5, 1.0, 4.0])
def test_w37_the_curve_is_that_of_theory(noise: float) -> None:
    people, rounds = 100, 6
    params = reconstruction.Reconstruction(people=people, decoder="least-squares")
    rates = [reconstruction.curve(params, rng(seed), [noise]).points[0].rate for seed in range(rounds)]
    expected = reconstruction.expected_rate(noise * math.sqrt(people), people, 4 * people)
    assert abs(np.mean(rates) - expected) <= bernstein(expected, people * rounds)


@pytest.mark.slow
def test_w37_private_answers_are_noisier_than_the_root_of_people() -> None:
    fared = reconstruction.run(reconstruction.Reconstruction(), rng())
    assert fared.by_way["private"].details["noise_by_root_of_people"] > 4
    assert fared.by_way["fixed"].details["noise_by_root_of_people"] == pytest.approx(0.2)
    assert fared.by_way["fixed"].low > 0.8


def test_without_enough_queries_there_is_no_theory() -> None:
    """Least squares has no variance unless there are more queries than people, and one to spare."""
    for queries, known in ((1, False), (2, True)):
        params = reconstruction.Reconstruction(people=4, queries=queries, decoder="least-squares")
        (point,) = reconstruction.curve(params, rng(), [1.0]).points
        assert (point.expected is not None) == known


def test_both_decoders_solve_a_small_system() -> None:
    subsets = np.array(list(product([False, True], repeat=4)))
    secret = np.array([1.0, 0.0, 0.0, 1.0])
    for fit in reconstruction.FITS.values():
        assert np.allclose(fit(subsets, subsets @ secret), secret)


@pytest.mark.slow
def test_the_linear_programme_has_the_least_absolute_error() -> None:
    generator = rng(3)
    subsets = reconstruction.random_subsets(5, 12, generator)
    answers = generator.uniform(0, 5, size=12)
    fitted = reconstruction.fit_by_linear_programme(subsets, answers)
    least = np.abs(subsets @ fitted - answers).sum()
    grid = np.array(list(product(np.linspace(0, 1, 6), repeat=5)))
    assert least <= np.abs(grid @ subsets.T.astype(float) - answers).sum(axis=1).min() + 1e-9
    assert fitted.min() >= -1e-9
    assert fitted.max() <= 1 + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_w37_repeated_noise_is_averaged_away_unless_the_budget_is_shared(seed: int) -> None:
    params = averaging.Averaging(times=400, trials=2000, noise=2.0)
    fared = averaging.run(params, rng(seed)).by_way
    # The mean of m Laplace noises of scale b has the deviation b sqrt(2 / m) = 0.141, of which 3.5 make 1/2. It is
    # normal but for the next term of Edgeworth's expansion, below 3 / (24 m) at most.
    expected = 2 * NormalDist().cdf(0.5 / (2 * math.sqrt(2 / 400))) - 1
    assert abs(fared["fixed"].details["mean"] - expected) <= bernstein(expected, 2000) + 3 / (24 * 400)
    assert fared["fixed"].rate >= fared["fixed"].details["mean"] - bernstein(expected, 2000)
    # One answer of Laplace noise of scale b rounds to the truth with probability 1 - e**(-1 / 2b).
    assert abs(fared["fixed"].baseline - (1 - math.exp(-0.25))) <= bernstein(1 - math.exp(-0.25), 2000)
    private = 2 * NormalDist().cdf(0.5 / math.sqrt(2 * 400)) - 1
    assert abs(fared["private"].details["mean"] - private) <= bernstein(private, 2000) + 3 / (24 * 400)


def test_private_answers_share_epsilon() -> None:
    params = averaging.Averaging(epsilon=0.5)
    truth = np.zeros((20_000, 4))
    noise = np.abs(laplace_answers(truth, "private", params, rng()))
    # |Laplace| is exponential of scale 4 / 0.5 = 8, above 8 with probability 1 / e.
    assert abs((noise > 8).mean() - math.exp(-1)) <= bernstein(math.exp(-1), noise.size)
    assert sigma_of("exact", params, 9) == 0
    assert sigma_of("private", params, 16) == pytest.approx(4 * sigma_of("private", params, 1))


def test_the_poll_gives_the_last_answer_away_and_privacy_keeps_73_in_100() -> None:
    fared = poll.run(poll.Poll(trials=100_000), rng()).by_way
    assert fared["exact"].rate == 1
    limit = math.e / (1 + math.e)
    assert allowed_rate(1.0) == pytest.approx(limit)
    assert round(limit, 2) == 0.73
    assert abs(fared["private"].rate - limit) <= bernstein(limit, 100_000)
    # Flat noise from -2 to 2: certain in 1 of 5 polls, else a coin.
    assert abs(fared["fixed"].details["certain"] - 0.2) <= bernstein(0.2, 100_000)
    assert abs(fared["fixed"].rate - 0.6) <= bernstein(0.6, 100_000)
    halved = poll.run(poll.Poll(trials=100_000, epsilon=2.0), rng()).by_way["private"]
    assert halved.rate > limit + bernstein(limit, 100_000)


@pytest.mark.parametrize("attributes", [50, 400, 2000])
def test_tracing_succeeds_as_often_as_theory_says(attributes: int) -> None:
    people, rounds = 100, 10
    params = tracing.Tracing(people=people, attributes=attributes)
    rates = [tracing.run(params, rng(seed)).by_way["exact"].rate for seed in range(rounds)]
    expected = tracing.expected_rate(tracing.frequencies(attributes, rng()), people)
    assert expected >= NormalDist().cdf(0.9 * math.sqrt(attributes / people) / 2)
    # Members share their group's means, so they are not quite independent: strangers alone are as many as counted.
    assert abs(np.mean(rates) - expected) <= bernstein(expected, people * rounds)


def test_tracing_fails_against_private_means() -> None:
    params = tracing.Tracing(epsilon=0.5)
    noise = sigma_of("private", params, params.attributes) / params.people
    expected = tracing.expected_rate(tracing.frequencies(params.attributes, rng()), params.people, noise)
    assert expected < 0.55
    found = [tracing.run(params, rng(seed)).by_way["private"].rate for seed in range(20)]
    assert abs(np.mean(found) - expected) <= bernstein(expected, 20 * params.people)


@examples(40)
@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(2, 9))
def test_isolating_pairs_are_those_that_brute_force_finds(seed: int, people: int, number: int) -> None:
    queries = np.unique(rng(seed).random((number, people)) < 0.5, axis=0)
    found = differencing.isolate(queries)
    for person in range(people):
        one = np.eye(people, dtype=bool)[person]
        pairs = {
            (i, j)
            for i, j in product(range(len(queries)), repeat=2)
            if queries[i, person] and not queries[j, person] and ((queries[i] ^ queries[j]) == one).all()
        }
        pair = (int(found.with_[person]), int(found.without[person]))
        assert pair in pairs if pairs else pair == (-1, -1)


def test_trackers_are_all_that_is_x_and_not_y() -> None:
    public = np.array([[0, 0], [0, 1], [1, 1]])
    held = {tuple(row) for row in differencing.trackers(public).tolist()}
    expected = set()
    conditions = [lambda row, c=c, v=v: row[c] == v for c in (0, 1) for v in (0, 1)]
    bases = [lambda row: True, *conditions]
    cells = [lambda row, v=v: tuple(row) == v for v in ((0, 0), (0, 1), (1, 1))]
    for base, exception in product(bases, [lambda row: False, *conditions, *cells]):
        expected.add(tuple(bool(base(row) and not exception(row)) for row in public.tolist()))
    assert held == expected


@pytest.mark.slow
def test_differencing_reads_the_secret_of_everybody_who_is_isolated() -> None:
    params = differencing.Differencing()
    fared = differencing.run(params, rng()).by_way
    isolated = fared["exact"].details["isolated"]
    assert isolated > params.people / 3
    assert fared["exact"].hits == isolated + (params.people - isolated) / 2
    limit = allowed_rate(params.epsilon)
    most = limit * isolated + (params.people - isolated) / 2 + bernstein(limit, int(isolated)) * isolated
    assert fared["private"].hits <= most


def test_refused_queries_protect_nobody_but_they_cost_the_attacker() -> None:
    queries = np.array([[True, True, True], [True, True, False], [True, False, False]])
    assert differencing.allowed(queries, 2).tolist() == queries[:2].tolist()
    assert differencing.isolate(differencing.allowed(queries, 2)).people.tolist() == [2]

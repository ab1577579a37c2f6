import copy
import math
import pickle
import time
from contextlib import nullcontext, suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from threading import Barrier, Thread
from types import SimpleNamespace

import numpy as np
import pytest
from tests.methods.mechanisms.laws import laplace_law
from tests.randomness.tolerance import bernstein

from tacit.errors import BadData, BudgetExceeded, PolicyRefused
from tacit.forks import forks
from tacit.methods.mechanisms.sparse_vector import SparseSession, SparseVector, above_threshold, setting
from tacit.randomness.stream import RandomBits


def outcome_law(answers, threshold, bar_rate, answer_rate, most_above):
    """The law of the pattern of aboves, stopping after `most_above`, summed over the noise of the threshold."""
    found = {}
    for pattern in product((False, True), repeat=len(answers)):
        if sum(pattern) > most_above or (sum(pattern) == most_above and not pattern[-1]):
            cut = max((i for i, hit in enumerate(pattern) if hit), default=-1) + 1
            if sum(pattern) > most_above or any(pattern[cut:]):
                continue
            pattern = pattern[:cut]
        found[pattern] = chance_of(pattern, answers, threshold, (bar_rate, answer_rate))
    return found


def chance_of(pattern, answers, threshold, rates):
    """The chance of one pattern, summed over the noise of the threshold."""
    total = 0.0
    for noise, weight in zip(range(-60, 61), laplace_law(rates[0], 60), strict=True):
        ups = [reaches(threshold + noise - answer, rates[1]) for answer in answers[: len(pattern)]]
        total += weight * math.prod(up if hit else 1 - up for up, hit in zip(ups, pattern, strict=True))
    return total


def reaches(need, rate):
    """Pr[discrete Laplace noise >= need]."""
    q = math.exp(-rate)
    return q**need / (1 + q) if need > 0 else 1 - q ** (1 - need) / (1 + q)


def test_w31_scales():
    used = setting(SparseVector(epsilon=1, sensitivity=1, threshold=5, split="even", grid=0))
    assert used.for_threshold.rate == Fraction(1, 2)  # Lap(2 / epsilon)
    assert used.for_answer.rate == Fraction(1, 4)  # Lap(4 / epsilon)


@pytest.mark.parametrize("split", ["even", "optimal"])
@pytest.mark.parametrize("numeric", [0.0, 0.25])
@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("answers", [1, 3])
def test_the_parts_add_up_to_epsilon(split, numeric, monotonic, answers):
    params = SparseVector(
        epsilon=0.7,
        sensitivity=2,
        threshold=5,
        split=split,
        numeric=numeric,
        monotonic=monotonic,
        answers=answers,
        grid=0,
    )
    used = setting(params)
    spread = answers * (1 if monotonic else 2)
    values = used.for_value.rate * 2 * answers if used.for_value else 0
    assert used.for_threshold.rate * 2 + used.for_answer.rate * 2 * spread + values == Fraction("0.7")


@pytest.mark.slow
@pytest.mark.parametrize(("answers", "monotonic"), [(1, False), (2, False), (2, True)])
def test_every_outcome_is_epsilon_private(answers, monotonic):
    params = SparseVector(epsilon=1, sensitivity=1, threshold=2, answers=answers, monotonic=monotonic, grid=0)
    used = setting(params)
    rates = float(used.for_threshold.rate), float(used.for_answer.rate)
    for truth in ((0, 3, 2), (2, 2, 2), (5, 0, 0)):
        law = outcome_law(truth, 2, *rates, answers)
        assert sum(law.values()) == pytest.approx(1, abs=1e-5)
        for move in product((0, 1) if monotonic else (-1, 0, 1), repeat=3):
            there = outcome_law(tuple(a + b for a, b in zip(truth, move, strict=True)), 2, *rates, answers)
            assert max(abs(math.log(law[key] / there[key])) for key in law) <= 1 + 1e-4


@pytest.mark.parametrize(("declared", "private"), [(11, True), (1, False)])
def test_noise_must_grow_with_the_number_of_answers(declared, private):
    """Ten answers rise, ten fall, ten are reported: noise for one answer only does not hide that."""
    used = setting(SparseVector(epsilon=1, sensitivity=1, threshold=0, answers=declared, grid=0))
    rates = float(used.for_threshold.rate), float(used.for_answer.rate)
    pattern = (True,) * 10 + (False,) * 10
    one = chance_of(pattern, (0,) * 20, 0, rates)
    two = chance_of(pattern, (1,) * 10 + (-1,) * 10, 0, rates)
    assert (abs(math.log(one / two)) <= 1) is private


@pytest.mark.slow
def test_answers_follow_the_law_and_half_the_noise_does_not():
    params = SparseVector(epsilon=2, sensitivity=1, threshold=2, answers=2, grid=0)
    used = setting(params)
    rates = float(used.for_threshold.rate), float(used.for_answer.rate)
    bits = RandomBits.from_seed(1)
    found = []
    for _ in range(6000):
        answer = above_threshold([0, 3, 2], params, bits)
        found.append(tuple(i in answer.above for i in range(answer.asked)))
    for pattern, probability in outcome_law((0, 3, 2), 2, *rates, 2).items():
        assert abs(found.count(pattern) / 6000 - probability) <= bernstein(probability, 6000)
    twin = outcome_law((0, 3, 2), 2, 2 * rates[0], 2 * rates[1], 2)
    assert any(abs(found.count(p) / 6000 - chance) > bernstein(chance, 6000) for p, chance in twin.items())


def test_numeric_answers_come_with_fresh_noise():
    params = SparseVector(epsilon=20, sensitivity=1, threshold=50, answers=2, numeric=0.5)
    answer = above_threshold([0.0, 100.25, 1.0, 200.5, 300.0], params, RandomBits.from_seed(2))
    assert answer.above.tolist() == [1, 3]
    assert answer.asked == 4
    assert np.abs(answer.values - [100.25, 200.5]).max() < 10
    assert (answer.values != [100.25, 200.5]).all()


def test_a_session_stops_when_its_answers_are_used_up():
    session = SparseSession(SparseVector(epsilon=20, sensitivity=1, threshold=50, answers=2), RandomBits.from_seed(3))
    assert [session.ask(value).above.size for value in (0.0, 100.0, 0.0)] == [0, 1, 0]
    assert session.left == 1
    session.ask(100.0)
    with pytest.raises(BudgetExceeded, match="reported"):
        session.ask(0.0)


def test_a_session_is_asked_about_one_number_at_a_time():
    """Three at once would share one noise, and leave more reports than there were."""
    session = SparseSession(SparseVector(epsilon=20, sensitivity=1, threshold=50), RandomBits.from_seed(3))
    with pytest.raises(BadData, match="3 numbers"):
        session.ask([1000.0, 1000.0, 1000.0])
    assert session.left == 1
    assert session.ask([1000.0]).above.size == 1
    with pytest.raises(BudgetExceeded, match="reported"):
        session.ask(0.0)


def slow_noise() -> SimpleNamespace:
    """Noise that lets other threads run between the look at what is left and the report."""

    def draw(number: int, bits: RandomBits) -> np.ndarray:
        time.sleep(0.01)
        return np.zeros(number, dtype=np.int64)

    return SimpleNamespace(draw=draw)


def reports_of_threads(session: SparseSession) -> int:
    """How many reports six threads get that ask at the same moment."""
    together, found = Barrier(6), []

    def ask() -> None:
        together.wait()
        with suppress(BudgetExceeded):
            found.append(session.ask(1e6).above.size)

    threads = [Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(found)


def test_threads_that_share_a_session_get_no_more_than_it_has():
    session = SparseSession(SparseVector(epsilon=1, sensitivity=1, threshold=10), RandomBits.from_os())
    session._used = replace(session._used, for_answer=slow_noise())
    assert reports_of_threads(session) == 1
    assert session.left == 0


def test_without_its_lock_threads_would_get_more():
    """The twin that must fail."""
    session = SparseSession(SparseVector(epsilon=1, sensitivity=1, threshold=10), RandomBits.from_os())
    session._used = replace(session._used, for_answer=slow_noise())
    session._lock = nullcontext()
    assert reports_of_threads(session) > 1


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_session_can_not_be_copied(copied):
    session = SparseSession(SparseVector(epsilon=1, sensitivity=1, threshold=10), RandomBits.from_os())
    with pytest.raises(PolicyRefused, match="a session can't be copied"):
        copied(session)


def test_a_session_does_not_go_on_after_a_fork(monkeypatch):
    session = SparseSession(SparseVector(epsilon=1, sensitivity=1, threshold=10), RandomBits.from_os())
    monkeypatch.setattr("tacit.methods.mechanisms.sparse_vector.forks", lambda: forks() + 1)
    with pytest.raises(PolicyRefused, match="copied by a fork"):
        session.ask(0.0)


@pytest.mark.slow
def test_a_session_follows_the_same_law_as_all_answers_at_once():
    params = SparseVector(epsilon=2, sensitivity=1, threshold=2, grid=0)
    used = setting(params)
    law = outcome_law((1, 3), 2, float(used.for_threshold.rate), float(used.for_answer.rate), 1)
    bits = RandomBits.from_seed(4)
    first = 0
    for _ in range(5000):
        first += SparseSession(params, bits).ask(1).above.size
    assert abs(first / 5000 - law[(True,)]) <= bernstein(law[(True,)], 5000)


def test_w31_a_clipping_bound_is_found():
    """Counts of people below each bound: the first bound that covers nearly all of 1,000 people."""
    incomes = np.linspace(0, 100, 1000)
    bounds = np.array([10, 20, 40, 80, 160, 320])
    below = (incomes[None, :] <= bounds[:, None]).sum(axis=1)
    params = SparseVector(epsilon=1, sensitivity=1, threshold=950, monotonic=True)
    found = [above_threshold(below, params, RandomBits.from_seed(seed)).above for seed in range(20)]
    assert all(bounds[above[0]] == 160 for above in found)

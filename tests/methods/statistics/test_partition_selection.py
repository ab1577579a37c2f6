"""Partition selection: the optimal recurrence, delta by brute force, bounded contributions, what is never published."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.mechanisms.laws import divergence
from tests.randomness.tolerance import bernstein

from tacit.accounting.account import account
from tacit.errors import BadData, BadParameter
from tacit.methods.mechanisms.finite_laplace import FiniteNoise, edge_mass
from tacit.methods.statistics import partition_selection as ps
from tacit.methods.statistics.partition_selection import PartitionSelection
from tacit.randomness.stream import RandomBits


def optimal(epsilon, delta, most):
    """p(0), p(1), … by the recurrence of Desfontaines and others (2022)."""
    chances = [0.0]
    for _ in range(most):
        last = chances[-1]
        chances.append(min(math.exp(epsilon) * last + delta, 1 - math.exp(-epsilon) * (1 - last - delta), 1.0))
    return np.array(chances)


def noise_law(used: FiniteNoise):
    weights = np.exp(-float(used.rate) * np.abs(np.arange(-used.most, used.most + 1.0)))
    return weights / weights.sum()


@given(st.floats(0.1, 3), st.floats(-8, -0.7))
def test_keys_are_published_as_often_as_can_be(epsilon, power):
    """At the delta that the noise has (at most what was asked for) no other mechanism publishes any key more often."""
    params = PartitionSelection(epsilon=round(epsilon, 3), delta=10**power)
    used = ps.noise(params)
    has = edge_mass(float(used.rate), 1, used.most)
    best = optimal(params.epsilon, has, 2 * used.most + 3)
    found = [ps.publish_chance(params, people) for people in range(best.size)]
    assert found == pytest.approx(best, rel=1e-6, abs=1e-12)
    assert has <= params.delta
    if used.most > 1:
        assert edge_mass(float(used.rate), 1, used.most - 1) > params.delta * (1 - 1e-6)


def outcome_law(used: FiniteNoise, people: int):
    """The law of what is seen of one key: nothing at 0, else the noisy count, from A + 1 on."""
    shown = np.zeros(1 + 2 * used.most + 10)
    for noise, chance in zip(range(-used.most, used.most + 1), noise_law(used), strict=True):
        shown[max(people + noise - used.most, 0)] += chance
    return shown


@pytest.mark.parametrize(("neighbours", "most"), [("add-remove", 1), ("add-remove", 2), ("replace", 1)])
def test_delta_by_brute_force_over_neighbours(neighbours, most):
    """All pairs of counts of the keys that one person can touch, seen together."""
    params = PartitionSelection(epsilon=1.5, delta=0.05, neighbours=neighbours, most=most)
    used, worst = ps.noise(params), 0.0
    reach = range(2 * used.most + 2)
    for counts in product(reach, repeat=params.touched):
        moves = [(1,) * params.touched] if neighbours == "add-remove" else [(1, -1), (-1, 1)]
        for move in moves:
            there = [number + step for number, step in zip(counts, move, strict=True)]
            if min(there) < 0:
                continue
            one, other = (_together([outcome_law(used, n) for n in side]) for side in (counts, there))
            worst = max(worst, divergence(one, other, 1.5), divergence(other, one, 1.5))
    assert params.delta * 0.3 < worst <= params.delta
    if params.touched == 2:
        alone = ps.noise(PartitionSelection(epsilon=1.5, delta=0.05))
        twin = [_together([outcome_law(alone, n)] * 2) for n in (0, 1)]
        assert divergence(twin[1], twin[0], 1.5) > params.delta


def _together(laws):
    law = laws[0]
    for other in laws[1:]:
        law = np.outer(law, other).ravel()
    return law


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "fit"), [(1, True), (2, False)])
def test_keys_are_published_by_their_law(factor, fit):
    params = PartitionSelection(epsilon=1.0, delta=0.01)
    people = ps.people_needed(params, 0.5)
    log = [np.arange(people * 3), np.repeat(["a", "b", "c"], people)]
    bits, runs = RandomBits.from_seed(1), 700
    found = sum(len(ps.partition_selection(log, params, bits).keys) for _ in range(runs)) / (3 * runs)
    expected = ps.publish_chance(params.model_copy(update={"epsilon": 1.0 * factor}), people)
    assert (abs(found - expected) <= bernstein(expected, 3 * runs)) is fit


@pytest.mark.slow
def test_a_key_of_nobody_or_of_one_is_hardly_ever_seen():
    params = PartitionSelection(epsilon=1.0, delta=1e-6)
    assert ps.publish_chance(params, 0) == 0
    assert ps.publish_chance(params, 1) <= 1e-6
    log = [np.arange(3000), np.array([f"secret {row}" for row in range(2000)] + ["common"] * 1000)]
    answer = ps.partition_selection(log, params, RandomBits.from_seed(2))
    assert answer.keys == ("common",)
    assert abs(answer.counts.values[0] - 1000) <= ps.noise(params).most
    assert account(answer.event, 1e-6).epsilon == 1.0


def test_at_most_so_many_keys_of_a_person_count():
    """One person writes a thousand keys a hundred times over; others share two."""
    loud = [np.zeros(100_000, dtype=np.int64), np.tile(np.array([f"key {i}" for i in range(1000)]), 100)]
    params = PartitionSelection(epsilon=1.0, delta=1e-3, most=3)
    assert ps.partition_selection(loud, params, RandomBits.from_seed(3)).keys == ()
    both = [np.repeat(np.arange(500), 4), np.tile(np.array(["x", "y", "x", "y"]), 500)]
    answer = ps.partition_selection(both, params, RandomBits.from_seed(4))
    assert answer.keys == ("x", "y")
    assert np.abs(answer.counts.values - 500).max() <= ps.noise(params).most


def test_keys_of_any_type_are_told_as_text_and_missing_ones_are_none():
    keys = np.array([None, float("nan"), 7, "7", "b"] * 100, dtype=object)
    params = PartitionSelection(epsilon=5.0, delta=1e-3)
    assert ps.partition_selection([np.arange(500), keys], params, RandomBits.from_seed(5)).keys == ("7", "b")
    numbers = np.where(np.arange(300) % 2, np.nan, 2.5)
    assert ps.partition_selection([np.arange(300), numbers], params, RandomBits.from_seed(5)).keys == ("2.5",)


@pytest.mark.slow
def test_errors_and_accuracy_first():
    params = PartitionSelection(epsilon=1.0, delta=1e-6)
    found = ps.for_people(12, params, 0.9)
    assert ps.publish_chance(found, 12) >= 0.9
    assert ps.publish_chance(found.model_copy(update={"epsilon": 0.99 * found.epsilon}), 12) < 0.9
    law, used = noise_law(ps.noise(params)), ps.noise(params)
    far = np.abs(np.arange(-used.most, used.most + 1)) > ps.error(params, 0.9)
    assert law[far].sum() <= 0.1
    log = [np.arange(200), np.repeat("a", 200)]
    bits = RandomBits.from_seed(6)
    ends = [ps.partition_selection(log, params, bits).counts.interval() for _ in range(400)]
    assert np.mean([end.lower[0] <= 200 <= end.upper[0] for end in ends]) >= 0.95 - bernstein(0.95, 400)


def test_bad_input_is_refused():
    for wrong in ({"delta": 0}, {"delta": 1}, {"epsilon": 0}, {"most": 0}):
        with pytest.raises(BadParameter):
            PartitionSelection.parse("keys", {"epsilon": 1.0, "delta": 1e-6, **wrong})
    with pytest.raises(BadData, match="two columns"):
        ps.partition_selection([np.arange(3)], ps.METHOD.example, RandomBits.from_seed(1))


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_neighbours_differ_by_one_person(neighbours):
    params = ps.METHOD.example.model_copy(update={"neighbours": neighbours})
    for pair in ps.neighbouring_logs(params):
        one, two = ({(person, key) for person, key in zip(*log, strict=True)} for log in (pair.first, pair.second))
        assert {person for person, _ in one ^ two} == {"last"}


@pytest.mark.parametrize("log", [[[], []], [["ann"], ["sun"]]], ids=["no key", "one key"])
def test_noise_that_can_not_be_drawn_is_refused_whether_there_are_keys_or_not(log):
    """A rate of 1e-16 lies below 2**-48, and at this delta noise reaches much further than 1 / rate."""
    params = PartitionSelection(epsilon=1e-16, delta=1e-18)
    with pytest.raises(BadParameter, match="2\\*\\*-48"):
        ps.partition_selection(log, params, RandomBits.from_seed(1))

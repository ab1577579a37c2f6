"""The minimum of a regularised logistic loss: it is reached on hostile rows, in steps that these do not decide.

Covers statistics/logistic_regression.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.methods.statistics._logistic import minimum as search
from tacit.methods.statistics._logistic.minimum import GRADIENT, minimum, penalties


def gradient(rows, signs, penalty, weights):
    return penalty * weights - rows.T @ (signs / (1 + np.exp(np.clip(signs * (rows @ weights), -700, 700))))


def hostile(kind, size):
    """Rows of length at most 1: told apart by the first column, with one exception, at random, or by a hair."""
    random = np.random.default_rng(size)
    rows = np.column_stack([random.uniform(-1, 1, (size, 2)), np.ones(size)]) / math.sqrt(3)
    signs = np.where(rows[:, 0] > 0, 1.0, -1.0)
    if kind == "random":
        return rows, random.choice([-1.0, 1.0], size)
    if kind == "by a hair":
        return rows * [1e-3, 1, 1], signs
    if kind == "but one":
        signs[0] *= -1
    return rows, signs


KINDS = ["apart", "but one", "random", "by a hair"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "penalty"), [(1, 0.1), (40, 0.1), (400, 1.0), (3000, 0.1), (3000, 1e9)])
def test_the_gradient_is_as_short_as_the_noise_counts_on(kind, size, penalty):
    rows, signs = hostile(kind, size)
    assert np.linalg.norm(gradient(rows, signs, penalty, minimum(rows, signs, penalty))) <= GRADIENT


def test_fewer_steps_would_not_do():
    rows, signs = hostile("apart", 400)
    early = np.zeros(3)
    for penalty in penalties(400, 0.1)[:3]:
        early = minimum(rows, signs, penalty)
    assert np.linalg.norm(gradient(rows, signs, 0.1, early)) > GRADIENT


def test_the_number_of_steps_follows_from_the_number_of_rows(monkeypatch):
    steps, solve = [], np.linalg.solve
    monkeypatch.setattr(search.np.linalg, "solve", lambda *given: steps.append(1) or solve(*given))
    taken = []
    for kind in KINDS:
        steps.clear()
        minimum(*hostile(kind, 300), 0.1)
        taken.append(len(steps))
    assert taken == [len(penalties(300, 0.1))] * len(KINDS)


@given(st.integers(0, 10**7), st.floats(0.1, 1e9))
def test_penalties_fall_no_faster_than_the_proof_allows(size, last):
    """Between penalties m and m / a: 0.2 a + (a - 1) (B + 0.2232) <= 0.5, with B the longest minimum at m."""
    falling = penalties(size, last)
    assert falling[-1] == last
    for before, after in pairwise([max(2.5 * size, last), *falling]):
        longest = math.sqrt(0.2785 * size / before)
        assert before >= after
        assert 0.2 * before / after + (before / after - 1) * (longest + 0.2232) <= 0.5
    assert len(falling) <= 4 * math.sqrt(size / last) + 2 * math.log(1 + size / last) + 12


def test_the_constants_of_the_proof():
    """A Newton step from 0.5 ends below 0.2; z / (1 + e**z) is at most 0.2785; 0.2232 is more than -ln(1 - 0.2)."""
    assert math.exp(0.25) * (math.expm1(0.5) - 0.5) < 0.2
    logits = np.linspace(0, 10, 100_001)
    assert (logits / (1 + np.exp(logits))).max() < 0.2785
    assert -math.log(0.8) < 0.2232


@given(st.integers(0, 10**6))
def test_a_newton_step_shortens_as_the_proof_says(seed):
    """At random places, with s <= 0.5: its s afterwards is at most e**(s/2) (e**s - 1 - s)."""
    random = np.random.default_rng(seed)
    rows, signs = hostile(KINDS[seed % 4], 20)
    penalty = float(random.choice([0.1, 1.0, 10.0]))
    best = minimum(rows, signs, penalty)
    weights = best + random.normal(0, 0.2, 3)

    def curve(at):
        miss = 1 / (1 + np.exp(signs * (rows @ at)))
        return (rows.T * (miss * (1 - miss))) @ rows + penalty * np.eye(3)

    def short(at):
        slope = gradient(rows, signs, penalty, at)
        return math.sqrt(slope @ np.linalg.solve(curve(at), slope) / penalty)

    before = short(weights)
    after = short(weights - np.linalg.solve(curve(weights), gradient(rows, signs, penalty, weights)))
    assert after <= math.exp(before / 2) * (math.expm1(before) - before) + 1e-9
    assert before >= 1 or np.linalg.norm(weights - best) <= -math.log1p(-before) + 1e-9

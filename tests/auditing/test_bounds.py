import math

import numpy as np
import pytest

from tacit.auditing.bounds import greatest_share, least_share, loss_by_guesses, loss_by_outputs


def at_least(k: int, n: int, p: float) -> float:
    """Pr[Binomial(n, p) >= k], summed."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


@pytest.mark.parametrize(("k", "n"), [(1, 10), (7, 10), (10, 10), (30, 200)])
def test_the_least_share_is_that_of_clopper_and_pearson(k: int, n: int) -> None:
    low = float(least_share(k, n, 1e-3))
    assert at_least(k, n, low) == pytest.approx(1e-3, rel=1e-6)
    high = float(greatest_share(n - k, n, 1e-3))
    assert high == pytest.approx(1 - low)


def test_nothing_counted_proves_nothing() -> None:
    assert float(least_share(0, 0, 1e-6)) == 0
    assert float(greatest_share(0, 0, 1e-6)) == 1
    assert float(loss_by_guesses(0, 0, 1e-6)) < 0
    assert float(loss_by_outputs(0, 5, (10, 10), 0.0, 1e-6)) < 0


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_guesses_of_a_private_bit_prove_too_much_as_seldom_as_promised(epsilon: float) -> None:
    # Randomised response attains epsilon: every guess is right with probability e**epsilon / (1 + e**epsilon).
    n, alpha, p = 300, 1e-3, 1 / (1 + math.exp(-epsilon))
    law = np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
    wrong = law[loss_by_guesses(np.arange(n + 1), n, alpha) > epsilon].sum()
    assert wrong <= alpha
    careless = law[loss_by_guesses(np.arange(n + 1), n, 20 * alpha) > epsilon].sum()
    assert careless > alpha


@pytest.mark.slow
def test_an_event_proves_too_much_as_seldom_as_promised() -> None:
    n, alpha, q, epsilon, delta = 400, 1e-2, 0.2, 0.7, 0.1
    p = math.exp(epsilon) * q + delta
    hits, others = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    law = [np.array([math.comb(n, k) * r**k * (1 - r) ** (n - k) for k in range(n + 1)]) for r in (p, q)]
    joint = np.outer(*law)
    assert joint[loss_by_outputs(hits, others, (n, n), delta, alpha) > epsilon].sum() <= alpha
    assert joint[loss_by_outputs(hits, others, (n, n), 0.0, alpha) > epsilon].sum() > alpha


def test_laplace_with_2_percent_too_little_noise_is_within_reach() -> None:
    # The figures of the module's docstring: what a million runs on each neighbour can show.
    guessed = 0.5 + math.exp(-1) / 2
    right = 1 / (1 + math.exp(-1))
    deviation = 1 / math.sqrt(guessed * right * (1 - right))
    assert deviation == pytest.approx(2.73, abs=0.01)
    runs = 1_700_000
    typical = float(loss_by_guesses(guessed * runs / (1 + math.exp(-1.02)), guessed * runs, 1e-6))
    assert typical == pytest.approx(1.02 - 4.75 * deviation / math.sqrt(runs), abs=2e-4)
    assert typical > 1

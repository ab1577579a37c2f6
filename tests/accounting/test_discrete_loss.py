"""Losses of discrete noise against sums over its outcomes, closed forms and dp-accounting's own lists."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.accounting.account import METHODS, account, smallest_delta
from tacit.accounting.cases import cases
from tacit.accounting.discrete_loss import LOWEST, DiscreteLosses, discrete_gaussian, discrete_laplace, on_grid
from tacit.accounting.events import (
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Gaussian,
    Laplace,
    PoissonSampled,
    Repeated,
)
from tacit.accounting.gaussian import gaussian_delta, gaussian_epsilon
from tacit.accounting.loss_distribution import WIDE, LossDistribution

MEAN = DiscreteLaplace(838_860_800, 419_430_400)
"""What the mean of numbers between 0 and 100 spends at epsilon 0.5."""
ROUNDING = 1e-12
EPSILONS = (-2.0, -0.3, 0.0, 0.1, 0.5, 1.0, 2.5)
scales, shifts, shares = st.floats(0.5, 20), st.integers(1, 40), st.sampled_from([0.01, 0.3, 0.9])


def laplace_pair(scale: float, shift: int) -> tuple[np.ndarray, np.ndarray]:
    """The chances of outcomes around both answers."""
    return _pair(lambda x: np.abs(x) / scale, int(60 * scale), shift)


def gaussian_pair(sigma: float, shift: int) -> tuple[np.ndarray, np.ndarray]:
    return _pair(lambda x: (x / sigma) ** 2 / 2, int(40 * sigma) + 2, shift)


def _pair(cost: Callable[[np.ndarray], np.ndarray], reach: int, shift: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.arange(-reach, reach + shift + 1, dtype=float)
    total = np.exp(-cost(np.arange(-reach, reach + 1, dtype=float))).sum()
    return np.exp(-cost(x)) / total, np.exp(-cost(x - shift)) / total


def true_delta(first: np.ndarray, second: np.ndarray, epsilon: float) -> float:
    return float(np.maximum(first - math.exp(epsilon) * second, 0).sum())


def delta_of(losses: DiscreteLosses, epsilon: float) -> float:
    above = losses.loss > epsilon
    chances = np.exp(losses.log_chance[above])
    return losses.beyond + float(np.sum(-np.expm1(epsilon - losses.loss[above]) * chances))


def of_grid(masses: dict[int, float], interval: float) -> DiscreteLosses:
    return DiscreteLosses(np.array(list(masses)) * interval, np.log(list(masses.values())))


@given(scale=scales, shift=shifts)
def test_all_lines_are_the_sum_over_outcomes(scale: float, shift: int) -> None:
    losses = discrete_laplace(shift / scale, shift, interval=1e-6)
    assert losses.loss.size == shift + 1
    for epsilon in EPSILONS:
        truth = true_delta(*laplace_pair(scale, shift), epsilon)
        assert delta_of(losses, epsilon) == pytest.approx(truth, abs=ROUNDING)


@given(scale=scales, shift=st.integers(20, 200), cells=st.integers(1, 15), share=st.sampled_from([0.05, 0.4, 1.0]))
def test_fewer_lines_never_lose_less_and_hardly_more(scale: float, shift: int, cells: int, share: float) -> None:
    """Losses move up by no more than the gap between lines that were kept."""
    epsilon = min(shift / scale, 20.0)
    first, second = laplace_pair(shift / epsilon, shift)
    losses = discrete_laplace(epsilon, shift, 2 * epsilon / cells, share)
    assert losses.loss.size < shift + 1
    assert np.exp(losses.log_chance).sum() == pytest.approx(1, abs=ROUNDING)
    assert np.exp(losses.log_chance - losses.loss).sum() == pytest.approx(1, abs=ROUNDING)
    gap = float(np.diff(losses.loss).max())
    for target in EPSILONS:
        found = delta_of(losses, target)
        assert true_delta(first, second, target) - ROUNDING <= found
        assert found <= true_delta(first, second, target - gap) + ROUNDING


def test_merging_outcomes_would_be_caught() -> None:
    """The twin that must fail: a list that joins neighbours, instead of leaving lines out, lies below the truth."""
    first, second = laplace_pair(20.0, 40)
    merged = [chances[: chances.size // 8 * 8].reshape(-1, 8).sum(axis=1) for chances in (first, second)]
    joined = DiscreteLosses(np.log(merged[0] / merged[1]), np.log(merged[0]))
    assert any(delta_of(joined, epsilon) < true_delta(first, second, epsilon) - ROUNDING for epsilon in EPSILONS)


@given(scale=scales, shift=shifts, share=shares)
def test_a_sample_is_the_mixture(scale: float, shift: int, share: float) -> None:
    for pair, losses in (
        (laplace_pair(scale, shift), discrete_laplace(shift / scale, shift, 1e-6)),
        (gaussian_pair(scale, shift), discrete_gaussian(scale, shift)),
    ):
        first, second = pair
        mixture = share * first + (1 - share) * second
        for epsilon in EPSILONS:
            removed, added = losses.removed(share), losses.added(share)
            assert delta_of(removed, epsilon) == pytest.approx(true_delta(mixture, second, epsilon), abs=ROUNDING)
            assert delta_of(added, epsilon) == pytest.approx(true_delta(second, mixture, epsilon), abs=ROUNDING)


@given(sigma=st.floats(0.2, 15), shift=shifts)
def test_discrete_gaussian_losses_are_the_sum(sigma: float, shift: int) -> None:
    for epsilon in EPSILONS:
        truth = true_delta(*gaussian_pair(sigma, shift), epsilon)
        assert delta_of(discrete_gaussian(sigma, shift), epsilon) == pytest.approx(truth, abs=ROUNDING)


@given(scale=scales, shift=shifts, interval=st.floats(0.01, 1))
def test_the_grid_never_loses_less_and_at_most_an_interval_more(scale: float, shift: int, interval: float) -> None:
    losses = discrete_laplace(min(shift / scale, -LOWEST), shift, 1e-6)
    gridded = of_grid(dict(on_grid(losses, interval)), interval)
    for epsilon in EPSILONS:
        assert delta_of(losses, epsilon) - ROUNDING <= delta_of(gridded, epsilon)
        assert delta_of(gridded, epsilon) <= delta_of(losses, epsilon - interval) + ROUNDING


@given(sigma=st.floats(2.3, 8), shift=st.integers(1, 30), epsilon=st.floats(0, 6))
def test_discrete_gaussian_noise_is_dominated_by_continuous_noise_of_four_less(
    sigma: float, shift: int, epsilon: float
) -> None:
    """What stands for wide noise, where its sums are short enough to be made."""
    continuous = gaussian_delta(shift / math.sqrt(sigma**2 - 4), epsilon)
    assert true_delta(*gaussian_pair(sigma, shift), epsilon) <= continuous + ROUNDING


@pytest.mark.parametrize("delta", [1e-5, 1e-3, 0.1])
def test_millions_of_steps_are_tight(delta: float) -> None:
    """Continuous Laplace noise loses epsilon + 2 ln(1 − delta), hardly less than discrete noise of so fine steps."""
    found = account(MEAN, delta)
    closed = 0.5 + 2 * math.log1p(-delta)
    assert closed <= found.epsilon <= closed + 1e-7
    assert found.method == "pld"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("huge", "small"),
    [
        (Repeated(MEAN, 20), Repeated(Laplace(2), 20)),
        (PoissonSampled(MEAN, 0.1), PoissonSampled(Laplace(2), 0.1)),
        (Repeated(DiscreteGaussian(10**9, 10**9), 5), Repeated(Gaussian(1), 5)),
        (DiscreteGaussian(10**9, 10**9, coordinates=50), Gaussian(1)),
        (PoissonSampled(DiscreteGaussian(10**7, 10**7), 0.1), PoissonSampled(Gaussian(1), 0.1)),
        (DiscreteGaussian(WIDE - 1, WIDE - 1), DiscreteGaussian(WIDE, WIDE)),
    ],
    ids=["laplace", "sampled laplace", "gaussian", "vector", "sampled gaussian", "border"],
)
def test_fine_steps_cost_what_continuous_noise_costs(huge: Event, small: Event) -> None:
    found = account(huge, 1e-5, ["pld"]).epsilon
    assert found == pytest.approx(account(small, 1e-5, ["pld"]).epsilon, rel=1e-6)


@pytest.mark.slow
def test_wide_gaussian_noise_is_not_below_the_exact_curve() -> None:
    found = account(DiscreteGaussian(10**6, 3 * 10**6), 1e-5).epsilon
    assert gaussian_epsilon(3, 1e-5) <= found <= gaussian_epsilon(3, 1e-5) + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 1), (2.5, 4), (30.0, 20)])
@pytest.mark.parametrize("share", [1.0, 0.2])
def test_compositions_agree_with_the_library(scale: float, shift: int, share: float) -> None:
    from dp_accounting.pld import privacy_loss_distribution as pld

    theirs = pld.from_discrete_laplace_mechanism(
        1 / scale, shift, value_discretization_interval=1e-4, sampling_prob=share, use_connect_dots=True
    ).self_compose(10)
    event = Repeated(PoissonSampled(DiscreteLaplace(scale, shift), share), 10)
    ours = LossDistribution(1e-4).curve(cases(event)[0])(Fraction(1, 10**5))
    assert ours == pytest.approx(theirs.get_epsilon_for_delta(1e-5), rel=1e-6)


@pytest.mark.parametrize("epsilon", [450, 648, 800, 1012])
def test_enormous_losses_warn_nobody(epsilon: int) -> None:
    """Noise so narrow that it hardly ever moves: the loss is s²/(2 sigma²), less what delta takes off, −ln(1 − delta).
    Warnings are errors here.
    """
    narrow = DiscreteGaussian(1 / math.sqrt(2 * epsilon))
    truth = epsilon + math.log1p(-0.01)
    assert truth <= account(narrow, 0.01).epsilon <= truth * (1 + 1e-4)


def test_a_shift_far_beyond_the_noise_is_no_error() -> None:
    """The truth by hand: the loss is 5000 − 100 z, and the chances of z <= −3 add up to less than delta."""
    chances = np.exp(-(np.arange(-12, 13) ** 2) / 2)
    chances /= chances.sum()
    assert chances[:10].sum() < 0.01 < chances[:11].sum()
    truth = 5200 + math.log((chances[:11].sum() - 0.01) / chances[10])
    found = account(DiscreteGaussian(1, 100), 0.01, METHODS).by_method["pld"]
    assert truth <= found <= 5200 * (1 + 1e-5)
    assert account(DiscreteGaussian(1, 100), 0.01).epsilon == found


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_tiny_epsilon_does_not_make_the_grid_endless() -> None:
    """Laplace: delta(epsilon) = 1 − e^((epsilon − 1)/2)."""
    for epsilon in (1e-4, 1e-9):
        truth = -math.expm1((epsilon - 1) / 2)
        assert truth <= smallest_delta(Laplace(1), epsilon) <= truth + 1e-8

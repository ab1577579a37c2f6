"""Every mechanism that adds noise to numbers says its error in advance, and its intervals hold as often as they say.

Covers mechanisms/bounded_laplace, discrete_gaussian, finite_laplace, mechanisms/gaussian, mechanisms/geometric,
mechanisms/laplace, randomised_rounding, truncated_laplace, noise/answer.
"""

import numpy as np
import pytest
from tests.randomness.tolerance import bernstein

from tacit.catalogue import methods
from tacit.methods.mechanisms import (
    bounded_laplace,
    discrete_gaussian,
    finite_laplace,
    gaussian,
    geometric,
    laplace,
    randomised_rounding,
    truncated_laplace,
)
from tacit.randomness.stream import RandomBits

NUMERIC = [laplace, geometric, gaussian, discrete_gaussian, truncated_laplace, finite_laplace, randomised_rounding]
WHOLE = (geometric, discrete_gaussian)


def _name(module):
    return "mechanisms/" + module.__name__.rsplit(".", 1)[1].replace("_", "-")


@pytest.mark.parametrize("module", NUMERIC, ids=_name)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_intervals_hold_the_truth_and_have_the_width_that_was_said(module, level):
    card = methods()[_name(module)]
    truth = np.full(20_000, 4) if module in WHOLE else np.full(20_000, 4.3)
    answer = card.run(truth, card.example, RandomBits.from_seed(1))
    interval = answer.interval(level)
    inside = float(((interval.lower <= truth) & (truth <= interval.upper)).mean())
    assert inside >= level - bernstein(level, truth.size)
    alone = card.run(truth[:1], card.example, RandomBits.from_seed(1))
    assert alone.error(level) == pytest.approx(module.error(card.example, level), rel=1e-12)
    together = answer.interval(level, together=True)
    assert (together.lower <= interval.lower).all()


@pytest.mark.parametrize("module", NUMERIC, ids=_name)
def test_half_the_width_would_not_hold(module):
    card = methods()[_name(module)]
    truth = np.full(20_000, 4) if module in WHOLE else np.full(20_000, 4.3)
    answer = card.run(truth, card.example, RandomBits.from_seed(1))
    inside = float((np.abs(answer.values - truth) <= answer.error(0.95) / 2).mean())
    assert inside < 0.95 - bernstein(0.95, truth.size)


def test_bounded_answers_say_their_error_too():
    params = bounded_laplace.METHOD.example
    answer = bounded_laplace.bounded_laplace(4.3, params, RandomBits.from_seed(1))
    assert answer.error(0.95) == bounded_laplace.error(params, 0.95)

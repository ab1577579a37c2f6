"""The individual risk is the posterior mean of 1/F under the negative binomial, and households follow from it."""

import math
from fractions import Fraction
from math import comb, exp, lgamma, log, log1p

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.test_risk import risks_of_people
from tests.metrics.tables.worlds import World, all_suppressed, publication, worlds

from tacit.errors import BadData
from tacit.metrics.tables.individual_risk import METRIC, DrawnFraction, household_risk, individual_risk


def posterior_mean(people: int, p: float) -> float:
    """The sum over h >= f of C(h-1, f-1) p^f q^(h-f) / h, far beyond the mean f/p, until terms no longer count."""
    total, term, h = 0.0, 1.0, people
    while h < 3 * people / p or term > 1e-17 * total:
        chance = lgamma(h) - lgamma(people) - lgamma(h - people + 1) + people * log(p) + (h - people) * log1p(-p)
        term = exp(chance) / h
        total, h = total + term, h + 1
    return total


@pytest.mark.parametrize("people", [1, 2, 3, 7, 40, 41, 90])
@pytest.mark.parametrize("p", [0.01, 0.2, 0.5, 0.500001, 0.9, 0.999])
def test_is_the_posterior_mean(people: int, p: float) -> None:
    found = individual_risk(np.array([people]), np.array([people / p]))[0]
    # The sum of up to 10^5 terms from log-gammas is good to about 10^-10.
    assert found == pytest.approx(posterior_mean(people, p), rel=1e-9)


@given(st.integers(1, 30), st.fractions(Fraction(1, 1000), Fraction(1)))
def test_closed_forms_of_one_and_two_and_the_recurrence_between(people: int, p: Fraction) -> None:
    """f = 1: (p/q) ln(1/p); f = 2: p/q - (p/q)^2 ln(1/p) (Benedetti and Franconi 1998); then c/f - c r of f."""

    def risk(f: int) -> float:
        return float(individual_risk(np.array([f]), np.array([f / float(p)]))[0])

    if p == 1:
        assert risk(people) == pytest.approx(1 / people)
        return
    c = float(p / (1 - p))
    if p < Fraction(1, 2):
        assert risk(1) == pytest.approx(c * -math.log(p), rel=1e-12)
        assert risk(2) == pytest.approx(c - c * c * -math.log(p), rel=1e-9)
    # Differences lose digits where c is large, so the tolerance is that of the larger side.
    assert risk(people + 1) == pytest.approx(c / people - c * risk(people), abs=1e-12 * (1 + c) ** 2)


@given(st.integers(1, 5000), st.floats(1, 1e9))
def test_lies_between_the_plain_estimate_and_the_prosecutor(people: int, each: float) -> None:
    weight = people * each
    found = individual_risk(np.array([people]), np.array([weight]))[0]
    assert 1 / weight * (1 - 1e-9) <= found <= 1 / people * (1 + 1e-12)


def test_weights_below_one_are_no_help_to_the_adversary() -> None:
    assert individual_risk(np.array([4]), np.array([2.0]))[0] == 0.25


@pytest.mark.parametrize(("people", "weight"), [(0, 1.0), (1, 0.0), (1, math.nan), (1, math.inf)])
def test_refuses_what_has_no_risk(people: int, weight: float) -> None:
    with pytest.raises(BadData, match="has no risk"):
        individual_risk(np.array([people]), np.array([weight]))


def simulated(people: int, p: float, draws: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """1/F of a population that is drawn from the posterior: failures before the f-th success, and the f."""
    generator = np.random.default_rng(12)
    result: np.ndarray[tuple[int], np.dtype[np.float64]] = 1 / (generator.negative_binomial(people, p, draws) + people)
    return result


@pytest.mark.parametrize(("people", "p"), [(1, 0.1), (3, 0.3)])
def test_agrees_with_simulation(people: int, p: float) -> None:
    """Hoeffding: the mean of n numbers in [0, 1/f] is within sqrt(ln(2/1e-9) / 2n) / f of its expectation."""
    draws = 1_000_000
    tolerance = math.sqrt(math.log(2e9) / (2 * draws)) / people
    mean = float(simulated(people, p, draws).mean())
    assert abs(individual_risk(np.array([people]), np.array([people / p]))[0] - mean) <= tolerance
    assert abs(individual_risk(np.array([people]), np.array([people / p / 1.3]))[0] - mean) > tolerance
    assert abs(p / people - mean) > tolerance  # the plain estimate is another number


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1), st.integers(1, 3)), min_size=1, max_size=12))
def test_a_household_is_re_identified_with_one_of_its_members(members: list[tuple[int, float, int]]) -> None:
    number = max(house for house, _, _ in members) + 1
    safe = [1.0] * number
    for house, risk, people in members:
        safe[house] *= (1 - risk) ** people
    house, risk, people = (np.array(part) for part in zip(*members, strict=True))
    assert household_risk(risk.astype(float), house, people) == pytest.approx([1 - s for s in safe], abs=1e-12)


@pytest.mark.slow
@given(worlds())
def test_the_metric_with_everybody_drawn_is_the_prosecutor(world: object) -> None:
    published = publication(world)
    found = METRIC.run(published, DrawnFraction(fraction=1.0))
    people = published.released.people.counts()
    assert found.value == pytest.approx(1 / people.min() if people.size else 0.0)
    assert found.details["expected"] == pytest.approx(people.size)
    less = METRIC.run(published, DrawnFraction(fraction=0.1))
    assert less.value <= found.value
    assert METRIC.run(publication(all_suppressed()), DrawnFraction(fraction=0.1)).value == 0.0


@pytest.mark.slow
@given(worlds(persons=True, split=False))
def test_who_is_in_several_classes_has_the_highest_risk(world: World) -> None:
    risks = risks_of_people(world).values()
    found = METRIC.run(publication(world), DrawnFraction(fraction=1.0))
    assert found.value == pytest.approx(max(risks, default=0.0))
    assert found.details["expected"] == pytest.approx(sum(risks))
    assert found.details["average"] == pytest.approx(sum(risks) / max(len(risks), 1))


def test_the_sum_is_that_of_inverse_binomials() -> None:
    """(p/f) sum q^n / C(f+n, n), exactly for the first terms: the form that the module states."""
    f, p = 5, Fraction(4, 5)
    exact = p / f * sum((1 - p) ** n / comb(f + n, n) for n in range(60))
    assert individual_risk(np.array([f]), np.array([float(f / p)]))[0] == pytest.approx(float(exact), rel=1e-14)

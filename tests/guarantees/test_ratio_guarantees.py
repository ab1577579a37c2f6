"""(α, k)-anonymity, β-likeness and δ-disclosure on examples worked by hand.

Covers alpha_k_anonymity, beta_likeness, delta_disclosure, guarantees/_likelihood.
"""

import math

import pytest
from tests.oracle.counted import classes_from

from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity
from tacit.guarantees.beta_likeness import BetaLikeness
from tacit.guarantees.delta_disclosure import DeltaDisclosure
from tacit.guarantees.guarantee import check


def test_alpha_k_needs_both():
    guarantee = AlphaKAnonymity(alpha=0.5, k=4)
    measured = guarantee.measure(classes_from([[2, 2, 0], [1, 1, 1], [3, 1, 0]]))
    assert measured.tolist() == [0.5, math.inf, 0.75]
    assert guarantee.satisfied(measured).tolist() == [True, False, False]
    assert check(guarantee, classes_from([[1, 1]])).says.endswith("; the smallest class has fewer")
    assert check(guarantee, classes_from([[2, 2]])).says.endswith("; the largest share is 0.5")


def test_gain_of_beta_likeness():
    """q = (0.1, 0.9), p = (0.3, 0.7): the first value gains 2; the loss of the second does not count."""
    classes = classes_from([[3, 7]], [1, 9])
    assert BetaLikeness(beta=2, kind="basic").measure(classes) == pytest.approx([2.0])
    assert check(BetaLikeness(beta=2, kind="basic"), classes).holds
    assert not check(BetaLikeness(beta=1.99, kind="basic"), classes).holds


def test_enhanced_limits_frequent_values_by_their_own_logarithm():
    """q = (0.5, 0.5): −ln q = 0.693, so a gain of 0.8 breaks the enhanced promise of β = 1 and keeps the basic one."""
    classes = classes_from([[9, 1]], [1, 1])
    assert check(BetaLikeness(beta=1, kind="basic"), classes).holds
    enhanced = check(BetaLikeness(beta=1, kind="enhanced"), classes)
    assert not enhanced.holds
    assert enhanced.measured == pytest.approx(0.8 / math.log(2))
    # A gain of 0.6 is within both limits; for a rare value the two kinds are one.
    assert check(BetaLikeness(beta=1), classes_from([[8, 2]], [1, 1])).holds
    rare = classes_from([[3, 7]], [1, 9])
    assert BetaLikeness(beta=2).measure(rare) == pytest.approx(BetaLikeness(beta=2, kind="basic").measure(rare))


def test_no_class_makes_a_value_certain_under_the_enhanced_kind():
    certain = classes_from([[10, 0]], [6, 4])
    assert check(BetaLikeness(beta=100, kind="basic"), certain).holds
    assert not check(BetaLikeness(beta=100, kind="enhanced"), certain).holds


def test_what_everybody_has_gains_nothing():
    for kind in ("basic", "enhanced"):
        assert BetaLikeness(beta=1, kind=kind).measure(classes_from([[4], [5]])).tolist() == [0, 0]
    assert DeltaDisclosure(delta=1).measure(classes_from([[4], [5]])).tolist() == [0, 0]


@pytest.mark.parametrize("kind", ["basic", "enhanced"])
def test_a_value_that_the_input_lacks_is_an_infinite_gain(kind):
    finding = check(BetaLikeness(beta=9, kind=kind), classes_from([[1, 1]], [2, 0]))
    assert finding.measured == math.inf
    assert finding.says.endswith("a class has a value that the input lacks")


def test_delta_disclosure_both_ways():
    """p/q = 2 and 1/2 are equally far; equality fails, for the promise is strict."""
    classes = classes_from([[4, 2, 6]], [2, 4, 6])
    assert DeltaDisclosure(delta=1).measure(classes) == pytest.approx([math.log(2)])
    assert not check(DeltaDisclosure(delta=math.log(2)), classes).holds
    assert check(DeltaDisclosure(delta=math.log(2) * (1 + 1e-11)), classes).holds


def test_delta_disclosure_refuses_an_absent_value():
    finding = check(DeltaDisclosure(delta=5), classes_from([[1, 1, 0], [1, 1, 1]]))
    assert finding.measured == math.inf
    assert finding.failing == 1
    assert "lacks a value of the input" in finding.says


def test_delta_disclosure_ignores_what_nobody_ever_had():
    assert DeltaDisclosure(delta=1).measure(classes_from([[2, 2, 0]], [5, 5, 0])).tolist() == [0]


def test_delta_disclosure_counts_a_new_value_as_broken_even_where_it_fills_a_gap():
    """Two values in the class, two in the input, but not the same two."""
    assert DeltaDisclosure(delta=1).measure(classes_from([[2, 0, 2]], [5, 5, 0])).tolist() == [math.inf]

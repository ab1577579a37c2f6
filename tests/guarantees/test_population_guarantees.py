"""k-map and δ-presence: what is published against the population that it was drawn from.

Covers k_map, delta_presence.
"""

import math

import numpy as np
import pytest

from tacit.data.tables.classes import Classes
from tacit.errors import BadParameter
from tacit.guarantees.delta_presence import DeltaPresence
from tacit.guarantees.guarantee import check
from tacit.guarantees.k_map import KMap


def classes(sizes, population, absent=0):
    return Classes(np.array(sizes), np.array(sizes), population=np.array(population), absent=absent)


def test_a_unique_person_may_hide_in_the_population():
    finding = check(KMap(k=5), classes([1, 3], [7, 5], absent=2))
    assert finding.holds
    assert finding.measured == 5
    assert finding.says == "each class fits at least 5 people of the population; the rarest fits 5"


def test_k_map_fails_where_the_population_is_thin():
    finding = check(KMap(k=5), classes([1, 3], [7, 4]))
    assert not finding.holds
    assert finding.failing_people == 3


@pytest.mark.parametrize("guarantee", [KMap(k=2), DeltaPresence(maximum=0.5)])
def test_a_population_is_needed(guarantee):
    with pytest.raises(BadParameter, match=f"{guarantee.name} compares the data with the population.*none was given"):
        check(guarantee, Classes(np.array([3]), np.array([3])))


def test_presence_between_bounds():
    guarantee = DeltaPresence(minimum=0.25, maximum=0.5)
    measured = guarantee.measure(classes([1, 2, 3, 1], [4, 4, 4, 5]))
    assert measured.tolist() == [0.25, 0.5, 0.75, 0.2]
    assert guarantee.satisfied(measured).tolist() == [True, True, False, False]
    assert guarantee.worst(measured) == 0.75


def test_a_third_equals_a_third():
    assert check(DeltaPresence(minimum=1 / 3, maximum=1 / 3), classes([1, 3, 7], [3, 9, 21])).holds


def test_an_absent_class_breaks_a_minimum():
    present = classes([1, 2], [2, 4])
    absent = classes([1, 2], [2, 4], absent=1)
    assert check(DeltaPresence(minimum=0.1, maximum=0.9), present).holds
    finding = check(DeltaPresence(minimum=0.1, maximum=0.9), absent)
    assert not finding.holds
    assert finding.measured == 0
    assert finding.failing == 2
    assert finding.says.endswith("some class of the population has nobody in the data")
    assert check(DeltaPresence(maximum=0.9), absent).holds


def test_publishing_nothing_keeps_a_maximum_and_breaks_a_minimum():
    nothing = classes(np.zeros(0, dtype=int), np.zeros(0, dtype=int), absent=9)
    assert check(DeltaPresence(maximum=0.9), nothing).holds
    finding = check(DeltaPresence(minimum=0.1, maximum=0.9), nothing)
    assert not finding.holds
    assert finding.says.endswith("no class is published")


def test_people_outside_the_population():
    finding = check(DeltaPresence(maximum=0.9), classes([1, 1], [0, 4]))
    assert finding.measured == math.inf
    assert finding.says.endswith("a class has people whom the population lacks")


def test_with_a_minimum_only_the_lowest_share_is_the_worst():
    guarantee = DeltaPresence(minimum=0.3, maximum=1)
    assert guarantee.bound == 0.3
    assert check(guarantee, classes([4, 2], [4, 4])).measured == 0.5
    assert check(guarantee, classes([5, 2], [4, 4])).measured == 1.25


def test_a_minimum_says_that_suppression_does_not_help():
    assert "suppressing rows does not help" in DeltaPresence(minimum=0.1, maximum=0.9).advice
    assert DeltaPresence(maximum=0.9).advice == KMap(k=2).advice == ""

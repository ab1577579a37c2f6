import math

import numpy as np
import pytest
from tests.oracle.counted import classes_from

from tacit.guarantees.beta_likeness import BetaLikeness
from tacit.guarantees.guarantee import check
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.t_closeness import TCloseness

FLU_ACNE_SHINGLES = [[3, 2, 1]]


def recursive(c, least, counts):
    return check(LDiversity(l=least, kind="recursive", c=c), classes_from(counts))


@pytest.mark.parametrize(("least", "limit"), [(2, 1.0), (3, 3.0)])
def test_w1_recursive_diversity_is_strict(least, limit):
    """r1 = 3; the tail from rank 2 is 3, from rank 3 is 1."""
    assert recursive(limit, least, FLU_ACNE_SHINGLES).measured == limit
    assert not recursive(limit, least, FLU_ACNE_SHINGLES).holds
    assert recursive(np.nextafter(limit, 9) * (1 + 1e-11), least, FLU_ACNE_SHINGLES).holds


def test_w1_smallest_whole_c_for_three_is_four():
    assert next(c for c in range(1, 8) if recursive(c, 3, FLU_ACNE_SHINGLES).holds) == 4


def test_w1_with_c_2_the_largest_l_is_2():
    assert [least for least in range(2, 8) if recursive(2, least, FLU_ACNE_SHINGLES).holds] == [2]
    assert recursive(2, 4, FLU_ACNE_SHINGLES).measured == math.inf


def test_w9_two_diverse_but_telling():
    """10,000 rows, 1 % HIV+. Each class needs one of the 100, so 101 classes can't be 2-diverse."""
    distinct = LDiversity(l=2, kind="distinct")
    hundred = [[99, 1]] * 100
    assert check(distinct, classes_from(hundred)).holds
    assert sum(map(sum, hundred)) == 10_000
    a_hundred_and_one = [[98, 1]] * 100 + [[100, 0]]
    assert sum(map(sum, a_hundred_and_one)) == 10_000
    assert not check(distinct, classes_from(a_hundred_and_one)).holds


def test_w9_half_positive_is_diverse_but_lifts_belief_fifty_times():
    skewed = classes_from([[50, 50], [9850, 50]])
    for kind in ("distinct", "entropy", "probabilistic"):
        guarantee = LDiversity(l=2, kind=kind)
        assert guarantee.satisfied(guarantee.measure(skewed))[0]
    assert BetaLikeness(beta=1, kind="basic").measure(skewed)[0] == pytest.approx(0.5 / 0.01 - 1, rel=1e-13)
    assert TCloseness(t=0.2).measure(skewed)[0] == pytest.approx(0.5 - 0.01, rel=1e-13)


def test_entropy_of_equal_shares_is_their_number():
    for values in range(2, 40):
        guarantee = LDiversity(l=values, kind="entropy")
        assert check(guarantee, classes_from([[7] * values])).holds
        assert not check(LDiversity(l=values * (1 + 1e-11), kind="entropy"), classes_from([[7] * values])).holds


def test_probabilistic_counts_people_not_pairs():
    """Two people of three have flu, also where they have colds besides."""
    classes = classes_from([[2, 1]])
    several = type(classes)(classes.rows, classes.sizes, {"s": classes_from([[2, 3]]).sensitive["s"]})
    assert LDiversity(l=2, kind="probabilistic").measure(several) == pytest.approx([1.0])
    assert LDiversity(l=2, kind="probabilistic").measure(classes) == pytest.approx([1.5])


def test_kinds_in_words():
    classes = classes_from(FLU_ACNE_SHINGLES)
    says = check(LDiversity(l=2, kind="distinct", column="s"), classes).says
    assert says == "each class has at least 2 values of s; the least diverse has 3"
    says = check(LDiversity(l=2, kind="probabilistic", column="s"), classes).says
    assert says == "each of the values of s belongs to at most 0.5 of the people of a class; the largest share is 0.5"
    assert check(LDiversity(l=4, kind="recursive", c=2), classes).says.endswith("a class has fewer than 4 values")
    assert "the largest multiple is 3" in check(LDiversity(l=3, kind="recursive", c=2), classes).says
    # exp(H) of (1/2, 1/3, 1/6) is 2^(1/2) · 3^(1/3) · 6^(1/6).
    effective = 2 ** (1 / 2) * 3 ** (1 / 3) * 6 ** (1 / 6)
    says = check(LDiversity(l=2, column="s"), classes).says
    assert says == f"each class has at least 2 effective values of s; the least diverse has {effective:.4g}"


@pytest.mark.parametrize("each", [1, 3, 7, 10**9])
@pytest.mark.parametrize("values", [1, 2, 3, 7])
def test_equally_frequent_values_are_exactly_as_many_as_there_are(values, each):
    measured = LDiversity(l=2).measure(classes_from([[each] * values + [0] * (7 - values), [2 * each, *[each] * 6]]))
    assert measured[0] == values
    assert 1 < measured[1] < 7

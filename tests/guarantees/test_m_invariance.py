"""m-invariance: what one release shows, and what all releases show, against plain Python.

Covers m_invariance, guarantees/_signatures.
"""

from collections import defaultdict
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.counted import classes_from, merged

from tacit.data.tables.remembered_release import RememberedRelease
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import check
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.m_invariance import MInvariance

Rows = list[tuple[int, int]]
"""Class and value of each row."""
Homes = list[tuple[int, int]]
"""Person and class."""


def release(rows: Rows, homes: Homes) -> RememberedRelease:
    class_, value = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    person, home = np.array(homes, dtype=np.int64).reshape(-1, 2).T
    return RememberedRelease(class_, value, person, home)


def judged(m: int, releases: list[tuple[Rows, Homes]]) -> tuple[list[int], int, int]:
    """Which releases are not m-unique, how many people have several signatures, how many stand nowhere."""
    not_unique, astray = [], 0
    signatures = defaultdict(set)
    for number, (rows, homes) in enumerate(releases, start=1):
        classes = defaultdict(list)
        for class_, value in rows:
            classes[class_].append(value)
        if any(len(values) < m or len(values) > len(set(values)) for values in classes.values()):
            not_unique.append(number)
        for person, home in homes:
            astray += home not in classes
            signatures[person].add(frozenset(classes[home]) if home in classes else None)
    return not_unique, sum(len(found) > 1 for found in signatures.values()), astray


@pytest.mark.slow
@given(seed=st.integers(0, 2**20), m=st.integers(2, 3))
@examples(200)
def test_releases_are_judged_as_by_hand(seed, m):
    random = Random(seed)
    releases = []
    for _ in range(random.randint(0, 4)):
        number = random.randint(1, 4)
        rows = [(q, v) for q in range(number) for v in random.sample(range(4), random.choice([1, 2, 3, 3]))]
        rows += [random.choice(rows)] if random.random() < 0.2 else []
        homes = [(p, random.randrange(number + (random.random() < 0.05))) for p in range(random.randint(0, 5))]
        random.shuffle(rows)
        releases.append((rows, homes))
    found = MInvariance(m=m).check_releases([release(*one) for one in releases])
    not_unique, changed, astray = judged(m, releases)
    assert (list(found.not_unique), found.changed, found.astray) == (not_unique, changed, astray)
    assert found.holds == (not (not_unique or changed or astray))
    assert found.releases == len(releases)
    assert found.people == len({person for _, homes in releases for person, _ in homes})


FIRST = release([(1, 0), (1, 1), (2, 2), (2, 3)], [(7, 1), (8, 1), (9, 2)])


def test_w10_the_same_signature_holds_and_a_counterfeit_is_a_row_like_any_other():
    """Person 8 left; the row with value 1 stays as a counterfeit, so person 7 is still one of {0, 1}."""
    after = release([(5, 1), (5, 0), (4, 3), (4, 2)], [(7, 5), (9, 4)])
    found = MInvariance(m=2).check_releases([FIRST, after])
    assert found.holds
    assert (found.smallest, found.people) == (2, 3)
    assert found.says == "over 2 releases each of 3 people kept one set of values"


def test_w10_without_the_counterfeit_it_fails():
    alone = release([(5, 0), (4, 3), (4, 2)], [(7, 5), (9, 4)])
    found = MInvariance(m=2).check_releases([FIRST, alone])
    assert (found.not_unique, found.changed) == ((2,), 1)
    assert "release 2 is not m-unique; 1 of 3 people has sets of values that differ" in found.says


def test_w10_another_companion_fails_although_each_release_is_unique():
    other = release([(5, 0), (5, 2), (4, 3), (4, 1)], [(7, 5), (9, 4)])
    found = MInvariance(m=2).check_releases([FIRST, other])
    assert not found.holds
    assert (found.not_unique, found.changed) == ((), 2)


def test_a_release_is_measured_class_by_class():
    classes = classes_from([[1, 1, 0, 0], [1, 1, 1, 0], [2, 1, 1, 0], [0, 0, 0, 1]])
    assert MInvariance(m=2).measure(classes).tolist() == [2, 3, 0, 1]
    finding = check(MInvariance(m=2), classes)
    assert (finding.holds, finding.measured, finding.failing, finding.failing_people) == (False, 0, 2, 5)
    assert finding.says.startswith("2 of 4 classes break the promise that each class has at least ")
    assert finding.says.endswith("; two rows of one class share a value")
    assert check(MInvariance(m=3), classes_from([[1, 1, 1, 1], [0, 1, 1, 1]])).holds


def test_merging_two_good_classes_breaks_it():
    classes = classes_from([[1, 1, 0], [0, 1, 1]])
    guarantee = MInvariance(m=2)
    assert guarantee.satisfied(guarantee.measure(classes)).all()
    assert not guarantee.satisfied(guarantee.measure(merged(classes, [0, 0]))).any()


def test_what_follows():
    expected = (KAnonymity(k=3), LDiversity(l=3, kind="distinct", column="s"))
    assert MInvariance(m=3, column="s").implied() == expected
    assert MInvariance(m=3).unkeepable(np.array([0.0, 5.0])).tolist() == [0, 0]


def test_m_of_one_is_refused():
    with pytest.raises(BadParameter, match="m is 1; it must be at least 2, since a class with one value"):
        parse_table_guarantee({"m-invariance": {"m": 1}})

"""The second opinion on all releases, against the first and against planted mistakes.

Covers verification/republication, tables/remembered_release, guarantees/_republication_sql.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.tables.remembered_release import RememberedRelease
from tacit.errors import TacitError
from tacit.guarantees.m_invariance import MInvariance
from tacit.verification.republication import RepublicationOpinion, require_releases_agreement, verify_releases


def release(classes: list[list[int]], homes: dict[int, int]) -> RememberedRelease:
    """A release with these values in its classes, and people at home in them."""
    rows = [(number, value) for number, values in enumerate(classes) for value in values]
    class_, value = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    person, home = np.array(sorted(homes.items()), dtype=np.int64).reshape(-1, 2).T
    return RememberedRelease(class_, value, person, home)


def opinion(smallest: int, not_unique: tuple[int, ...], people: int, changed: int, astray: int) -> RepublicationOpinion:
    """The opinion with these figures."""
    single = {"smallest": smallest, "people": people, "changed": changed, "astray": astray}
    figures = {name: (number,) for name, number in single.items()}
    return RepublicationOpinion(figures | {"not_unique": not_unique}, not (not_unique or changed or astray))


TWO = MInvariance(m=2)
GOOD = [release([[0, 1], [1, 2]], {7: 0, 8: 1}), release([[2, 1], [0, 1]], {7: 1, 8: 0, 9: 0})]


def test_good_releases():
    assert verify_releases(TWO, GOOD) == opinion(2, (), 3, 0, 0)
    require_releases_agreement(TWO, GOOD, TWO.check_releases(GOOD))


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (release([[0, 0], [1, 2]], {8: 1}), opinion(0, (2,), 2, 0, 0)),
        (release([[0, 1, 1], [1, 2]], {7: 0, 8: 1}), opinion(0, (2,), 2, 0, 0)),
        (release([[0], [1, 2]], {8: 1}), opinion(1, (2,), 2, 0, 0)),
        (release([[0, 1], [1, 2]], {7: 1}), opinion(2, (), 2, 1, 0)),
        (release([[0, 1], [1, 2]], {9: 5}), opinion(2, (), 3, 0, 1)),
    ],
    ids=["a value twice", "a value twice in the same set", "too few", "another signature", "no class"],
)
def test_each_way_to_break_it(later, expected):
    releases = [GOOD[0], later]
    assert verify_releases(TWO, releases) == expected
    assert not TWO.check_releases(releases).holds
    require_releases_agreement(TWO, releases, TWO.check_releases(releases))


@st.composite
def histories(draw):
    values = st.lists(st.integers(0, 3), min_size=1, max_size=4)
    return [
        release(
            draw(st.lists(values, min_size=1, max_size=3)), draw(st.dictionaries(st.integers(0, 4), st.integers(0, 3)))
        )
        for _ in range(draw(st.integers(1, 3)))
    ]


@pytest.mark.slow
@given(releases=histories(), m=st.integers(2, 3))
@examples(60)
def test_both_opinions_agree(releases, m):
    guarantee = MInvariance(m=m)
    require_releases_agreement(guarantee, releases, guarantee.check_releases(releases))


@pytest.mark.parametrize(
    "change", [{"smallest": 3}, {"not_unique": (1,)}, {"changed": 1}, {"astray": 1}, {"people": 2}]
)
def test_a_finding_that_is_not_true_is_refused(change):
    with pytest.raises(TacitError, match="two independent checks"):
        require_releases_agreement(TWO, GOOD, replace(TWO.check_releases(GOOD), **change))

"""The second way to count candidates, against all perfect matchings of small tables and against the first way.

Covers verification/candidates, data/tables/linkage.
"""

import duckdb
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.examples import examples
from tests.guarantees.test_k_concealment import (
    by_matchings,
    people_by_matchings,
    releases,
    ring,
    tally_of,
    tally_of_people,
)

import tacit.verification.candidates as second
from tacit.arrays import BoolArray
from tacit.data.tables.candidates import linked
from tacit.data.tables.linkage import Linkage
from tacit.data.tables.tally import Tally
from tacit.verification.candidates import enter_candidates


def counted(raw: Tally, shown: Tally, fits: list[BoolArray]) -> list[int]:
    """The numbers of the table `candidates`, in order."""
    with duckdb.connect(":memory:") as connection:
        enter_candidates(connection, Linkage(raw, shown, fits))
        return sorted(number for (number,) in connection.execute("select number from candidates").fetchall())


@pytest.mark.slow
@given(release=releases())
@examples(60)
def test_candidates_are_those_of_all_perfect_matchings(release):
    raw, shown, fits = release
    found = counted(tally_of(raw)[0], tally_of(shown)[0], [np.array(fit) for fit in fits])
    assert found == sorted(by_matchings(raw, shown, fits))


@pytest.mark.slow
@given(release=releases(), data=st.data())
@examples(60)
def test_people_are_those_of_all_perfect_matchings(release, data):
    raw, shown, fits = release
    assume(len(raw) > 1)
    people = st.lists(st.integers(0, 3), min_size=len(raw), max_size=len(raw))
    whose = data.draw(people.filter(lambda drawn: len(set(drawn)) < len(drawn)))
    whom = whose[: len(shown)]
    found = counted(tally_of_people(raw, whose), tally_of_people(shown, whom), [np.array(fit) for fit in fits])
    assert found == sorted(people_by_matchings(raw, (whose, whom), shown, fits))


@pytest.mark.slow
@pytest.mark.parametrize("closed", [True, False])
def test_a_long_ring(closed, monkeypatch):
    """A path of 3,000 nodes is no matter of recursion; where the ring is open, everybody has the own row alone."""
    monkeypatch.setattr(second, "BLOCK", 40_000)
    fits = ring(3_000, 2, closed)
    each = tally_of([[i] for i in range(3_000)])[0]
    assert set(counted(each, each, [fits])) == {2 if closed else 1}


def test_both_ways_agree_on_a_larger_release():
    random = np.random.default_rng(5)
    people = 400
    fits = [random.random((people, people)) < 0.01 for _ in range(1)]
    np.fill_diagonal(fits[0], True)
    each = tally_of([[i] for i in range(people)])[0]
    found = linked(each, each, fits).candidates
    assert len(set(found.tolist())) > 2
    assert counted(each, each, fits) == sorted(found.tolist())

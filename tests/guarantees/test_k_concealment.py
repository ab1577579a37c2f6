"""k-concealment against all perfect matchings of small tables, one after another.

Covers guarantees/guarantee, guarantees/k_concealment, tables/candidates.
"""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.counted import classes_from
from tests.oracle.matchings import fewest_people, used_pairs

import tacit.data.tables.candidates as candidates
from tacit.data.tables.candidates import LinkedPeople, fitting_pairs, linked, people_among
from tacit.data.tables.tally import Census, Tally
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import check
from tacit.guarantees.k_concealment import KConcealment

VALUES = 3
LABELS = 4


def tally_of(codes):
    """The tally of rows given as codes, one list for each row."""
    distinct = sorted(set(map(tuple, codes)))
    rows = np.array([sum(tuple(row) == one for row in codes) for one in distinct], dtype=np.int64)
    width = len(codes[0]) if codes else 1
    names = tuple(f"c{c}" for c in range(width))
    table = np.array(distinct, dtype=np.int32).reshape(len(distinct), width).T
    return Tally(names, tuple(("",) * 9 for _ in names), table, rows, Census(rows)), distinct


def fit_of(raw, shown, fits):
    """`[raw row, published row]`: whether all labels cover the values; rows that are not published fit everybody."""

    def fit(row, label):
        return label >= len(shown) or all(
            fits[c][value][text] for c, (value, text) in enumerate(zip(raw[row], shown[label], strict=True))
        )

    return [[fit(row, label) for label in range(len(raw))] for row in range(len(raw))]


def by_matchings(raw, shown, fits):
    """For each distinct raw row the number of published rows of which some perfect matching gives it one.

    Rows that are missing from the release fit everybody; who can have no published row at all is left out.
    """
    people, missing = range(len(raw)), len(raw) - len(shown)
    used = used_pairs(fit_of(raw, shown, fits))
    found = {}
    for person in people:
        rows = [row for row in people if (person, row) in used]
        if not used or any(row < len(raw) - missing for row in rows):
            found[tuple(raw[person])] = len(rows)
    return [found[key] for key in sorted(found)]


@st.composite
def releases(draw):
    """A raw table of at most 7 rows, a release that lacks at most two of them, and what fits what."""
    columns = draw(st.integers(1, 2))
    rows = draw(st.integers(1, 6)) if draw(st.booleans()) else 7
    value, label = st.integers(0, VALUES - 1), st.integers(0, LABELS - 1)
    raw = draw(st.lists(st.tuples(*[value] * columns), min_size=rows, max_size=rows))
    kept = rows - draw(st.integers(0, min(2, rows - 1)))
    shown = draw(st.lists(st.tuples(*[label] * columns), min_size=kept, max_size=kept))
    cell = st.sampled_from([True, True, False])
    line = st.lists(cell, min_size=LABELS, max_size=LABELS)
    fits = [draw(st.lists(line, min_size=VALUES, max_size=VALUES)) for _ in range(columns)]
    if draw(st.booleans()):
        # Most random releases fit nobody; here everybody's own row fits.
        for person, row in zip(raw, shown, strict=False):
            for c, (one, other) in enumerate(zip(person, row, strict=True)):
                fits[c][one][other] = True
    return raw, shown, fits


@pytest.mark.slow
@given(release=releases())
@examples(80)
def test_candidates_are_those_of_all_perfect_matchings(release):
    raw, shown, fits = release
    found = linked(tally_of(raw)[0], tally_of(shown)[0], [np.array(fit) for fit in fits])
    assert found.candidates.tolist() == by_matchings(raw, shown, fits)


def census_of(keys, people, number):
    """The census of (key, person) pairs, by its definition."""
    pairs = sorted(set(zip(keys, people, strict=True)))
    places = {person: [key for key, who in pairs if who == person] for _, person in pairs}
    settled = np.array([sum(len(places[who]) == 1 for at, who in pairs if at == key) for key in range(number)])
    spread = [(key, who) for key, who in pairs if len(places[who]) > 1]
    key, who = np.array(spread, dtype=np.int64).reshape(-1, 2).T
    return Census(settled.astype(np.int64), key, who)


def tally_of_people(rows, people):
    """The tally of rows whose owners are known."""
    tally, distinct = tally_of(rows)
    keys = [distinct.index(tuple(row)) for row in rows]
    return replace(tally, people=census_of(keys, people, len(distinct)))


def people_by_matchings(raw, owner, shown, fits):
    """For each distinct raw row the fewest people, those left out who can have no published row at all."""
    used = used_pairs(fit_of(raw, shown, fits))
    found = []
    for key in sorted(set(map(tuple, raw))):
        rows = {row for row, value in enumerate(raw) if tuple(value) == key}
        if not used or any(row in rows and label < len(shown) for row, label in used):
            found.append(fewest_people(used, rows, *owner))
    return found


@pytest.mark.slow
@given(release=releases(), data=st.data())
@examples(80)
def test_people_are_those_of_all_perfect_matchings(release, data):
    raw, shown, fits = release
    assume(len(raw) > 1)
    people = st.lists(st.integers(0, 3), min_size=len(raw), max_size=len(raw))
    whose = data.draw(people.filter(lambda drawn: len(set(drawn)) < len(drawn)))
    whom = whose[: len(shown)]
    found = linked(tally_of_people(raw, whose), tally_of_people(shown, whom), [np.array(fit) for fit in fits])
    assert found.candidates.tolist() == people_by_matchings(raw, (whose, whom), shown, fits)


def test_rows_of_one_person_are_one_person():
    """Three rows that all read alike: of three people they conceal everybody, of one person nobody."""
    fits, alike = [np.ones((3, 1), dtype=np.bool_)], [[0], [0], [0]]
    for people, expected in (([0, 1, 2], 3), ([0, 0, 1], 2), ([0, 0, 0], 1)):
        found = linked(tally_of_people([[0], [1], [2]], people), tally_of_people(alike, people), fits)
        assert set(found.candidates.tolist()) == {expected}
        # The twin that counts rows is content with all of them.
        assert set(linked(tally_of([[0], [1], [2]])[0], tally_of(alike)[0], fits).candidates.tolist()) == {3}


def test_a_row_that_fits_two_rows_of_one_person_only_is_that_persons():
    """The first label fits both rows of the first person and nobody else's, yet each of the two has two candidates."""
    fits = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=np.bool_)
    each = [[0], [1], [2]]
    rows = linked(tally_of(each)[0], tally_of(each)[0], [fits])
    assert rows.candidates.tolist() == [2, 2, 2]
    people = linked(tally_of_people(each, [0, 0, 1]), tally_of_people(each, [0, 0, 1]), [fits])
    assert people.candidates.tolist() == [1, 1, 2]
    assert not check(KConcealment(k=2), people).holds


def test_a_release_without_its_people_is_counted_by_rows():
    """Two people with two rows each and all rows alike: four rows, but no more than two people own any of them."""
    raw, shown = tally_of_people([[0], [0], [1], [1]], [0, 0, 1, 1]), tally_of([[0]] * 4)[0]
    assert linked(raw, shown, [np.ones((2, 1), dtype=np.bool_)]).candidates.tolist() == [2, 2]
    lonely = tally_of_people([[0], [0], [1], [2]], [0, 0, 0, 1])
    assert linked(lonely, shown, [np.ones((3, 1), dtype=np.bool_)]).candidates.tolist() == [2, 2, 2]


@pytest.mark.parametrize("block", [1, 5, 10**6])
def test_people_of_overlapping_groups_are_counted_once(block, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK_PEOPLE", block)
    random = np.random.default_rng(3)
    keys, people = random.integers(0, 12, 60), random.integers(0, 25, 60)
    census = census_of(keys.tolist(), people.tolist(), 12)
    inside = random.random((9, 12)) < 0.3
    group, key = np.nonzero(inside)
    expected = [len({int(who) for at, who in zip(keys, people, strict=True) if inside[g, at]}) for g in range(9)]
    assert people_among(group, key, 9, census).tolist() == expected


def ring(people, covered, closed=True):
    """Label i covers person i and the next ones; where the ring is not closed, nobody follows the last."""
    fits = np.zeros((people, people), dtype=np.bool_)
    for label in range(people):
        for step in range(covered):
            if closed or label + step < people:
                fits[(label + step) % people, label] = True
    return fits


def concealed(fits):
    each = [[i] for i in range(len(fits))]
    return linked(tally_of(each)[0], tally_of(each)[0], [fits])


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_ring_conceals_and_one_that_is_not_closed_does_not(k):
    assert check(KConcealment(k=k), concealed(ring(9, k))).measured == k
    broken = check(KConcealment(k=k), concealed(ring(9, k, closed=False)))
    # Only the last label covers the last person alone, so it is theirs; then the one before is taken, and so on.
    assert (broken.measured, broken.failing, broken.holds) == (1, 9, False)


def test_rows_that_fit_and_are_in_no_matching_do_not_count():
    """Three rows fit the third person, but the first two people need two of the rows between them."""
    fits = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 1], [0, 0, 1, 1]], dtype=np.bool_)
    assert fits.sum(axis=1).tolist() == [2, 2, 3, 2]
    assert concealed(fits).candidates.tolist() == [2, 2, 2, 2]


def test_a_release_of_another_table_conceals_nobody():
    found = check(KConcealment(k=2), concealed(np.zeros((4, 4), dtype=np.bool_)))
    assert (found.measured, found.failing_people) == (0, 4)
    too_many = linked(tally_of([[0]])[0], tally_of([[0], [0]])[0], [np.ones((1, 1), dtype=np.bool_)])
    assert too_many.candidates.tolist() == [0]


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(2, 3))
@examples(40)
def test_people_of_a_class_have_it_as_candidates(sizes, spread):
    """Classes of a homogeneous release: no person has fewer candidates than the class has rows."""
    raw = [[cls, i % spread] for cls, size in enumerate(sizes) for i in range(size)]
    shown = [[cls, 0] for cls, size in enumerate(sizes) for _ in range(size)]
    same, any_ = np.eye(len(sizes), dtype=np.bool_), np.ones((spread, 1), dtype=np.bool_)
    tally, keys = tally_of(raw)
    found = linked(tally, tally_of(shown)[0], [same, any_])
    assert found.candidates.tolist() == [sizes[key[0]] for key in keys]


def test_without_the_raw_table_class_sizes_are_measured():
    classes = classes_from([[2, 1], [4, 0]])
    assert KConcealment(k=3).measure(classes).tolist() == [3, 4]
    people = LinkedPeople(classes.rows, classes.sizes, candidates=np.array([7, 5]))
    assert KConcealment(k=3).measure(people).tolist() == [7, 5]
    assert KConcealment(k=3).worst(np.empty(0)) == inf


def test_more_rows_than_a_machine_word_has_bits():
    """Pairs by words and pairs one by one."""
    random = np.random.default_rng(5)
    codes, shown = random.integers(0, 6, (3, 90)), random.integers(0, 9, (3, 201))
    fits = [random.random((6, 9)) < 0.5 for _ in range(3)]
    pairs = fitting_pairs(codes.astype(np.int32), shown.astype(np.int32), fits)
    expected = {
        (i, j) for i in range(90) for j in range(201) if all(fits[c][codes[c, i], shown[c, j]] for c in range(3))
    }
    assert set(zip(pairs.combination.tolist(), pairs.class_.tolist(), strict=True)) == expected
    assert pairs.class_.size == len(expected)


def test_who_is_suppressed_is_left_out():
    """Nothing is published: nobody is found in it. Of three people alike two are published: any may be missing."""
    everybody, _ = tally_of([[0], [0], [0]])
    nothing = Tally(
        everybody.columns, everybody.values, everybody.codes[:, :0], everybody.rows[:0], Census(everybody.rows[:0])
    )
    fits = [np.ones((1, 1), dtype=np.bool_)]
    assert linked(everybody, nothing, fits).candidates.size == 0
    assert linked(everybody, tally_of([[0], [0]])[0], fits).candidates.tolist() == [3]


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(candidates, "MOST_PAIRS", 15)
    with pytest.raises(BadParameter, match="more than 15 pairs of people and published rows fit"):
        concealed(np.ones((4, 4), dtype=np.bool_))


def test_one_candidate_protects_nobody():
    with pytest.raises(BadParameter, match="one candidate is the person's own row"):
        KConcealment(k=1)

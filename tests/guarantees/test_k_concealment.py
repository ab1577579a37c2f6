"""k-concealment against all perfect matchings of small tables, one after another."""

from itertools import permutations
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit.guarantees.candidates as candidates
from oracle.counted import classes_from
from tacit.data.tally import Census, Tally
from tacit.errors import BadParameter
from tacit.guarantees.candidates import fitting_pairs, linked
from tacit.guarantees.guarantee import check
from tacit.guarantees.k_concealment import KConcealment, Linked

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


def by_matchings(raw, shown, fits):
    """For each distinct raw row the number of published rows of which some perfect matching gives it one.

    Rows that are missing from the release fit everybody; who can have no published row at all is left out.
    """
    missing = len(raw) - len(shown)

    def fit(person, row):
        return row >= len(shown) or all(
            fits[c][value][label] for c, (value, label) in enumerate(zip(raw[person], shown[row], strict=True))
        )

    people = range(len(raw))
    used = {
        (person, row)
        for matching in permutations(people)
        if all(fit(p, matching[p]) for p in people)
        for person, row in enumerate(matching)
    }
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


@given(release=releases())
@settings(max_examples=80, deadline=None)
def test_candidates_are_those_of_all_perfect_matchings(release):
    raw, shown, fits = release
    found = linked(tally_of(raw)[0], tally_of(shown)[0], [np.array(fit) for fit in fits])
    assert found.candidates.tolist() == by_matchings(raw, shown, fits)


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
    # Only the last label covers the last person alone, so it is his; then the one before is taken, and so on.
    assert (broken.measured, broken.failing_classes, broken.holds) == (1, 9, False)


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
@settings(max_examples=40, deadline=None)
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
    people = Linked(classes.rows, classes.sizes, candidates=np.array([7, 5]))
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
    with pytest.raises(BadParameter, match="k-concealment: more than 15 pairs"):
        concealed(np.ones((4, 4), dtype=np.bool_))


def test_one_candidate_protects_nobody():
    with pytest.raises(ValueError, match="one candidate is the person's own row"):
        KConcealment(k=1)

"""Microaggregation: MDAV as it is written down, groups of k, steps with exact effect, near the optimum.

Covers microaggregate.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.columns import columns_of
from tacit.errors import BadData, BadParameter
from tacit.methods.columns._mdav import mdav, v_mdav
from tacit.methods.columns._refine import _dissolutions, _moves, _split, _state, _swaps, refine
from tacit.methods.columns._space import Space, space_of, sse_share
from tacit.methods.columns.microaggregate import METHOD, Microaggregate, groups, microaggregate
from tacit.randomness.stream import RandomBits

BITS = RandomBits.from_seed(1)


def points(rows, columns, seed):
    return np.random.default_rng(seed).normal(size=(rows, columns)).round(2)


def table(rows, columns, seed):
    return columns_of({f"c{i}": column for i, column in enumerate(points(rows, columns, seed).T)})


def euclidean(numbers):
    return Space(numbers, np.empty((numbers.shape[0], 0), dtype=np.int32))


def plain_sse(numbers, group):
    """The sum of squares within groups, row by row."""
    total = 0.0
    for number in set(group):
        rows = [numbers[i] for i in range(len(group)) if group[i] == number]
        middle = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        total += sum((x - m) ** 2 for row in rows for x, m in zip(row, middle, strict=True))
    return total


def plain_mdav(numbers, k):
    """MDAV as it is written down, with lists."""

    def apart(a, b):
        return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))

    def furthest(left, point):
        return max(left, key=lambda i: apart(numbers[i], point))

    left, made = list(range(len(numbers))), []
    while len(left) >= 2 * k:
        middle = [sum(numbers[i][c] for i in left) / len(left) for c in range(len(numbers[0]))]
        seeds = [furthest(left, middle)]
        if len(left) >= 3 * k:
            seeds.append(furthest(left, numbers[seeds[0]]))
        for seed in seeds:
            near = sorted(left, key=lambda i, at=seed: apart(numbers[i], numbers[at]))[:k]
            made.append(set(near))
            left = [i for i in left if i not in near]
    return [*made, set(left)]


def as_sets(group):
    return {frozenset(np.flatnonzero(group == number).tolist()) for number in np.unique(group)}


@given(st.integers(2, 40), st.integers(1, 4), st.integers(2, 5), st.integers(0, 10_000))
def test_mdav_is_the_algorithm_as_it_is_written_down(rows, columns, k, seed):
    numbers = np.random.default_rng(seed).normal(size=(max(rows, k), columns))
    assert as_sets(mdav(euclidean(numbers), k)) == set(map(frozenset, plain_mdav(numbers.tolist(), k)))


@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(["mdav", "v-mdav"]), st.integers(0, 5))
def test_every_group_has_k_rows_whatever_the_data(seed, k, kind, passes):
    chosen = np.random.default_rng(seed)
    rows = int(chosen.integers(k, 60))
    values = chosen.integers(0, 4, size=(3, rows)).astype(float)
    found = groups(columns_of(dict(zip("abc", values, strict=True))), Microaggregate(k=k, kind=kind, passes=passes))
    counted = [list(found).count(number) for number in set(found)]
    assert min(counted) >= k
    assert sum(counted) == rows
    assert sorted(set(found)) == list(range(len(counted)))


def test_v_mdav_grows_groups_and_stays_below_2k_before_the_rest():
    clusters = (
        np.concatenate([np.zeros((4, 2)), np.full((4, 2), 10.0), np.full((4, 2), -10.0)]) + points(12, 2, 3) / 100
    )
    found = v_mdav(euclidean(clusters), 3, 1.0)
    assert as_sets(found) == {frozenset(range(4)), frozenset(range(4, 8)), frozenset(range(8, 12))}
    assert max(np.bincount(mdav(euclidean(clusters), 3))) == 3


def partitions(rows, k):
    """Every partition of the rows into groups of at least k."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for mask in range(1 << len(rest)):
        group = [first, *(row for i, row in enumerate(rest) if mask >> i & 1)]
        if len(group) >= k:
            for others in partitions([row for row in rest if row not in group], k):
                yield [group, *others]


@pytest.mark.slow
@examples(25)
@given(st.integers(0, 10_000), st.integers(2, 3))
def test_local_search_lies_between_the_optimum_and_mdav(seed, k):
    numbers = points(8, 2, seed)
    space = euclidean(numbers)
    start = mdav(space, k)
    found = refine(space, start, k, 50)
    best = min(
        plain_sse(numbers, [next(g for g, rows in enumerate(one) if i in rows) for i in range(8)])
        for one in partitions(list(range(8)), k)
    )
    assert np.bincount(found).min() >= k
    assert best - 1e-9 <= plain_sse(numbers, found.tolist()) <= plain_sse(numbers, start.tolist()) + 1e-9


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_effect_of_every_step_is_exact(seed, k):
    chosen = np.random.default_rng(seed)
    numbers = points(24, 3, seed)
    group = np.unique(
        np.concatenate([np.repeat(np.arange(4), k), chosen.integers(0, 4, 24 - 4 * k)]), return_inverse=True
    )[1]
    state = _state(numbers, group)
    before = plain_sse(numbers, group.tolist())
    for step in [*_moves(state, k), *_swaps(state), *_dissolutions(state)]:
        after = group.copy()
        after[list(step.rows)] = step.targets
        assert math.isclose(plain_sse(numbers, after.tolist()) - before, step.change, abs_tol=1e-8)
        assert min(np.bincount(after)[np.unique(after)]) >= k
        assert {*group[list(step.rows)], *step.targets} <= set(step.touched)


def test_local_search_finds_steps_of_every_kind():
    numbers = points(60, 2, 5)
    group = np.repeat(np.arange(10), 6)
    state = _state(numbers, group)
    assert _moves(state, 3)
    assert _swaps(state)
    corners = np.array([[0.0, 0], [9, 9], [-9, 9]])
    astray = np.concatenate([np.repeat(corners, 3, axis=0), corners])
    (step,) = _dissolutions(_state(astray, np.arange(12) // 3))
    assert (step.rows, step.targets) == ((9, 10, 11), (0, 1, 2))
    assert np.bincount(_split(euclidean(numbers), np.zeros(60, dtype=np.int64), 5)).tolist() == [5] * 12


def test_refinement_lowers_the_sum_and_more_passes_never_raise_it():
    space = euclidean(points(200, 4, 7))
    start = mdav(space, 5)
    sums = [sse_share(space, refine(space, start, 5, passes)) for passes in (0, 1, 3, 10, 40)]
    assert sums == sorted(sums, reverse=True)
    assert sums[-1] < 0.95 * sums[0]


def test_published_cells_are_the_middles_of_the_groups():
    columns = columns_of({"x": [1.0, 2.0, 3.0, 11.0, 12.0, 16.0], "y": ["a", "a", "b", "c", "d", "d"]})
    params = Microaggregate(k=3)
    assert as_sets(groups(columns, params)) == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}
    treated = microaggregate(columns, params, BITS)
    assert treated["x"].values.tolist() == [2.0, 2.0, 2.0, 13.0, 13.0, 13.0]
    assert treated["y"].texts() == ("a", "a", "a", "d", "d", "d")


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_treated_columns_are_k_anonymous_also_where_cells_are_missing(seed, k):
    chosen = np.random.default_rng(seed)
    rows = int(chosen.integers(k, 40))
    numbers = np.where(chosen.random((2, rows)) < 0.2, np.nan, chosen.normal(size=(2, rows)))
    words = np.array(["", "p", "q"])[chosen.integers(0, 3, rows)]
    for named in ({"a": numbers[0], "b": numbers[1]}, {"a": numbers[0], "b": numbers[1], "c": words}):
        treated = microaggregate(columns_of(named), Microaggregate(k=k), BITS)
        cells = [[str(x) for x in treated["a"].values], [str(x) for x in treated["b"].values]]
        cells += [list(treated["c"].texts())] if "c" in treated else []
        shown = list(zip(*cells, strict=True))
        assert min(shown.count(row) for row in shown) >= k


def test_gowers_distance_is_the_mean_over_columns():
    space = space_of(columns_of({"x": [0.0, 5.0, 10.0], "y": [0.0, 1.0, 0.0], "z": ["a", "b", "b"]}))
    assert space.distances(np.arange(3), space.point(0)) == pytest.approx([0, (0.5 + 1 + 1) / 3, (1 + 0 + 1) / 3])


def test_means_are_kept_and_the_share_is_that_of_the_published_cells():
    columns = table(100, 3, 11)
    params = Microaggregate(k=4)
    treated = microaggregate(columns, params, BITS)
    lost = []
    for name in columns:
        before, after = columns[name].values, treated[name].values
        assert math.isclose(before.mean(), after.mean(), abs_tol=1e-12)
        lost.append(((before - after) ** 2).sum() / ((before - before.mean()) ** 2).sum())
    assert sse_share(space_of(columns), groups(columns, params)) == pytest.approx(sum(lost) / 3)


@pytest.mark.slow
def test_large_tables_are_cut_into_pieces():
    columns = table(1000, 2, 13)
    found = groups(columns, Microaggregate(k=3, block=100, passes=2))
    assert np.bincount(found).min() >= 3
    assert as_sets(found) == as_sets(groups(columns, Microaggregate(k=3, block=100, passes=2)))
    whole = groups(columns, Microaggregate(k=3, passes=2))
    assert sse_share(space_of(columns), whole) < sse_share(space_of(columns), found) < 0.1


def test_constant_columns_and_one_group_are_fine():
    columns = columns_of({"x": [1.0] * 7, "y": [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 9.0]})
    assert np.bincount(groups(columns, Microaggregate(k=3))).min() >= 3
    assert set(groups(columns, Microaggregate(k=7))) == {0}


def test_what_can_not_be_grouped_is_refused():
    with pytest.raises(BadData, match="2 rows; groups of 3 need at least as many"):
        microaggregate(columns_of({"x": [1.0, 2.0]}), Microaggregate(k=3), BITS)
    with pytest.raises(BadParameter, match="k"):
        METHOD.params.parse("columns/microaggregate", {"k": 1})

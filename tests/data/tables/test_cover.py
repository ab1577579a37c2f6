from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.worlds import AGE, WORKCLASS, Paths, hierarchies

from tacit.data.tables.cover import NO_LEVEL, Cover, common_levels, least_levels, node_cover, node_levels
from tacit.data.tables.hierarchy import Hierarchy


def sets_of(cover: Cover) -> list[set[int]]:
    return [set(cover.leaf[a:b].tolist()) for a, b in zip(cover.starts[:-1], cover.starts[1:], strict=True)]


@given(hierarchies("h"))
def test_every_node_is_found_again_with_its_leaves(paths: Paths) -> None:
    hierarchy = Hierarchy.from_paths("h", paths)
    for leaf, path in enumerate(paths):
        for label in path:
            covered = {i for i, other in enumerate(paths) if other[path.index(label)] == label}
            below = np.array([leaf])
            level = node_levels(hierarchy, [label], np.array([len(covered)]), below)
            assert level.tolist() == [path.index(label)]
            assert sets_of(node_cover(hierarchy, level, below)) == [covered]


@given(hierarchies("h"))
def test_least_levels_are_where_the_label_first_appears(paths: Paths) -> None:
    found = least_levels(Hierarchy.from_paths("h", paths))
    assert found.T.tolist() == [[path.index(label) for label in path] for path in paths]


@pytest.mark.slow
def test_two_thousand_levels_are_gone_through_once() -> None:
    """Level by level against each other they would take a minute."""
    paths = [[f"{leaf}", *(f"{level}-{leaf}" for level in range(1_999)), "*"] for leaf in range(60)]
    started = process_time()
    found = least_levels(Hierarchy.from_paths("h", paths))
    assert process_time() - started < 10
    assert found.tolist() == [[level] * 60 for level in range(2_001)]


def test_a_label_of_other_text_or_other_size_is_no_node() -> None:
    hierarchy = Hierarchy.from_paths("workclass", WORKCLASS)
    levels = node_levels(hierarchy, ["Govern", "Government", "Government"], np.array([3, 4, 3]), np.array([0, 0, 3]))
    assert levels.tolist() == [NO_LEVEL] * 3
    assert sets_of(node_cover(hierarchy, levels, np.array([0, 0, 3]))) == [set(), set(), set()]


@given(st.lists(st.lists(st.integers(0, 9), max_size=5, unique=True), max_size=6))
def test_totals_are_sums_over_the_leaves(sets: list[list[int]]) -> None:
    cover = Cover.from_sets(sets)
    amounts = np.arange(20, dtype=np.float64).reshape(10, 2) ** 2
    assert cover.sizes.tolist() == [len(each) for each in sets]
    assert cover.total(amounts).tolist() == [[sum(amounts[i, q] for i in each) for q in (0, 1)] for each in sets]
    assert sets_of(cover.extended(3)) == [*map(set, sets), {0, 1, 2}]


@pytest.mark.parametrize(
    ("leaves", "level"), [([], 0), ([4], 0), ([0, 4], 1), ([5, 6, 7], 1), ([4, 5], 2), (list(range(10)), 2)]
)
def test_common_levels(leaves: list[int], level: int) -> None:
    # Ages 30 to 34 share a label at level 1, ages 35 to 39 another, all one at level 2.
    hierarchy = Hierarchy.from_paths("age", AGE)
    assert common_levels(hierarchy, Cover.from_sets([leaves])).tolist() == [level]
    assert common_levels(hierarchy, Cover.from_sets([[3, 8], leaves])).tolist() == [2, level]

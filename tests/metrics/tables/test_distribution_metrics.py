"""Distances between the distributions of columns and pairs, before and after: W2, W3, brute force over rows.

Covers kullback_leibler, total_variation, wasserstein, tables/_transport, data/tables/spread.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product
from math import log, prod, sqrt

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.metrics.tables.secret_worlds import SecretWorld, numbered, untouched
from tests.metrics.tables.worlds import (
    AGE,
    World,
    all_suppressed,
    loss_example,
    node,
    one_row,
    publication,
    weighted,
    worlds,
)

from tacit.data.tables import spread as spread_module
from tacit.metrics.tables import wasserstein
from tacit.metrics.tables._distances import (
    cramers_v,
    kullback_leibler,
    total_variation,
    wasserstein_on_line,
    wasserstein_on_tree,
)
from tacit.metrics.tables.kullback_leibler import measure_divergence
from tacit.metrics.tables.total_variation import ComparedColumns, measure_variation
from tacit.metrics.tables.wasserstein import measure_transport

PAIRS = ComparedColumns(of="pairs")
COLUMNS = ComparedColumns()

Joint = dict[tuple[str, ...], Fraction]


def joint(world: World, columns: tuple[int, ...], released: bool) -> Joint:
    """The distribution of some columns: of the rows, or of what is published of them, spread over the leaves."""
    found: Joint = defaultdict(Fraction)
    for row, cells in zip(world.rows, world.published, strict=True):
        sets = [{row[c]} for c in columns]
        if released:
            sets = [set(world.domain(c)) if cells is None else set(cells[c].leaves) for c in columns]
        for leaves in product(*sets):
            found[leaves] += Fraction(1, len(world.rows) * prod(len(each) for each in sets))
    return found


def both(world: World, columns: tuple[int, ...]) -> tuple[list[float], list[float], list[tuple[str, ...]]]:
    before, after = joint(world, columns, False), joint(world, columns, True)
    outcomes = list(product(*(world.domain(c) for c in columns)))
    return [float(before[o]) for o in outcomes], [float(after[o]) for o in outcomes], outcomes


def places(world: World, column: int) -> list[float] | None:
    """Where the leaves of a column of numbers stand in its domain."""
    leaves = world.domain(column)
    if not all(leaf.isdigit() for leaf in leaves):
        return None
    numbers = [int(leaf) for leaf in leaves]
    return [(x - min(numbers)) / max(max(numbers) - min(numbers), 1) for x in numbers]


def ground(world: World, column: int, a: str, b: str) -> float:
    """The distance of two leaves."""
    there, domain = places(world, column), world.domain(column)
    if there is not None:
        return abs(there[domain.index(a)] - there[domain.index(b)])
    paths = {path[0]: path for path in world.paths[column]}
    level = next(k for k in range(world.height(column) + 1) if paths[a][k] == paths[b][k])
    return level / max(world.height(column), 1)


def transported(before: list[float], after: list[float], costs: np.ndarray) -> float:
    """The earth mover's distance by its definition: a flow between every two outcomes."""
    n = len(before)
    rows = np.kron(np.eye(n), np.ones(n))
    columns = np.kron(np.ones(n), np.eye(n))
    solved = scipy.optimize.linprog(
        costs.reshape(-1), A_eq=np.vstack([rows, columns])[:-1], b_eq=np.array([*before, *after])[:-1], method="highs"
    )
    return float(solved.fun)


@examples(30)
@given(worlds())
def test_columns_are_compared_leaf_by_leaf(world: World) -> None:
    published = publication(world)
    variation, bits = measure_variation(published, COLUMNS), measure_divergence(published, COLUMNS)
    sides = [both(world, (c,)) for c in range(len(world.columns))]
    plain = [sum(abs(p - q) for p, q in zip(before, after, strict=True)) / 2 for before, after, _ in sides]
    assert list(variation.per_column.values()) == pytest.approx(plain, abs=1e-12)
    assert variation.value == pytest.approx(weighted(world, plain), abs=1e-12)
    assert variation.details["highest"] == pytest.approx(max(plain), abs=1e-12)
    divergences = [float(scipy.stats.entropy(before, after, base=2)) for before, after, _ in sides]
    assert list(bits.per_column.values()) == pytest.approx(divergences, abs=1e-12)
    assert bits.value == pytest.approx(weighted(world, divergences), abs=1e-12)


@pytest.mark.slow
@examples(30)
@given(worlds())
def test_pairs_are_compared_cell_by_cell(world: World) -> None:
    published = publication(world)
    pairs = list(combinations(range(len(world.columns)), 2))
    sides = [both(world, pair) for pair in pairs]
    plain = [sum(abs(p - q) for p, q in zip(before, after, strict=True)) / 2 for before, after, _ in sides]
    found = measure_variation(published, PAIRS)
    assert found.value == pytest.approx(np.mean(plain) if plain else 0, abs=1e-12)
    assert found.details == pytest.approx({"highest": max(plain, default=0), "pairs": len(pairs), "left_out": 0})
    bits = [float(scipy.stats.entropy(before, after, base=2)) for before, after, _ in sides]
    assert measure_divergence(published, PAIRS).value == pytest.approx(np.mean(bits) if bits else 0, abs=1e-12)
    for pair, moved in zip(pairs, plain, strict=True):
        assert all(found.per_column[world.columns[c]] <= moved + 1e-12 for c in pair)


@examples(30)
@given(worlds(), st.sampled_from(["", "a", "ab"]))
def test_values_travel_the_least_distance(world: World, numbers: str) -> None:
    world = numbered(world, numbers)
    found = measure_transport(publication(world), COLUMNS)
    for c, name in enumerate(world.columns):
        before, after, outcomes = both(world, (c,))
        costs = np.array([[ground(world, c, a, b) for (b,) in outcomes] for (a,) in outcomes])
        assert found.per_column[name] == pytest.approx(transported(before, after, costs), abs=1e-9)
        there = places(world, c)
        if there is not None:
            judge = scipy.stats.wasserstein_distance(there, there, before, after)
            assert found.per_column[name] == pytest.approx(judge, abs=1e-12)


@examples(20)
@given(worlds(), st.sampled_from(["", "a", "ab"]))
def test_pairs_of_values_travel_the_least_distance(world: World, numbers: str) -> None:
    world = numbered(world, numbers)
    found = measure_transport(publication(world), PAIRS)
    distances = []
    for a, b in combinations(range(len(world.columns)), 2):
        before, after, outcomes = both(world, (a, b))
        steps = [
            [(ground(world, a, x[0], y[0]) + ground(world, b, x[1], y[1])) / 2 for y in outcomes] for x in outcomes
        ]
        distances.append(transported(before, after, np.array(steps)))
        alone = (found.per_column[world.columns[a]] + found.per_column[world.columns[b]]) / 2
        assert distances[-1] >= alone - 1e-9, "a pair travels at least as far as its columns"
    assert found.value == pytest.approx(np.mean(distances) if distances else 0, abs=1e-7)
    assert found.details["highest"] == pytest.approx(max(distances, default=0), abs=1e-7)


@examples(30)
@given(worlds())
def test_pinsker_and_bounds(world: World) -> None:
    published = publication(world)
    variation, bits = measure_variation(published, COLUMNS), measure_divergence(published, COLUMNS)
    distance = measure_transport(published, COLUMNS)
    for name in world.columns:
        assert 0 <= variation.per_column[name] <= 1
        assert 2 * variation.per_column[name] ** 2 <= bits.per_column[name] * log(2) + 1e-12
        assert distance.per_column[name] <= variation.per_column[name] + 1e-12


@examples(20)
@given(worlds())
def test_a_release_of_the_same_rows_moves_nothing(world: World) -> None:
    published = publication(untouched(SecretWorld(world, [])).world)
    for measure in (measure_variation, measure_divergence, measure_transport):
        for params in (COLUMNS, PAIRS):
            found = measure(published, params)
            assert (found.value, set(found.per_column.values())) == (0.0, {0.0})


def test_w2_distances() -> None:
    before, after = np.array([0.1, 0.6, 0.3]), np.array([0.2, 0.4, 0.4])
    assert total_variation(before, after) == pytest.approx(0.2)
    assert kullback_leibler(before, after) == pytest.approx(0.126466, abs=5e-7)
    assert wasserstein_on_line(before, after, np.array([0, 0.5, 1])) == pytest.approx(0.1)


def test_w3_nearer_salaries_leak_less() -> None:
    whole, places_ = np.full(4, 0.25), np.arange(4) / 3
    low, middle = np.array([0.5, 0.5, 0, 0]), np.array([0, 0.5, 0.5, 0])
    assert total_variation(low, whole) == total_variation(middle, whole) == 0.5
    assert wasserstein_on_line(low, whole, places_) == pytest.approx(1 / 3)
    assert wasserstein_on_line(middle, whole, places_) == pytest.approx(1 / 6)
    assert wasserstein_on_line(middle[::-1], whole, places_[::-1]) == pytest.approx(1 / 6)


def test_divergence_is_infinite_where_the_release_lacks_a_value() -> None:
    assert kullback_leibler(np.array([0.5, 0.5]), np.array([1.0, 0.0])) == np.inf
    assert kullback_leibler(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == 1


def test_a_tree_of_one_level_is_total_variation() -> None:
    before, after = np.array([0.1, 0.6, 0.3]), np.array([0.2, 0.4, 0.4])
    codes = np.array([[0, 1, 2], [0, 0, 0]], dtype=np.int32)
    assert wasserstein_on_tree(before, after, codes) == pytest.approx(0.2)
    assert wasserstein_on_tree(before, after, codes[-1:]) == 0


@examples(30)
@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=4))
def test_association_is_cramers_v(table: list[list[int]]) -> None:
    counts = np.array(table)
    filled = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    expected = scipy.stats.contingency.association(filled) if min(filled.shape, default=0) > 1 else 0
    assert cramers_v(counts.astype(np.float64)) == pytest.approx(expected, abs=1e-12)


def test_half_a_column_in_one_half_of_its_domain() -> None:
    """Ten rows of the age 30, published as 30-35: each of five ages gets two."""
    cells = (node(AGE, "30", 1),)
    world = World(("age",), (AGE,), [("30",)] * 10, [cells] * 10, (1.0,))
    published = publication(world)
    assert measure_variation(published, COLUMNS).value == pytest.approx(0.8)
    assert measure_divergence(published, COLUMNS).value == pytest.approx(np.log2(5))
    assert measure_transport(published, COLUMNS).value == pytest.approx((0 + 1 + 2 + 3 + 4) / 5 / 9)


def test_suppressed_rows_are_spread_over_the_domain() -> None:
    """a0 once, a1 twice, all suppressed: half and half."""
    found = measure_variation(publication(all_suppressed()), COLUMNS)
    assert found.per_column == pytest.approx({"a": 1 / 6, "b": 0})


def test_pairs_that_are_too_large_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    published = publication(loss_example())
    monkeypatch.setattr(wasserstein, "LARGEST_GRAPH", 3)
    assert measure_transport(published, PAIRS).details == {"highest": 0.0, "pairs": 0.0, "left_out": 1.0}
    monkeypatch.setattr(spread_module, "LARGEST_JOINT", 3)
    assert measure_variation(published, PAIRS).details == {"highest": 0.0, "pairs": 0.0, "left_out": 1.0}


def test_one_column_has_no_pairs() -> None:
    assert measure_variation(publication(one_row()), PAIRS).details["pairs"] == 0
    assert sqrt(measure_divergence(publication(one_row()), PAIRS).value) == 0

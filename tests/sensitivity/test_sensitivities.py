"""W18's table against brute force, W19 and W20 by their figures.

Covers sensitivity/sensitivity, baskets, graphs, sensitivity/neighbours, sensitivity/tables, trees.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations
from statistics import median

import numpy as np
import pytest

from tacit.accounting.calibration import laplace_scale
from tacit.errors import BadParameter
from tacit.sensitivity import baskets, graphs, tables, trees
from tacit.sensitivity.exploration import World, global_sensitivity
from tacit.sensitivity.neighbours import RECORD, Neighbours, group, user
from tacit.sensitivity.sensitivity import Sensitivity, bounds

AGES = bounds(0, 100)
RELATIONS: tuple[Neighbours, ...] = ("add-remove", "replace")


def world(neighbours: Neighbours, **more: int) -> World:
    return World((0, 50, 100), most=4, neighbours=neighbours, **more)


def bins(rows: tuple[int, ...]) -> list[int]:
    return [sum(row == value for row in rows) for value in (0, 50, 100)]


def mean_or_zero(rows: tuple[int, ...]) -> float:
    return float(np.mean(rows)) if rows else 0.0


def variance_or_zero(rows: tuple[int, ...]) -> float:
    return float(np.var(rows)) if rows else 0.0


QUESTIONS: list[tuple[Callable[[tuple[int, ...]], object], Callable[[Neighbours], Sensitivity]]] = [
    (lambda rows: sum(row > 60 for row in rows), tables.count),
    (lambda rows: [sum(row > 20 * i for row in rows) for i in range(5)], lambda n: tables.counts(5, n)),
    (bins, tables.histogram),
    (sum, lambda n: tables.total(AGES, n)),
    (lambda rows: min(rows, default=0), lambda n: tables.order_statistic(AGES, n)),
    (lambda rows: max(rows, default=0), lambda n: tables.order_statistic(AGES, n)),
    (lambda rows: median(rows) if rows else 0, lambda n: tables.order_statistic(AGES, n)),
    (mean_or_zero, lambda n: tables.mean(AGES, neighbours=n)),
    (variance_or_zero, lambda n: tables.variance(AGES, neighbours=n)),
]
NAMES = ["count", "counts", "histogram", "sum", "min", "max", "median", "mean", "variance"]


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(("query", "declared"), QUESTIONS, ids=NAMES)
def test_w18_declared_sensitivities_are_what_brute_force_finds(
    query: Callable[[tuple[int, ...]], object], declared: Callable[[Neighbours], Sensitivity], neighbours: Neighbours
) -> None:
    said = declared(neighbours)
    for norm, amount in (("l1", said.l1), ("l2", said.l2), ("linf", said.linf)):
        found = global_sensitivity(query, world(neighbours), norm)  # type: ignore[arg-type]
        assert found.sensitivity == pytest.approx(float(amount), rel=1e-12)


@pytest.mark.parametrize("least", [2, 3, 4])
def test_w18_mean_and_variance_of_a_known_number_of_rows(least: int) -> None:
    for declared, query in ((tables.mean, mean_or_zero), (tables.variance, variance_or_zero)):
        said = float(declared(AGES, least).l1)
        replaced = global_sensitivity(query, world("replace", least=least))
        assert replaced.sensitivity == pytest.approx(said)
        # The larger of two neighbours has at least that many rows, so the smaller has one less.
        removed = global_sensitivity(query, world("add-remove", least=least - 1))
        assert removed.sensitivity == pytest.approx(said)


def test_w18_figures() -> None:
    assert tables.count().l1 == 1
    assert tables.counts(5).l1 == 5
    assert tables.histogram("add-remove").l1 == 1
    assert tables.histogram("replace").l1 == 2
    assert tables.order_statistic(AGES).l1 == 100
    assert tables.mean(AGES).l1 == 100
    assert graphs.edges("edge", 9).l1 == 1
    assert graphs.edges("node", 9).l1 == 9
    assert graphs.nodes_of_degree("edge", 9).l1 == 2
    assert graphs.nodes_of_degree("node", 9).l1 == 10
    assert [baskets.items_bought(level, 4, 3).l1 for level in ("item", "transaction", "customer")] == [1, 4, 12]
    assert [trees.vertices(level, 6, 2).l1 for level in ("vertex", "tree", "person")] == [1, 6, 12]
    assert [baskets.baskets_with(level, 3).l1 for level in ("item", "transaction", "customer")] == [1, 1, 3]
    assert [trees.trees_with(level, 2).l1 for level in ("vertex", "tree", "person")] == [1, 1, 2]


def test_w19_mean_income() -> None:
    income = bounds(1000, 100_000)
    assert laplace_scale(1, tables.mean(income, 5).l1) == 19_800
    assert laplace_scale(1, tables.mean(income, 10**6).l1) == Fraction(99, 1000)
    salaries = [1000, 2000, 3000, 2000, 1000, 6000, 2000, 10_000, 2000, 4000]
    assert np.mean(salaries) == 3300
    assert np.mean([*salaries, 100_000]) == pytest.approx(12_090.91, abs=0.005)


def test_w20_truncated_mean() -> None:
    said = tables.mean(bounds(1000, 100_000), 5, output=bounds(2000, 4000))
    assert said.l1 == 2000
    assert [laplace_scale(epsilon, said.l1) for epsilon in (1, 0.4, 2)] == [2000, 5000, 1000]
    assert tables.mean(bounds(0, 100), 10, output=bounds(0, 50)).l1 == 10


def test_a_clamped_mean_moves_as_brute_force_finds() -> None:
    found = global_sensitivity(lambda rows: min(max(mean_or_zero(rows), 20), 45), world("replace", least=3))
    assert found.sensitivity == float(tables.mean(AGES, 3, output=bounds(20, 45)).l1) == 25


# Units.


@pytest.mark.parametrize("unit", [RECORD, user(2), group(2)])
def test_units_scale_what_brute_force_finds(unit: object) -> None:
    for query, declared in ((bins, tables.histogram()), (sum, tables.total(AGES))):
        small = World((0, 50, 100), most=2, unit=unit)  # type: ignore[arg-type]
        for norm, amount in (("l1", "l1"), ("l2", "l2")):
            found = global_sensitivity(query, small, norm)  # type: ignore[arg-type]
            assert found.sensitivity == float(getattr(declared.for_unit(unit), amount))  # type: ignore[arg-type]


def test_a_unit_in_different_bins_moves_less_in_l2() -> None:
    said = tables.histogram(bins_of_unit=9)
    assert (said.l1, said.l2, said.linf) == (9, 3, 1)
    assert tables.histogram("replace", bins_of_unit=2).l2 == 2
    assert tables.counts(5).l2 ** 2 >= 5
    assert float(tables.counts(5).l2) == pytest.approx(math.sqrt(5))


# Graphs by brute force: all graphs of four nodes, and those of three with a node added.

EDGES4 = tuple(combinations(range(4), 2))
Graph = frozenset[tuple[int, int]]


def all_graphs(nodes: int) -> list[Graph]:
    possible = [edge for edge in EDGES4 if max(edge) < nodes]
    sizes = range(len(possible) + 1)
    return [frozenset(chosen) for chosen in chain.from_iterable(combinations(possible, size) for size in sizes)]


def degrees(graph: Graph, nodes: int) -> list[int]:
    return [sum(node in edge for edge in graph) for node in range(nodes)]


def triangle_count(graph: Graph, nodes: int) -> int:
    return sum(set(combinations(three, 2)) <= graph for three in combinations(range(nodes), 3))


def degree_two(graph: Graph, nodes: int) -> int:
    return sum(degree >= 2 for degree in degrees(graph, nodes))


def padded_degrees(graph: Graph, nodes: int) -> list[int]:
    return degrees(graph, nodes) + [0] * (4 - nodes)


@pytest.mark.parametrize(
    ("question", "declared"),
    [
        (lambda graph, nodes: len(graph), graphs.edges),
        (degree_two, graphs.nodes_of_degree),
        (triangle_count, graphs.triangles),
        (padded_degrees, graphs.degrees),
    ],
    ids=["edges", "nodes of degree", "triangles", "degrees"],
)
def test_w18_graphs_by_brute_force(question: Callable[..., object], declared: Callable[..., Sensitivity]) -> None:
    def gap(first: tuple[Graph, int], second: tuple[Graph, int]) -> float:
        return float(np.abs(np.subtract(question(*first), question(*second))).sum())

    by_edge = max(gap((g, 4), (g | {edge}, 4)) for g in all_graphs(4) for edge in EDGES4)
    assert by_edge == declared("edge", 4).l1
    by_node = max(gap((g, 4), (frozenset(e for e in g if 3 not in e), 3)) for g in all_graphs(4))
    assert by_node <= declared("node", 3).l1
    if question is not degree_two:
        assert by_node == declared("node", 3).l1


def test_w18_nodes_of_degree_at_least_one_attain_the_bound() -> None:
    """Three lone nodes and a new one that joins them all: four nodes of degree at least 1."""
    alone: Graph = frozenset()
    star = frozenset({(0, 3), (1, 3), (2, 3)})
    gained = sum(degree >= 1 for degree in degrees(star, 4)) - sum(degree >= 1 for degree in degrees(alone, 3))
    assert gained == graphs.nodes_of_degree("node", 3).l1


# Bad input.


@pytest.mark.parametrize(
    ("low", "high"),
    [(None, 1), (1, None), (2, 1), (1, 1), (math.nan, 1), (0, math.inf)],
)
def test_bad_bounds_are_refused(low: float | None, high: float | None) -> None:
    with pytest.raises(BadParameter):
        bounds(low, high)


@pytest.mark.parametrize(
    "make",
    [
        lambda: tables.count("swap"),
        lambda: tables.counts(0),
        lambda: tables.mean(AGES, 0),
        lambda: graphs.edges("hyperedge", 3),
        lambda: graphs.edges("node", 0),
        lambda: baskets.items_bought("shop"),
        lambda: baskets.baskets_with("shop"),
        lambda: trees.vertices("leaf"),
        lambda: trees.trees_with("leaf"),
        lambda: user(0),
        lambda: group(-1),
    ],
)
def test_bad_questions_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(BadParameter):
        make()

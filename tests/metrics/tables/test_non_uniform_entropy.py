from math import log2

import pytest
from hypothesis import given
from tests.metrics.tables.worlds import World, all_suppressed, node, one_row, publication, weighted, worlds

from tacit.metrics.tables.non_uniform_entropy import measure_entropy
from tacit.params import Params


def plain_bits(world: World, column: int, cells: list) -> float:
    values = [row[column] for row in world.rows]
    bits = 0.0
    for value, cell in zip(values, cells, strict=True):
        covered = set(world.domain(column)) if cell is None else cell[column].leaves
        bits += log2(sum(other in covered for other in values) / values.count(value))
    return bits


@pytest.mark.slow
@given(worlds())
def test_it_is_the_missing_share_of_the_bits(world: World) -> None:
    found = measure_entropy(publication(world), Params())
    bits = [plain_bits(world, c, world.published) for c in range(len(world.columns))]
    most = [plain_bits(world, c, [None] * len(world.rows)) for c in range(len(world.columns))]
    expected = [b / m if m > 0 else 0.0 for b, m in zip(bits, most, strict=True)]
    assert list(found.per_column.values()) == pytest.approx(expected)
    assert found.value == pytest.approx(weighted(world, expected))
    assert found.details["bits"] == pytest.approx(sum(bits))
    assert all(0 <= share <= 1 for share in found.per_column.values())


@pytest.mark.slow
@given(worlds())
def test_what_is_published_as_it_was_costs_exactly_nothing(world: World) -> None:
    cells = [tuple(node(world.paths[c], row[c], 0) for c in range(len(world.columns))) for row in world.rows]
    as_it_was = World(world.columns, world.paths, world.rows, cells, world.weights)
    assert measure_entropy(publication(as_it_was), Params()).value == 0.0


def test_frequent_values_are_easier_to_guess() -> None:
    # Three of four rows have a0: under '*' they cost log2(4/3) each, the fourth costs log2(4/1).
    paths = [["a0", "*"], ["a1", "*"]]
    rows = [("a0",)] * 3 + [("a1",)]
    world = World(("a",), (paths,), rows, [(node(paths, row[0], 1),) for row in rows], (1.0,))
    found = measure_entropy(publication(world), Params())
    assert found.details["bits"] == pytest.approx(3 * log2(4 / 3) + 2)
    assert found.value == pytest.approx(1.0)


def test_edges() -> None:
    assert measure_entropy(publication(one_row()), Params()).value == 0.0
    # Column b has one value, so there is nothing to lose in it.
    assert measure_entropy(publication(all_suppressed()), Params()).per_column == pytest.approx({"a": 1.0, "b": 0.0})

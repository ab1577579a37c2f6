import pytest
from hypothesis import given
from tests.metrics.tables.worlds import (
    AGE,
    WORKCLASS,
    World,
    all_suppressed,
    loss_example,
    node,
    one_row,
    publication,
    weighted,
    worlds,
)

from tacit.errors import BadParameter
from tacit.metrics.tables.loss import METRIC, measure_loss
from tacit.params import Params


def plain_loss(world: World, column: int) -> float:
    others = len(world.domain(column)) - 1
    losses = [1.0 if cells is None else (len(cells[column].leaves) - 1) / max(others, 1) for cells in world.published]
    return sum(losses) / len(losses)


@pytest.mark.slow
@given(worlds())
def test_it_is_the_mean_of_the_cells(world: World) -> None:
    found = measure_loss(publication(world), Params())
    expected = [plain_loss(world, c) for c in range(len(world.columns))]
    assert list(found.per_column.values()) == pytest.approx(expected)
    assert found.value == pytest.approx(weighted(world, expected))
    assert found.details["total"] == pytest.approx(found.value * len(world.rows))


@pytest.mark.parametrize(
    ("leaf", "level", "expected"),
    [("Private", 1, 0), ("State", 1, 2 / 7), ("Never-worked", 1, 1 / 7), ("Inc", 2, 1)],
)
def test_w6_loss_of_one_cell(leaf: str, level: int, expected: float) -> None:
    world = World(("workclass",), (WORKCLASS,), [(leaf,)], [(node(WORKCLASS, leaf, level),)], (1.0,))
    assert measure_loss(publication(world), Params()).value == pytest.approx(expected)


def test_w6_loss_of_the_table() -> None:
    example = loss_example()
    costs = []
    for row, cells in zip(example.rows, example.published, strict=True):
        alone = World(example.columns, (WORKCLASS, AGE), [row], [cells], example.weights)
        costs.append(measure_loss(publication(alone), Params()).value)
    assert costs == pytest.approx([0.349206, 0.4], abs=5e-7)
    assert measure_loss(publication(example), Params()).details["total"] == pytest.approx(0.749206, abs=5e-7)


def test_all_suppressed_is_one_even_with_one_leaf() -> None:
    found = measure_loss(publication(all_suppressed()), Params())
    assert (found.value, found.per_column) == (1.0, {"a": 1.0, "b": 1.0})


def test_one_row_as_it_is_loses_nothing() -> None:
    assert METRIC.run(publication(one_row()), METRIC.example).value == 0.0


def test_weights_of_zero_measure_nothing() -> None:
    world = World(("a",), ([["a0", "*"]],), [("a0",)], [None], (0.0,))
    with pytest.raises(BadParameter, match="above 0"):
        publication(world)

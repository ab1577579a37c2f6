import pytest
from hypothesis import given
from tests.metrics.tables.worlds import World, all_suppressed, loss_example, one_row, publication, weighted, worlds

from tacit.metrics.tables.precision import METRIC, measure_precision
from tacit.params import Params


def plain_precision(world: World, column: int) -> float:
    height = max(world.height(column), 1)
    lifted = [1.0 if cells is None else cells[column].level / height for cells in world.published]
    return 1 - sum(lifted) / len(lifted)


@pytest.mark.slow
@given(worlds())
def test_it_is_one_minus_the_mean_share_of_the_height(world: World) -> None:
    found = measure_precision(publication(world), Params())
    expected = [plain_precision(world, c) for c in range(len(world.columns))]
    assert list(found.per_column.values()) == pytest.approx(expected)
    assert found.value == pytest.approx(weighted(world, expected))


def test_w6_table() -> None:
    # Both hierarchies have height 2: workclass lifts (1 + 0)/2, age (1 + 2)/2, over two rows.
    found = measure_precision(publication(loss_example()), Params())
    assert found.per_column == pytest.approx({"workclass": 0.75, "age": 0.25})
    assert found.value == pytest.approx(0.6 * 0.75 + 0.4 * 0.25)


def test_the_two_ends() -> None:
    assert measure_precision(publication(one_row()), Params()).value == 1.0
    assert measure_precision(publication(all_suppressed()), Params()).value == 0.0
    assert METRIC.better == "higher"

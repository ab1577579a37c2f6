import pytest
from hypothesis import given
from tests.metrics.tables.worlds import World, all_suppressed, loss_example, one_row, publication, weighted, worlds

from tacit.metrics.tables.distortion import measure_distortion
from tacit.params import Params


@pytest.mark.slow
@given(worlds())
def test_it_counts_levels_cell_by_cell(world: World) -> None:
    found = measure_distortion(publication(world), Params())
    units = [
        sum(world.height(c) if cells is None else cells[c].level for cells in world.published)
        for c in range(len(world.columns))
    ]
    assert list(found.per_column.values()) == units
    assert found.value == sum(units)
    assert found.details["per_row"] == sum(units) / len(world.rows)
    assert abs(found.details["weighted"] - weighted(world, units) / len(world.rows)) < 1e-12


def test_w6_one_unit_for_each_level_of_each_generalised_cell() -> None:
    # State → Government is one level, Private stays, 32 → 30–35 is one, 36 → 30–40 is two.
    found = measure_distortion(publication(loss_example()), Params())
    assert found.per_column == {"workclass": 1 + 0, "age": 1 + 2}
    assert found.value == 4


def test_a_suppressed_cell_counts_the_height() -> None:
    assert measure_distortion(publication(all_suppressed()), Params()).per_column == {"a": 3.0, "b": 0.0}


def test_nothing_generalised_is_nothing_distorted() -> None:
    assert measure_distortion(publication(one_row()), Params()).value == 0.0

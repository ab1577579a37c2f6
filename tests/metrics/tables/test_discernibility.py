import pytest
from hypothesis import given
from tests.metrics.tables.worlds import World, all_suppressed, one_row, publication, worlds

from tacit.metrics.tables.discernibility import measure_discernibility
from tacit.params import Params


@pytest.mark.slow
@given(worlds())
def test_each_row_costs_the_rows_that_look_alike(world: World) -> None:
    texts = [world.texts(i) for i in range(len(world.rows))]
    expected = sum(len(texts) if text is None else texts.count(text) for text in texts)
    found = measure_discernibility(publication(world), Params())
    assert found.value == expected
    assert found.details["per_row"] == expected / len(texts)
    assert found.per_column == {}


def test_the_two_ends() -> None:
    assert measure_discernibility(publication(one_row()), Params()).value == 1
    assert measure_discernibility(publication(all_suppressed()), Params()).value == 9

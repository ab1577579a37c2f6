import pytest
from hypothesis import given
from tests.metrics.tables.worlds import World, all_suppressed, one_row, publication, worlds

from tacit.metrics.tables.suppression import measure_suppression
from tacit.params import Params


@pytest.mark.slow
@given(worlds())
def test_share_of_rows_without_labels(world: World) -> None:
    found = measure_suppression(publication(world), Params())
    suppressed = sum(cells is None for cells in world.published)
    assert (found.value, found.details["rows"]) == (suppressed / len(world.rows), suppressed)


def test_the_two_ends() -> None:
    assert measure_suppression(publication(one_row()), Params()).value == 0
    assert measure_suppression(publication(all_suppressed()), Params()).value == 1

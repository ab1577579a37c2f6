import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.worlds import World, all_suppressed, one_row, publication, worlds

from tacit.errors import BadParameter
from tacit.metrics.tables.average_class_size import Normalisation, measure_class_size


@pytest.mark.slow
@given(worlds(), st.integers(1, 9))
def test_rows_by_classes_with_the_suppressed_as_one(world: World, k: int) -> None:
    texts = [world.texts(i) for i in range(len(world.rows))]
    found = measure_class_size(publication(world), Normalisation(k=k))
    assert found.value == pytest.approx(len(texts) / len(set(texts)) / k)
    assert found.details["classes"] == len(set(texts) - {None})


def test_the_two_ends() -> None:
    assert measure_class_size(publication(one_row()), Normalisation()).value == 1
    assert measure_class_size(publication(all_suppressed()), Normalisation()).value == 3


def test_k_has_a_floor() -> None:
    with pytest.raises(BadParameter, match=r"average: k: .*found 0"):
        Normalisation.parse("average", {"k": 0})

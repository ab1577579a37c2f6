"""Rows of JSON become values; what may change is no row."""

from typing import Any

import pytest

from tacit.auditing.cards import subject_of_card
from tacit.auditing.records import as_row
from tacit.errors import BadParameter
from tacit.sensitivity.exploration import World


def test_an_object_is_a_mapping_that_is_told_by_its_cells() -> None:
    row, same = as_row({"a": 1, "b": [2, {"c": None}]}), as_row({"b": [2, {"c": None}], "a": 1})
    assert row == same
    assert hash(row) == hash(same)
    assert row != as_row({"a": 1})
    assert dict(row) == {"a": 1, "b": (2, as_row({"c": None}))}
    assert row.get("z") is None
    assert str(row) == "{'a': 1, 'b': (2, {'c': None})}"
    assert as_row("text") == "text"


@pytest.mark.parametrize("row", [{"a": 1}, [1], (1, [2])])
def test_a_row_that_may_change_is_refused(row: Any) -> None:
    with pytest.raises(BadParameter, match="a row of the domain is a"):
        World([row], most=2)


def test_only_a_grid_on_which_whole_numbers_stay_is_drawn_at_once() -> None:
    # On a coarser grid numbers are rounded, and a vector of many copies would get more noise than one copy.
    assert subject_of_card("mechanisms/laplace").quick
    assert subject_of_card("mechanisms/geometric", {"sensitivity": 1 << 40}).quick
    assert not subject_of_card("mechanisms/laplace", {"grid": 3}).quick
    assert not subject_of_card("mechanisms/laplace", {"sensitivity": 1e17}).quick

"""No value that holds cells or counts of the raw data shows them where Python writes it out.

Covers tables/tally, tables/classes.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pandas as pd
import pytest

import tacit
import tacit.data
from tacit.data.columns import categories_of, columns_of
from tacit.data.discreet import Discreet
from tacit.data.tables.classes import classes_of
from tacit.data.tables.tally import Tally
from tacit.engines.duckdb import DuckDB
from tacit.runs.tables.count import build_table, count

FRAME = pd.DataFrame({"town": ["oslo"] * 7 + ["rome"], "ill": ["flu", "cold"] * 4, "id": [*"aabcdefg"]})
PEOPLE = tacit.read(FRAME, {"town": "quasi-identifier", "ill": "sensitive", "id": "identifier"}, unit="id")


@pytest.fixture(scope="module")
def tally() -> Tally:
    with DuckDB() as engine:
        return count(PEOPLE, engine)


def test_a_tally_and_its_classes_say_how_many_combinations_there_are_and_no_count(tally: Tally) -> None:
    classes = classes_of(tally)
    assert repr(tally) == "Tally(2 combinations of 1 column, 1 sensitive column)"
    assert repr(classes) == "Classes(2 classes, 1 sensitive column)"
    assert repr(tally.people) == repr(classes.people) == "Census(2 keys)"
    assert repr(tally.sensitive) == "{'ill': SensitiveTally(3 cells of 2 values)}"
    assert repr(classes.sensitive) == "{'ill': Frequencies(3 cells of 2 values)}"
    assert repr(build_table(PEOPLE, tally)) == "Table(2 combinations of 1 column)"
    assert repr(tally.people.least(tally.rows)) == "PeopleByAmount(amount, people)"


def test_columns_show_no_cell() -> None:
    assert repr(columns_of({"age": [41.0, 42.0]})["age"]) == "Numbers(2 rows)"
    assert repr(categories_of(["flu", "flu"])) == "CodedCategories(2 rows, 1 value)"


def written_out() -> Iterator[tuple[str, Any]]:
    """The dataclasses of the data that hold arrays, and those that are written out as a dataclass is."""
    for module in pkgutil.walk_packages(tacit.data.__path__, "tacit.data."):
        for found in vars(importlib.import_module(module.name)).values():
            if isinstance(found, type) and is_dataclass(found) and found.__module__ == module.name:
                yield f"{module.name}.{found.__name__}", found


def test_no_array_of_the_data_is_written_out() -> None:
    classes = dict(written_out())
    shown = {
        name
        for name, found in classes.items()
        if hasattr(found.__repr__, "__wrapped__") and any("Array" in str(f.type) and f.repr for f in fields(found))
    }
    assert shown == set()
    assert {name for name, found in classes.items() if issubclass(found, Discreet)} >= {
        "tacit.data.tables.tally.Tally",
        "tacit.data.tables.classes.Classes",
        "tacit.data.tables.candidates.LinkedPeople",
        "tacit.data.aggregates.cells.CellCounts",
    }

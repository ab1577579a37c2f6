"""Tables: leaves, weights, limits."""

import math

import numpy as np
import pyarrow as pa
import pytest

from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.table import Table
from tacit.errors import BadData, BadParameter

PATHS = {"a": [["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"]], "b": [["x", "*"], ["y", "*"]]}
HIERARCHIES = tuple(Hierarchy.from_paths(name, paths) for name, paths in PATHS.items())


def tally_of(rows: list[tuple[str, str, int]]) -> object:
    columns = [[row[c] for row in rows] for c in range(3)]
    table = pa.Table.from_arrays(
        [pa.array(columns[0]), pa.array(columns[1]), pa.array(columns[2], pa.int64())], ["a", "b", "n"]
    )
    return tally_from(table, TallyRequest(("a", "b")))


def test_values_find_their_leaves() -> None:
    table = Table.of(tally_of([("3", "y", 2), ("1", "x", 5)]), HIERARCHIES)
    shown = [[HIERARCHIES[c].leaves[leaf] for leaf in table.leaves[c]] for c in range(2)]
    assert shown == [["1", "3"], ["x", "y"]]
    assert table.number_of_rows == 7
    assert (table.least, table.most) == ((0, 0), (2, 1))


def test_weights_are_scaled_to_one() -> None:
    tally = tally_of([("1", "x", 1)])
    assert Table.of(tally, HIERARCHIES).weights.tolist() == [0.5, 0.5]
    assert Table.of(tally, HIERARCHIES, (3.0, 1.0)).weights.tolist() == [0.75, 0.25]
    assert np.isclose(Table.of(tally, HIERARCHIES, (0.0, 7.0)).weights.sum(), 1)


@pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 2.0), (math.nan, 1.0), (math.inf, 1.0)])
def test_weights_that_mean_nothing_are_refused(weights: tuple[float, float]) -> None:
    with pytest.raises(BadParameter, match=r"weights are \["):
        Table.of(tally_of([("1", "x", 1)]), HIERARCHIES, weights)


def test_a_value_without_a_leaf_is_named() -> None:
    table = Table.of(tally_of([("9", "x", 1)]), HIERARCHIES)
    with pytest.raises(BadData, match=r"column 'a': 1 value has no place.*'9'"):
        _ = table.leaves

"""Rows in which the person is missing may be of several people, so they count for nobody.

Covers aggregates/people, aggregates/keys, aggregates/rehearsal, aggregates/array_cells, answers/asking.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.runs.answers.patients import PLENTY

import tacit
from tacit import statistics
from tacit.data.aggregates.array_cells import has_owner
from tacit.errors import BadData
from tacit.methods.statistics import keywords, partition_selection
from tacit.randomness.stream import RandomBits

SOMEBODY = [*zip("abcd", "xxxx", strict=True), *zip("efg", "yyy", strict=True)]
"""Enough people in both groups for their names to be published, at so much epsilon."""
NOBODY = [(None, "x"), (None, "y"), ("", "y")]


def frame(rows: list[Any]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["id", "g"], dtype=object)


def in_file(rows: list[Any], folder: Path, kind: str) -> Any:
    if kind == "frame":
        return frame(rows)
    path = folder / f"people.{kind}"
    frame(rows).to_csv(path, index=False) if kind == "csv" else frame(rows).to_parquet(path)
    return path


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet"])
@pytest.mark.parametrize("asked", ["groups", "keys"])
def test_nobody_without_a_name_changes_an_answer(asked: str, kind: str, tmp_path: Path) -> None:
    """Of two people without a name one row would count; were that person gone, the row of the other would."""

    def answer(rows: list[Any]) -> Any:
        budget, data = tacit.PrivacyBudget(epsilon=PLENTY, delta=0.1, unit="id"), in_file(rows, tmp_path, kind)
        if asked == "groups":
            return statistics.count(data, by="g", categories=["x", "y"], epsilon=PLENTY, budget=budget).values
        return statistics.partition_selection(data, of="g", epsilon=PLENTY, delta=0.1, budget=budget).values

    whole = SOMEBODY + NOBODY
    assert answer(whole) == [4, 3]
    assert all(answer([row for row in whole if row is not gone]) == [4, 3] for gone in NOBODY)


def test_logs_in_arrays_are_read_alike() -> None:
    log = [np.array(column, dtype=object) for column in zip(*SOMEBODY, *NOBODY, strict=True)]
    asked = keywords.Keywords(epsilon=1, vocabulary=("x", "y"), k=1, most=1)
    assert keywords.keyword_scores(log, asked, RandomBits.from_seed(1)).tolist() == [4, 3]
    chosen = partition_selection.PartitionSelection(epsilon=PLENTY, delta=0.1)
    found = partition_selection.partition_selection(log, chosen, RandomBits.from_seed(1))
    assert found.counts.values.tolist() == [4, 3]


@pytest.mark.parametrize("cells", [[1.0, np.nan], ["a", ""], ["a", None], [0, None], [False, pd.NA]], ids=repr)
def test_who_is_nobody(cells: list[Any]) -> None:
    assert has_owner(cells).tolist() == [True, False]
    assert has_owner(np.array(cells, dtype=object)).tolist() == [True, False]


def test_a_table_of_nobody_is_refused_before_the_charge() -> None:
    """Under `replace` the number of people is public, and here it is 0."""
    budget = tacit.PrivacyBudget(epsilon=1, unit="id", neighbours="replace")
    asked: dict[str, Any] = {"of": "v", "bounds": (0, 1), "epsilon": 1, "budget": budget}
    rows = pd.DataFrame({"id": [None, ""], "v": [1.0, 0.0]}, dtype=object)
    with pytest.raises(BadData, match="there are no rows"):
        statistics.mean(rows, **asked)
    assert budget.spent["epsilon"] == 0
    assert 0 <= statistics.mean(rows.assign(id=["a", None]), **asked).values[0] <= 1

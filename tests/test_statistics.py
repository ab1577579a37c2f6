"""Every statistic under its short name: asked with its example's parameters, and read alike in every type of column."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.cards.test_takes import CELLS, DECLARED, OF, STATISTICS

import tacit
from tacit.randomness.stream import RandomBits

FRAME = pd.DataFrame({**CELLS, "group": np.arange(len(CELLS["age"])) // 7})
"""Rows of people, some with several; the groups are whole numbers."""
MORE = {"histogram": {"bins": 4}}


def call_of(name: str) -> dict[str, Any]:
    """What a call says: the columns, what they declare, and of the example what does not follow from that."""
    card, short = STATISTICS[name], name.removeprefix("statistics/")
    columns = [DECLARED[column] for column in OF.get(short, ["age"])]
    ends = getattr(card.example, "lower", None), getattr(card.example, "upper", None)
    if all(isinstance(end, float) for end in ends):
        columns = [replace(column, bounds=ends) for column in columns]
    filled = card.takes.parameters(columns)
    own = {key: value for key, value in card.example.model_dump(exclude_defaults=True).items() if key not in filled}
    declared: dict[str, Any] = {}
    for what in ("bounds", "categories"):
        named = {column.name: getattr(column, what) for column in columns if getattr(column, what) is not None}
        declared |= {what: named} if named and what not in own else {}
    return {"of": [column.name for column in columns], **declared, **MORE.get(short, {}), **own}


def answer(name: str, data: Any, **more: Any) -> Any:
    short = name.removeprefix("statistics/").replace("-", "_")
    budget = tacit.PrivacyBudget(epsilon=1e6, delta=0.5, unit="person", rows=2)
    call = {**call_of(name), **more, "bits": RandomBits.from_seed(1)}
    return getattr(tacit.statistics, short)(data, budget=budget, **call).values


@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_can_be_asked_with_the_parameters_of_its_example(name: str) -> None:
    assert answer(name, FRAME) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_reads_cells_alike_in_columns_of_any_type(name: str, tmp_path: Path) -> None:
    """One missing cell makes objects of truth values and floats of whole numbers; one text makes objects of both."""
    expected = answer(name, FRAME)
    whole = dict.fromkeys(("small", "visit", "person", "group"), "float64")
    for frame in (FRAME.astype(object), FRAME.astype(whole), pa.Table.from_pandas(FRAME), FRAME.convert_dtypes()):
        assert answer(name, frame) == expected
    FRAME.assign(ill=FRAME["ill"].astype(int), large=FRAME["large"].astype(int)).to_csv(tmp_path / "f.csv", index=False)
    assert answer(name, tmp_path / "f.csv") == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["statistics/count", "statistics/mean", "statistics/textbook-k-means"])
@pytest.mark.parametrize("odd", [None, "x", 0.5])
def test_no_group_changes_its_name_with_somebody_elses_key(name: str, odd: Any) -> None:
    more = {"by": "group", "epsilon": 1e5}
    categories = {**call_of(name).get("categories", {}), "group": [0, 1, 2]}
    before = answer(name, FRAME, **more, categories=categories)
    column = pd.Series([*FRAME["group"].tolist(), odd])
    joined = pd.concat([FRAME, FRAME.iloc[[0]].assign(person=999)], ignore_index=True).assign(group=column)
    assert joined["group"].dtype != FRAME["group"].dtype
    assert answer(name, joined, **more, categories=categories) == before


@pytest.mark.slow
def test_bounds_are_declared_where_the_card_has_no_such_parameter() -> None:
    clipped = answer("statistics/clipping", FRAME, bounds=[10.0, 50.0, 100.0], epsilon=1e5)
    assert answer("statistics/clipping", FRAME, bounds=(10.0, 50.0, 100.0), epsilon=1e5) == clipped
    wide, narrow = (answer("statistics/mean", FRAME, bounds=(0, top), epsilon=1e5)[0] for top in (120, 10))
    assert narrow < 10 < wide


def test_what_has_no_name_is_refused_with_the_name_that_it_needs() -> None:
    with pytest.raises(tacit.BadParameter, match=r"`tacit.statistics.mean` takes .* by name: write `of='age'`$"):
        tacit.statistics.mean(FRAME, "age")  # type: ignore[arg-type]
    with pytest.raises(tacit.BadParameter, match=r"write `of='age', by='group'`$"):
        tacit.statistics.mean(FRAME, "age", "group")  # type: ignore[arg-type]
    with pytest.raises(tacit.BadParameter, match=r"write `of=` for the column"):
        tacit.statistics.mean(FRAME, ["age"])  # type: ignore[arg-type]

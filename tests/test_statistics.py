"""Every statistic under its short name, asked with the parameters of its example."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from tests.cards.test_takes import CELLS, DECLARED, OF, STATISTICS

import tacit
from tacit.randomness.stream import RandomBits

FRAME = pd.DataFrame(CELLS)
"""Rows of people, some with several."""
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


def test_bounds_are_declared_where_the_card_has_no_such_parameter() -> None:
    clipped = answer("statistics/clipping", FRAME, bounds=[10.0, 50.0, 100.0], epsilon=1e5)
    assert answer("statistics/clipping", FRAME, bounds=(10.0, 50.0, 100.0), epsilon=1e5) == clipped
    wide, narrow = (answer("statistics/mean", FRAME, bounds=(0, top), epsilon=1e5)[0] for top in (120, 10))
    assert narrow < 10 < wide

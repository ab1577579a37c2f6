"""What a run tells does not depend on the order in which an engine hands over what it counted.

An engine that counts on several threads has no order of its own, and a sum of floats depends on it in its last digits.
Covers steps/survey, tables/count, tables/read_back, attack/board.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.runs.planned import attack_plan, form_of, protect_plan, write_plan
from tests.runs.test_survey_risk import ROLES, SURVEY, survey

from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.plan.load import load_plan

if TYPE_CHECKING:
    import pyarrow as pa

ORDERS = range(5)


class Reordered(DuckDB):
    """Hands over what it counted in an order of its own."""

    def __init__(self, order: int) -> None:
        super().__init__(threads=1)
        self.order = np.random.default_rng(order)

    def tally(self, source: Source, columns: Sequence[str]) -> "pa.Table":
        found = super().tally(source, columns)
        return found.take(self.order.permutation(found.num_rows))


def told(plan: Path, order: int) -> list[Any]:
    with Reordered(order) as engine:
        body = protect_plan(load_plan(plan), engine).release.body.model_dump(exclude={"attacks"})
        board = attack_plan(load_plan(plan), engine)
    return [body, [one.model_dump(exclude={"seconds"}) for one in board.results]]


@pytest.mark.slow
@pytest.mark.parametrize("unit", [None, "name"])
def test_every_order_tells_the_same_to_the_last_digit(tmp_path: Path, unit: str | None) -> None:
    """People have two rows of one class and weight in two households, so that a tie must be broken too."""
    rows = [{"name": f"n{i}", **row} for i, row in enumerate(survey(60))]
    rows += [{**row, "home": str(40 + i % 7)} for i, row in enumerate(rows)] if unit else []
    roles = {"name": {"role": "identifier"}, **ROLES}
    form = form_of(roles, {"method": "tables/lattice"}, survey=SURVEY, **({"unit": unit} if unit else {}))
    plan = write_plan(tmp_path, form, rows)
    first, *others = (told(plan, order) for order in ORDERS)
    assert first[0]["risk_after"]["survey"]["households"] > 0
    for other in others:
        assert other == first

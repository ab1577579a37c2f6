"""Wide files are inspected in time that grows with their columns, not with the pairs of them.

Covers runs/tables/look, duckdb/profile, inspection/examine.
"""

from pathlib import Path
from random import Random
from time import process_time

import pytest

from tacit.verbs.plans import inspect_file


@pytest.mark.slow
def test_a_thousand_columns_take_seconds(tmp_path: Path) -> None:
    draw = Random(1)
    names = [f"c{number}" for number in range(1_000)]
    rows = [[str(draw.randrange(10)) for _ in names] for _ in range(20)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(map(",".join, [names, *rows])) + "\n")
    started = process_time()
    found = inspect_file(path, {})
    assert process_time() - started < 20, "two seconds are usual, and 46 s it took once"
    assert len(found.look.values["columns"]) == 1_000

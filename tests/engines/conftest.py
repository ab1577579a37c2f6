from collections.abc import Iterator

import pytest

from tacit.engines.duckdb import DuckDB
from tacit.engines.engine import Engine

ENGINES = {"duckdb": lambda: DuckDB(threads=2)}
"""Every backend runs every test here that asks for an `engine`."""


@pytest.fixture(scope="module", params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as made:
        yield made

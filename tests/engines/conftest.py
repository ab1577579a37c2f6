from collections.abc import Iterator

import pytest

from tacit.engines.duckdb import DuckDB


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDB]:
    with DuckDB(threads=2) as made:
        yield made

"""One person's cell may change the type of a whole column, and must change nothing that is read of anybody else.

Covers aggregates/order, aggregates/object_columns, aggregates/rows, aggregates/row_numbers, engines/duckdb/reading.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit.data.aggregates.cells import Cells
from tacit.data.aggregates.groups import ByGroup
from tacit.data.aggregates.keys import Keys
from tacit.data.aggregates.people import Groups, People
from tacit.data.aggregates.row_numbers import RowNumbers
from tacit.data.aggregates.rows import Rows
from tacit.data.aggregates.scale import Form, Names, Reading
from tacit.data.aggregates.sums import Sums
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB

OWN, CROWD = 6, 60
NUMBERS = [100, 9, 10, -3, 0, 25, 7, 1, 300, 42, 5, 90]
FRACTIONS = [1e16, 3.0, 0.1, -0.0, 1e-7, 10.0, 9.0, -2.5, 0.1, 1e300]
DAYS = ["2020-01-01", "2020-01-02 10:00:00.5", "1999-12-31 23:59:59", "2020-01-01 00:00:01"]
STAYS = ["36h", "9s", "1s", "-1s", "100 days", "0.5s"]
TOWNS = ["b", "a", "10", "9", "it's"]
LARGE = [10**16, 2**60, 3 * 2**55, -(10**17), 5, 2**62]


def arrow(cells: list[Any], kind: pa.DataType) -> pd.Series:
    return pd.Series(cells, dtype=pd.ArrowDtype(kind))


NUMERIC: dict[str, tuple[Any, Any]] = {
    "whole, a text": (pd.Series(NUMBERS), "n/a"),
    "whole, missing": (pd.Series(NUMBERS), None),
    "whole, a fraction": (pd.Series(NUMBERS), 0.5),
    "whole, a truth value": (pd.Series(NUMBERS), True),
    "whole, too large": (pd.Series(NUMBERS), 10**30),
    "large, missing": (pd.Series(LARGE), None),
    "large, a text": (pd.Series(LARGE), "x"),
    "unsigned, negative": (pd.Series([0, 10, 9, 2**63], dtype="uint64"), -1),
    "fractions, a text": (pd.Series(FRACTIONS), "n/a"),
    "narrow fractions, a text": (pd.Series(FRACTIONS[1:-1], dtype="float32"), "n/a"),
    "narrow fractions, a wide one": (pd.Series(FRACTIONS[1:-1], dtype="float32"), 1e300),
    "truth values, missing": (pd.Series([True, False, False]), None),
    "truth values, a text": (pd.Series([True, False, False]), "x"),
    "truth values, a number": (pd.Series([True, False, False]), 1),
    "nullable, a text": (pd.Series([100, None, 9, 10], dtype="Int64"), "x"),
    "nullable truth values, a text": (pd.Series([True, None, False], dtype="boolean"), "x"),
    "strings, a number": (pd.Series(["10", "9", "x", "", "true"], dtype="str"), 5),
    "whole categories, another": (pd.Series([10, 9, 100], dtype="category"), "x"),
    "categories, another": (pd.Series(["9", "10", "b"], dtype="category"), "y"),
    "decimals, a text": (arrow([Decimal("1.50"), Decimal("10.00"), Decimal("9.00")], pa.decimal128(9, 2)), "x"),
    "Arrow, a text": (arrow([100, None, 9], pa.int64()), "x"),
}
OTHERS: dict[str, tuple[Any, Any]] = {
    "moments, a text": (pd.Series(pd.to_datetime(DAYS, format="ISO8601")), "x"),
    "moments of a zone, a text": (pd.Series(pd.to_datetime(DAYS, format="ISO8601").tz_localize("Europe/Rome")), "x"),
    "seconds, finer ones": (pd.Series(np.array(["2020-01-01", "1999-12-31T10:00:00"], "M8[s]")), pd.Timestamp(1)),
    "lengths of time, a text": (pd.Series(pd.to_timedelta(STAYS)), "x"),
    "times of day, a text": (arrow([time(10), time(9, 0, 0, 500_000), time(9)], pa.time64("us")), "x"),
    "months, a text": (pd.Series(pd.period_range("2020-01", periods=5, freq="M")), "x"),
    "intervals, a text": (pd.cut(pd.Series([1, 5, 9, 3]), 3), "x"),
    "bytes, a text": (arrow([b"b", b"\xff", b"a'"], pa.binary()), "x"),
}
TEXT, NUMBER, TRUTH = Form("x", "text"), Form("x", "number"), Form("x", "truth")
CASES = {name: (case, (TEXT, NUMBER, TRUTH)) for name, case in NUMERIC.items()}
CASES |= {name: (case, (TEXT,)) for name, case in OTHERS.items()}


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDB]:
    with DuckDB(threads=1) as engine:
        yield engine


def crowd(cells: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A crowd whose cells are of one type, and the same crowd with somebody whose cell changes it."""
    column, odd = cells
    kept = column.iloc[np.resize(np.random.default_rng(1).permutation(np.arange(97) % len(column)), OWN * CROWD)]
    whole = pd.DataFrame({"who": [f"p{i // OWN}" for i in range(OWN * CROWD)], "x": kept.reset_index(drop=True)})
    cells = [*whole["x"].tolist(), None] if odd is None else pd.concat([whole["x"], pd.Series([odd])]).tolist()
    kind = None if odd is None else pd.concat([whole["x"], pd.Series([odd])]).dtype
    return whole, pd.DataFrame({"who": [*whole["who"], "odd"], "x": pd.Series(cells, dtype=kind)})


def without(found: tuple[list[Any], ...], person: str = "odd") -> Counter[tuple[Any, ...]]:
    return Counter(row for row in zip(*found, strict=True) if row[0] != person)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_cell_that_changes_the_type_of_a_column_changes_nobody_elses_rows(engine: DuckDB, name: str) -> None:
    case, read = CASES[name]
    before, after = crowd(case)
    assert str(before["x"].dtype) != str(after["x"].dtype), "the type must change, or nothing is tried"
    sources = [Source("frame", frame=frame) for frame in (before, after)]
    each = [(People("who", 1), forms) for forms in (*((form,) for form in read), read, (*reversed(read),))]
    more = [(People("who", 2, first=("x",)), read), (People("who", 2, groups=Groups(("x",), 1)), read)]
    for people, forms in (*each, *more):
        shown = Rows((Form("who", "text"), *forms))
        one, two = (engine.aggregates(source, people.of(shown)) for source in sources)
        assert without(one) == without(two)
    for keys in (
        Keys("who", "x", 1),
        Keys("who", "x", 1, ("x",)),
        Keys("x", "who", 2),
        Keys("who", "x", 2, each="row"),
    ):
        one, two = (engine.aggregates(source, keys) for source in sources)
        extra = Counter(dict(zip(two.keys, two.counts.tolist(), strict=True)))
        extra.subtract(dict(zip(one.keys, one.counts.tolist(), strict=True)))
        assert sum(map(abs, extra.values())) <= 2


PEOPLE = {
    "missing": [None],
    "a text": ["x"],
    "a fraction": [0.5],
    "a truth value": [True],
    "too large": [10**30],
}


@pytest.mark.slow
@pytest.mark.parametrize("odd", PEOPLE)
@pytest.mark.parametrize("ids", [range(CROWD), [10**16 + 2 * i for i in range(CROWD)]], ids=["small", "large"])
def test_a_person_whose_name_changes_the_type_of_names_changes_nobody_elses_lots(
    engine: DuckDB, odd: str, ids: Any
) -> None:
    who, values = np.repeat(np.array(ids), OWN), np.random.default_rng(3).permutation(OWN * CROWD)
    before = pd.DataFrame({"who": who, "x": values})
    named = pd.Series([*before["who"].tolist(), *PEOPLE[odd]])
    after = pd.DataFrame({"who": named, "x": [*values.tolist(), 0]})
    assert before["who"].dtype != after["who"].dtype
    counted = 0 if odd == "missing" else 1
    for people in (People("who", 2), People("who", 2, groups=Groups(("x",), 3))):
        asked = people.of(Rows((Form("x", "number"), Form("who", "text"))))
        one, two = (engine.aggregates(Source("frame", frame=frame), asked) for frame in (before, after))
        kept = Counter(zip(*two, strict=True)) - Counter(zip(*one, strict=True))
        assert kept.total() == counted
        assert not Counter(zip(*one, strict=True)) - Counter(zip(*two, strict=True))
    one, two = (engine.aggregates(Source("frame", frame=frame), Keys("who", "x", 2)) for frame in (before, after))
    assert two.counts.sum() == one.counts.sum() + counted


def kept_in_every_type(cells: list[Any], who: list[str]) -> Iterator[Any]:
    """The same cells and people in whatever keeps them."""
    whole = pd.DataFrame({"x": cells, "who": who})
    yield whole
    for kind in ("float64", "object", "Int64", "Float64", "category", "str", pd.ArrowDtype(pa.int64())):
        yield whole.astype({"x": kind})
    for typed in (pa.int64(), pa.float64(), pa.string(), pa.decimal128(30, 3)):
        yield pa.table({"x": pa.array(cells).cast(typed), "who": who})
    yield pa.table({"x": pa.array(cells).dictionary_encode(), "who": pa.array(who).dictionary_encode()})
    for dtype in (pl.Int64, pl.Float64, pl.String):
        yield pl.DataFrame({"x": pl.Series(cells).cast(dtype), "who": pl.Series(who, dtype=pl.Categorical)})
    yield pl.DataFrame({"x": pl.Series(cells, dtype=pl.Object), "who": who})


@pytest.mark.slow
def test_numbers_of_every_type_are_kept_alike(engine: DuckDB, tmp_path: Path) -> None:
    cells = np.random.default_rng(5).integers(-1000, 1000, 300).tolist()
    who, names = [f"p{i // OWN}" for i in range(300)], tuple((str(cell),) for cell in dict.fromkeys(cells))
    asked = People("who", 2).of(Rows((NUMBER, TEXT, Form("who", "text"))))
    grouped = People("who", 2, groups=Groups(("x",), 1)).of(ByGroup(("x",), names, Sums((), ())))
    path = tmp_path / "people.csv"
    pd.DataFrame({"x": cells, "who": who}).to_csv(path, index=False)
    sources = [Source("csv", path), *(Source("frame", frame=frame) for frame in kept_in_every_type(cells, who))]
    rows = [Counter(zip(*engine.aggregates(source, asked), strict=True)) for source in sources]
    assert all(other == rows[0] for other in rows)
    assert rows[0].total() == 2 * len(cells) / OWN
    counts = [[part.rows for part in engine.aggregates(source, grouped)] for source in sources]
    assert all(other == counts[0] for other in counts)


def test_truth_values_that_become_numbers_are_kept_alike_where_they_are_read_as_either(engine: DuckDB) -> None:
    """Frames that are joined make 1 of true where another column of theirs has numbers; only its text is another."""
    before, _ = crowd((pd.Series([True, False, False]), None))
    after = pd.concat([before, pd.DataFrame({"who": ["odd"], "x": [7]})], ignore_index=True)
    assert (before["x"].dtype, after["x"].dtype) == (bool, np.int64)
    for form in (NUMBER, TRUTH):
        asked = People("who", 2).of(Rows((Form("who", "text"), form)))
        one, two = (engine.aggregates(Source("frame", frame=frame), asked) for frame in (before, after))
        assert without(one) == without(two)


MONTH, DAYS_OF_IT = pa.MonthDayNano([1, 0, 0]), pa.MonthDayNano([0, 30, 0])


@pytest.mark.slow
@pytest.mark.parametrize("extra", [0, 1, 7, 3001])
def test_rows_that_an_engine_takes_for_equal_and_that_read_differently_are_no_ties(engine: DuckDB, extra: int) -> None:
    """To DuckDB a month is as long as 30 days. Which one is kept must not depend on where the rows are stored."""
    asked = People("who", 1).of(Cells((Reading("x", Names(("1 month", "30 days"))),)))
    found = []
    for rows in ((MONTH, DAYS_OF_IT), (DAYS_OF_IT, MONTH)):
        who = ["new"] * extra + [f"p{i}" for i in range(3000) for _ in rows]
        cells = [MONTH] * extra + list(rows) * 3000
        table = pa.table({"who": who, "x": pa.array(cells, pa.month_day_nano_interval())})
        found.append(engine.aggregates(Source("frame", frame=table), asked).dense(2).tolist())
    alone = engine.aggregates(
        Source("frame", frame=table.filter(pa.compute.not_equal(table["who"], "new"))), asked
    ).dense(2)
    assert found[0] == found[1] == [alone[0] + (extra > 0), alone[1]]


def test_every_row_is_a_person_where_none_is_named(engine: DuckDB) -> None:
    frame = pa.table({"x": ["a", "b", "a", None], "tacit_row": [1, 1, 1, 1]})
    asked = RowNumbers("row", Keys("row", "x", 1))
    assert asked.forms == (Form("x", "text"),)
    found = engine.aggregates(Source("frame", frame=frame), asked)
    assert dict(zip(found.keys, found.counts.tolist(), strict=True)) == {"a": 2, "b": 1}

"""Parquet files: values of every type as text in which equal values look alike.

Covers engines/duckdb, data/sources/source, duckdb/reading.
"""

from collections import Counter
from datetime import UTC, date, datetime, time
from decimal import Decimal
from math import inf, nan
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.formats import counted
from tests.examples import examples

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.errors import BadData

TYPED = {
    "whole": (pa.array([1, -2, 2**62, None]), ["1", "-2", str(2**62), ""]),
    "tiny": (pa.array([1, 2, 255, None], pa.uint8()), ["1", "2", "255", ""]),
    "real": (pa.array([1.0, -2.0, 0.1, None]), ["1", "-2", "0.1", ""]),
    "single": (pa.array([1.5, 2.0, 0.1, None], pa.float32()), ["1.5", "2", "0.1", ""]),
    "odd": (pa.array([nan, inf, 1e20, None]), ["nan", "inf", "1e+20", ""]),
    "decimal": (pa.array([Decimal("1.00"), Decimal("1.50"), Decimal("10.05"), None]), ["1", "1.5", "10.05", ""]),
    "hundreds": (pa.array([Decimal("100"), Decimal("0"), Decimal("-10"), None]), ["100", "0", "-10", ""]),
    "flag": (pa.array([True, False, True, None]), ["true", "false", "true", ""]),
    "day": (
        pa.array([date(1984, 3, 5), date(1, 1, 1), date(9999, 12, 31), None]),
        ["1984-03-05", "0001-01-01", "9999-12-31", ""],
    ),
    "moment": (
        pa.array([datetime(1984, 3, 5), datetime(1984, 3, 5, 6, 7, 8), datetime(1984, 3, 5, 0, 0, 0, 5), None]),
        ["1984-03-05", "1984-03-05 06:07:08", "1984-03-05 00:00:00.000005", ""],
    ),
    "zoned": (
        pa.array([datetime(1984, 3, 5, 6, tzinfo=UTC), None, None, None], pa.timestamp("us", "Asia/Tokyo")),
        ["1984-03-05 15:00:00", "", "", ""],
    ),
    "clock": (pa.array([time(1, 2, 3), time(0), time(23, 59), None]), ["01:02:03", "00:00:00", "23:59:00", ""]),
    "text": (pa.array(["", "1.0", " x ", None]), ["", "1.0", " x ", ""]),
    "long text": (pa.array(["", "é", "x" * 5000, None], pa.large_string()), ["", "é", "x" * 5000, ""]),
    "category": (pa.array(["a", "b", "a", None]).dictionary_encode(), ["a", "b", "a", ""]),
    "nothing": (pa.nulls(4), ["", "", "", ""]),
    "list": (pa.array([[1, 2], [], None, [3]]), ["[1, 2]", "[]", "", "[3]"]),
    "reals": (pa.array([[1.0], [], None, [3.5]]), ["[1.0]", "[]", "", "[3.5]"]),
}


@pytest.mark.parametrize("kind", TYPED)
def test_every_type_as_text(engine: Engine, tmp_path: Path, kind: str) -> None:
    values, texts = TYPED[kind]
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({kind: values}), path)
    assert counted(engine, path, kind) == Counter((text,) for text in texts)


def test_zero_has_one_text(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"x": [0.0, -0.0, 0.0]}), path)
    assert counted(engine, path, "x") == {("0",): 3}


@given(st.lists(st.tuples(st.none() | st.integers(-3, 3), st.none() | st.sampled_from([0.5, 1.0, -0.0])), min_size=1))
@settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_tally_is_a_plain_count(
    engine: Engine, tmp_path: Path, rows: list[tuple[int | None, float | None]]
) -> None:
    path = tmp_path / "t.parquet"
    whole, real = pa.array([a for a, _ in rows], pa.int32()), pa.array([b for _, b in rows], pa.float64())
    pq.write_table(pa.table({"rows": whole, "select": real}), path)
    texts = {None: "", 0.5: "0.5", 1.0: "1", 0.0: "0"}
    expected = Counter(("" if a is None else str(a), texts[b]) for a, b in rows)
    assert counted(engine, path, "rows", "select") == expected


def test_missing_words_are_compared_as_text_in_every_type(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [-99, 1], "b": [-99.0, 1.0], "c": ["-99", "x"], "d": ["?", ""]}), path)
    assert counted(engine, path, "a", "b", "c", "d", missing=("-99", "?")) == {
        ("", "", "", ""): 1,
        ("1", "1", "x", ""): 1,
    }


@pytest.mark.parametrize("names", [["a", "a"], ["a", "A"], ["a", ""]])
def test_columns_need_names_of_their_own(engine: Engine, tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=names), path)
    with pytest.raises(BadData, match=r"used twice|has no name"):
        engine.columns(file_source(path))


def test_a_file_without_rows(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), path)
    with pytest.raises(BadData, match=r"has no rows"):
        counted(engine, path, "a")


@pytest.mark.parametrize("content", [b"junk" * 100, b"PAR1" + b"junk" * 100 + b"PAR1", b"a,b\n1,2\n", b"P"])
def test_another_file_is_no_parquet_file(engine: Engine, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(content)
    with pytest.raises(BadData, match=r"t.parquet is not a Parquet file, or it is damaged"):
        engine.columns(file_source(path))


def test_a_damaged_page_is_found_when_it_is_read(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(
        pa.table({"a": [f"secret{i}" for i in range(5000)]}), path, compression="snappy", use_dictionary=False
    )
    content = bytearray(path.read_bytes())
    content[200:3000] = b"\xff" * 2800
    path.write_bytes(content)
    with pytest.raises(BadData, match=r"damaged") as caught:
        counted(engine, path, "a")
    assert "secret" not in str(caught.value)

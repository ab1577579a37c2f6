"""Profiles against a brute force in Python, on every type, and in the estimating mode of large tables.

Covers data/sources/profile, duckdb/profile.
"""

import math
from collections import Counter

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.sources.profile import ColumnProfile
from tacit.engines.duckdb import profile as profile_module
from tacit.engines.duckdb.profile import profile_columns
from tacit.errors import BadData

CELLS = st.none() | st.sampled_from(["", "a", "b", "7", "-3.5", "1e3", "é", "long text", " "]) | st.text(max_size=6)


@pytest.fixture
def connection():
    connection = duckdb.connect()
    yield connection
    connection.close()


def profile_one(connection, values, type_=None, name="c"):
    table = pa.table({name: pa.array(values, type_)})
    return profile_columns(connection, _materialised(connection, table), [name])[0]


def _materialised(connection, table):
    connection.register("given", table)
    connection.sql("CREATE OR REPLACE TABLE held AS SELECT * FROM given")
    connection.unregister("given")
    return "SELECT * FROM held"


@pytest.mark.slow
@examples(60)
@given(values=st.lists(CELLS, max_size=30).map(lambda cells: [c for c in cells if c is None or "\0" not in c]))
def test_text_against_brute_force(values):
    with duckdb.connect() as connection:
        found = profile_one(connection, values, pa.string())
    present = [value for value in values if value]
    counts = Counter(present)
    assert (found.rows, found.missing, found.present) == (len(values), len(values) - len(present), len(present))
    assert found.distinct == len(counts)
    assert found.unique == sum(count == 1 for count in counts.values())
    assert set(found.examples) == set(counts)
    assert len(found.examples) == len(counts)
    assert found.shortest == min(map(len, present), default=0)
    assert found.longest == max(map(len, present), default=0)
    assert not found.estimated


@pytest.mark.slow
@examples(40)
@given(values=st.lists(st.none() | st.integers(-(10**12), 10**12), max_size=30))
def test_whole_numbers_against_brute_force(values):
    present = [value for value in values if value is not None]
    with duckdb.connect() as connection:
        typed = profile_one(connection, values, pa.int64())
        spelt = profile_one(connection, [None if v is None else str(v) for v in values], pa.string())
    for found in (typed, spelt):
        assert found.numeric == (1.0 if present else 0.0)
        assert found.minimum == (str(min(present)) if present else None)
        assert found.maximum == (str(max(present)) if present else None)
        assert found.longest == max((len(str(value)) for value in present), default=0)
    assert (typed.type, spelt.type) == ("BIGINT", "VARCHAR")


def test_share_of_numbers(connection):
    found = profile_one(connection, ["1", "2", "x", "inf", "nan", None, "", "3", "3"])
    assert found.numeric == pytest.approx(4 / 7)
    floats = profile_one(connection, [1.5, math.nan, math.inf, None], pa.float64())
    assert floats.numeric == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("values", "type_", "reported"),
    [
        ([True, False, None], pa.bool_(), "BOOLEAN"),
        ([0, 19_000], pa.date32(), "DATE"),
        ([0, 1], pa.timestamp("us"), "TIMESTAMP"),
        ([[1, 2], [3], None], pa.list_(pa.int64()), "BIGINT[]"),
        ([{"a": 1}, {"a": 2}], pa.struct({"a": pa.int64()}), "STRUCT(a BIGINT)"),
        ([None, None], pa.string(), "VARCHAR"),
        ([b"x", b"y"], pa.binary(), "BLOB"),
    ],
)
def test_types(connection, values, type_, reported):
    found = profile_one(connection, values, type_)
    present = [value for value in values if value is not None]
    assert found.type.replace('"', "") == reported
    assert found.distinct == found.unique == len(present)
    assert len(found.examples) == len(present)
    assert all(isinstance(example, str) for example in found.examples)
    if present:
        assert 0 < found.shortest <= found.longest


@pytest.mark.parametrize("name", ["a b", 'say "x"', "select", "é", "c'd", "x;y", "rows", "count_0"])
def test_awkward_column_names(connection, name):
    assert profile_one(connection, ["u", "v", "v"], name=name).distinct == 2


def test_columns_come_back_in_the_order_asked(connection):
    connection.sql("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b, 2.5 AS c")
    found = profile_columns(connection, "t", ["c", "a"])
    assert [profile.name for profile in found] == ["c", "a"]
    assert profile_columns(connection, "t", []) == ()


def test_unknown_column_is_named(connection):
    connection.sql("CREATE TABLE t AS SELECT 1 AS a")
    with pytest.raises(BadData, match="no column is called 'b'"):
        profile_columns(connection, "t", ["b"])


def test_nothing_is_left_behind(connection):
    connection.sql("CREATE TABLE t AS SELECT 1 AS a")
    profile_columns(connection, "t", ["a"])
    tables = connection.sql("SELECT table_name FROM duckdb_tables()").to_arrow_table()["table_name"].to_pylist()
    assert tables == ["t"]


def test_repr_shows_no_value():
    shown = repr(ColumnProfile("c", "VARCHAR", 1, 0, 1, 1, 6, 6, 0.0, False, "secret", "secret", ("secret",)))
    assert "secret" not in shown
    assert "VARCHAR" in shown


def test_examples_are_limited_and_spread_over_the_values(connection):
    connection.sql("CREATE TABLE t AS SELECT 'v' || lpad(CAST(i AS VARCHAR), 6, '0') AS c FROM range(20000) t(i)")
    examples = profile_columns(connection, "t", ["c"])[0].examples
    assert len(set(examples)) == len(examples) == profile_module.MOST_EXAMPLES
    # A hash picks 1,000 of 20,000 without regard to order: hypergeometric, so Hoeffding's bound for half of them holds.
    early = sum(example < "v010000" for example in examples)
    assert abs(early - 500) <= math.sqrt(1000 * math.log(2 / 1e-9) / 2)


def sampled(connection, monkeypatch, values):
    monkeypatch.setattr(profile_module, "EXACT_ROWS", 1_000)
    monkeypatch.setattr(profile_module, "EXACT_DISTINCT", 4_000)
    connection.sql(f"CREATE TABLE t AS SELECT {values} AS c FROM range(100000) t(i)")
    return profile_columns(connection, "t", ["c"])[0]


def is_estimate_of(found, truth, every):
    """Bernstein for the number of values that a hash keeps, one in `every`, at an error rate of 1e-9."""
    log = math.log(2 / 1e-9)
    variance = truth / every * (1 - 1 / every)
    return abs(found / every - truth / every) <= log / 3 + math.sqrt(log**2 / 9 + 2 * variance * log)


def test_large_tables_are_estimated(connection, monkeypatch):
    found = sampled(connection, monkeypatch, "'u' || (CASE WHEN i < 50000 THEN i ELSE i // 2 + 50000 END)")
    # 50,000 values are seen once; 25,000 more, 75,000 to 99,999, twice.
    every = round(75_000 / 4_000)
    assert found.estimated
    assert is_estimate_of(found.distinct, 75_000, every)
    assert is_estimate_of(found.unique, 50_000, every)
    assert not is_estimate_of(found.distinct, 90_000, every)
    assert not is_estimate_of(found.unique, 40_000, every)
    assert (found.rows, found.missing, found.longest) == (100_000, 0, 6)


def test_few_values_are_exact_in_large_tables(connection, monkeypatch):
    found = sampled(connection, monkeypatch, "i % 3")
    assert (found.distinct, found.unique, found.estimated) == (3, 0, False)

"""Aggregates: DuckDB and SQLite, asked in the same plain SQL, give to the last bit what exact arithmetic gives.

Covers data/aggregates/*, data/sql, engines/duckdb.
"""

import math
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.lots import drawn, last_if_missing, sqlite_with_md5

from tacit.data.aggregates.cells import Cells
from tacit.data.aggregates.keys import Keys
from tacit.data.aggregates.people import People
from tacit.data.aggregates.rendering import coded, plain
from tacit.data.aggregates.scale import Borders, GridSteps, Names, Ranks, Reading, Shares, Truth
from tacit.data.aggregates.sums import Sums, Term, Together, Totals
from tacit.data.sources.source import Source
from tacit.data.sql import double
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter

LARGEST = 1.7976931348623157e308
HOSTILE = [
    *[None, math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.0**-600, -(2.0**-599)],
    *[1e308, -1e308, LARGEST, -LARGEST, 0.5, -0.5, 1.5, -1.5, 2.5, 0.49999999999999994, -0.49999999999999994],
]
GRIDS = [
    GridSteps(0, -3, 7),
    GridSteps(1, -3, 7, falling=True),
    GridSteps(-22, 0, 100 << 22),
    GridSteps(-3, 8000, 9000),
    GridSteps(0, -(1 << 52), 0),
    GridSteps(0, 0, 1 << 52),
    GridSteps(305, -(1 << 28), 1 << 28),
    GridSteps(-700, 0, 1 << 20),
    GridSteps(12, 0, 1 << 28, falling=True),
]


def clean(value: float | None) -> float:
    """The rule for one cell: what is missing or NaN is 0."""
    return 0.0 if value is None or math.isnan(value) else value


def step_of(value: float | None, scale: GridSteps) -> int:
    """The nearest step, half up, by exact fractions."""
    number = clean(value)
    if math.isinf(number):
        step = scale.high if number > 0 else scale.low
    else:
        step = math.floor(Fraction(number) / Fraction(2) ** scale.power + Fraction(1, 2))
    held = min(max(step, scale.low), scale.high)
    return scale.high - held if scale.falling else held - scale.low


def around(scale: GridSteps) -> list[float]:
    """Ties of the grid, the doubles next to them, and the bounds."""
    places = sorted({scale.low, scale.low + 1, -1, 0, 1, (scale.low + scale.high) // 2, scale.high - 1, scale.high})
    ties = [float((place + Fraction(half, 2)) * Fraction(2) ** scale.power) for place in places for half in (-1, 0, 1)]
    return [float(np.nextafter(tie, end)) for tie in ties for end in (-math.inf, math.inf)] + ties


def told(value: object) -> str:
    """All of it in words, arrays to the last digit."""
    with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        return repr(value)


def asked_of_sqlite(rows, wanted, columns="x", relation="people"):  # type: ignore[no-untyped-def]
    names = columns.split()
    with closing(sqlite_with_md5()) as connection:
        connection.execute(f"create table people ({', '.join(names)})")
        connection.executemany(f"insert into people values ({', '.join('?' * len(names))})", rows)
        return wanted.found(connection.execute(wanted.query(relation)).fetchall())


def asked(engine: DuckDB, values: list[float | None], wanted):  # type: ignore[no-untyped-def]
    """What both engines say, which must be one thing."""
    frame = pa.table({"x": pa.array(values, pa.float64())})
    found = engine.aggregates(Source("frame", frame=frame), wanted)
    other = asked_of_sqlite([(value,) for value in values], wanted)
    assert told(found) == told(other)
    return found


def tally(found) -> dict[int, int]:  # type: ignore[no-untyped-def]
    return dict(zip(found.places.tolist(), found.rows.tolist(), strict=True))


@pytest.mark.parametrize("scale", GRIDS, ids=str)
def test_steps_of_a_grid_are_exact_on_hostile_values(engine: DuckDB, scale: GridSteps) -> None:
    values = [*HOSTILE, *around(scale)]
    found = asked(engine, values, Cells((Reading("x", scale),)))
    assert tally(found) == Counter(step_of(value, scale) for value in values)
    assert found.size == scale.most + 1
    total = asked(engine, values, Sums((Reading("x", scale),), (Term((0,)),)))
    assert total == Totals(len(values), (sum(step_of(value, scale) for value in values),))


def test_rounding_half_away_from_zero_would_not_pass(engine: DuckDB) -> None:
    """The twin: an engine's own `round` differs on the same values."""
    scale = GridSteps(0, -3, 7)
    values = [*HOSTILE, *around(scale)]
    twin = (
        f"select count(*), sum(cast(round(greatest(least({plain('x', 'number')}, 7), -3)) as bigint) + 3) from people"
    )
    people = pa.table({"x": pa.array([clean(value) for value in values])})
    with closing(duckdb.connect()) as connection:
        connection.register("people", people)
        (rows, away), *_ = connection.sql(twin).fetchall()
    assert rows == len(values)
    assert away != sum(step_of(value, scale) for value in values)


@examples(25)
@given(
    st.lists(st.floats() | st.none(), max_size=30),
    st.integers(-60, 60),
    st.integers(-(1 << 40), 1 << 40),
    st.integers(1, 1 << 30),
    st.booleans(),
)
def test_steps_of_any_grid(engine, values, power, low, width, falling) -> None:  # type: ignore[no-untyped-def]
    scale = GridSteps(power, low, low + width, falling)
    values = [*values, *around(scale)]
    sums = Sums((Reading("x", scale),), (Term((0,)), Term((0, 0)), Term((0, 0), width)))
    steps = [step_of(value, scale) for value in values]
    squares = [step * step for step in steps]
    truth = sum(steps), sum(squares), sum((square + width // 2) // width for square in squares)
    assert asked(engine, values, sums) == Totals(len(values), truth)


@pytest.mark.slow
@examples(25)
@given(
    st.lists(st.floats() | st.none() | st.sampled_from(HOSTILE), max_size=30),
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
    st.integers(1, 300),
)
def test_shares_and_ranks_of_any_bounds(engine, values, lower, width, parts) -> None:  # type: ignore[no-untyped-def]
    upper = lower + width
    points = [min(lower + place * (upper - lower) / parts, upper) for place in range(parts)] + [upper]
    near = [points[place] for place in {0, 1 % parts, parts // 2, parts - 1, parts}]
    few = sorted(set(near))
    values = [*values, *near, *(float(np.nextafter(point, end)) for point in near for end in (-math.inf, math.inf))]
    held = [min(max(clean(value), lower), upper) for value in values]
    shares = [(value - lower) / (upper - lower) * parts for value in held]
    truth = {
        Shares(lower, upper, parts): [min(math.floor(share), parts - 1) for share in shares],
        Shares(lower, upper, parts, "nearest"): [math.floor(share + 0.5) for share in shares],
        Ranks(lower, upper, parts): [
            sum(point < value for point in points) + sum(point <= value for point in points) - 1 for value in held
        ],
        Borders(tuple(few)): [sum(border < clean(value) for border in few) for value in values],
    }
    for scale, places in truth.items():
        assert tally(asked(engine, values, Cells((Reading("x", scale),)))) == Counter(places)


@pytest.mark.slow
@examples(200)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_literal_is_exactly_its_double(engine: DuckDB, value: float) -> None:
    with closing(sqlite3.connect(":memory:")) as lite:
        found = [by.execute(f"select {double(value)}").fetchall() for by in (lite, engine.connection)]
    assert found == [[(value,)]] * 2


def test_a_plain_decimal_literal_is_not(engine: DuckDB) -> None:
    """The twin: DuckDB takes 0.1 for a decimal, so that 0.1 + 0.2 is 0.3, which no double is."""
    assert engine.connection.execute("select 0.1 + 0.2 = 0.3").fetchall() == [(True,)]
    exactly = f"select {double(0.1)} + {double(0.2)} = {double(0.3)}"
    assert engine.connection.execute(exactly).fetchall() == [(False,)]
    assert 0.1 + 0.2 != 0.3


def test_sums_beyond_64_bits_are_exact(engine: DuckDB) -> None:
    scale = GridSteps(0, 0, 1 << 30)
    values: list[float | None] = [float((1 << 30) - place % 7) for place in range(1000)]
    squares = sum(int(value or 0) ** 2 for value in values)
    assert squares > 1 << 69
    assert asked(engine, values, Sums((Reading("x", scale),), (Term((0, 0)),))).sums == (squares,)


def test_one_plain_sum_of_them_would_overflow() -> None:
    """The twin: without halves SQLite can't add them up."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table people (x)")
        connection.executemany("insert into people values (?)", [(1 << 60,)] * 8)
        with pytest.raises(sqlite3.Error, match="overflow"):
            connection.execute("select sum(x) from people").fetchall()


@pytest.mark.slow
def test_a_million_rows_in_one_pass(engine: DuckDB, tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    numbers = generator.normal(50, 30, (1_000_000, 2))
    numbers[::1000] = np.nan
    pq.write_table(pa.table({"x": numbers[:, 0], "y": numbers[:, 1]}), tmp_path / "many.parquet")
    scale, bins = GridSteps(-20, 0, 100 << 20), Shares(0.0, 100.0, 1 << 14, "nearest")
    parts = Sums((Reading("x", scale),), (Term((0,)),)), Sums((Reading("x", bins), Reading("y", bins)), (Term((0, 1)),))
    found = engine.aggregates(Source("parquet", tmp_path / "many.parquet"), Together(parts))
    held = np.clip(np.nan_to_num(numbers), 0, 100)
    steps = np.floor(held[:, 0] * 2.0**20 + 0.5).astype(np.int64)
    x, y = np.floor(held / 100 * (1 << 14) + 0.5).astype(np.int64).T
    assert found == (Totals(1_000_000, (int(steps.sum()),)), Totals(1_000_000, (int(x @ y),)))


def test_no_rows_are_no_error(engine: DuckDB) -> None:
    scale = GridSteps(0, -3, 7)
    assert asked(engine, [], Sums((Reading("x", scale),), (Term((0,)), Term((0, 0))))) == Totals(0, (0, 0))
    assert tally(asked(engine, [], Cells((Reading("x", scale),)))) == {}
    assert asked(engine, [], Keys("x", "x", 1)).keys == ()


def test_texts_that_are_no_numbers_count_as_zero(engine: DuckDB, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('x\n3\n 4.5 \nmany\n12abc\n""\n1e1\ninf\n-inf\nnan\n0x10\n?\n', encoding="utf-8")
    wanted = Cells((Reading("x", GridSteps(0, -5, 8)),))
    found = engine.aggregates(Source("csv", path, delimiter=",", missing=("?",)), wanted)
    steps = [3, 5, 0, 0, 0, 8, 8, -5, 0, 0, 0]
    assert tally(found) == Counter(step + 5 for step in steps)


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        (pa.int64(), [0, 3, -9, 1 << 62, -(1 << 62), None]),
        (pa.uint64(), [0, 3, (1 << 64) - 1, None]),
        (pa.bool_(), [True, False, None]),
        (pa.float32(), [0.5, -0.5, math.inf, None]),
        (pa.decimal128(6, 2), [1, 2, None]),
    ],
    ids=str,
)
def test_whole_numbers_truth_values_and_decimals_are_read_as_doubles(engine: DuckDB, kind, cells) -> None:  # type: ignore[no-untyped-def]
    scale = GridSteps(0, -5, 8)
    found = engine.aggregates(
        Source("frame", frame=pa.table({"x": pa.array(cells, kind)})), Cells((Reading("x", scale),))
    )
    assert tally(found) == Counter(step_of(None if cell is None else float(cell), scale) for cell in cells)


def test_a_column_of_dates_is_refused_by_its_type(engine: DuckDB) -> None:
    frame = pa.table({"born": pa.array([0], pa.date32())})
    with pytest.raises(BadData, match="'born' is of type DATE"):
        engine.aggregates(Source("frame", frame=frame), Cells((Reading("born", GridSteps(0, 0, 9)),)))
    with pytest.raises(BadData, match="no column 'died'"):
        engine.aggregates(Source("frame", frame=frame), Cells((Reading("died", Truth()),)))


def test_truths_are_counted(engine: DuckDB, tmp_path: Path) -> None:
    wanted = Sums((Reading("x", Truth()),), (Term((0,)),))
    frame = pa.table({"x": pa.array([True, False, None, True])})
    assert engine.aggregates(Source("frame", frame=frame), wanted) == Totals(4, (2,))
    assert asked_of_sqlite([(1,), (0,), (None,), (1,)], wanted) == Totals(4, (2,))
    (tmp_path / "x.csv").write_text("x\ntrue\nfalse\nperhaps\nTRUE\n", encoding="utf-8")
    assert engine.aggregates(Source("csv", tmp_path / "x.csv", delimiter=","), wanted) == Totals(4, (2,))


def test_declared_names_are_counted_and_no_others(engine: DuckDB) -> None:
    cells = ["it's", None, "a", "it's", "A", "b", ""]
    wanted = Cells((Reading("x", Names(("b", "it's", "never"))), Reading("x", Names(("it's", "b")))))
    found = engine.aggregates(Source("frame", frame=pa.table({"x": cells})), wanted)
    assert (found.size, tally(found)) == (6, {1: 1, 2: 2})
    assert told(asked_of_sqlite([(cell,) for cell in cells], wanted)) == told(found)
    assert found.dense(6).tolist() == [0, 1, 2, 0, 0, 0]
    with pytest.raises(BadData, match="6 cells, but 5 were wanted"):
        found.dense(5)


def test_odd_names_of_columns_are_quoted(engine: DuckDB) -> None:
    frame = pa.table({'a "b" c': [1.0, 2.0], "v0": [3.0, 4.0], "k0": [5.0, 6.0]})
    scale = GridSteps(0, 0, 9)
    readings = tuple(Reading(name, scale) for name in frame.column_names)
    found = engine.aggregates(Source("frame", frame=frame), Sums(readings, (Term((0,)), Term((1, 2)))))
    assert found == Totals(2, (3, 39))


PEOPLE = [
    ("ann", 1, 9.0),
    ("bob", 5, 1.0),
    ("ann", 3, 2.0),
    ("ann", 2, 4.0),
    (None, 1, 7.0),
    (None, 2, 8.0),
    ("cy", 1, 3.0),
]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_of_each_person_the_first_rows_are_read(engine: DuckDB, most: int) -> None:
    frame = pa.table({name: list(cells) for name, cells in zip("pty", zip(*PEOPLE, strict=True), strict=True)})
    wanted = Cells((Reading("y", GridSteps(0, 0, 10)),))
    found = engine.aggregates(Source("frame", frame=frame), wanted, People("p", most, ("t",)))
    kept = []
    for person in {row[0] for row in PEOPLE} - {None}:
        kept += [row[2] for row in sorted((row for row in PEOPLE if row[0] == person), key=lambda row: row[1])][:most]
    assert tally(found) == Counter(int(value) for value in kept)
    shuffled = engine.aggregates(Source("frame", frame=frame.take([6, 3, 1, 5, 4, 0, 2])), wanted, People("p", most))
    plainly = engine.aggregates(Source("frame", frame=frame), wanted, People("p", most))
    assert tally(shuffled) == tally(plainly)
    bounded = People("p", most, ("t",)).bounded("people", wanted.forms)
    assert told(asked_of_sqlite(PEOPLE, wanted, "p t y", bounded)) == told(found)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", None, ""]), st.integers(0, 3) | st.none(), st.sampled_from(["x", "y", "z"])
    ),
    max_size=12,
)


@pytest.mark.slow
@examples(25)
@given(ROWS, st.integers(1, 3))
def test_bounded_rows_and_keys_are_those_of_plain_loops(engine, rows, most) -> None:  # type: ignore[no-untyped-def]
    somebody = {row[0] for row in rows} - {None, ""}
    people = {person: [row for row in rows if row[0] == person] for person in somebody}
    kept, named = [], []
    for person, own in people.items():
        numbered = sorted(own, key=lambda row: (last_if_missing(row[1]), row[2]))
        # Lots decide between rows of one time only.
        kept += sorted(drawn("row", person, numbered, len(own)), key=lambda row: last_if_missing(row[1]))[:most]
        first = {key: min(last_if_missing(row[1]) for row in own if row[2] == key) for key in {row[2] for row in own}}
        in_order = sorted(first, key=lambda key: (first[key], key))
        named += sorted(drawn("key", person, in_order, len(first)), key=first.__getitem__)[:most]
    frame = pa.table(
        {
            "p": pa.array([row[0] for row in rows], pa.string()),
            "t": pa.array([row[1] for row in rows], pa.int64()),
            "k": pa.array([row[2] for row in rows], pa.string()),
        }
    )
    wanted, bound = Cells((Reading("k", Names(("x", "y", "z"))),)), People("p", most, ("t",))
    found = engine.aggregates(Source("frame", frame=frame), wanted, bound)
    assert tally(found) == Counter("xyz".index(key) for _, _, key in kept)
    keys = Keys("p", "k", most, ("t",))
    counted = engine.aggregates(Source("frame", frame=frame), keys)
    assert dict(zip(counted.keys, counted.counts.tolist(), strict=True)) == Counter(named)
    assert told(asked_of_sqlite(rows, keys, "p t k")) == told(counted)
    assert told(asked_of_sqlite(rows, wanted, "p t k", bound.bounded("people", wanted.forms))) == told(found)


LOG = [("ann", "sun", 1), ("ann", "sun", 2), ("ann", "fog", 3), ("ann", "ice", 4), ("bob", "ice", 1), ("bob", None, 0)]


@pytest.mark.parametrize(
    ("wanted", "counts"),
    [
        (Keys("p", "k", 2, ("t",)), {"sun": 1, "fog": 1, "ice": 1}),
        (Keys("p", "k", 1, ("t",)), {"sun": 1, "ice": 1}),
        (Keys("p", "k", 1, ("t",), ("ice", "fog")), {"fog": 1, "ice": 1}),
        (Keys("p", "k", 2, ("t",), None, "row"), {"sun": 2, "ice": 1}),
    ],
)
def test_people_by_key_after_each_was_bounded(engine: DuckDB, wanted: Keys, counts: dict[str, int]) -> None:
    frame = pa.table({name: list(cells) for name, cells in zip("pkt", zip(*LOG, strict=True), strict=True)})
    found = engine.aggregates(Source("frame", frame=frame), wanted)
    assert dict(zip(found.keys, found.counts.tolist(), strict=True)) == counts
    assert list(found.keys) == sorted(counts)
    assert told(asked_of_sqlite(list(LOG), wanted, "p k t")) == told(found)
    with pytest.raises(BadData, match="keys of a person were kept"):
        found.within(wanted.most - 1)


@pytest.mark.parametrize(
    "scale",
    [
        GridSteps(-1001, 0, 4),
        GridSteps(901, 0, 4),
        Shares(0.0, 1e-150, 4),
        Ranks(1e15, 1e15 + 1, 4),
        Borders(tuple(map(float, range(5000)))),
    ],
    ids=["fine", "coarse", "narrow", "close", "many"],
)
def test_scales_that_a_database_would_round_are_refused(scale: GridSteps) -> None:
    with pytest.raises(BadParameter):
        coded([Reading("x", scale)], "people", plain)


def test_sums_that_can_not_be_exact_are_refused() -> None:
    wide = Reading("x", GridSteps(0, 0, 1 << 31))
    with pytest.raises(BadParameter, match="2\\*\\*61"):
        Sums((wide,), (Term((0, 0)),))
    with pytest.raises(BadParameter, match="count it"):
        Sums((Reading("x", Names(("a",))),), (Term((0,)),))

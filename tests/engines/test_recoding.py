"""What the engine writes is what was decided: in every format, row by row, in the order of the input.

Covers data/tables/recoding, engines/engine, spreadsheet, duckdb/recoding, duckdb/writing.
"""

import math
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.formats import (
    Cells,
    counted,
    read_file,
    write_csv,
    write_file,
    write_parquet,
    write_recoded,
    write_sqlite,
)
from tests.examples import examples

from tacit.data.sources.source import Source, file_source
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.recoding import Recoding
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine, Stars, Target
from tacit.spreadsheet import FORMULA_STARTS, guarded

QUASI = ("select", 'a "b"')
SECRET, PLAIN = "größe", "rows"
NAMES = (*QUASI, SECRET, PLAIN)
FORMATS = (".csv", ".parquet", ".sqlite")

quasi = st.sampled_from(["x", "y", "=1", "a,b", None])
secrets = st.sampled_from(["flu", "hiv", "@x", None])
plain = st.sampled_from(["1", "", "-2", 'q"\n,;', "é", "*"])
people = st.lists(st.tuples(quasi, quasi, secrets, plain), min_size=1, max_size=12).map(
    lambda rows: [{**dict(zip(NAMES, row, strict=True)), "id": f"secret-{i}"} for i, row in enumerate(rows)]
)


def tally_in(engine: Engine, source: Source) -> Tally:
    reading = TallyRequest(QUASI, (SECRET,))
    return tally_from(engine.tally(source, reading.columns), reading)


def keys_of(tally: Tally) -> list[tuple[str, ...]]:
    return [tuple(tally.values[c][tally.codes[c, i]] for c in range(2)) for i in range(tally.combinations)]


def decided(tally: Tally, labels: list[tuple[str, str]], suppressed: list[bool]) -> Recoding:
    """Combination i is published as labels[i]."""
    names = [sorted({pair[c] for pair in labels}) for c in range(2)]
    return Recoding(
        columns=QUASI,
        labels=(tuple(names[0]), tuple(names[1])),
        leaves=(np.ones(len(names[0]), np.int64), np.ones(len(names[1]), np.int64)),
        codes=np.array([[names[c].index(pair[c]) for pair in labels] for c in range(2)], dtype=np.int32),
        combination=np.arange(tally.combinations),
        rows=tally.rows,
        suppressed=np.array(suppressed, dtype=np.bool_),
    )


def target_in(path: Path, **options: Any) -> Target:
    form = {".csv": "csv", ".parquet": "parquet", ".sqlite": "sqlite"}[path.suffix]
    return Target(NAMES, (*QUASI, SECRET), path, form, **options)  # type: ignore[arg-type]


def expected(rows: list[Cells], labels: dict[tuple[str, ...], Any], how: str, guard: bool) -> list[Cells]:
    """The release in plain Python: `labels` has the labels of a combination, or None where it is suppressed."""
    made = []
    for row in rows:
        pair = labels[tuple(row[name] or "" for name in QUASI)]
        if pair is None and how == "omit":
            continue
        new = {**dict(zip(QUASI, pair or "**", strict=True)), SECRET: row[SECRET] if pair else "*", PLAIN: row[PLAIN]}
        made.append({name: guarded(cell) if guard and cell else cell for name, cell in new.items()})
    return [{name: cell or None for name, cell in row.items()} for row in made]


@pytest.mark.slow
@given(
    rows=people,
    source=st.sampled_from(FORMATS),
    form=st.sampled_from(FORMATS),
    how=st.sampled_from(["star", "omit"]),
    guard=st.booleans(),
    data=st.data(),
)
@settings(examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_row_is_written_as_decided(
    engine: Engine,
    tmp_path: Path,
    rows: list[Cells],
    source: str,
    form: str,
    how: str,
    guard: bool,
    data: st.DataObject,
) -> None:
    path, output = tmp_path / f"in{source}", tmp_path / f"out{form}"
    path.unlink(missing_ok=True)
    table = file_source(write_file(path, rows))
    tally = tally_in(engine, table)
    number = tally.combinations
    label = st.sampled_from(["*", "A", "", "=B", "c;d"])
    labels = data.draw(st.lists(st.tuples(label, label), min_size=number, max_size=number))
    gone = data.draw(st.lists(st.booleans(), min_size=number, max_size=number))
    write_recoded(engine, table, tally, decided(tally, labels, gone), target_in(output, suppressed=how, guard=guard))
    by_key = {key: None if out else pair for key, pair, out in zip(keys_of(tally), labels, gone, strict=True)}
    found = read_file(output)
    assert [{name: cell or None for name, cell in row.items()} for row in found] == expected(rows, by_key, how, guard)
    assert "secret-" not in output.read_bytes().decode("latin-1")


@pytest.mark.slow
def test_rows_keep_their_order_however_many_combinations_there_are(engine: Engine, tmp_path: Path) -> None:
    """With more combinations than rows (a population adds some) the join would rather begin at the other side."""
    size = 4_000
    number = np.random.default_rng(5).permutation(size)
    frame = pa.table({"select": [str(n) for n in number], 'a "b"': ["x"] * size, SECRET: ["s"] * size, PLAIN: number})
    source = Source("frame", frame=frame.slice(0, size // 4))
    tally = tally_in(engine, Source("frame", frame=frame))
    recoding = decided(tally, [(key[0], "A") for key in keys_of(tally)], [False] * size)
    for form in FORMATS:
        write_recoded(engine, source, tally, recoding, target_in(tmp_path / f"out{form}"))
        found = [int(row[PLAIN]) for row in read_file(tmp_path / f"out{form}")]
        assert found == number[: size // 4].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", ["star", "omit"])
def test_many_rows_in_several_groups_and_threads_keep_their_order(
    engine: Engine, tmp_path: Path, form: str, how: Any
) -> None:
    """Row groups are read by several threads, each of which finishes when it may."""
    size = 300_000
    number = np.arange(size)
    frame = pa.table(
        {"select": (number % 1000).astype(str), 'a "b"': ["x"] * size, SECRET: ["s"] * size, PLAIN: number}
    )
    pq.write_table(frame, tmp_path / "in.parquet", row_group_size=20_000)
    source = file_source(tmp_path / "in.parquet")
    tally = tally_in(engine, source)
    keys = keys_of(tally)
    recoding = decided(tally, keys, [key[0] == "7" for key in keys])  # type: ignore[arg-type]
    write_recoded(engine, source, tally, recoding, target_in(tmp_path / f"out{form}", suppressed=how))
    found = np.array([int(row[PLAIN]) for row in read_file(tmp_path / f"out{form}")])
    assert np.array_equal(found, number if how == "star" else number[number % 1000 != 7])


def test_a_row_that_was_not_counted_is_suppressed(engine: Engine, tmp_path: Path) -> None:
    rows = [{"select": "x", 'a "b"': "x", SECRET: "s", PLAIN: str(i)} for i in range(3)]
    path = write_csv(tmp_path / "in.csv", rows)
    tally = tally_in(engine, file_source(path))
    write_csv(path, [*rows, {"select": "new", 'a "b"': "x", SECRET: "t", PLAIN: "3"}])
    recoding = decided(tally, [("A", "B")], [False])
    write_recoded(engine, file_source(path), tally, recoding, target_in(tmp_path / "out.csv"))
    assert read_file(tmp_path / "out.csv")[3] == {"select": "*", 'a "b"': "*", SECRET: "*", PLAIN: "3"}
    write_recoded(engine, file_source(path), tally, recoding, target_in(tmp_path / "out.csv", suppressed="omit"))
    assert len(read_file(tmp_path / "out.csv")) == 3


TYPED: list[Cells] = [
    {
        "select": 1,
        'a "b"': 1.0,
        SECRET: 2.0,
        PLAIN: date(1984, 3, 5),
        "f": True,
        "d": Decimal("1.50"),
        "n": 2**60,
        "r": 0.1,
    },
    {"select": 2, 'a "b"': -0.0, SECRET: None, PLAIN: None, "f": None, "d": None, "n": None, "r": None},
    {"select": 1, 'a "b"': 1.0, SECRET: 0.5, PLAIN: date(1, 1, 1), "f": False, "d": Decimal("0"), "n": -5, "r": 1e300},
]


@pytest.mark.parametrize("how", ["star", "omit"])
def test_insensitive_columns_of_parquet_keep_value_and_type(engine: Engine, tmp_path: Path, how: Any) -> None:
    path = write_parquet(tmp_path / "in.parquet", TYPED)
    source = file_source(path)
    tally = tally_in(engine, source)
    target = replace(target_in(tmp_path / "out.parquet", suppressed=how), columns=tuple(TYPED[0]))
    write_recoded(engine, source, tally, decided(tally, [("A", "B")] * 2, [False] * 2), target)
    before, after = pq.read_table(path), pq.read_table(target.path)
    for name in (PLAIN, "f", "d", "n", "r"):
        assert after.schema.field(name).type == before.schema.field(name).type
        assert after.column(name).to_pylist() == before.column(name).to_pylist()
    assert after.column("select").to_pylist() == ["A"] * 3
    kept = {"star": ["2", None, "0.5"], "omit": [2.0, None, 0.5]}[how]
    assert after.column(SECRET).to_pylist() == kept


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", ["star", "omit"])
def test_sensitive_values_read_back_as_they_were_counted(engine: Engine, tmp_path: Path, form: str, how: Any) -> None:
    """Real numbers, flags and decimals are spelt in several ways by the formats; the release uses ours."""
    for name in (SECRET, "f", "d", "n", PLAIN):
        rows = [{"select": "x", 'a "b"': "x", SECRET: row[name], PLAIN: 1} for row in TYPED]
        source = file_source(write_parquet(tmp_path / "in.parquet", rows))
        tally = tally_in(engine, source)
        target = target_in(tmp_path / f"out{form}", suppressed=how)
        assert target.path is not None
        write_recoded(engine, source, tally, decided(tally, [("A", "B")], [False]), target)
        assert counted(engine, target.path, SECRET) == counted(engine, source, SECRET)


def test_declared_types_of_a_database_are_kept(engine: Engine, tmp_path: Path) -> None:
    types = {
        "select": "INTEGER",
        'a "b"': "TEXT",
        SECRET: "REAL",
        PLAIN: "VARCHAR(9)",
        "n": "INTEGER",
        "r": "REAL",
        "odd": "",
    }
    rows = [{"select": 1, 'a "b"': "x", SECRET: 1.0, PLAIN: "5", "n": 5, "r": 0.1 + 0.2, "odd": None}]
    source = file_source(write_sqlite(tmp_path / "in.sqlite", rows, types))
    tally = tally_in(engine, source)
    target = replace(target_in(tmp_path / "out.sqlite"), columns=tuple(types))
    write_recoded(engine, source, tally, decided(tally, [("A", "B")], [False]), target)
    with closing(sqlite3.connect(tmp_path / "out.sqlite")) as database:
        declared = {row[1]: row[2] for row in database.execute("PRAGMA table_info(release)")}
        assert list(database.execute("SELECT * FROM release")) == [("A", "B", "1", "5", 5, 0.1 + 0.2, None)]
    assert declared == {**types, "select": "TEXT", 'a "b"': "TEXT", SECRET: "TEXT"}


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_formulas_are_guarded_where_that_is_asked(engine: Engine, tmp_path: Path, start: str) -> None:
    cell = f"{start}HYPERLINK(1)"
    rows = [
        {"select": cell, 'a "b"': "x", SECRET: cell, PLAIN: cell},
        {"select": "a=", 'a "b"': "", SECRET: "", PLAIN: ""},
    ]
    source = file_source(write_parquet(tmp_path / "in.parquet", rows))
    tally = tally_in(engine, source)
    recoding = decided(tally, keys_of(tally), [False, False])  # type: ignore[arg-type]
    write_recoded(engine, source, tally, recoding, target_in(tmp_path / "out.csv", guard=True))
    first, second = read_file(tmp_path / "out.csv")
    assert first == {"select": "'" + cell, 'a "b"': "x", SECRET: "'" + cell, PLAIN: "'" + cell}
    assert second == {"select": "a=", 'a "b"': None, SECRET: None, PLAIN: None}
    write_recoded(engine, source, tally, recoding, target_in(tmp_path / "out.csv", guard=False))
    assert read_file(tmp_path / "out.csv")[0] == rows[0]


def test_bytes_are_guarded_and_numbers_are_left_alone(engine: Engine, tmp_path: Path) -> None:
    rows = [{"select": "x", 'a "b"': "x", SECRET: -5, PLAIN: b"=1+1", "n": -7, "d": date(1984, 3, 5)}]
    source = file_source(write_parquet(tmp_path / "in.parquet", rows))
    tally = tally_in(engine, source)
    target = replace(target_in(tmp_path / "out.csv", guard=True), columns=tuple(rows[0]))
    write_recoded(engine, source, tally, decided(tally, [("A", "B")], [False]), target)
    found = read_file(tmp_path / "out.csv")[0]
    assert (found[SECRET], found[PLAIN], found["n"], found["d"]) == ("-5", "'=1+1", "-7", "1984-03-05")


def shuffled(engine: Engine, tmp_path: Path, key: str, size: int = 2_000) -> list[int]:
    frame = pa.table({"select": ["x"] * size, 'a "b"': ["y"] * size, SECRET: ["s"] * size, PLAIN: list(range(size))})
    source = Source("frame", frame=frame)
    tally = tally_in(engine, source)
    target = replace(target_in(tmp_path / "out.parquet"), shuffle_key=key)
    table = engine.frame(engine.recoded(source, tally, decided(tally, [("A", "B")], [False]), target.stars), target)
    found: list[int] = table.column(PLAIN).to_pylist()
    assert sorted(found) == list(range(size))
    return found


def rises_in_pairs(order: list[int]) -> int:
    return sum(a < b for a, b in zip(order[::2], order[1::2], strict=True))


@pytest.mark.slow
def test_a_shuffle_follows_its_key_and_nothing_else(engine: Engine, tmp_path: Path) -> None:
    """In a random order each of m disjoint pairs of neighbours rises with chance 1/2, independently of the others. By
    Hoeffding's inequality |rises - m/2| > sqrt(m ln(2e9) / 2) has a chance below 1e-9. The order of the input fails.
    """
    one, again, other = (shuffled(engine, tmp_path, key) for key in ("k1", "k1", "k2"))
    assert one == again != other
    pairs = len(one) // 2
    slack = math.sqrt(pairs * math.log(2e9) / 2)
    for order in (one, other):
        assert abs(rises_in_pairs(order) - pairs / 2) <= slack
    assert abs(rises_in_pairs(sorted(one)) - pairs / 2) > slack


def test_the_shuffle_is_the_keyed_hash_of_the_positions(engine: Engine, tmp_path: Path) -> None:
    found = shuffled(engine, tmp_path, "a secret", 300)
    assert found == sorted(range(300), key=lambda n: sha256(f"a secret{n + 1}".encode()).hexdigest())


@pytest.mark.slow
def test_many_rows_in_several_groups_and_threads_are_shuffled_by_their_positions(
    engine: Engine, tmp_path: Path
) -> None:
    size = 100_000
    frame = pa.table(
        {
            "select": (np.arange(size) % 1000).astype(str),
            'a "b"': ["y"] * size,
            SECRET: ["s"] * size,
            PLAIN: np.arange(size),
        }
    )
    pq.write_table(frame, tmp_path / "in.parquet", row_group_size=10_000)
    source = file_source(tmp_path / "in.parquet")
    tally = tally_in(engine, source)
    recoding = decided(tally, [("A", "B")] * tally.combinations, [False] * tally.combinations)
    target = replace(target_in(tmp_path / "out.parquet"), shuffle_key="a secret")
    write_recoded(engine, source, tally, recoding, target)
    found = [row[PLAIN] for row in read_file(tmp_path / "out.parquet")]
    assert found == sorted(range(size), key=lambda n: sha256(f"a secret{n + 1}".encode()).hexdigest())


@pytest.mark.slow
@given(
    rows=st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("pq")), min_size=2, max_size=10),
    form=st.sampled_from(FORMATS),
    data=st.data(),
)
@settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_of_a_split_combination_are_dealt_out(
    engine: Engine, tmp_path: Path, rows: list[tuple[str, str]], form: str, data: st.DataObject
) -> None:
    made = [{"select": a, 'a "b"': b, SECRET: "s", PLAIN: str(i)} for i, (a, b) in enumerate(rows)]
    source = file_source(write_csv(tmp_path / "in.csv", made))
    tally = tally_in(engine, source)
    portions = [(i, n) for i in range(tally.combinations) for n in _parts(data, int(tally.rows[i]))]
    portions = data.draw(st.permutations(portions))
    labels = tuple(f"P{j}" for j in range(len(portions)))
    recoding = Recoding(
        columns=QUASI,
        labels=(labels, ("B",)),
        leaves=(np.ones(len(labels), np.int64), np.ones(1, np.int64)),
        codes=np.array([range(len(portions)), [0] * len(portions)], dtype=np.int32),
        combination=np.array([i for i, _ in portions]),
        rows=np.array([n for _, n in portions]),
        suppressed=np.array([j % 3 == 2 for j in range(len(portions))]),
    )
    write_recoded(engine, source, tally, recoding, target_in(tmp_path / f"out{form}"))
    found = read_file(tmp_path / f"out{form}")
    assert [row[PLAIN] for row in found] == [str(i) for i in range(len(rows))]
    keys = keys_of(tally)
    left = {key: [[j, n] for j, (i, n) in enumerate(portions) if keys[i] == key and n] for key in keys}
    for row, key in zip(found, rows, strict=True):
        j, _ = left[key][0]
        assert row["select"] == ("*" if j % 3 == 2 else f"P{j}")
        left[key][0][1] -= 1
        if not left[key][0][1]:
            left[key].pop(0)
    assert not any(left.values())


def _parts(data: st.DataObject, whole: int) -> list[int]:
    cut = data.draw(st.integers(0, whole))
    return [cut, whole - cut]


def test_the_release_in_memory(engine: Engine) -> None:
    frame = pa.table({"select": ["x", "y"], 'a "b"': ["x", "x"], SECRET: ["s", "t"], PLAIN: [1, 2]})
    source = Source("frame", frame=frame)
    tally = tally_in(engine, source)
    recoding = decided(tally, [("A", ""), ("B", "*")], [False, True])
    table = engine.frame(engine.recoded(source, tally, recoding, Stars(QUASI)), Target(NAMES, QUASI))
    assert Counter(map(tuple, (row.values() for row in table.to_pylist()))) == {
        ("A", None, "s", 1): 1,
        ("*", "*", "t", 2): 1,
    }

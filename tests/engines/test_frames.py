"""Data frames of any library: read like files, and given back as the same kind.

Covers data/sources/frames, data/sources/pandas_frames, data/sources/arrow, engines/duckdb,
duckdb/database, duckdb/zones.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.engines.formats import counted

import tacit
from tacit.data.sources.frames import as_arrow, like
from tacit.data.sources.source import Source
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter

VALUES = {"age": [30, 30, 31, None], "name": ["a", "b", None, ""], "paid": [1.0, 2.5, None, 1.0]}
KINDS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas with an index": lambda values: pd.DataFrame(values, index=[7, 3, 5, 1]),
    "Polars": pl.DataFrame,
    "lazy Polars": pl.LazyFrame,
    "Arrow": pa.table,
    "Arrow batch": lambda values: pa.table(values).to_batches()[0],
    "Arrow stream": lambda values: pa.table(values).to_reader(),
}


class Capsule:
    """Speaks the Arrow PyCapsule interface and nothing else."""

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return pa.table(VALUES).__arrow_c_stream__(schema)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read_alike(engine: Engine, kind: str) -> None:
    source = Source("frame", frame=KINDS[kind](VALUES))
    expected = {("30", "a", "1"): 1, ("30", "b", "2.5"): 1, ("31", "", ""): 1, ("", "", "1"): 1}
    assert list(engine.columns(source)) == ["age", "name", "paid"]
    assert counted(engine, source, "age", "name", "paid") == expected
    assert counted(engine, source, "age") == {("30",): 2, ("31",): 1, ("",): 1}


def test_the_capsule_interface_is_enough(engine: Engine) -> None:
    assert counted(engine, Source("frame", frame=Capsule()), "age") == {("30",): 2, ("31",): 1, ("",): 1}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [name for name in KINDS if name not in ("Arrow batch", "Arrow stream")])
def test_the_same_kind_comes_back(kind: str) -> None:
    frame = KINDS[kind]({"age": [30, 31, 30, 31], "ill": ["x", "y", "y", "x"], "n": [1, 2, 3, 4]})
    columns = {"age": "quasi-identifier", "ill": "sensitive", "n": "insensitive"}
    made = tacit.protect(tacit.read(frame, columns), [tacit.KAnonymity(k=4)])
    assert type(made.data) is type(frame)
    table = as_arrow(made.data)
    assert table.column("age").to_pylist() == ["*"] * 4
    assert table.column("ill").to_pylist() == ["x", "y", "y", "x"]
    assert table.column("n").to_pylist() == [1, 2, 3, 4]
    assert table.schema.field("n").type == pa.int64()


def test_what_has_no_kind_comes_back_as_arrow() -> None:
    table = pa.table({"a": [1]})
    assert like(None, table) is table
    assert like(table.to_reader(), table) is table


def test_missing_words_and_categories(engine: Engine) -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", None, "?"]), "b": [-9, 1, -9], "c": ["1", "?", "2"]})
    assert counted(engine, Source("frame", frame=frame, missing=("?", "-9")), "a", "b", "c") == {
        ("x", "", "1"): 1,
        ("", "1", ""): 1,
        ("", "", "2"): 1,
    }


@pytest.mark.parametrize("thing", [{"a": [1]}, [1, 2], None, 5, pd.Series([1]), pl.Series([1])], ids=repr)
def test_what_is_no_data_frame_is_refused(thing: Any) -> None:
    with pytest.raises(BadParameter, match=f"{type(thing).__name__} is not a data frame"):
        tacit.read(thing, {"a": "insensitive"})


def test_no_cell_stands_in_the_error_of_a_mixed_column() -> None:
    with pytest.raises(BadData, match=r"column 'a' of the data frame can't be read.*several types") as caught:
        tacit.measure(tacit.read(pd.DataFrame({"a": ["planted-secret", 2]}), {"a": "quasi-identifier"}))
    assert "planted" not in str(caught.value)


def test_a_sparse_column_is_refused_before_anything_is_charged() -> None:
    budget = tacit.PrivacyBudget(epsilon=1)
    frame = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 0.0, 3.0])})
    with pytest.raises(BadData, match=r"column 'a' of the data frame can't be read: it is sparse"):
        tacit.statistics.mean(frame, of="a", bounds=(0, 5), epsilon=1, budget=budget)
    assert budget.spent["epsilon"] == 0


def test_columns_need_names_of_their_own() -> None:
    for frame in (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pl.DataFrame({"a": [1], "A": [2]}),
        pa.table({"": [1]}),
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]),
    ):
        with pytest.raises(BadData, match=r"twice|no name"):
            tacit.read(frame, {"a": "insensitive"})


def test_an_option_of_files_is_refused() -> None:
    with pytest.raises(BadParameter, match=r"delimiter"):
        tacit.read(pl.DataFrame({"a": [1]}), {"a": "insensitive"}, delimiter=";")


def test_a_type_that_can_not_be_read_is_refused(engine: Engine) -> None:
    with pytest.raises(BadData, match=r"the column 'a', which is of a type that can't be read"):
        engine.columns(Source("frame", frame=pa.table({"a": pa.array([1.0], pa.float16())})))


@pytest.mark.parametrize("cells", [[[1, 2], [3, 4]], [["x", 2], ["y", 4]]], ids=["numbers", "objects"])
def test_a_frame_with_a_column_name_twice_is_refused_in_every_verb(cells: list[list[object]]) -> None:
    frame = pd.DataFrame(cells, columns=["a", "a"])
    budget = tacit.PrivacyBudget(epsilon=1)
    for call in (
        lambda: tacit.read(frame, {"a": "sensitive"}),
        lambda: tacit.inspect(frame),
        lambda: tacit.statistics.mean(frame, of="a", bounds=(0, 1), epsilon=1, budget=budget),
    ):
        with pytest.raises(BadData, match="a column name twice; every column needs its own name"):
            call()
    assert budget.spent["epsilon"] == 0


VISITS = pd.DataFrame({"person": ["a", "a", "b", "b"], "age": [30, 30, 31, 31]})
AGES = {"person": "identifier", "age": "quasi-identifier"}


def test_a_named_index_is_a_column(engine: Engine) -> None:
    frame = VISITS.set_index("person")
    assert list(engine.columns(Source("frame", frame=frame))) == ["person", "age"]
    assert counted(engine, Source("frame", frame=frame), "person", "age") == {("a", "30"): 2, ("b", "31"): 2}
    levels = VISITS.assign(visit=[1, 2, 1, 2]).set_index(["person", "visit"])
    assert list(engine.columns(Source("frame", frame=levels))) == ["person", "visit", "age"]
    assert tacit.measure(frame, columns=AGES, unit="person").people == 2
    with pytest.raises(BadData, match=r"'person'; give each a role.*'person' is the index of the data frame"):
        tacit.read(frame, {"age": "quasi-identifier"})


def test_an_index_of_people_is_found_as_their_column_is() -> None:
    frame = pd.DataFrame({"patient_id": [f"P{n:03}" for n in range(40) for _ in range(3)], "age": [30] * 120})
    found = tacit.inspect(frame.set_index("patient_id"))
    assert found.unit.column == "patient_id"
    assert found.unit == tacit.inspect(frame).unit


def test_an_index_without_a_name_is_left_out_where_it_links_no_rows() -> None:
    assert list(as_arrow(VISITS.set_axis(["w", "x", "y", "z"])).column_names) == ["person", "age"]
    for repeats in (VISITS.set_axis([1, 1, 2, 2]), VISITS.set_index(["person", [1, 2, 1, 2]])):
        with pytest.raises(BadData, match=r"rename_axis\('person'\).*reset_index\(drop=True\)"):
            tacit.read(repeats, AGES)
    with pytest.raises(BadData, match="'person', which is also the name of a column"):
        tacit.read(VISITS.set_index("person", drop=False), AGES)


def test_an_index_of_objects_is_asked_about_too() -> None:
    frame = VISITS.assign(person=pd.Series(["a", 2, "b", "b"], dtype=object)).set_index("person")
    budget = tacit.PrivacyBudget(epsilon=40, unit="row")
    found = tacit.statistics.histogram(frame, of="person", categories=["a", "b"], epsilon=40, budget=budget)
    assert list(found.values) == [1, 2]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "+02:00", "-03:30", "UTC"])
def test_a_time_is_the_one_that_the_clock_of_its_zone_shows(engine: Engine, zone: str, tmp_path: Path) -> None:
    clock = pd.to_datetime(["2000-01-01 00:00", "2000-06-30 23:59", None])
    frame = pd.DataFrame({"born": clock.tz_localize(zone), "sex": ["m", "f", "f"]})
    frame.to_parquet(tmp_path / "born.parquet")
    for source in (Source("frame", frame=frame), Source("parquet", tmp_path / "born.parquet")):
        told = {text[:16].removesuffix("+00") for (text,) in counted(engine, source, "born")}
        assert told == {"2000-01-01" if zone != "UTC" else "2000-01-01 00:00", "2000-06-30 23:59", ""}
        assert counted(engine, source, "sex") == {("m",): 1, ("f",): 2}


def test_a_release_shows_the_year_of_the_zone() -> None:
    born = pd.to_datetime(["2000-01-01"] * 6).tz_localize("Europe/Berlin")
    columns = {
        "born": {"role": "quasi-identifier", "hierarchy": {"dates": ["year"]}, "minimum": 1},
        "seen": "insensitive",
    }
    frame = pd.DataFrame({"born": born, "seen": born})
    made = tacit.protect(frame, tacit.KAnonymity(2), columns=columns, method="tables/lattice")
    assert set(made.data["born"]) == {"2000"}
    assert set(made.data["seen"]) == {pd.Timestamp("2000-01-01")}


def test_intervals_and_periods_are_read_as_pandas_shows_them(engine: Engine) -> None:
    ages = pd.Series([1.0, 5.0, None])
    frame = pd.DataFrame(
        {
            "cut": pd.cut(ages, [0, 3, 9]),
            "interval": pd.arrays.IntervalArray(pd.cut(ages, [0, 3, 9])),
            "month": pd.PeriodIndex(["2000-01", "2000-02", None], freq="M"),
        }
    )
    # pandas makes the ends floating-point numbers where an interval is missing.
    expected = {("(0, 3]", "(0.0, 3.0]", "2000-01"): 1, ("(3, 9]", "(3.0, 9.0]", "2000-02"): 1, ("", "", ""): 1}
    assert counted(engine, Source("frame", frame=frame), "cut", "interval", "month") == expected
    numbered = frame[["cut"]].set_axis([7], axis="columns")
    assert counted(engine, Source("frame", frame=numbered), "7") == {("(0, 3]",): 1, ("(3, 9]",): 1, ("",): 1}


@pytest.mark.parametrize("cells", [[10**30, 1], [1j, 2j], [object(), object()]], ids=["large", "complex", "objects"])
def test_a_column_that_can_not_be_read_is_named(cells: list[Any]) -> None:
    frame = pd.DataFrame({"well": [1, 2], "odd": cells})
    with pytest.raises(BadData, match=r"the column 'odd' of the data frame can't be read"):
        tacit.measure(frame, columns={"well": "quasi-identifier", "odd": "quasi-identifier"})


def test_names_of_several_levels_are_refused() -> None:
    frame = pd.DataFrame({("a", "age"): [1], ("b", "age"): [2]})
    with pytest.raises(BadData, match=r"names of 2 levels; give each a single name"):
        tacit.inspect(frame)
    frame.columns = ["_".join(map(str, name)) for name in frame.columns]
    assert as_arrow(frame).column_names == ["a_age", "b_age"]

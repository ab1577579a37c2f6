"""Cells of any type, in arrays as in a database: each is read by itself, by one rule, and none is ever an error.

Covers array_cells, methods/statistics/*, noise/values.
"""

import math
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.examples import examples
from tests.methods.statistics.answers import PLAIN

import tacit
from tacit.catalogue import methods
from tacit.data.aggregates.array_cells import as_numbers, as_truths, coded_texts, has_owner, owner_codes
from tacit.data.aggregates.people import People
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter
from tacit.methods.statistics import count, histogram, itemsets, keywords, mean, mode, partition_selection
from tacit.methods.statistics.histogram import Categories, Histogram
from tacit.methods.statistics.mean import Mean
from tacit.noise.axes import NOWHERE, count_cells
from tacit.noise.grid import Grid
from tacit.noise.values import as_column, as_matrix
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.contributions import keep_first, keep_groups, keep_sampled

SPELLINGS = [
    *[
        "8",
        " 8 ",
        "\t8\n",
        "\v8\f\r",
        "1e3",
        "1E5",
        "-1.5e+3",
        "+5",
        "++5",
        ".5",
        "5.",
        ".",
        "-",
        "",
        " ",
        "007",
        "1,5",
    ],
    *["inf", "-inf", "+Infinity", "INF", "infinit", "nan", "-nan", "1e400", "-1e400", "1e-400", "0x10", "0b1", "1d"],
    *["1_000", "1__0", "_1", "1_", "1_.5", "1._5", "1e1_0", "1e_3", "- 5", "1 000", "true", "8\x00", "\x008", "\x1c8"],
    *["\N{FULLWIDTH DIGIT EIGHT}", "\xa08", "8\u2003", "\N{ARABIC-INDIC DIGIT ONE}", "8 x", "1e", "e5", "many"],
]
ASKED = Mean(epsilon=1.0, lower=-2000.0, upper=2000.0, grid=-20)
MISSING = [None, math.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), Decimal("NaN")]


def same(found, expected) -> bool:
    """Whether all cells are equal, and NaN where NaN is expected."""
    return np.array_equal(found, np.array(expected, dtype=np.float64), equal_nan=True)


@pytest.fixture(scope="module")
def engine():
    with DuckDB(threads=1) as made:
        yield made


def objects(cells):
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return array


def counted(cells, names):
    return count_cells([cells], (Categories(names=names),)).tolist()


def named(engine, cells, names):
    """What DuckDB counts of an Arrow column."""
    asked = Histogram(epsilon=1.0, axes=(Categories(names=names),))
    found = engine.aggregates(Source("frame", frame=pa.table({"x": cells})), histogram.wanted(["x"], asked))
    return found.dense(len(names)).tolist()


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_text_is_the_number_that_duckdb_reads(engine, text):
    frame = pa.table({"x": [text, text]})
    found = engine.aggregates(Source("frame", frame=frame), mean.wanted(["x"], ASKED))
    for cells in (objects([text, text]), [text, text], pd.Series([text, text]), pd.array([text, text], dtype="string")):
        assert mean._range(ASKED).totals(cells) == found


def test_all_kinds_of_text_columns_are_read_alike():
    texts = ["8", "-3.5", None, "many"]
    columns = [objects(texts), texts, pd.Series(texts, dtype="string"), pd.Series(texts, dtype=object)]
    columns += [pd.Series(texts, dtype=pd.ArrowDtype(pa.string())), pa.array(texts), pa.chunked_array([texts])]
    columns += [pd.Series(texts), pd.Series(texts, dtype="category")]
    for column in columns:
        assert same(as_column(column), [8, -3.5, math.nan, math.nan])
    with pytest.raises(BadData, match="<U4"):
        as_column(np.array(["8", "many"]))


def test_decimals_and_odd_objects_have_a_number_or_none():
    cells = [Decimal("8.5"), Decimal("1e999"), Decimal("-1e999"), Decimal("sNaN"), Fraction(1, 2), 10**400, -(10**400)]
    cells += [True, np.True_, np.float32(0.5), 1j, b"8", [8], {"a": 1}, object, date(2020, 1, 1), *MISSING]
    numbers = [8.5, math.inf, -math.inf, math.nan, 0.5, math.inf, -math.inf, 1, 1, 0.5]
    numbers += [math.nan] * (len(cells) - len(numbers))
    assert same(as_column(objects(cells)), numbers)
    decimals = pa.array([Decimal("8.50"), None, Decimal("-1.25")], pa.decimal128(6, 2))
    assert same(as_column(decimals), [8.5, math.nan, -1.25])
    assert same(as_column(decimals.to_pandas()), [8.5, math.nan, -1.25])


@given(st.lists(st.one_of(st.floats(), st.integers(), st.booleans(), st.text(max_size=5), st.binary(max_size=3))))
@example([True, "8"])
@example([1.0, b"\xff"])
@example([1, 1j])
def test_no_cell_of_a_list_changes_how_another_is_read(cells):
    read = as_numbers(cells)
    alone = [as_numbers([cell])[0] for cell in cells]
    assert same(read, np.array(alone, dtype=np.float64))
    together = coded_texts(cells)
    assert [together.texts[code] if code >= 0 else None for code in together.codes] == [
        (coded_texts([cell]).texts or (None,))[0] for cell in cells
    ]


def test_rows_of_several_columns_are_read_cell_by_cell():
    frame = pd.DataFrame({"a": ["1", "x"], "b": [Decimal(2), None]})
    for rows in (frame, frame.to_numpy(), [["1", Decimal(2)], ["x", None]]):
        assert same(as_matrix(rows, 2), [[1, 2], [math.nan, math.nan]])


@pytest.mark.parametrize(
    "name", sorted(PLAIN | {"ranges", "clipping", "covariance", "uniform-grid", "count", "mode", "histogram"})
)
@pytest.mark.parametrize("data", [None, {"a": 1}, 3.5, "text", object()], ids=lambda data: type(data).__name__)
def test_what_is_no_column_is_refused_by_its_type(name, data):
    card = methods()[f"statistics/{name}"]
    with pytest.raises((BadData, BadParameter)):
        card.run(data, card.example, RandomBits.from_seed(1))


@pytest.mark.parametrize("name", ["keywords", "itemsets", "partition-selection"])
@pytest.mark.parametrize("data", [None, 3, "ab", [None, None], [1, 2], [["a"], [["b"]]]], ids=repr)
def test_what_is_no_log_is_refused_by_its_type(name, data):
    card = methods()[f"statistics/{name}"]
    with pytest.raises(BadData, match="two columns"):
        card.run(data, card.example, RandomBits.from_seed(1))


@pytest.mark.parametrize("missing", MISSING, ids=repr)
def test_what_is_missing_is_no_category_whatever_its_name(missing):
    names = ("None", "nan", "NaN", "NaT", "<NA>", "", "some")
    assert counted(objects([missing] * 3 + ["some", "nan"]), names) == [0, 1, 0, 0, 0, 0, 1]
    assert counted([missing, "some"], names) == [0, 0, 0, 0, 0, 0, 1]


def test_missing_cells_of_typed_columns_are_no_category(engine):
    names = ("None", "nan", "NaT", "<NA>", "some")
    column = ["some"] * 300 + [None] * 700
    assert named(engine, column, names) == [0, 0, 0, 0, 300]
    for kind in (object, "string", "category", pd.ArrowDtype(pa.string())):
        assert counted(pd.Series(column, dtype=kind), names) == [0, 0, 0, 0, 300]
    for numbers in (np.array([1.5, math.nan]), np.array([1.5, math.nan], dtype=np.float32)):
        assert counted(numbers, ("1.5", "nan")) == named(engine, pa.array(numbers), ("1.5", "nan")) == [1, 0]
    assert counted(np.array(["2020-01-01", "NaT"], dtype="M8[D]"), ("2020-01-01", "NaT")) == [1, 0]


TYPED = [
    (pa.array([True, False, None, True]), ("true", "True", "false", "1")),
    (pa.array([1.0, -0.0, 0.0, 1.5, 1e16, 1e-5, 123456789.125]), ("1", "1.0", "0", "-0.0", "1.5", "1e+16", "1e-05")),
    (pa.array([0.5, 3.0, 1e10], pa.float32()), ("0.5", "3", "10000000000", "1e+10")),
    (pa.array([1, -7, (1 << 62)]), ("1", "-7", str(1 << 62), "1.0")),
    (pa.array([Decimal("1.50"), Decimal("2.00"), Decimal("10.00")]), ("1.5", "1.50", "2", "10", "1")),
    (pa.array([date(2020, 1, 1), None]), ("2020-01-01",)),
    (
        pa.array([datetime(2020, 1, 1), datetime(2020, 1, 1, 2, 3, 4, 120_000), None]),
        ("2020-01-01", "2020-01-01 02:03:04.12", "2020-01-01 00:00:00"),
    ),
    (pa.array([b"a'", b"\xff"]), ("a\\x27", "a'", "\\xFF")),
]


@pytest.mark.parametrize(("column", "names"), TYPED, ids=[str(column.type) for column, _ in TYPED])
def test_the_text_of_a_cell_is_the_one_that_duckdb_writes(engine, column, names):
    expected = named(engine, column, names)
    assert sum(expected) > 0
    assert counted(column, names) == expected
    assert counted(column.to_pandas(), names) == expected
    assert counted(column.to_pylist(), names) == expected
    assert counted(objects(column.to_pylist()), names) == expected


def test_a_narrow_float_has_the_text_of_its_double(engine):
    """One text in its column makes Python objects of all of them, which are doubles; 0.1 in 24 bits is another one."""
    column, tenth = pa.array([0.1, 16777216.0, 123456789.0], pa.float32()), 13421773 / 2**27
    names = (repr(tenth), "16777216", "123456792", "0.1", "123456790")
    assert counted(column, names) == named(engine, column, names) == [1, 1, 1, 0, 0]
    assert counted(column.to_numpy(), names) == counted(objects(column.to_pylist()), names) == [1, 1, 1, 0, 0]


def test_a_whole_number_has_one_text_as_integer_and_as_float(engine):
    """Which of both it is follows from other cells of its column; texts with exponents begin where integers end."""
    wholes = [1, -7, 10**15, 10**16, 3 * 2**60, -(2**62)]
    names = tuple(map(str, wholes))
    for column in (pa.array(wholes), pa.array(list(map(float, wholes))), pa.array([*map(float, wholes), None])):
        assert counted(column, names) == named(engine, column, names) == [1] * len(wholes)
        assert counted(objects(column.to_pylist()), names) == [1] * len(wholes)
    beyond = pa.array([2.0**63, 2.0**64, 1e300])
    names = (str(2**63), "1.8446744073709552e+19", "1e+300")
    assert counted(beyond, names) == named(engine, beyond, names) == [1, 1, 1]


LENGTHS = [timedelta(seconds=1), timedelta(days=2), timedelta(microseconds=-1_500_000), timedelta(hours=100)]
BERLIN = timezone(timedelta(hours=1))


def test_moments_of_a_zone_are_told_to_the_nanosecond_in_every_type(engine):
    moment = pd.Timestamp("2020-01-01 00:00:00.123456789", tz="UTC")
    frame = pd.DataFrame({"x": [moment]})
    names = ("2020-01-01 00:00:00.123456789+00",)
    assert named(engine, pa.Array.from_pandas(frame["x"]), names) == counted(objects([moment]), names) == [1]


@pytest.mark.parametrize(
    ("column", "names"),
    [
        (pa.array(LENGTHS, pa.duration("us")), ("00:00:01", "48:00:00", "-00:00:01.5", "100:00:00")),
        (pa.array([-1_001, 1_001], pa.duration("ns")), ("-00:00:00.000001", "00:00:00.000001")),
        (pa.array([time(10), time(10, 0, 0, 500_000)], pa.time64("us")), ("10:00:00", "10:00:00.5")),
        (
            pa.array([datetime(2020, 1, 1, tzinfo=BERLIN), datetime(2020, 1, 1, 1, 0, 0, 250_000, tzinfo=BERLIN)]),
            ("2020-01-01", "2020-01-01 01:00:00.25"),
        ),
    ],
    ids=["lengths", "shortest lengths", "times", "zones"],
)
def test_moments_and_lengths_of_time_have_the_texts_of_duckdb_as_objects_too(engine, column, names):
    assert named(engine, column, names) == [1] * len(names)
    assert counted(objects(column.to_pylist()), names) == [1] * len(names)


def test_texts_are_compared_to_the_last_character():
    assert counted(objects(["a", "a\x00", "a\x00\x00", "a "]), ("a", "a\x00")) == [1, 1]
    assert counted(["a\x00"], ("a",)) == [0]
    assert Categories(names=("a",)).codes(["b", "a", None]).tolist() == [NOWHERE, 0, NOWHERE]


@pytest.mark.slow
def test_one_odd_row_costs_neither_memory_nor_an_answer():
    cells = ["some"] * 100_000
    for odd in ("x" * 50_000, b"\xff", "\ud800", 10**5000, Decimal("1e999999"), object(), ["a"], np.arange(3)):
        column = objects([*cells, odd])
        assert counted(column, ("some",)) == [100_000]
        assert counted([*cells, odd], ("some",)) == [100_000]


def test_the_same_rule_serves_mode_keywords_and_itemsets():
    texts = objects([None, math.nan, pd.NA, "sun", "x" * 9999, b"\xff", True])
    owners = objects(["ann", None, pd.NA, 3, b"\xff", "bob", 2.5])
    asked = mode.Mode(epsilon=900.0, categories=("None", "sun", "nan"))
    assert mode.mode(texts, asked, RandomBits.from_seed(1)).name == "sun"
    words = keywords.Keywords(epsilon=1.0, vocabulary=("None", "sun", "nan", "<NA>", "true"), k=1, most=3)
    assert keywords.keyword_scores([owners, texts], words, RandomBits.from_seed(1)).tolist() == [0, 1, 0, 0, 1]
    items = itemsets.Itemsets(epsilon=1.0, items=("None", "sun", "nan", "<NA>"), k=1, size=1)
    assert itemsets.supports([owners, texts], items).tolist() == [0, 1, 0, 0]


def test_truths_of_objects_are_those_of_duckdb(engine):
    asked = count.Count(epsilon=900.0)
    texts = ["true", "TRUE", "t", "1", "yes", "Y", "false", "on", " true", "1.0", "perhaps", "", None]
    found = engine.aggregates(Source("frame", frame=pa.table({"x": texts})), count.wanted(["x"], asked))
    truth = found.sums[0]
    for column in (objects(texts), texts, pd.Series(texts), pd.Series(texts, dtype="string")):
        assert count.count(column, asked, RandomBits.from_seed(1)).value == truth
    mixed = [True, 1, 1.0, np.True_, Decimal(1), False, 2, Decimal("sNaN"), b"true", [True], *MISSING]
    assert count.count(objects(mixed), asked, RandomBits.from_seed(1)).value == 5
    assert count.count(mixed, asked, RandomBits.from_seed(1)).value == 5
    for kind in ("boolean", pd.ArrowDtype(pa.bool_())):
        assert count.count(pd.Series([True, None], dtype=kind), asked, RandomBits.from_seed(1)).value == 1


PEOPLE = ["ann", None, "bob", "ann", math.nan, "ann", "nan", pd.NA]
KINDS = {
    "objects": objects(PEOPLE),
    "list": PEOPLE,
    "string": pd.array(["ann", None, "bob", "ann", None, "ann", "nan", None], dtype="string"),
    "arrow": pa.array(["ann", None, "bob", "ann", None, "ann", "nan", None]),
    "moments": np.array([1, "NaT", 2, 1, "NaT", 1, 3, "NaT"], dtype="M8[D]"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_without_a_person_are_nobodys_in_every_type(kind):
    people = KINDS[kind]
    assert keep_first(people, 2).tolist() == [True, False, True, True, False, False, True, False]
    for rule in (keep_sampled, lambda people, most, bits: keep_groups(people, np.arange(8), most, bits)):
        kept = rule(people, 2, RandomBits.from_seed(3))
        assert (kept[[0, 3, 5]].sum(), kept[[1, 4, 7]].sum(), kept[[2, 6]].sum()) == (2, 0, 2)


def test_keys_of_strings_with_missing_cells():
    keys = pd.array(["sun"] * 90 + [None] * 90, dtype="string")
    people = pd.array([str(place) for place in range(179)] + [None], dtype="string")
    answer = partition_selection.partition_selection(
        [people, keys], partition_selection.METHOD.example, RandomBits.from_seed(1)
    )
    assert answer.keys == ("sun",)


class Mute:
    """An object that can't say what it is."""

    def __str__(self):
        raise RuntimeError("a secret")


class Odd(float):
    """A number that is none."""

    def __float__(self):
        raise RuntimeError("a secret")


HOSTILE = st.one_of(
    st.floats(), st.integers(-(10**40), 10**40), st.booleans(), st.text(max_size=4), st.binary(max_size=3), st.none(),
    st.complex_numbers(), st.dates(), st.datetimes(), st.decimals(), st.fractions(),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=1), st.integers(), max_size=1), st.sampled_from(SPELLINGS),
    st.sampled_from(["yes", "TRUE", "t", "1", "\ud800", "a\x00"]),
    st.builds(Mute), st.builds(Odd), st.just(10**5000), st.just([10**5000]), st.just(pd.NA), st.just(pd.NaT),
    st.builds(np.float32, st.floats(width=32)), st.just(np.ma.masked), st.just(np.arange(3)), st.just({1, 2}),
)  # fmt: skip
DECLARED = ("true", "1", "0", "a", "", "None", "nan", "[]", "{}", "1j", "2000-01-01", "\\x00", "a\x00")


def frames(cells):
    """The cells as a column of objects of a data frame: plain, beside other columns, and of Polars."""
    column = pd.Series(objects(cells), dtype=object)
    yield pd.DataFrame({"x": column})
    yield pd.DataFrame({"more": 1.5, "x": column, "unread": column})
    yield pl.DataFrame({"x": pl.Series(cells, dtype=pl.Object)})


@pytest.mark.slow
@examples(30)
@given(st.lists(HOSTILE, min_size=1, max_size=6))
@example([5, 9, 10**40])
@example([None])
@example([None, None, 7])
@example([5, [1, 2]])
@example([5, {"a": 1}])
@example([5, date(2020, 1, 1)])
@example([5, 1j])
@example([5, Mute()])
@example(["\ud800"])
def test_a_column_of_objects_is_read_alike_as_an_array_and_by_duckdb(engine, cells):
    asked = Histogram(epsilon=1.0, axes=(Categories(names=DECLARED),))
    truths = count.Count(epsilon=1.0)
    array = objects(cells)
    yes = int(as_truths(array).sum())
    for frame in frames(cells):
        source = Source("frame", frame=frame)
        assert engine.aggregates(source, mean.wanted(["x"], ASKED)) == mean._range(ASKED).totals(array)
        found = engine.aggregates(source, histogram.wanted(["x"], asked))
        assert found.dense(len(DECLARED)).tolist() == counted(array, DECLARED)
        assert engine.aggregates(source, count.wanted(["x"], truths)).sums == (yes,)
        owners = engine.aggregates(source, count.wanted(["x"], truths), People("x", most=1))
        assert owners.rows == np.unique(owner_codes(array)[has_owner(array)]).size


def test_categories_of_objects_are_read_cell_by_cell_too(engine):
    frame = pd.DataFrame({"x": pd.Series(objects([8, "9", 10**30, 8]), dtype="category")})
    found = engine.aggregates(Source("frame", frame=frame), mean.wanted(["x"], ASKED))
    assert found == mean._range(ASKED).totals([8, 9, 10**30, 8])


def test_missing_words_of_a_column_of_objects_are_missing(engine):
    frame = pd.DataFrame({"x": pd.Series(objects([8, "9", "?", 9]), dtype=object)})
    found = engine.aggregates(Source("frame", frame=frame, missing=("9", "?")), mean.wanted(["x"], ASKED))
    assert found == mean._range(ASKED).totals([8, None, None, None])


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 3])
def test_a_column_without_any_value_is_missing_in_every_row(engine, rows):
    for frame in (pa.table({"x": pa.nulls(rows)}), pa.table({"x": [None] * rows}), pd.DataFrame({"x": [None] * rows})):
        source = Source("frame", frame=frame)
        assert engine.aggregates(source, mean.wanted(["x"], ASKED)) == mean._range(ASKED).totals([None] * rows)
        assert named(engine, pa.nulls(rows), ("", "None")) == [0, 0]
        truths = count.wanted(["x"], count.Count(epsilon=1.0))
        assert engine.aggregates(source, truths).sums == (0,)
        assert engine.aggregates(source, truths, People("x", most=1)).rows == 0


def test_no_column_of_objects_hides_another_that_is_asked_for(engine):
    frame = pd.DataFrame({"x": pd.Series(objects([1, 1j]), dtype=object)})
    with pytest.raises(BadData, match="no column 'y'; it has 'x'"):
        engine.aggregates(Source("frame", frame=frame), mean.wanted(["y"], ASKED))


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.float32, np.bool_, object])
def test_what_a_mask_hides_is_missing(kind):
    cells = np.ma.MaskedArray(np.array([5, 7, 1], dtype=kind), mask=[False, True, False])
    kept = [float(cell) for cell in np.array([5, 1], dtype=kind)]
    assert same(as_column(cells), [kept[0], math.nan, kept[1]])
    assert same(as_matrix(cells[:, None], 1), [[kept[0]], [math.nan], [kept[1]]])
    assert counted(cells, ("7", "1", "true")) == ([0, 0, 2] if kind is np.bool_ else [0, 1, 0])
    assert Grid(0).steps(cells).counts.tolist() == [kept[0], 0, kept[1]]
    assert keep_first(np.ma.MaskedArray([1, 2, 3], mask=[False, True, True]), 1).tolist() == [True, False, False]
    days = np.ma.MaskedArray(np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"), mask=[True, False])
    assert counted(days, ("2020-01-01", "2020-01-02")) == [0, 1]


def test_numbers_beyond_doubles_are_infinite_without_a_word():
    """Warnings are errors here."""
    cells = np.array([np.longdouble("1e4000"), np.longdouble("-1e4000"), np.longdouble("1e-4000"), 1])
    assert same(as_column(cells), [math.inf, -math.inf, 0, 1])
    assert same(as_column(objects(list(cells))), [math.inf, -math.inf, 0, 1])
    assert Grid(0).steps(cells).counts.tolist() == [1 << 52, -(1 << 52), 0, 1]
    assert counted(cells, ("1", "inf")) == [1, 1]
    assert as_truths(objects(list(cells))).tolist() == [False, False, False, True]
    asked = {"of": "x", "bounds": (0, 10), "epsilon": 1, "budget": tacit.PrivacyBudget(epsilon=1)}
    assert tacit.statistics.sum(pd.DataFrame({"x": pd.Series(objects(list(cells)))}), **asked)


NUMBERS = {"epsilon", "delta", "sensitivity", "lower", "upper", "contributions", "grid", "resolution"}


@pytest.mark.parametrize("name", [name for name in methods() if name.startswith(("mechanisms/", "statistics/"))])
@pytest.mark.parametrize("value", [True, "1", b"1", np.True_], ids=repr)
def test_texts_and_truth_values_are_no_parameters(name, value):
    params = methods()[name].params
    values = methods()[name].example.model_dump(exclude={"rho"})
    for field in sorted(NUMBERS & set(params.model_fields)):
        wrong = (value, *values[field][1:]) if isinstance(values.get(field), tuple) else value
        with pytest.raises(BadParameter, match="a text or a truth value"):
            params.parse(name, {**values, field: wrong})


def test_numbers_of_other_types_are_still_parameters():
    made = Mean(epsilon=np.float32(0.5), lower=0, upper=Decimal(9), contributions=np.int64(2), grid=None)
    assert (made.epsilon, made.upper, made.contributions) == (0.5, 9.0, 2)

"""Statistics from aggregates: what an engine counts and adds up gives the answer that arrays give, noise and all.

Covers methods/statistics/*, data/aggregates/aggregate.
"""

import math
import sys
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.lots import sqlite_with_md5
from tests.methods.statistics.answers import data_for

from tacit.catalogue import methods
from tacit.data.aggregates.keys import KeyCounts
from tacit.data.aggregates.people import People
from tacit.data.aggregates.sums import Together, Totals
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter
from tacit.methods.statistics import (
    best_candidate,
    best_choice,
    clipping,
    count,
    covariance,
    extremes,
    histogram,
    histogram_mean,
    itemsets,
    k_means,
    keywords,
    linear_regression,
    mean,
    mode,
    partition_selection,
    privtree,
    quantiles,
    ranges,
    sum,
    truncated_mean,
    uniform_grid,
    variance,
)
from tacit.methods.statistics._moments import _centred, exact_moments
from tacit.noise.values import range_of
from tacit.randomness.stream import RandomBits

NAMES = [name.removeprefix("statistics/") for name in methods() if name.startswith("statistics/")]
MORE_PASSES = {"adaptive-grid", "textbook-k-means", "logistic-regression"}
OTHER = {"itemsets"}
SAMPLED = {"keywords", "partition-selection"}
"""Their arrays draw which rows of a person stay, which engines do not."""

HOSTILE = [math.nan, math.inf, -math.inf, -0.0, 5e-324, -5e-324, 1e308, -1e308, 1e-310, None]
COLUMN = [*HOSTILE, *np.random.default_rng(9).normal(40, 40, 300).tolist(), *np.arange(-3, 104, 0.5).tolist()]
PLANE = np.random.default_rng(2).normal(40, 40, (400, 2))
BOUNDS = {"epsilon": 1.0, "lower": -7.3, "upper": 92.9}
REPLACE = {**BOUNDS, "neighbours": "replace"}
BOX = {"epsilon": 1.0, "lower": (-7.3, 0.0), "upper": (92.9, 81.3)}
CASES = {
    "sum": (sum, sum.noisy_sum, sum.Sum(**BOUNDS)),
    "sum, replace": (sum, sum.noisy_sum, sum.Sum(**REPLACE)),
    "sum, whole": (sum, sum.noisy_sum, sum.Sum(**BOUNDS, grid=1, contributions=3)),
    "mean": (mean, mean.mean, mean.Mean(**BOUNDS)),
    "mean, replace": (mean, mean.mean, mean.Mean(**REPLACE)),
    "truncated mean": (
        truncated_mean,
        truncated_mean.truncated_mean,
        truncated_mean.TruncatedMean(**BOUNDS, least_rows=900),
    ),
    "variance": (variance, variance.variance, variance.Variance(**BOUNDS)),
    "variance, replace": (variance, variance.variance, variance.Variance(**REPLACE)),
    "mean of bins": (histogram_mean, histogram_mean.histogram_mean, histogram_mean.HistogramMean(**BOUNDS, bins=13)),
    "ranges": (ranges, ranges.ranges, ranges.Ranges(**BOUNDS, bins=70)),
    "clipping": (clipping, clipping.clipping, clipping.Clipping(epsilon=1.0, bounds=(-7.3, 0.0, 1.5, 40.0, 1e100))),
    "median": (quantiles, quantiles.quantiles, quantiles.Quantiles(**BOUNDS, resolution=200)),
    "median of halves": (
        quantiles,
        quantiles.quantiles,
        quantiles.Quantiles(epsilon=1.0, lower=0.0, upper=100.0, resolution=100),
    ),
    "median, interval": (
        quantiles,
        quantiles.quantiles,
        quantiles.Quantiles(**REPLACE, resolution=200, interval_share=0.5),
    ),
    "quartiles": (quantiles, quantiles.quantiles, quantiles.Quantiles(**REPLACE, quantiles=(0.25, 0.5, 0.75))),
    "quartiles, interval": (
        quantiles,
        quantiles.quantiles,
        quantiles.Quantiles(**BOUNDS, quantiles=(0.25, 0.5, 0.75), interval_share=0.5),
    ),
    "maximum": (extremes, extremes.extremes, extremes.Extremes(**BOUNDS)),
    "minimum": (extremes, extremes.extremes, extremes.Extremes(**REPLACE, which="minimum", resolution=77)),
}
PLANES = {
    "covariance": (covariance, covariance.covariance, covariance.Covariance(**BOX)),
    "covariance, replace": (
        covariance,
        covariance.covariance,
        covariance.Covariance(**BOX, neighbours="replace", delta=1e-6),
    ),
    "line": (linear_regression, linear_regression.linear_regression, linear_regression.LinearRegression(**BOX)),
    "grid": (uniform_grid, uniform_grid.uniform_grid, uniform_grid.UniformGrid(**BOX, side=17)),
    "tree": (privtree, privtree.privtree, privtree.PrivTree(**BOX)),
    "deep tree": (privtree, privtree.privtree, privtree.PrivTree(**{**BOX, "epsilon": 9.0}, depth=16)),
    "clusters": (k_means, k_means.k_means, k_means.KMeans(**BOX, k=3, guess=400)),
    "best choice": (
        best_choice,
        best_choice.best_choice,
        best_choice.BestChoice(**BOUNDS, candidates=("x", "y"), goal="least"),
    ),
    "best candidate": (
        best_candidate,
        best_candidate.best_candidate,
        best_candidate.BestCandidate(**BOUNDS, candidates=("x", "y")),
    ),
    "cells": (
        histogram,
        lambda rows, params, bits: histogram.histogram(list(rows.T), params, bits),
        histogram.Histogram(
            epsilon=1.0,
            axes=(histogram.Bins(lower=0.1, upper=80.7, bins=7), histogram.Bins(lower=-9.0, upper=60.0, bins=11)),
        ),
    ),
}


@pytest.fixture(scope="module")
def engine():
    with DuckDB(threads=1) as made:
        yield made


def told(value: object) -> str:
    """All of it in words, arrays to the last digit."""
    with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        return repr(value)


def asked_of_sqlite(columns, wanted):
    names = list(columns)
    with closing(sqlite_with_md5()) as connection:
        connection.execute(f"create table people ({', '.join(names)})")
        places = ", ".join("?" * len(names))
        connection.executemany(f"insert into people values ({places})", list(zip(*columns.values(), strict=True)))
        return wanted.found(connection.execute(wanted.query("people")).fetchall())


def both(engine, columns, wanted):
    """What DuckDB and SQLite found, which must be one thing."""
    found = engine.aggregates(Source("frame", frame=pa.table(columns)), wanted)
    assert told(found) == told(asked_of_sqlite(columns, wanted))
    return found


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [len(COLUMN), 1])
def test_a_column_in_a_database_gets_the_answer_of_the_array(engine, name, size):
    module, run, params = CASES[name]
    values = COLUMN[:size]
    found = both(engine, {"x": values}, module.wanted(["x"], params))
    answers = [
        run(np.array(values, dtype=object), params, RandomBits.from_seed(4)),
        module.from_aggregates(found, params, RandomBits.from_seed(4)),
    ]
    assert told(answers[0]) == told(answers[1])


@pytest.mark.parametrize("name", CASES)
def test_no_rows_in_a_database_are_those_of_an_empty_array(engine, name):
    module, run, params = CASES[name]
    found = both(engine, {"x": pa.array([], pa.float64())}, module.wanted(["x"], params))
    if params.neighbours == "replace" and module in (mean, variance):
        with pytest.raises(BadData, match="no rows"):
            module.from_aggregates(found, params, RandomBits.from_seed(4))
        return
    empty = run(np.empty(0), params, RandomBits.from_seed(4))
    assert told(empty) == told(module.from_aggregates(found, params, RandomBits.from_seed(4)))


@pytest.mark.parametrize("name", PLANES)
def test_two_columns_in_a_database_get_the_answer_of_the_array(engine, name):
    module, run, params = PLANES[name]
    rows = np.vstack([PLANE, [[math.nan, math.inf], [-math.inf, -0.0], [5e-324, 1e308]]])
    columns = {"x": rows[:, 0].tolist(), "y": rows[:, 1].tolist()}
    found = both(engine, columns, module.wanted(["x", "y"], params))
    from_array = run(rows, params, RandomBits.from_seed(5))
    from_engine = module.from_aggregates(found, params, RandomBits.from_seed(5))
    assert told(from_array) == told(from_engine)


def test_a_missing_term_would_be_seen(engine):
    """The twin: one row less, or one step more, and the answers differ."""
    params = mean.Mean(**BOUNDS)
    found = both(engine, {"x": COLUMN}, mean.wanted(["x"], params))
    truth = mean.from_aggregates(found, params, RandomBits.from_seed(4))
    for other in (replace(found, rows=found.rows - 1), replace(found, sums=(found.sums[0] + 1,))):
        assert told(mean.from_aggregates(other, params, RandomBits.from_seed(4))) != told(truth)


def test_truths_names_and_supports(engine):
    truths = np.array(COLUMN[30:], dtype=np.float64) > 30
    asked = count.Count(epsilon=0.5)
    found = both(engine, {"x": truths.tolist()}, count.wanted(["x"], asked))
    same = [
        count.count(truths, asked, RandomBits.from_seed(1)),
        count.from_aggregates(found, asked, RandomBits.from_seed(1)),
    ]
    assert told(same[0]) == told(same[1])
    words = ["fog", "sun", "sun", "ice", "it's"] * 9
    named = mode.Mode(epsilon=1.0, categories=("sun", "it's", "snow"))
    found = both(engine, {"w": words}, mode.wanted(["w"], named))
    same = [
        mode.mode(words, named, RandomBits.from_seed(1)),
        mode.from_aggregates(found, named, RandomBits.from_seed(1)),
    ]
    assert told(same[0]) == told(same[1])
    items = itemsets.Itemsets(epsilon=1.0, items=("sun", "ice", "fog"), k=2)
    baskets = [np.arange(45) // 5, np.array(words)]
    counts = itemsets.supports(baskets, items)
    same = [
        itemsets.itemsets(baskets, items, RandomBits.from_seed(1)),
        itemsets.from_counts(counts, items, RandomBits.from_seed(1)),
    ]
    assert told(same[0]) == told(same[1])


def test_keys_of_people(engine):
    """Where nobody has more keys than are kept, engine and array count the same; the array's draw takes other bits."""
    people = [place % 90 for place in range(400)]
    words = (["rain", "sun", "rain", "fog"] * 100)[:400]
    selection = partition_selection.PartitionSelection(epsilon=2.0, delta=1e-3, most=4)
    found = both(engine, {"p": people, "w": words}, partition_selection.wanted(["p", "w"], selection))
    pairs = set(zip(people, words, strict=True))
    assert found.keys == ("fog", "rain", "sun")
    assert found.counts.tolist() == [len([1 for _, word in pairs if word == key]) for key in found.keys]
    answer = partition_selection.from_aggregates(found, selection, RandomBits.from_seed(1))
    mixed = KeyCounts(("sun", "fog", "rain"), found.counts[[2, 0, 1]], 4)
    assert told(answer) == told(partition_selection.from_aggregates(mixed, selection, RandomBits.from_seed(1)))
    assert answer.keys == ("fog", "rain", "sun")
    vocabulary = ("sun", "snow", "fog", "rain")
    for score in ("users", "rows"):
        asked = keywords.Keywords(epsilon=1.0, vocabulary=vocabulary, k=2, most=5, score=score)
        found = both(engine, {"p": people, "w": words}, keywords.wanted(["p", "w"], asked))
        scores = keywords.keyword_scores([np.array(people), np.array(words)], asked, RandomBits.from_seed(3))
        assert found.of(vocabulary).tolist() == scores.tolist()
        same = [
            by(part, asked, RandomBits.from_seed(1))
            for by, part in ((keywords.from_aggregates, found), (keywords.from_counts, scores))
        ]
        assert told(same[0]) == told(same[1])


@examples(25)
@given(st.lists(st.tuples(st.floats(), st.floats()), max_size=20), st.sampled_from(["add-remove", "replace"]))
def test_moments_from_sums_are_those_of_rows(rows, neighbours):
    params = covariance.Covariance(**BOX, neighbours=neighbours)
    steps = params.box.steps(np.array(rows, dtype=np.float64).reshape(-1, 2), 1 << 14).tolist()
    products = [[a for a, _ in steps], [b for _, b in steps]]
    products += [[a * a for a, _ in steps], [a * b for a, b in steps], [b * b for _, b in steps]]
    found = Totals(len(rows), tuple(int(np.sum(np.array(part, dtype=object))) for part in products))
    assert _centred(found, params).tolist() == exact_moments(np.array(rows).reshape(-1, 2), params).tolist()


def test_whole_numbers_beyond_doubles_fall_where_a_database_puts_them(engine):
    """Just below a tie: exact in 64 bits, on the tie as a double."""
    params = sum.Sum(epsilon=1.0, lower=0.0, upper=2.0**61, grid=20, neighbours="replace")
    values = [(1 << 60) + (1 << 19) - 1, 7, (1 << 61) + 9]
    found = both(engine, {"x": values}, sum.wanted(["x"], params))
    assert found == range_of(0.0, 2.0**61, 20).totals(np.array(values))
    assert found.sums[0] == ((1 << 40) + 1) + 0 + (1 << 41)


def test_several_statistics_in_one_pass(engine):
    asked = sum.Sum(**BOUNDS), mean.Mean(**BOUNDS), variance.Variance(**BOUNDS)
    wanted = [module.wanted(["x"], params) for module, params in zip((sum, mean, variance), asked, strict=True)]
    together = both(engine, {"x": COLUMN}, Together(tuple(wanted)))
    assert together == tuple(both(engine, {"x": COLUMN}, part) for part in wanted)


@pytest.mark.parametrize("name", NAMES)
def test_each_statistic_says_what_it_wants_or_why_one_pass_is_not_enough(name):
    module = import_module(f"tacit.methods.statistics.{name.replace('-', '_')}")
    has = {part for part in ("wanted", "from_aggregates") if hasattr(module, part)}
    assert has == (set() if name in MORE_PASSES | OTHER else {"wanted", "from_aggregates"})
    page = Path(__file__).parents[3] / "docs" / "how-to" / "statistics-from-a-database.md"
    assert f"`{name}`" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(NAMES) - MORE_PASSES - OTHER))
def test_the_wrong_number_of_columns_is_refused(name):
    method = methods()[f"statistics/{name}"]
    module = import_module(f"tacit.methods.statistics.{name.replace('-', '_')}")
    for columns in (*([] if name == "count" else [[]]), ["a"] * 9, "ab"):
        with pytest.raises(BadParameter, match="column name"):
            module.wanted(columns, method.example)


@pytest.mark.parametrize("answer", [[(3,)], [(3, 1, 2)], [(3, -1)], [(3, 1 << 40)], [(-1, 0)], [(3, 1), (3, 1)]])
@pytest.mark.parametrize("module", [sum, mean, truncated_mean])
def test_answers_that_clamped_rows_can_not_have_are_refused(module, answer):
    params = next(params for part, _, params in CASES.values() if part is module)
    with pytest.raises(BadData, match="run the query of `wanted`"):
        module.wanted(["x"], params).found(answer)


@pytest.mark.parametrize("answer", [[(1,)], [("a", "b")], [("a", None)], [("a", 1.5)], [("a", -1)], [3], ["ab"]])
def test_answers_that_no_query_gives_are_refused(answer):
    sums = mean.wanted(["x"], CASES["mean"][2])
    cells = mode.wanted(["x"], mode.METHOD.example)
    bins = ranges.wanted(["x"], CASES["ranges"][2])
    keys = keywords.wanted(["p", "w"], keywords.METHOD.example)
    for wanted in (sums, Together((sums,)), cells, bins, keys):
        with pytest.raises(BadData, match="engine's answer") as refused:
            wanted.found(answer)
        assert "'a'" not in str(refused.value)
    for wanted in (sums, Together((sums,))):
        with pytest.raises(BadData, match="0 rows"):
            wanted.found([])
    with pytest.raises(BadData, match="not declared"):
        cells.found([("surely a secret", 3)])
    with pytest.raises(BadData, match="above 69"):
        bins.found([(70, 3), (Decimal(69), Decimal(1))])
    assert bins.found([(Decimal(69), Decimal(1)), (2, 3.0)]).places.tolist() == [2, 69]
    with pytest.raises(BadParameter, match="at least one"):
        Together(())


OTHERS = {
    **{name: {"lower": -7.0} for name in CASES if name != "clipping"},
    "clipping": {"bounds": (-7.3, 0.0, 1.5, 41.0, 1e100)},
    "covariance": {"upper": (92.9, 81.0)},
    "covariance, replace": {"lower": (-7.0, 0.0)},
    "line": {"lower": (-7.0, 0.0)},
    "grid": {"upper": (92.9, 81.0)},
    "tree": {"upper": (92.9, 81.0)},
    "deep tree": {"lower": (-7.0, 0.0)},
    "clusters": {"upper": (92.9, 81.0)},
    "best choice": {"upper": 92.0},
    "best candidate": {"upper": 92.0},
    "cells": {"axes": (histogram.Bins(lower=0.1, upper=80.0, bins=7), PLANES["cells"][2].axes[1])},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *PLANES])
@pytest.mark.parametrize("rows", [0, 40])
def test_what_was_asked_with_other_parameters_is_refused_whatever_was_found(engine, name, rows):
    """As many cells and terms, other bounds: nothing in what was found could tell, and no row has a say in it."""
    module, _, params = {**CASES, **PLANES}[name]
    other = module.__dict__[type(params).__name__].parse(name, {**params.model_dump(), **OTHERS[name]})
    columns = (
        {"x": PLANE[:rows, 0].tolist()} if name in CASES else dict(zip("xy", PLANE[:rows].T.tolist(), strict=True))
    )
    frame = pa.table({key: pa.array(cells, pa.float64()) for key, cells in columns.items()})
    found = engine.aggregates(Source("frame", frame=frame), module.wanted(list(columns), other))
    with pytest.raises(BadData, match="other parameters"):
        module.from_aggregates(found, params, RandomBits.from_seed(1))
    with pytest.raises(BadData, match="do not say what was asked"):
        module.from_aggregates(replace(found, asked=None), params, RandomBits.from_seed(1))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *PLANES])
def test_more_rows_of_a_person_than_the_noise_is_made_for_are_refused(engine, name):
    module, _, params = {**CASES, **PLANES}[name]
    columns = ["x"] if name in CASES else ["x", "y"]
    frame = pa.table({"p": np.arange(40) // 8, "x": PLANE[:40, 0], "y": PLANE[:40, 1]})
    source, wanted = Source("frame", frame=frame), module.wanted(columns, params)
    with pytest.raises(BadData, match=rf"up to 5 rows .* contributions is {params.contributions}"):
        module.from_aggregates(engine.aggregates(source, wanted, People("p", 5)), params, RandomBits.from_seed(1))
    kept = engine.aggregates(source, wanted, People("p", 1))
    assert module.from_aggregates(kept, params, RandomBits.from_seed(1)).event is not None


def test_people_are_told_apart_together_and_in_plain_sql(engine):
    params, people = mean.Mean(**BOUNDS), People("p", 2)
    wanted = mean.wanted(["x"], params)
    columns = {"p": [1, 1, 1, 2], "x": [1.0, 2.0, 3.0, 4.0]}
    (found,) = engine.aggregates(Source("frame", frame=pa.table(columns)), Together((wanted,)), people)
    assert told(found) == told(asked_of_sqlite(columns, people.of(wanted)))
    for part in (found, asked_of_sqlite(columns, people.of(wanted))):
        assert part.rows == 3
        with pytest.raises(BadData, match="up to 2 rows"):
            mean.from_aggregates(part, params, RandomBits.from_seed(1))
    twice = mean.Mean(**BOUNDS, contributions=2)
    assert mean.from_aggregates(found, twice, RandomBits.from_seed(1)).event is not None


@pytest.mark.parametrize("most", [0, -1, 1.5, True, "2", None])
def test_people_without_rows_are_refused(most):
    with pytest.raises(BadParameter, match="most"):
        People("p", most)


def test_keys_that_were_counted_otherwise_are_refused():
    words = keywords.METHOD.example
    rows = words.model_copy(update={"score": "rows"})
    fewer = words.model_copy(update={"vocabulary": ("rain", "sun", "snow")})
    free = partition_selection.METHOD.example
    asked = {
        (keywords, words): (keywords.wanted(["p", "w"], part) for part in (rows, fewer)),
        (partition_selection, free): [keywords.wanted(["p", "w"], words.model_copy(update={"most": 1}))],
    }
    for (module, params), others in asked.items():
        for other in others:
            with pytest.raises(BadData, match="other declared keys"):
                module.from_aggregates(other.found([]), params, RandomBits.from_seed(1))


def test_counts_of_other_cells_are_refused():
    params = CASES["mean of bins"][2]
    found = histogram_mean.wanted(["x"], params).found([(1, 5)])
    with pytest.raises(BadData, match="12 cells"):
        histogram_mean.from_aggregates(replace(found, size=12), params, RandomBits.from_seed(1))
    with pytest.raises(BadData, match="one for each of 6 sets"):
        itemsets.from_counts(np.arange(5), itemsets.METHOD.example, RandomBits.from_seed(1))
    with pytest.raises(BadData, match="one for each of"):
        keywords.from_counts(np.arange(50), keywords.METHOD.example, RandomBits.from_seed(1))


@pytest.mark.slow
def test_examples_run_from_aggregates_too(engine):
    """The example of each card, from columns of numbers."""
    for name in sorted(set(NAMES) - MORE_PASSES - OTHER - SAMPLED - {"count", "mode", "histogram"}):
        method, module = (
            methods()[f"statistics/{name}"],
            import_module(f"tacit.methods.statistics.{name.replace('-', '_')}"),
        )
        rows = np.asarray(data_for(name), dtype=np.float64)
        columns = {f"c{place}": column.tolist() for place, column in enumerate(np.atleast_2d(rows.T))}
        found = both(engine, columns, module.wanted(list(columns), method.example))
        ours = module.from_aggregates(found, method.example, RandomBits.from_seed(8))
        assert told(ours) == told(method.run(rows, method.example, RandomBits.from_seed(8)))

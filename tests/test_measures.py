"""The same metrics of a recoded, a noisy, a sampled and a synthetic table, through the same call (`tacit.measures`)."""

import importlib.util
from collections.abc import Sequence
from functools import cache
from math import isfinite, log2

import pyarrow as pa
import pytest

from tacit.catalogue import metrics
from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.view import View, compare, view_of
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter
from tacit.measures import compare_views, measure, read_view

AGE = Hierarchy.from_paths("age", [["20", "young", "*"], ["30", "young", "*"], ["40", "old", "*"], ["50", "old", "*"]])
TOWN = Hierarchy.from_paths("town", [["a", "*"], ["b", "*"]])
READING = TallyRequest(("age", "town"), ("income",))

Row = tuple[str, str, str]
PEOPLE: list[Row] = [(age, town, f"{age}0") for age, town in (("20", "a"), ("30", "a"), ("40", "b"), ("50", "b")) * 2]

RECODED: list[Row] = [("young" if town == "a" else "old", town, income) for _, town, income in PEOPLE[:7]]
RECODED += [("*", "*", "*")]
NOISY: list[Row] = [(str(int(age) + 1), town, income) for age, town, income in PEOPLE]
SAMPLED: list[Row] = [row for row in PEOPLE if row[0] in ("20", "40")]
SYNTHETIC: list[Row] = [("20", "a", "100"), ("60", "c", "100")] * 8
KINDS = {"recoded": RECODED, "noisy": NOISY, "sampled": SAMPLED, "synthetic": SYNTHETIC}
METRICS = {name.removeprefix("tables/"): card for name, card in metrics().items()}
FREE = sorted(name for name, card in METRICS.items() if not card.needs_pairs)


def view(rows: Sequence[Row]) -> View:
    return view_once(tuple(rows))


@cache
def view_once(rows: tuple[Row, ...]) -> View:
    """A view is frozen, so it is read once for all tests that look at the same rows."""
    table = pa.table(dict(zip(READING.columns, zip(*rows, strict=True), strict=True)))
    with DuckDB(threads=1) as engine:
        return read_view(engine, Source("frame", frame=table), READING, (AGE, TOWN))


def found(rows: Sequence[Row], name: str, **params: object) -> dict[str, float]:
    """Everything that a metric finds."""
    value = compare_views(view(PEOPLE), view(rows), {name: params} if params else [name])[name]
    return {"value": value.value, **value.per_column, **{f".{part}": each for part, each in value.details.items()}}


def test_loss_is_how_coarse_the_cells_are() -> None:
    """Seven rows of a node over 2 of 4 ages and one that is suppressed; towns are as they were but for that one."""
    lost = found(RECODED, "loss")
    assert lost["age"] == pytest.approx((7 * 1 / 3 + 1) / 8)
    assert lost["town"] == pytest.approx(1 / 8)
    assert lost["value"] == pytest.approx((lost["age"] + lost["town"]) / 2)
    assert found([("*", "a", "1")] * 2, "loss")["age"] == 1
    for rows in (NOISY, SAMPLED, SYNTHETIC):
        assert found(rows, "loss")["value"] == 0


def test_distances_are_how_far_values_moved() -> None:
    """Noise of one year leaves no age as it was, and moves each by 1 of the 31 years that both tables span."""
    assert found(NOISY, "total-variation")["age"] == pytest.approx(1)
    assert found(NOISY, "total-variation")["town"] == 0
    assert found(NOISY, "wasserstein")["age"] == pytest.approx(1 / 31)
    assert found(SAMPLED, "total-variation")["age"] == pytest.approx((4 * 1 / 4) / 2)
    assert found(SYNTHETIC, "total-variation")["age"] == pytest.approx((1 / 4 + 3 / 4 + 1 / 2) / 2)
    assert found(SYNTHETIC, "total-variation")["town"] == pytest.approx((1 / 2 + 1 / 2) / 2)
    swapped = [("20", "b", "200"), *PEOPLE[1:]]
    assert found(swapped, "total-variation")["town"] == pytest.approx(1 / 8)
    joint = {
        ("20", "a"): 1 / 4 - 1 / 2,
        ("60", "c"): -1 / 2,
        ("30", "a"): 1 / 4,
        ("40", "b"): 1 / 4,
        ("50", "b"): 1 / 4,
    }
    moved = sum(map(abs, joint.values())) / 2
    assert found(SYNTHETIC, "total-variation", of="pairs")["value"] == pytest.approx(moved)


def test_the_divergence_of_a_table_that_lacks_a_value_is_finite() -> None:
    """Of 4 rows 2 are of age 20 and 2 of age 40; with half a row for each of 4 ages these are 2.5 and 0.5 of 6."""
    expected = 2 / 4 * log2((1 / 4) / (2.5 / 6)) + 2 / 4 * log2((1 / 4) / (0.5 / 6))
    assert found(SAMPLED, "kullback-leibler")["age"] == pytest.approx(expected)


@pytest.mark.slow
def test_classes_and_risk_are_those_of_the_table_after() -> None:
    assert found(SYNTHETIC, "discernibility")["value"] == 8 * 8 * 2
    assert found(SYNTHETIC, "risk")["value"] == pytest.approx(1 / 8)
    assert found(SAMPLED, "risk")["value"] == pytest.approx(1 / 2)
    assert found(RECODED, "suppression") == {"value": 1 / 8, ".rows": 1}
    assert found(NOISY, "singling-out")["value"] == 0
    assert found(PEOPLE[:4], "singling-out")["value"] == 1


@pytest.mark.parametrize("name", ["total-variation", "wasserstein", "correlation", "regression", "query-error", "loss"])
def test_a_table_with_every_row_twice_is_as_useful(name: str) -> None:
    assert found(PEOPLE * 2, name)["value"] == pytest.approx(0, abs=1e-12)


def test_an_association_that_was_made_up_away_is_seen() -> None:
    """Income is ten times the age before, and has nothing to do with it after."""
    apart = [(age, "a", income) for age in ("20", "50") for income in ("200", "500")]
    assert found(apart, "correlation")[".numbers"] == pytest.approx(1)
    assert found(apart, "regression", target="income")[".explained_before"] == pytest.approx(1)
    assert found(apart, "regression", target="income")[".explained_after"] == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="needs the extra `models`")
def test_a_model_is_trained_on_the_table_after_and_tested_on_the_table_before() -> None:
    """The age tells the town; in the second table it tells the other one."""
    other = [(age, "b" if town == "a" else "a", income) for age, town, income in PEOPLE]
    for rows, accuracy in ((PEOPLE * 2, 1), (other * 2, 0)):
        learnt = found(rows, "machine-learning", target="town", model="tree", folds=2)
        assert learnt["value"] == accuracy
    reversed_ = [(age, town, {"200": "400", "400": "200"}[income]) for age, town, income in SAMPLED]
    assert found(reversed_, "machine-learning", target="income", model="tree", folds=2)["value"] == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FREE)
def test_every_metric_that_needs_no_pairs_measures_every_kind(name: str, kind: str) -> None:
    if name == "machine-learning" and importlib.util.find_spec("sklearn") is None:
        pytest.skip("needs the extra `models`")
    assert isfinite(found(KINDS[kind], name)["value"])


@pytest.mark.parametrize("name", sorted(set(METRICS) - set(FREE)))
def test_a_metric_that_follows_rows_says_so(name: str) -> None:
    with pytest.raises(BadParameter, match=f"{name}.* follows rows"):
        found(SAMPLED, name)
    card = METRICS[name]
    with pytest.raises(BadParameter, match="follows every row"):
        card.run(compare(view(PEOPLE), view(SAMPLED)), card.example)


def test_most_metrics_need_no_pairs() -> None:
    assert {"loss", "precision", "total-variation", "wasserstein", "correlation", "query-error", "risk"} <= set(FREE)


def test_the_table_before_shows_plain_values_of_the_same_columns() -> None:
    with pytest.raises(BadParameter, match=r"'age': the table before must show plain values, and 2 of its labels"):
        compare(view(RECODED[:7]), view(PEOPLE))
    with DuckDB(threads=1) as engine:
        reading = TallyRequest(("town",))
        towns = Source("frame", frame=pa.table({"town": ["a"]}))
        alone = view_of(tally_from(engine.tally(towns, reading.columns), reading), (TOWN,))
    with pytest.raises(BadData, match="columns before and after differ"):
        compare(view(PEOPLE), alone)
    with pytest.raises(BadData, match="columns of the table and of the hierarchies differ"):
        view_of(alone.classes, (AGE, TOWN))


def test_weights_and_parameters_are_used() -> None:
    both = compare(view(PEOPLE), view(RECODED), (3, 1))
    lost = measure(both, ["loss"])["loss"]
    assert lost.value == pytest.approx((3 * lost.per_column["age"] + lost.per_column["town"]) / 4)
    with pytest.raises(BadParameter, match="weights are"):
        compare(view(PEOPLE), view(RECODED), (0, 0))
    with pytest.raises(BadParameter, match="total-variation"):
        measure(both, {"total-variation": {"of": "nothing"}})

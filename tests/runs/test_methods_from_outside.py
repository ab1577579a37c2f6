"""Cards that an installed package brings for each run: they are called, and what they decide is published or refused.

Covers runs/republication/plan, runs/republication/process, counts/task, counts/tabulate, steps/sample, plan/schema,
cards/republication, cards/counts, cards/columns.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.plugin.brought import install
from tests.runs.planned import form_of, names_in, protected, rows_in, write_plan

import tacit
from tacit.cli.tabulate import COMMAND
from tacit.errors import BadParameter, CannotGuarantee, TacitError
from tacit.plan.load import load_plan
from tacit.runs.republication.history import parse_history
from tacit.verbs.plans import Tabulation, tabulate_plan

REPUBLICATION = """
from tacit.cards.republication import RepublicationMethod, RepublicationParams
from tacit.data.tables.republication import Assignment, NextRelease
from tacit.errors import CannotGuarantee
from tacit.methods.tables.republish import republish

MADE = []


class Own(RepublicationParams):
    way: str = "ours"


def own(earlier, people, m, params, bits):
    if params.way == "none":
        raise CannotGuarantee("own-republication finds no release")
    made = republish(earlier, people, m, bits, 0)
    if params.way == "alone":
        # Everybody in a class of their own, under a signature of their own value alone.
        values = sorted(set(people.value.tolist()))
        mine = [values.index(value) for value in people.value.tolist()]
        own = made.class_ * 0 + range(made.class_.size)
        alone = Assignment(own, made.class_ * 0 + mine, tuple((v,) for v in values))
        made = NextRelease(alone.class_, alone.signature, earlier.joined(people, earlier.find(people), alone))
    MADE.append(made)
    return made


METHOD = RepublicationMethod(
    title="Own republication", params=Own, run=own, needs="people", gives="a release", guarantees=("republication",),
    paper="https://example.org", example=Own(history="h"),
)
"""
COUNTS = """
from dataclasses import replace

import numpy as np

from tacit.cards.counts import CountsMethod, HiddenCounts
from tacit.data.counts.intervals import deduced
from tacit.data.counts.suppressed import SuppressedTable


class Own(HiddenCounts):
    way: str = "all"


def own(margins, params):
    counts = margins.counts
    small = (counts > 0) & (counts < params.threshold)
    # All but the grand total and what is empty is left out, or nothing besides the small counts.
    hidden = (counts > 0) if params.way == "all" else small.copy()
    hidden.flat[-1] = False
    found = SuppressedTable(margins, small, hidden & ~small, deduced(margins, hidden), 0.0, 0.0, False)
    if params.way == "other":
        return replace(found, margins=replace(margins, counts=counts + 1))
    return found


METHOD = CountsMethod(
    title="Own counts", params=Own, run=own, needs="counts", gives="few counts", paper="https://example.org",
    example=Own(),
)
"""
SAMPLE = """
import numpy as np

from tacit.cards.columns import SamplingMethod
from tacit.params import Params


class Every(Params):
    nth: int
    lie: bool = False


def every(columns, params, bits):
    return columns.taken(np.arange(0, columns.rows, params.nth))


METHOD = SamplingMethod(
    title="Every nth", params=Every, run=every, needs="columns", gives="every nth row", paper="https://example.org",
    example=Every(nth=2), size=lambda params, number, what: -(-number // params.nth) + params.lie,
    chances="every nth was taken",
)
"""
METRIC = """
from tacit.cards.metric import Metric, MetricValue
from tacit.params import Params

METRIC = Metric(
    title="Seven", params=Params, run=lambda compared, params: MetricValue(7.0), needs="tables", gives="seven",
    paper="https://example.org", example=Params(), standard=("release",),
)
"""
SELECTION = """
from dataclasses import dataclass, replace
from types import SimpleNamespace

from tacit.cards.statistics import KeySelection
from tacit.methods.statistics.partition_selection import METHOD as OURS

METHOD = replace(
    OURS, title="Own selection", answer=lambda found, params, bits: SimpleNamespace(keys=("1000", "1003"))
)
"""
MODULES = {
    "outside/metrics/__init__.py": "",
    "outside/metrics/tables/seven.py": METRIC,
    "outside/methods/statistics/own_selection.py": SELECTION,
    "outside/__init__.py": "",
    "outside/methods/tables/own_republication.py": REPUBLICATION,
    "outside/methods/counts/own_counts.py": COUNTS,
    "outside/methods/columns/every.py": SAMPLE,
    "outside/methods/__init__.py": "",
}


POINTS = "[tacit.methods]\noutside = outside.methods\n\n[tacit.metrics]\noutside = outside.metrics\n"


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a method of each sort, installed as pip would."""
    site = install(tmp_path / "site", "outside", MODULES, POINTS)
    monkeypatch.syspath_prepend(site)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside"]:
        del sys.modules[name]


def module(name: str) -> ModuleType:
    return import_module(f"outside.methods.{name}")


PEOPLE = [
    {"name": f"p{i}", "zip": f"{1000 + i % 5}", "age": str(20 + i), "ill": ["flu", "cold", "hiv"][i % 3]}
    for i in range(30)
]
ROLES: dict[str, Any] = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "ill": {"role": "sensitive"},
}


def republication_plan(folder: Path, **release: Any) -> Path:
    section = {
        "method": "tables/own-republication",
        "parameters": {"history": "people.history"},
        "guarantees": [{"m-invariance": {"m": 2}}],
        **release,
    }
    return write_plan(folder, form_of(ROLES, unit="name") | {"release": section}, PEOPLE)


@pytest.mark.slow
def test_the_classes_of_a_republication_are_those_that_its_method_decided(tmp_path: Path, outside: None) -> None:
    outcome = protected(republication_plan(tmp_path))
    (made,) = module("tables.own_republication").MADE
    assert outcome.release.recipe.method == "tables/own-republication"
    values = parse_history((tmp_path / "people.history").read_bytes(), "history").values
    class_, value = made.published()
    decided = sorted((str(number + 1), values[code]) for number, code in zip(class_, value, strict=True))
    assert sorted((row["class"], row["ill"]) for row in rows_in(outcome.output)) == decided


@pytest.mark.slow
@pytest.mark.parametrize(("way", "says"), [("none", "own-republication finds no release"), ("alone", "not published")])
def test_a_release_that_its_method_refuses_or_spoils_is_not_published(
    tmp_path: Path, outside: None, way: str, says: str
) -> None:
    plan = republication_plan(tmp_path, parameters={"history": "people.history", "way": way})
    before = names_in(tmp_path)
    with pytest.raises(TacitError, match=says):
        protected(plan)
    assert names_in(tmp_path) == before


def test_parameters_of_a_republication_are_those_of_its_method(tmp_path: Path, outside: None) -> None:
    with pytest.raises(BadParameter, match="sweeps"):
        protected(republication_plan(tmp_path, parameters={"history": "h", "sweeps": 3}))


TOWNS = [{**row, "town": "abc"[i % 3], "ill": "flu" if i else "gout"} for i, row in enumerate(PEOPLE)]
COUNTED: dict[str, Any] = {**ROLES, "town": {"role": "quasi-identifier"}}


def counts_plan(folder: Path) -> Path:
    return write_plan(folder, form_of(COUNTED), TOWNS)


@pytest.mark.slow
def test_a_table_of_counts_leaves_out_what_the_named_method_does(tmp_path: Path, outside: None) -> None:
    asked = Tabulation(["town", "ill"], {"threshold": 3}, "counts/own-counts")
    made = tabulate_plan(counts_plan(tmp_path), asked)
    shown = [row["rows"] for row in rows_in(made.output)]
    # Two of the three towns have no gout; all other counts but that of everybody are left out.
    assert sorted(shown) == ["*"] * 9 + ["0", "0", "30"]
    assert made.release.recipe.method == "counts/own-counts"
    assert "--method counts/own-counts --set threshold=3" in made.release.recipe.command
    frame = tacit.read(tmp_path / "people.csv", COUNTED)
    assert np.isnan(tacit.tabulate(frame, ["town", "ill"], method="counts/own-counts").published).sum() == 9


def test_the_command_names_the_method(tmp_path: Path, outside: None) -> None:
    asked = COMMAND.make_context("tabulate", [str(counts_plan(tmp_path)), "--by", "town", "--method", "counts/x"])
    assert asked.params["method"] == "counts/x"
    with pytest.raises(BadParameter, match="of the kind 'tables', not 'counts'"):
        tabulate_plan(tmp_path / "plan.yaml", Tabulation(["town"], {}, "tables/lattice"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "says"), [("few", "could be deduced from the written table"), ("other", "changed the table")]
)
def test_a_table_of_counts_that_its_method_spoils_is_refused(
    tmp_path: Path, outside: None, way: str, says: str
) -> None:
    plan = counts_plan(tmp_path)
    before = names_in(tmp_path)
    with pytest.raises(CannotGuarantee, match=says):
        tabulate_plan(plan, Tabulation(["town", "ill"], {"threshold": 3, "way": way}, "counts/own-counts"))
    assert names_in(tmp_path) == before


def sampled(folder: Path, rows: list[dict[str, str]] = PEOPLE, unit: str | None = "name", **sample: Any) -> Path:
    roles = {**ROLES, **({"n": {"role": "insensitive"}} if "n" in rows[0] else {})}
    return write_plan(folder, form_of(roles, {"suppression": 1.0, "sample": sample}, unit=unit), rows)


@pytest.mark.slow
def test_a_sample_is_drawn_by_the_method_that_the_plan_names(tmp_path: Path, outside: None) -> None:
    numbered = [{**row, "n": str(i)} for i, row in enumerate(PEOPLE)]
    outcome = protected(sampled(tmp_path, numbered, None, method="columns/every", nth=4))
    assert [row["n"] for row in rows_in(outcome.output)] == ["0", "4", "8", "12", "16", "20", "24", "28"]
    assert any("every nth was taken. To estimate" in note for note in outcome.release.notes)
    assert outcome.release.recipe.plan["release"]["sample"] == {"method": "columns/every", "nth": 4}
    people = protected(sampled(tmp_path, method="columns/every", nth=4)).release.body.drawn
    assert (people.people, people.of_people) == (8, 30)


def test_a_sample_that_can_not_be_is_refused(tmp_path: Path, outside: None) -> None:
    with pytest.raises(BadParameter, match="columns/noise does not draw a sample"):
        load_plan(sampled(tmp_path, method="columns/noise"))
    with pytest.raises(BadParameter, match=r"columns/every: .*nth"):
        load_plan(sampled(tmp_path, method="columns/every", size=3))
    with pytest.raises(CannotGuarantee, match="did not draw the people that it said"):
        protected(sampled(tmp_path, method="columns/every", nth=4, lie=True))


@pytest.mark.slow
def test_a_metric_that_calls_itself_standard_is_measured_of_every_release(tmp_path: Path, outside: None) -> None:
    made = protected(write_plan(tmp_path, form_of(ROLES, {"suppression": 1.0}), PEOPLE)).release
    assert made.body.metrics["seven"] == 7.0
    assert "loss" in made.body.metrics


@pytest.mark.slow
def test_groups_are_chosen_by_the_method_that_their_price_names(outside: None) -> None:
    frame = pa.table({name: [row[name] for row in PEOPLE] for name in ("zip", "age")})
    budget = tacit.PrivacyBudget(epsilon=3, delta=1e-3)
    price = {"epsilon": 1.0, "delta": 1e-6, "method": "statistics/own-selection"}
    found = tacit.statistics.count(frame, by="zip", keys=price, epsilon=1.0, budget=budget)
    assert found.keys == ("1000", "1003")
    with pytest.raises(BadParameter, match="statistics/mean does not choose groups"):
        tacit.statistics.count(frame, by="zip", keys={**price, "method": "statistics/mean"}, epsilon=1.0, budget=budget)
    assert found.spent["epsilon"] == pytest.approx(2.0)

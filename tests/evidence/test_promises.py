"""Guarantees in words: each that exists has a side, a paper and an honest word on what it leaves open."""

import math
from typing import Any

import pytest

from tacit.evidence.promises import name_of, promise_of
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.promise import Measured, WorstPart

# The side of the bound that each definition calls safe, from the papers.
SIDES: list[tuple[str, dict[str, Any], str]] = [
    ("k-anonymity", {"k": 5}, "at least"),
    ("k-concealment", {"k": 5}, "at least"),
    ("k-map", {"k": 5}, "at least"),
    ("m-invariance", {"m": 3, "column": "x"}, "at least"),
    ("l-diversity", {"l": 3, "kind": "distinct", "column": "x"}, "at least"),
    ("l-diversity", {"l": 3, "kind": "entropy", "column": "x"}, "at least"),
    ("l-diversity", {"l": 3, "kind": "recursive", "c": 4, "column": "x"}, "below"),
    ("t-closeness", {"t": 0.2, "column": "x"}, "at most"),
    ("delta-presence", {"minimum": 0.1, "maximum": 0.5}, "at most"),
    ("delta-presence", {"minimum": 0.1, "maximum": 1.0}, "at least"),
    ("beta-likeness", {"beta": 1.5, "kind": "basic", "column": "x"}, "at most"),
    ("delta-disclosure", {"delta": 1.0, "column": "x"}, "below"),
    ("alpha-k-anonymity", {"alpha": 0.5, "k": 5, "column": "x"}, "at most"),
]


def finding(name: str, parameters: dict[str, Any], **more: Any) -> Measured:
    fields = {"bound": 0.0, "measured": 1.0, "holds": True, "parts": 1, "failing": 0, "failing_people": 0}
    return Measured(name=name, parameters=parameters, **{**fields, **more})


@pytest.mark.parametrize(("name", "parameters", "side"), SIDES, ids=lambda value: str(value))
def test_the_safe_side_is_the_definition_s(name: str, parameters: dict[str, Any], side: str) -> None:
    guarantee = parse_table_guarantee({name: parameters})
    found = finding(name, guarantee.model_dump(), bound=guarantee.bound, says=guarantee.promise)
    promise = promise_of(found)
    assert promise.side == side
    assert promise.bound.startswith(side)
    assert promise.paper == guarantee.paper
    assert guarantee.title in promise.title
    assert promise.says[0].isupper()
    assert promise.says.endswith(".")


def test_every_guarantee_says_what_it_leaves_open() -> None:
    known = guarantees()
    assert set(known) == {name for name, _, _ in SIDES}
    assert all(kind.open and all(text.endswith(".") for text in kind.open) for kind in known.values())


def test_names_tell_kind_and_column() -> None:
    assert name_of(finding("k-anonymity", {"k": 5})) == "k-anonymity"
    entropy = finding("l-diversity", {"l": 3, "kind": "entropy"}, column="job")
    assert name_of(entropy) == "entropy l-diversity of job"


def test_parameters_are_told_without_the_column_and_what_is_not_set() -> None:
    found = finding("l-diversity", {"l": 3.0, "kind": "entropy", "c": None, "column": "job"})
    assert promise_of(found).parameters == "l = 3 and kind = entropy"


@pytest.mark.parametrize(
    ("measures", "side"), [((1.0, 2.0), "at least"), ((2.0, 1.0), "at most"), ((-math.inf, 0.0), "at least")]
)
def test_an_unknown_guarantee_is_read_off_its_worst_classes(measures: tuple[float, float], side: str) -> None:
    worst = tuple(WorstPart(people=1, rows=1, measured=value) for value in measures)
    promise = promise_of(finding("future-privacy", {"x": 1}, worst=worst, bound=7.0))
    assert promise.side == side
    assert promise.says == f"Every class measures {side} 7."
    assert promise.paper is None
    assert promise.open


@pytest.mark.parametrize(
    ("measured", "holds", "side"), [(2.0, True, "at least"), (0.5, True, "at most"), (2.0, False, "at most")]
)
def test_or_off_the_verdict_where_classes_do_not_tell(measured: float, holds: bool, side: str) -> None:
    assert promise_of(finding("future-privacy", {}, measured=measured, holds=holds, bound=1.0)).side == side

"""Guarantees in words: each that exists has a side, a paper and an honest word on what it leaves open."""

from typing import Any

import pytest
from tests.oracle.counted import classes_from

from tacit.evidence.promises import name_of, promise_of
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.guarantee import check
from tacit.promise import Measured

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
    return Measured(name=name, parameters=parameters, **{**fields, "side": "at least", **more})


@pytest.mark.parametrize(("name", "parameters", "side"), SIDES, ids=lambda value: str(value))
def test_the_safe_side_is_the_definition_s(name: str, parameters: dict[str, Any], side: str) -> None:
    guarantee = parse_table_guarantee({name: parameters})
    own = {"title": guarantee.title, "side": guarantee.side, "bound": guarantee.bound}
    promise = promise_of(finding(name, guarantee.model_dump(), says=guarantee.promise(), **own))
    assert guarantee.side == side
    assert promise.bound.startswith(side)
    assert promise.paper == guarantee.paper
    assert guarantee.title in promise.title
    assert promise.says[0].isupper()
    assert promise.says.endswith(".")


def test_every_guarantee_says_what_it_leaves_open() -> None:
    known = guarantees()
    assert set(known) == {name for name, _, _ in SIDES}
    assert all(kind.open and all(text.endswith(".") for text in kind.open) for kind in known.values())


def test_names_tell_form_and_column() -> None:
    assert name_of(finding("k-anonymity", {"k": 5})) == "k-anonymity"
    entropy = finding("l-diversity", {"l": 3}, form="entropy", column="job")
    assert name_of(entropy) == "entropy l-diversity of job"
    assert name_of(finding("beta-likeness", {}, form="basic"), "β-likeness") == "basic β-likeness"


def test_a_parameter_called_kind_is_no_form_unless_the_guarantee_says_so() -> None:
    assert name_of(finding("future-privacy", {"kind": "of thing"})) == "future-privacy"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"l-diversity": {"l": 2, "kind": "recursive", "c": 3}}, ("l-diversity", "recursive", "below")),
        ({"beta-likeness": {"beta": 2, "kind": "basic"}}, ("β-likeness", "basic", "at most")),
        ({"k-anonymity": {"k": 2}}, ("k-anonymity", "", "at least")),
    ],
    ids=lambda part: str(part),
)
def test_a_check_carries_what_a_reader_needs(entry: dict[str, Any], words: tuple[str, str, str]) -> None:
    found = check(parse_table_guarantee(entry), classes_from([[2, 2]]))
    assert (found.title, found.form, found.side) == words
    assert Measured.model_validate_json(found.model_dump_json()) == found


def test_parameters_are_told_without_the_column_and_what_is_not_set() -> None:
    found = finding("l-diversity", {"l": 3.0, "kind": "entropy", "c": None, "column": "job"}, column="job")
    assert promise_of(found).parameters == "l = 3 and kind = entropy"


def test_a_parameter_called_column_is_told_unless_the_title_names_it() -> None:
    assert promise_of(finding("future-privacy", {"column": "wide"})).parameters == "column = wide"


@pytest.mark.parametrize("side", ["at least", "at most", "below"])
def test_of_a_guarantee_that_is_not_installed_all_is_told_that_it_carried(side: str) -> None:
    """Neither the order of the worst classes nor the verdict is looked at: both may look alike on either side."""
    promise = promise_of(finding("future-privacy", {"x": 1}, title="Future privacy", side=side, bound=7.0))
    assert (promise.title, promise.bound) == ("Future privacy", f"{side} 7")
    assert promise.says == f"Every class measures {side} 7."
    assert promise.paper is None
    assert promise.open


def test_where_it_carried_no_title_its_name_is_one() -> None:
    assert promise_of(finding("future-privacy", {})).title == "future-privacy"

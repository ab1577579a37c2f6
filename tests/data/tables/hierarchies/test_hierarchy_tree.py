"""Hierarchies written as trees: W6, labels at the right distance from the root, a reason for what is no tree.

Covers hierarchies/tree.
"""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
import yaml
from hypothesis import given, reject
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.tree import TreeSpec, build_tree, tree_paths
from tacit.errors import BadParameter

WORKCLASS = """
tree:
  Government: [State, Local, Federal]
  Private:
  Self-employed: [Inc, Not-inc]
  Unemployed: [Without-pay, Never-worked]
"""


def test_w6_workclass_written_as_a_tree() -> None:
    hierarchy = build_tree("workclass", TreeSpec.parse("workclass", yaml.safe_load(WORKCLASS)))
    loss = dict(zip(hierarchy.labels_at(1), hierarchy.cell_loss[1], strict=True))
    assert len(hierarchy.leaves) == 8
    assert loss["Private"] == 0
    assert loss["Government"] == float(Fraction(2, 7))
    assert loss["Unemployed"] == float(Fraction(1, 7))
    assert set(hierarchy.cell_loss[2]) == {1.0}


def test_labels_keep_their_distance_from_the_root() -> None:
    paths = tree_paths({"A": {"B": ["x", "y"]}, "C": ["z"], "D": None, "E": "e"})
    assert paths == [
        ["x", "B", "A", "*"],
        ["y", "B", "A", "*"],
        ["z", "z", "C", "*"],
        ["D", "D", "D", "*"],
        ["e", "e", "E", "*"],
    ]


def test_the_one_label_above_all_is_the_root() -> None:
    assert tree_paths({"Any": {"A": ["x"], "B": ["y"]}}) == [["x", "A", "Any"], ["y", "B", "Any"]]
    assert tree_paths({"Any": None}) == [["Any", "*"]]
    assert tree_paths(["x", "y"]) == [["x", "*"], ["y", "*"]]


def test_leaves_and_mappings_may_stand_in_one_list() -> None:
    assert tree_paths(["x", {"A": ["y"]}]) == [["x", "x", "*"], ["y", "A", "*"]]


def test_scalars_of_yaml_become_text_and_null_is_missing() -> None:
    assert tree_paths([1, 2.5, date(1984, 3, 5), None]) == [["1", "*"], ["2.5", "*"], ["1984-03-05", "*"], ["", "*"]]


names = st.text(st.sampled_from("abc"), min_size=1, max_size=3)
trees = st.recursive(
    st.none() | st.lists(names, min_size=1, max_size=3),
    lambda below: st.dictionaries(names, below, min_size=1, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(trees)
def test_a_tree_is_a_hierarchy_or_a_reason(tree: Any) -> None:
    try:
        spec = TreeSpec.parse("x", {"tree": tree})
    except BadParameter:
        reject()
    hierarchy = build_tree("x", spec)
    again = TreeSpec.parse("x", yaml.safe_load(yaml.safe_dump(spec.model_dump(mode="json"), sort_keys=False)))
    assert build_tree("x", again).labels == hierarchy.labels
    for label in _labels(tree):
        assert any(label in level for level in hierarchy.labels)


def _labels(node: Any) -> set[str]:
    if isinstance(node, dict):
        return set(node) | {label for below in node.values() for label in _labels(below)}
    return set(node or ())


def test_a_spec_does_not_follow_its_source() -> None:
    source = {"A": ["x"], "B": ["y"]}
    spec = TreeSpec(tree=source)
    source["A"].append("z")
    assert build_tree("x", spec).leaves == ("x", "y")


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({}, "not empty"),
        ([], "not empty"),
        ("x", "not empty"),
        (None, "not empty"),
        ({"A": [], "B": ["x"]}, "'A' has nothing below it; write null"),
        ({"A": ["x"], "B": ["x"]}, "duplicate leaf .*'x'"),
        ({"A": {"q": ["x"]}, "B": {"q": ["y"]}}, "'q' at level 1 .*two parents, 'A' and 'B'"),
        ({"A": [True, "x"]}, "unquoted yes, no"),
        ({False: ["x"], "A": ["y"]}, "unquoted yes, no"),
        ([["x"]], "not a list: put it in quotes"),
        ({1: ["x"], "1": ["y"]}, "read the same as text"),
    ],
)
def test_a_refusal_says_what_is_no_tree(tree: object, words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        TreeSpec.parse("x", {"tree": tree})


def test_a_tree_that_holds_itself_is_refused() -> None:
    tree: dict[str, Any] = {"a": ["x"]}
    tree["b"] = tree
    with pytest.raises(BadParameter, match="at most 64 levels"):
        TreeSpec.parse("x", {"tree": tree})

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchy import MISSING, Hierarchy, Origin, shape_of, show_shapes, show_some
from tacit.errors import BadData

WORKCLASS = [
    ["State", "Government", "*"],
    ["Local", "Government", "*"],
    ["Federal", "Government", "*"],
    ["Private", "Private", "*"],
    ["Inc", "Self-employed", "*"],
    ["Not-inc", "Self-employed", "*"],
    ["Without-pay", "Unemployed", "*"],
    ["Never-worked", "Unemployed", "*"],
]


def test_w6_loss_of_workclass() -> None:
    hierarchy = Hierarchy.from_paths("workclass", WORKCLASS)
    loss = {
        label: hierarchy.cell_loss[1, leaf] for leaf, label in enumerate(hierarchy.labels_at(1))
    }  # level 1: Government, Private, Self-employed, Unemployed
    assert loss["Private"] == 0
    assert loss["Government"] == float(Fraction(2, 7))
    assert loss["Unemployed"] == float(Fraction(1, 7))
    assert set(hierarchy.cell_loss[2]) == {1.0}
    assert set(hierarchy.cell_loss[0]) == {0.0}


def test_the_fields_describe_the_paths() -> None:
    hierarchy = Hierarchy.from_paths("workclass", WORKCLASS)
    assert hierarchy.height == 2
    assert hierarchy.leaves == tuple(path[0] for path in WORKCLASS)
    assert [hierarchy.labels_at(level) for level in range(3)] == [list(level) for level in zip(*WORKCLASS, strict=True)]
    assert hierarchy.leaves_under(1).tolist() == [3, 1, 2, 2]
    assert hierarchy.leaf_positions["Inc"] == 4
    assert hierarchy.place(["Private", "State"]).tolist() == [3, 0]
    assert hierarchy.place([]).dtype == np.int32


paths_of_any_kind = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(["", "a", "b", "c", "*"]), min_size=width, max_size=width), min_size=1, max_size=5
    )
)


def is_hierarchy(paths: list[list[str]]) -> bool:
    """The definition, word for word: one root, unique leaves, equal labels stay equal, empty means missing."""
    height = len(paths[0]) - 1
    leaves = [path[0] for path in paths]
    if len(set(leaves)) < len(leaves) or len({path[height] for path in paths}) > 1:
        return False
    if any(path[0] != MISSING and MISSING in path for path in paths):
        return False
    return all(
        one[level + 1] == other[level + 1]
        for one in paths
        for other in paths
        for level in range(height)
        if one[level] == other[level]
    )


@given(paths_of_any_kind)
def test_exactly_the_trees_are_accepted(paths: list[list[str]]) -> None:
    if is_hierarchy(paths):
        hierarchy = Hierarchy.from_paths("x", paths)
        assert [list(path) for path in zip(*map(hierarchy.labels_at, range(len(paths[0]))), strict=True)] == paths
    else:
        with pytest.raises(BadData):
            Hierarchy.from_paths("x", paths)


@pytest.mark.slow
@given(paths_of_any_kind.filter(is_hierarchy))
def test_loss_counts_the_leaves_under_a_label(paths: list[list[str]]) -> None:
    loss = Hierarchy.from_paths("x", paths).cell_loss
    for leaf, path in enumerate(paths):
        for level, label in enumerate(path):
            alike = sum(other[level] == label for other in paths)
            expected = (alike - 1) / (len(paths) - 1) if len(paths) > 1 else 0.0
            assert loss[level, leaf] == expected


@pytest.mark.slow
@given(paths_of_any_kind.filter(is_hierarchy))
def test_missing_becomes_a_leaf_that_merges_at_the_root_only(paths: list[list[str]]) -> None:
    before = Hierarchy.from_paths("x", paths)
    after = before.with_missing()
    if MISSING in before.leaves:
        assert after is before
        return
    assert after.leaves == (*before.leaves, MISSING)
    assert after.height == max(before.height, 1)
    for level in range(after.height):
        assert after.labels_at(level)[-1] == MISSING
        assert after.leaves_under(level)[after.codes[level, -1]] == 1
    assert len(after.labels[-1]) == 1
    assert after.with_missing() is after


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        ([], ["empty"]),
        ([[]], ["empty"]),
        ([["a", "*"], ["b"]], ["unequal", "'b'", "2 levels", "line 12"]),
        ([["a", "*"], ["a", "*"]], ["duplicate leaf", "'a'", "line 12"]),
        ([["a", "x"], ["b", "y"]], ["2 roots", "'x', 'y'", "line 12"]),
        ([["a", "p", "x", "*"], ["b", "p", "y", "*"]], ["'p' at level 1", "two parents", "'x' and 'y'", "line 12"]),
        ([["a", "p", "*"], ["b", "", "*"]], ["empty label at level 1", "'b'", "line 12"]),
    ],
)
def test_a_refusal_names_column_file_line_and_values(paths: list[list[str]], words: list[str]) -> None:
    with pytest.raises(BadData) as refusal:
        Hierarchy.from_paths("colour", paths, Origin("hierarchy file 'colour.csv'", [7, 12]))
    for word in ["'colour'", "colour.csv", *words]:
        assert word in str(refusal.value)


def test_a_header_is_recognised() -> None:
    paths = [["value", "level 1", "root"], ["a", "x", "*"], ["b", "x", "*"]]
    with pytest.raises(BadData, match="if the first line is a header, delete it"):
        Hierarchy.from_paths("x", paths, Origin("file", [1, 2, 3]))


@pytest.mark.parametrize("roots", [["yes", "no", "no"], ["a", "b", "c", "d", "e", "f"]])
def test_data_named_by_mistake_show_no_person(roots: list[str]) -> None:
    people = ["Ann", "Bob", "Ann", "Cid", "Dan", "Eve"]
    paths = [[name, str(30 + place), root] for place, (name, root) in enumerate(zip(people, roots, strict=False))]
    with pytest.raises(BadData, match="did you name the data by mistake") as refusal:
        Hierarchy.from_paths("age", paths, Origin("hierarchy file 'people.csv'", [1, 2, 3, 4, 5, 6]))
    assert not [name for name in people if name in str(refusal.value)]


def test_of_values_without_a_place_the_shapes_are_shown() -> None:
    hierarchy = Hierarchy.from_paths("workclass", WORKCLASS)
    with pytest.raises(
        BadData, match=r"column 'workclass': 2 values have no place .*'aaaaaaaa', 'aaaaa' \(letters.*; add a line"
    ) as refusal:
        hierarchy.place(["Private", "Gardener", "Baker"])
    assert "Gardener" not in str(refusal.value)
    with pytest.raises(BadData, match="spaces around them"):
        hierarchy.place([" Private"])


def test_long_lists_and_long_values_are_cut() -> None:
    assert show_some(["a", "b"]) == "'a', 'b'"
    assert show_some(list("abcdefg")) == "'a', 'b', 'c', 'd', 'e' and 2 more"
    assert len(show_some(["x" * 1000])) == 62


def test_shapes_keep_neither_letters_nor_digits() -> None:
    assert shape_of("Jane Doe 0171-555") == "aaaa aaa 9999-999"
    assert shape_of("Zoë_ß٣½") == "aaa_a99"
    assert shape_of("e\u0301 हिन्दी") == "aa aaaaaa"
    assert show_shapes(["Ann", "Bob", "7"]) == "'aaa', '9' (letters as a, digits as 9)"
    assert show_shapes(["9" * length for length in range(1, 8)]).startswith("'9', '99', '999', '9999', '99999' and oth")
    assert len(show_shapes(["x" * 1000])) == 62 + len(" (letters as a, digits as 9)")


@given(st.text(max_size=80))
def test_no_letter_and_no_digit_of_a_value_is_in_its_shape(value: str) -> None:
    assert len(shape_of(value)) == len(value)
    assert not {sign for sign in shape_of(value) if sign.isalnum()} - {"a", "9"}

"""Masks: values share a label exactly when they share the characters that are kept.

Covers hierarchies/masks.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.masks import MaskSpec, build_mask
from tacit.errors import BadParameter

codes = st.text(st.sampled_from("01A*."), min_size=1, max_size=5)


def test_the_example_of_the_zip_codes() -> None:
    hierarchy = build_mask("zip", MaskSpec(mask=5), ["81667", "81675"])
    assert [hierarchy.labels_at(level)[0] for level in range(6)] == ["81667", "8166*", "816**", "81***", "8****", "*"]
    assert (
        build_mask("zip", MaskSpec(mask=True), ["81667"]).labels
        == build_mask("zip", MaskSpec(mask=5), ["81667"]).labels
    )


def test_a_shorter_code_meets_the_codes_that_refine_it() -> None:
    hierarchy = build_mask("diagnosis", MaskSpec(mask=2), ["E11", "E11.9", "E12.9"])
    assert hierarchy.labels[1:] == (("E11**", "E11.*", "E12.*"), ("E11**", "E12**"), ("*",))


def test_masking_from_the_left() -> None:
    hierarchy = build_mask("x", MaskSpec(mask=[1, 3], side="left"), ["1234", "34"])
    assert hierarchy.labels == (("1234", "34"), ("*234", "**34"), ("***4",), ("*",))


@given(
    st.lists(codes, min_size=1, max_size=8, unique=True),
    st.just(True) | st.integers(1, 6) | st.sets(st.integers(1, 6), min_size=1).map(sorted),
    st.sampled_from(["right", "left"]),
)
def test_values_share_a_label_when_they_share_what_is_kept(values: list[str], mask: object, side: str) -> None:
    spec = MaskSpec.parse("x", {"mask": mask, "side": side})
    hierarchy = build_mask("x", spec, values)
    longest = max(map(len, values))
    numbers = mask if isinstance(mask, list) else range(1, (longest if mask is True else int(str(mask))) + 1)
    masked = [number for number in numbers if number < longest]
    assert hierarchy.height == len(masked) + 1
    padded = [value.ljust(longest, "*") if side == "right" else value.rjust(longest, "*")[::-1] for value in values]
    for level, number in enumerate(masked, start=1):
        labels = hierarchy.labels_at(level)
        assert all(len(label) == longest for label in labels)
        for i, one in enumerate(padded):
            for j, other in enumerate(padded):
                assert (labels[i] == labels[j]) == (one[: longest - number] == other[: longest - number])
    assert hierarchy.labels[-1] == ("*",)


@pytest.mark.parametrize("mask", [False, 0, -1, 1.5, "5", None, [], [2, 2], [3, 1], [True], [0, 1], 65, [1, 65], {}])
def test_what_is_no_mask_is_refused(mask: object) -> None:
    with pytest.raises(BadParameter, match=r"zip: mask: .*mask"):
        MaskSpec.parse("zip", {"mask": mask})


def test_one_is_a_number_and_true_is_all() -> None:
    assert MaskSpec(mask=1).mask is not True
    assert build_mask("x", MaskSpec(mask=1), ["abc"]).height == 2
    assert build_mask("x", MaskSpec(mask=True), ["abc"]).height == 3


def test_endless_values_need_a_number() -> None:
    with pytest.raises(BadParameter, match="'text': mask: true would make 65 levels"):
        build_mask("text", MaskSpec(mask=True), ["x" * 65])
    assert build_mask("text", MaskSpec(mask=2), ["x" * 65]).height == 3

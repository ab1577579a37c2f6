"""Groups of neighbours in a given order, and what is refused where there is no order.

Covers hierarchies/order.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.order import OrderSpec, build_order
from tacit.errors import BadData, BadParameter

GRADES = ["none", "low", "middle", "high", "top"]


def test_groups_of_a_given_order() -> None:
    hierarchy = build_order("grade", OrderSpec.parse("x", {"order": [2, 4], "values": GRADES}), ["low"])
    assert hierarchy.leaves == tuple(GRADES)
    assert hierarchy.labels[1:] == (("[none, low]", "[middle, high]", "top"), ("[none, high]", "top"), ("*",))


@given(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=30, unique=True),
    st.integers(2, 4),
    st.lists(st.integers(2, 3), max_size=2),
)
def test_numbers_fall_into_consecutive_groups(numbers: list[int], first: int, factors: list[int]) -> None:
    sizes = [first]
    for factor in factors:
        sizes.append(sizes[-1] * factor)
    hierarchy = build_order("x", OrderSpec(order=tuple(sizes)), [str(number) for number in numbers])
    assert hierarchy.leaves == tuple(str(number) for number in sorted(numbers))
    for level, size in enumerate(sizes, start=1):
        assert hierarchy.codes[level].tolist() == [position // size for position in range(len(numbers))]


def test_text_needs_its_order() -> None:
    with pytest.raises(BadData, match=r"'grade': .*not a number: 'aaa' "):
        build_order("grade", OrderSpec(order=(2,)), ["low"])


def test_labels_that_would_coincide_are_refused() -> None:
    spec = OrderSpec.parse("x", {"order": [2], "values": ["a", "b, c", "a, b", "c"]})
    with pytest.raises(
        BadParameter, match=r"groups of 2 would share the label '\[a, b, c\]'; write the groups as a tree"
    ):
        build_order("x", spec, [])


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"order": []}, "no size is given"),
        ({"order": [1]}, "at least 2"),
        ({"order": [3, 4]}, "size 4 is not a multiple of 3.*use 6"),
        ({"order": [3, 8]}, "size 8 is not a multiple of 3.*use 6 or 9"),
        ({"order": [4, 2]}, "size 2 follows 4"),
        ({"order": [2], "values": []}, "list of values is empty"),
        ({"order": [2], "values": ["a", "b", "a"]}, "values are listed twice: 'a'"),
        ({"order": [2], "values": [1, "1"]}, "values are listed twice: '1'"),
        ({"order": [2], "values": ["a", True]}, "put it in quotes"),
    ],
)
def test_a_refusal_says_a_fix(form: dict[str, object], words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        OrderSpec.parse("x", form)

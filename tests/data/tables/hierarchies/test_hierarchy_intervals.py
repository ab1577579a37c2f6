"""Intervals: every value lies in its interval, exactly in decimals, and wrong widths are refused with a fix.

Covers hierarchies/intervals.
"""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies.intervals import IntervalSpec, build_intervals
from tacit.errors import BadData, BadParameter

numbers = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**6), max_value=10**6, places=3).map(str)
whole = st.integers(-(10**25), 10**25).map(str)


@st.composite
def specs(draw: st.DrawFn) -> IntervalSpec:
    widths = [draw(st.decimals(min_value="0.001", max_value=1000, places=3))]
    for factor in draw(st.lists(st.integers(2, 7), max_size=3)):
        widths.append(widths[-1] * factor)
    return IntervalSpec(intervals=tuple(widths), origin=draw(st.decimals(min_value=-50, max_value=50, places=2)))


@given(specs(), st.lists(numbers | whole, min_size=1, max_size=12, unique=True))
def test_every_value_lies_in_its_interval(spec: IntervalSpec, values: list[str]) -> None:
    hierarchy = build_intervals("x", spec, values)
    assert sorted(hierarchy.leaves) == sorted(values)
    assert [Fraction(leaf) for leaf in hierarchy.leaves] == sorted(map(Fraction, values))
    for level, width in enumerate(spec.intervals, start=1):
        for leaf, label in zip(hierarchy.leaves, hierarchy.labels_at(level), strict=True):
            match = re.fullmatch(r"\[(\S+), (\S+)\)", label)
            assert match
            low, high = Fraction(match[1]), Fraction(match[2])
            assert low <= Fraction(leaf) < high
            assert high - low == Fraction(width)
            assert ((low - Fraction(spec.origin)) / Fraction(width)).denominator == 1
    assert hierarchy.labels[-1] == ("*",)


def test_labels_read_like_the_field_writes_them() -> None:
    hierarchy = build_intervals("age", IntervalSpec(intervals=(5, 10, 20)), ["23"])
    assert [hierarchy.labels_at(level)[0] for level in range(5)] == ["23", "[20, 25)", "[20, 30)", "[20, 40)", "*"]


def test_boundaries_do_not_suffer_from_binary_rounding() -> None:
    assert 0.3 // 0.1 == 2  # where floating point would put it
    hierarchy = build_intervals("x", IntervalSpec(intervals=(0.1,)), ["0.3"])
    assert hierarchy.labels[1] == ("[0.3, 0.4)",)


def test_a_domain_makes_every_whole_number_a_leaf() -> None:
    spec = IntervalSpec.parse("x", {"intervals": [5], "from": 0, "to": 12})
    hierarchy = build_intervals("x", spec, ["3", "7.0"])
    assert hierarchy.leaves == ("0", "1", "2", "3", "4", "5", "6", "7.0", "8", "9", "10", "11", "12")
    assert hierarchy.leaves_under(1).tolist() == [5, 5, 3]
    assert build_intervals("x", spec, []).leaves == tuple(str(number) for number in range(13))


def test_a_domain_of_decimals_has_the_observed_leaves() -> None:
    spec = IntervalSpec.parse("x", {"intervals": [5], "from": 0, "to": 12})
    assert build_intervals("x", spec, ["3", "7.5"]).leaves == ("3", "7.5")


def test_of_values_outside_the_domain_the_shapes_are_shown() -> None:
    spec = IntervalSpec.parse("x", {"intervals": [5], "from": 0, "to": 120})
    with pytest.raises(BadData, match=r"column 'age': 2 values lie outside its domain from 0 to 120: '999', '-9' "):
        build_intervals("age", spec, ["130", "-1", "0", "120"])


def test_a_huge_domain_is_refused() -> None:
    spec = IntervalSpec.parse("x", {"intervals": [5], "from": 0, "to": 10**9})
    with pytest.raises(BadParameter, match="more than 1000000 whole numbers; narrow it"):
        build_intervals("age", spec, ["3"])


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"intervals": [5, 12]}, "width 12 is not a multiple of 5.*use 10 or 15"),
        ({"intervals": [10, 15]}, "width 15 is not a multiple of 10.*use 20$"),
        ({"intervals": [0.5, 1.2]}, "width 1.2 is not a multiple of 0.5.*use 1 or 1.5"),
        ({"intervals": [10, 5]}, "width 5 does not exceed the width 10"),
        ({"intervals": [5, 5]}, "width 5 does not exceed the width 5"),
        ({"intervals": []}, "no width is given"),
        ({"intervals": [0]}, "intervals.0.*above 0"),
        ({"intervals": ["wide"]}, "must be a number"),
        ({"intervals": [True]}, "must be a number"),
        ({"intervals": [float("inf")]}, "must be a number"),
        ({"intervals": [5], "from": 0}, "needs both `from` and `to`"),
        ({"intervals": [5], "from": 9, "to": 1}, "from 9 is above to 1"),
        ({"intervals": [5], "form": 9}, "form: there is no such key"),
    ],
)
def test_a_refusal_says_which_width_and_a_fix(form: dict[str, object], words: str) -> None:
    with pytest.raises(BadParameter, match=words):
        IntervalSpec.parse("age", form)

"""The brute-force explorer, checked by hand and by a second enumeration."""

from itertools import product
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.errors import BadParameter
from tacit.sensitivity.exploration import (
    World,
    global_sensitivity,
    local_sensitivity,
    neighbours_of,
    sensitivity_within,
)
from tacit.sensitivity.neighbours import group, user


def test_neighbours_that_attain_the_sensitivity_are_shown() -> None:
    found = global_sensitivity(max_or_zero, World((1, 2, 9), most=2))
    assert found.sensitivity == 9
    assert {found.first, found.second} == {(), (9,)}
    assert abs(found.first_answer[0] - found.second_answer[0]) == 9
    assert found.pairs > 0


def max_or_zero(rows: tuple[int, ...]) -> int:
    return max(rows, default=0)


def test_local_is_below_global_for_a_median() -> None:
    """Median of 3 rows (0, 5, 5): replacing a row moves it to 0 at most; globally it may jump by 10."""
    world = World((0, 5, 10), most=3, least=3, neighbours="replace")
    local = local_sensitivity(median, (0, 5, 5), world)
    assert local.sensitivity == 5
    assert local.first == (0, 5, 5)
    assert global_sensitivity(median, world).sensitivity == 10


def test_local_sensitivity_grows_with_the_distance() -> None:
    """Five rows of 5: the median stays within 1 step, and can be moved by 5 once two rows are elsewhere (W29's A)."""
    world = World((0, 5, 10), most=5, least=5, neighbours="replace")
    rows = (5,) * 5
    assert [sensitivity_within(median, rows, k, world).sensitivity for k in range(3)] == [0, 0, 5]
    assert sensitivity_within(median, rows, 0, world).pairs == local_sensitivity(median, rows, world).pairs


def test_neighbours_by_hand() -> None:
    assert neighbours_of(("a",), World(("a", "b"), most=2)) == [(), ("a", "a"), ("a", "b")]
    assert neighbours_of(("a", "b"), World(("a", "b"), most=2, neighbours="replace")) == [("a", "a"), ("b", "b")]
    assert neighbours_of(("b", "a"), World(("a", "b"), most=2, neighbours="replace", ordered=True)) == [
        ("a", "a"),
        ("b", "b"),
    ]
    assert neighbours_of((), World(("a", "b"), most=2, unit=group(2))) == [
        ("a",),
        ("a", "a"),
        ("a", "b"),
        ("b",),
        ("b", "b"),
    ]
    assert neighbours_of((), World(("a", "b"), most=1, unit=user(2))) == [
        ("a",),
        ("b",),
        ("a", "a"),
        ("a", "b"),
        ("b", "b"),
    ]


def test_the_order_counts_only_where_it_is_asked_to() -> None:
    def first_row(rows: tuple[int, ...]) -> int:
        return rows[0] if rows else 0

    ordered = World((0, 1, 7), most=2, ordered=True)
    assert local_sensitivity(first_row, (0, 7), ordered).sensitivity == 7
    unordered = World((0, 1, 7), most=2)
    assert local_sensitivity(first_row, (7, 0), unordered).first == (0, 7)


@examples(40)
@given(table=st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_global_sensitivity_by_a_second_enumeration(table: list[int]) -> None:
    """Any function of the counts of two kinds of rows, up to 3 rows in all: pairs of count vectors one step apart."""

    def query(rows: tuple[int, ...]) -> int:
        return table[(rows.count(0) * 3 + rows.count(1) * 5) % 8]

    counts = [(a, b) for a, b in product(range(4), repeat=2) if a + b <= 3]
    answers = {(a, b): query((0,) * a + (1,) * b) for a, b in counts}
    steps = {"add-remove": ((1, 0), (0, 1)), "replace": ((1, -1),)}
    for neighbours, moves in steps.items():
        pairs = [((a, b), (a + x, b + y)) for a, b in counts for x, y in moves]
        gaps = [abs(answers[first] - answers[second]) for first, second in pairs if second in answers]
        found = global_sensitivity(query, World((0, 1), most=3, neighbours=neighbours))  # type: ignore[arg-type]
        assert found.sensitivity == max(gaps)


@pytest.mark.parametrize(
    "make",
    [
        lambda: World((), most=2),
        lambda: World((1, 1), most=2),
        lambda: World((1, 2), most=0),
        lambda: World((1, 2), most=1, least=2),
        lambda: World((1, 2), most=1, neighbours="near"),  # type: ignore[arg-type]
        lambda: global_sensitivity(sum, World(range(100), most=5)),  # type: ignore[arg-type]
        lambda: global_sensitivity(lambda rows: float("nan"), World((1, 2), most=2)),
        lambda: global_sensitivity(lambda rows: list(rows), World((1, 2), most=2)),
        lambda: global_sensitivity(len, World((1,), most=2, least=2, neighbours="replace")),
        lambda: local_sensitivity(len, (3,), World((1, 2), most=2)),
        lambda: local_sensitivity(len, (1, 1, 1), World((1, 2), most=2)),
    ],
)
def test_bad_worlds_and_questions_are_refused(make: object) -> None:
    with pytest.raises(BadParameter):
        make()  # type: ignore[operator]

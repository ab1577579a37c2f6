from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.worlds import World, all_suppressed, one_row, publication, tally_of, worlds

from tacit.data.tables.tally import Census, Tally
from tacit.errors import BadParameter
from tacit.metrics.tables import singling_out as module
from tacit.metrics.tables.singling_out import METRIC, measure_uniqueness, singling_out, uniqueness
from tacit.params import Params

Rows = list[tuple[int, tuple[str, ...]]]


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Rows, Tally]:
    """Rows of (person, values) in one to five columns, and their tally; people may have several rows."""
    width = draw(st.integers(1, 5))
    values = draw(st.lists(st.tuples(*[st.sampled_from("wxyz")] * width), min_size=1, max_size=14))
    named = draw(st.booleans())
    people = draw(st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values)))
    persons = people if named else list(range(len(values)))
    world = World(tuple("abcde"[:width]), (), values, [], (), people if named else None)
    return list(zip(persons, values, strict=True)), tally_of(world)[0]


def plain_unique(rows: Rows, columns: tuple[int, ...]) -> int:
    """How many people have, in some row, values that no other person has."""
    seen = [(person, tuple(values[c] for c in columns)) for person, values in rows]
    return len({p for p, v in seen if all(other == p for other, w in seen if w == v)})


def plain_sets(rows: Rows, width: int, most: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """Unique people and gain of every set with a gain."""
    everything = [c for size in range(1, most + 1) for c in combinations(range(width), size)]
    unique = {columns: plain_unique(rows, columns) for columns in everything}
    best = {c: max((unique[part] for part in combinations(c, len(c) - 1) if part), default=0) for c in everything}
    return {c: (unique[c], unique[c] - best[c]) for c in everything if unique[c] > best[c]}


@pytest.mark.parametrize("dense_span", [module.DENSE_SPAN, -1_000_000])
@given(crowd=crowds(), most=st.integers(1, 4))
def test_all_sets_with_a_gain_are_found(crowd: tuple[Rows, Tally], most: int, dense_span: int) -> None:
    rows, tally = crowd
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DENSE_SPAN", dense_span)
        found = singling_out(tally, most, keep=1000)
    people = len({person for person, _ in rows})
    expected = plain_sets(rows, len(tally.columns), most)
    assert {each.columns: each.unique for each in found} == {
        tuple(tally.columns[c] for c in columns): unique for columns, (unique, _) in expected.items()
    }
    assert all(each.share == pytest.approx(each.unique / people) for each in found)


@pytest.mark.slow
@given(crowds(), st.integers(0, 6))
def test_places_are_dealt_to_the_sizes_in_turn(crowd: tuple[Rows, Tally], keep: int) -> None:
    rows, tally = crowd
    gains = {
        tuple(tally.columns[c] for c in key): value for key, value in plain_sets(rows, len(tally.columns), 3).items()
    }
    found = [each.columns for each in singling_out(tally, 3, keep)]
    places = {size: sum(len(columns) == size for columns in found) for size in (1, 2, 3)}
    there = {size: sum(len(columns) == size for columns in gains) for size in (1, 2, 3)}
    assert sum(places.values()) == min(keep, len(gains))
    for size in (1, 2, 3):
        mine = sorted((gains[c][1] for c in gains if len(c) == size), reverse=True)
        assert sorted((gains[c][1] for c in found if len(c) == size), reverse=True) == mine[: places[size]]
        for other in (1, 2, 3):
            assert places[size] >= there[size] or places[size] >= places[other] - (other < size)
    assert found == sorted(found, key=lambda c: (len(c), -gains[c][0]))


@given(crowds())
def test_uniqueness_is_that_of_all_columns(crowd: tuple[Rows, Tally]) -> None:
    rows, tally = crowd
    found = uniqueness(tally)
    assert found.columns == tally.columns
    assert found.unique == plain_unique(rows, tuple(range(len(tally.columns))))
    assert found.share == pytest.approx(found.unique / len({person for person, _ in rows}))


def test_two_harmless_columns_are_told_before_a_known_one_with_company() -> None:
    # c singles out x alone; a and b single out nobody alone but everybody together, so (a, b) gains most.
    values = [("0", "0", "x"), ("0", "1", "y"), ("1", "0", "y"), ("1", "1", "y")]
    tally, _ = tally_of(World(("a", "b", "c"), (), values, [], ()))
    found = singling_out(tally, most=2, keep=2)
    assert [(each.columns, each.unique) for each in found] == [(("c",), 1), (("a", "b"), 4)]


def test_a_person_with_many_rows_is_one_person() -> None:
    # Person 0 is alone in both of their rows, persons 1 and 2 share theirs.
    values = [("p",), ("q",), ("r",), ("r",)]
    tally, _ = tally_of(World(("a",), (), values, [], (), persons=[0, 0, 1, 2]))
    assert uniqueness(tally).unique == 1
    assert uniqueness(tally).share == pytest.approx(1 / 3)


def wide_tally(combinations_: int, sizes: list[int]) -> Tally:
    random = np.random.default_rng(7)
    codes = np.array([random.integers(0, size, combinations_) for size in sizes], dtype=np.int32)
    names = tuple(str(v) for v in range(max(sizes)))
    values = tuple(names[:size] for size in sizes)
    ones = np.ones(combinations_, dtype=np.int64)
    return Tally(tuple(f"c{i}" for i in range(len(sizes))), values, codes, ones, Census(ones))


def test_a_wide_table_is_limited_to_the_columns_of_highest_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [2, 300, 3, 200, 2, 400, 3, 500]
    tally = wide_tally(1000, sizes)
    # Room for the 8 single columns and the 6 + 4 larger sets of 4 columns, but not the 20 of 5.
    assert comb(5, 2) + comb(5, 3) == 20
    monkeypatch.setattr(module, "LIMIT", 1000 * (8 + 10 + 9))
    larger = [each.columns for each in singling_out(tally, 3, keep=1000) if len(each.columns) > 1]
    assert set().union(*larger) == {"c1", "c3", "c5", "c7"}
    monkeypatch.setattr(module, "LIMIT", 1)
    assert all(len(each.columns) == 1 for each in singling_out(tally, 3, keep=1000))


def test_keys_too_large_for_one_number_are_packed_again() -> None:
    tally = wide_tally(50, [2**18] * 4)  # 72 bits
    assert uniqueness(tally).unique == 50
    pairs = np.arange(50)
    spread = Tally(
        tally.columns, tally.values, tally.codes, tally.rows, Census(np.zeros(50, np.int64), pairs, pairs // 2)
    )
    assert uniqueness(spread).unique == 25


@pytest.mark.slow
def test_keys_that_leave_no_room_for_the_person_are_packed_again() -> None:
    # Keys of 3 × 20 bits fill 60; entries that differ in the topmost bit alone must stay apart.
    values = tuple(map(str, range(2**20)))
    codes = np.array([[0, 2**19, 7], [5] * 3, [6] * 3], dtype=np.int32)
    # Persons 0 and 1 are alone in a combination each, and share the third with everybody.
    people = Census(np.zeros(3, np.int64), np.array([0, 1, *[2] * 18]), np.array([0, 1, *range(18)]))
    tally = Tally(("a", "b", "c"), (values,) * 3, codes, np.ones(3, np.int64), people)
    assert uniqueness(tally).unique == 2


def test_people_of_the_population_alone_do_not_count() -> None:
    tally, _ = tally_of(World(("a",), (), [("p",), ("q",)], [], ()))
    rows = np.array([1, 0], dtype=np.int64)
    assert uniqueness(Tally(tally.columns, tally.values, tally.codes, rows, Census(rows))).share == 1.0


@pytest.mark.parametrize(("most", "keep"), [(0, 5), (2, -1)])
def test_nonsense_is_refused(most: int, keep: int) -> None:
    with pytest.raises(BadParameter, match=f"most is {most} and keep is {keep}"):
        singling_out(wide_tally(3, [2]), most, keep)


@pytest.mark.slow
@given(worlds(persons=True, split=False))
def test_the_metric_is_about_the_released_rows(world: World) -> None:
    people = world.persons or []
    rows = [(p, world.texts(i)) for i, p in enumerate(people) if world.texts(i) is not None]
    found = measure_uniqueness(publication(world), Params())
    number = max(len({person for person, _ in rows}), 1)
    everything = tuple(range(len(world.columns)))
    assert found.value == pytest.approx(plain_unique(rows, everything) / number)
    assert list(found.per_column.values()) == pytest.approx([plain_unique(rows, (c,)) / number for c in everything])


def test_the_two_ends() -> None:
    assert METRIC.run(publication(one_row()), METRIC.example).value == 1.0
    assert METRIC.run(publication(all_suppressed()), METRIC.example).value == 0.0

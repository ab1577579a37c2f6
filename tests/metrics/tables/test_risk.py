from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.worlds import World, all_suppressed, one_row, publication, worlds

from tacit.data.tables.classes import Classes
from tacit.errors import BadData, BadParameter
from tacit.metrics.tables.risk import EDGES, METRIC, Threshold, measure_released_risk, measure_risk


def classes(sizes: list[int], population: list[int] | None = None) -> Classes:
    counted = np.array(sizes, dtype=np.int64)
    others = None if population is None else np.array(population, dtype=np.int64)
    return Classes(rows=counted, sizes=counted, population=others)


SIZES = st.lists(st.one_of(st.integers(0, 30), st.integers(0, 30_000)), max_size=12)


@given(SIZES, st.sampled_from([0.05, 0.2, 1 / 3, 0.5, 1.0]))
def test_people_are_asked_one_by_one(sizes: list[int], threshold: float) -> None:
    risk = measure_risk(classes(sizes), threshold)
    sizes = [size for size in sizes if size]
    people = sum(sizes)
    average = float(Fraction(len(sizes), people)) if people else 0.0
    assert (risk.people, risk.classes, risk.unique) == (people, len(sizes), sizes.count(1))
    assert risk.prosecutor_highest == (1 / min(sizes) if sizes else 0.0)
    assert risk.prosecutor_average == pytest.approx(average)
    assert risk.above == pytest.approx(sum(s for s in sizes if 1 / s > threshold) / max(people, 1))
    assert (risk.journalist_highest, risk.threshold) == (risk.prosecutor_highest, threshold)
    assert (risk.journalist_average, risk.marketer) == pytest.approx((average, average))
    assert risk.unique_share == pytest.approx(sizes.count(1) / max(people, 1))


@given(SIZES)
def test_every_person_is_in_one_interval_and_one_bin(sizes: list[int]) -> None:
    risk = measure_risk(classes(sizes))
    sizes = [size for size in sizes if size]
    for i, share in enumerate(risk.distribution):
        inside = sum(s for s in sizes if EDGES[i] < 1 / s <= EDGES[i + 1])
        assert share == pytest.approx(inside / max(sum(sizes), 1))
    assert (risk.edges, len(risk.distribution)) == (EDGES, len(EDGES) - 1)
    for i, each in enumerate(risk.sizes):
        inside = [s for s in sizes if each.least <= s <= each.most]
        assert (each.classes, each.people) == (len(inside), sum(inside))
        assert each.least == (risk.sizes[i - 1].most + 1 if i else 1)
    assert sum(each.classes for each in risk.sizes) == len(sizes)


def test_bins_have_the_promised_bounds() -> None:
    bounds = [(each.least, each.most) for each in measure_risk(classes([700])).sizes]
    assert bounds[:5] == [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19)]
    assert bounds[5:] == [(20, 49), (50, 99), (100, 199), (200, 499), (500, 999)]


def test_a_risk_on_a_bound_belongs_below_it() -> None:
    # Classes of 5 have exactly the risk 0.2: not above the threshold 0.2, and in (0.1, 0.2].
    risk = measure_risk(classes([5, 4]), 0.2)
    assert risk.above == pytest.approx(4 / 9)
    assert risk.distribution[EDGES.index(0.2) - 1] == pytest.approx(5 / 9)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 50)), min_size=1, max_size=8))
def test_a_population_makes_a_journalist(pairs: list[tuple[int, int]]) -> None:
    sizes = [size for size, _ in pairs]
    known = [max(size, population) for size, population in pairs]
    risk = measure_risk(classes(sizes, [population for _, population in pairs]))
    matches = sum(Fraction(f, big) for f, big in zip(sizes, known, strict=True)) / sum(sizes)
    assert risk.journalist_highest == 1 / min(known)
    assert risk.marketer == pytest.approx(float(matches))
    assert risk.journalist_average == pytest.approx(float(max(matches, Fraction(len(sizes), sum(known)))))
    assert risk.prosecutor_average == pytest.approx(len(sizes) / sum(sizes))


def test_the_journalist_starts_from_the_better_side() -> None:
    # f = (1, 99), F = (2, 99): from the data (1/2 + 99/99)/100 = 0.015, from the population 2/101.
    risk = measure_risk(classes([1, 99], [2, 99]))
    assert risk.marketer == pytest.approx(0.015)
    assert risk.journalist_average == pytest.approx(2 / 101)


def test_nobody_left_is_no_risk() -> None:
    for empty in (classes([]), classes([0, 0]), classes([0], [7])):
        risk = measure_risk(empty)
        assert (risk.people, risk.classes, risk.sizes) == (0, 0, ())
        assert {risk.prosecutor_highest, risk.journalist_highest, risk.journalist_average, risk.marketer} == {0.0}
        assert (risk.above, risk.unique_share, set(risk.distribution)) == (0.0, 0.0, {0.0})


@pytest.mark.parametrize("threshold", [0, -0.1, 1.1, float("nan")])
def test_a_threshold_is_a_risk(threshold: float) -> None:
    with pytest.raises(BadParameter, match="threshold is"):
        measure_risk(classes([1]), threshold)


def people_of_classes(world: World) -> list[int]:
    people = world.persons or list(range(len(world.rows)))
    texts = [world.texts(i) for i in range(len(world.rows))]
    return [len({p for p, t in zip(people, texts, strict=True) if t == each}) for each in set(texts) - {None}]


@pytest.mark.slow
@given(worlds())
def test_released_risk_counts_rows_where_nobody_is_named(world: World) -> None:
    check_released(world)


@pytest.mark.slow
@given(worlds(persons=True, split=False))
def test_released_risk_counts_people(world: World) -> None:
    check_released(world)


def check_released(world: World) -> None:
    sizes = people_of_classes(world)
    found = measure_released_risk(publication(world), Threshold(threshold=0.4))
    assert found.value == (1 / min(sizes) if sizes else 0.0)
    assert found.details["average"] == pytest.approx(len(sizes) / max(sum(sizes), 1))
    assert found.details["unique"] == pytest.approx(sizes.count(1) / max(sum(sizes), 1))
    assert found.details["above"] == pytest.approx(sum(s for s in sizes if 1 / s > 0.4) / max(sum(sizes), 1))


def test_people_of_split_combinations_are_not_guessed() -> None:
    world = one_row()
    cells = [world.published[0], world.published[0], None]
    split = World(world.columns, world.paths, world.rows * 3, cells, world.weights, persons=[1, 1, 2])
    with pytest.raises(BadData, match="count them in the released table"):
        METRIC.run(publication(split), METRIC.example)


def test_the_two_ends() -> None:
    assert METRIC.run(publication(one_row()), METRIC.example).value == 1.0
    assert METRIC.run(publication(all_suppressed()), METRIC.example).value == 0.0

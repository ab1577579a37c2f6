from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.tables.worlds import World, all_suppressed, one_row, publication, worlds

from tacit.data.tables.classes import Classes
from tacit.data.tables.tally import Census
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


def risks_of_people(world: World) -> dict[int, float]:
    """The highest of the risks of everybody's published rows, asked person by person."""
    people = world.persons or list(range(len(world.rows)))
    texts = [world.texts(i) for i in range(len(world.rows))]
    highest: dict[int, float] = {}
    for person, text in zip(people, texts, strict=True):
        if text is not None:
            alike = {p for p, t in zip(people, texts, strict=True) if t == text}
            highest[person] = max(highest.get(person, 0.0), 1 / len(alike))
    return highest


@pytest.mark.slow
@given(worlds())
def test_released_risk_counts_rows_where_nobody_is_named(world: World) -> None:
    check_released(world)


@pytest.mark.slow
@given(worlds(persons=True, split=False))
def test_released_risk_counts_people(world: World) -> None:
    check_released(world)


def check_released(world: World) -> None:
    risks = list(risks_of_people(world).values())
    number = max(len(risks), 1)
    found = measure_released_risk(publication(world), Threshold(threshold=0.4))
    assert found.value == max(risks, default=0.0)
    assert found.details["average"] == pytest.approx(sum(risks) / number)
    assert found.details["unique"] == pytest.approx(sum(risk == 1 for risk in risks) / number)
    assert found.details["above"] == pytest.approx(sum(risk > 0.4 for risk in risks) / number)


PLACES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=20)


def everywhere(pairs: list[tuple[int, int]], population: list[int] | None = None) -> Classes:
    """Classes in which a person may be several times: each pair is a person in a class."""
    spread = sorted(set(pairs))
    census = Census(
        np.zeros(6, dtype=np.int64),
        np.array([c for c, _ in spread], dtype=np.int64),
        np.array([p for _, p in spread], dtype=np.int64),
    )
    others = None if population is None else np.array(population, dtype=np.int64)
    return Classes(census.counts(), census.counts(), population=others, people=census)


@given(PLACES, st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_who_is_in_several_classes_has_the_highest_of_their_risks(
    pairs: list[tuple[int, int]], population: list[int]
) -> None:
    sizes = {c: len({p for d, p in pairs if d == c}) for c, _ in pairs}
    known = {c: max(size, population[c]) for c, size in sizes.items()}
    people = {p for _, p in pairs}
    smallest = {p: min(sizes[c] for c, q in pairs if q == p) for p in people}
    hidden = {p: min(known[c] for c, q in pairs if q == p) for p in people}
    risk, number = measure_risk(everywhere(pairs, population), 0.3), max(len(people), 1)
    matches = float(sum((Fraction(1, size) for size in hidden.values()), Fraction(0))) / number
    assert (risk.people, risk.classes) == (len(people), len(sizes))
    assert risk.unique == sum(size == 1 for size in smallest.values())
    assert risk.unique_share == pytest.approx(risk.unique / number)
    assert risk.above == pytest.approx(sum(1 / size > 0.3 for size in smallest.values()) / number)
    assert risk.prosecutor_average == pytest.approx(sum(1 / size for size in smallest.values()) / number)
    assert risk.prosecutor_highest == max((1 / size for size in smallest.values()), default=0.0)
    assert risk.journalist_highest == max((1 / size for size in hidden.values()), default=0.0)
    assert risk.marketer == pytest.approx(matches)
    assert risk.journalist_average == pytest.approx(max(matches, len(sizes) / max(sum(known.values()), 1)))
    assert sum(each.people for each in risk.sizes) == len(people)
    assert sum(risk.distribution) == pytest.approx(float(len(people) > 0))
    for each in risk.sizes:
        assert each.people == sum(each.least <= size <= each.most for size in smallest.values())
        assert each.classes == sum(each.least <= size <= each.most for size in sizes.values())


def test_without_a_population_nobody_starts_from_the_other_side() -> None:
    # One person is alone in three classes; of six people in a fourth, two are in a fifth as well.
    risk = measure_risk(everywhere([(0, 0), (1, 0), (2, 0), *((3, p) for p in range(1, 7)), *((4, 1), (4, 2))]))
    assert risk.people == 7
    assert risk.prosecutor_average == risk.journalist_average == risk.marketer
    assert risk.prosecutor_average == pytest.approx((1 + 2 * 1 / 2 + 4 * 1 / 6) / 7)


def test_people_of_split_combinations_are_not_guessed() -> None:
    world = one_row()
    cells = [world.published[0], world.published[0], None]
    split = World(world.columns, world.paths, world.rows * 3, cells, world.weights, persons=[1, 1, 2])
    with pytest.raises(BadData, match="count them in the released table"):
        METRIC.run(publication(split), METRIC.example)


def test_the_two_ends() -> None:
    assert METRIC.run(publication(one_row()), METRIC.example).value == 1.0
    assert METRIC.run(publication(all_suppressed()), METRIC.example).value == 0.0

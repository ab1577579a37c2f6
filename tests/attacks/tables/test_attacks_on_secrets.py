"""Homogeneity, inference, background knowledge, skewness, similarity: each against plain Python over rows.

Covers homogeneity, inference, background_knowledge, skewness, similarity, tables/labels.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from tests.attacks.attack_worlds import SECRETS, WORLDS, World
from tests.oracle.counted import classes_from, tally_of
from tests.oracle.judge import Row, Scene
from tests.oracle.patients import DISEASES, GENERALISED, QUASI, RAW

from tacit.attacks.tables._beliefs import OnColumn
from tacit.attacks.tables.background_knowledge import Background, rule_out
from tacit.attacks.tables.homogeneity import find_homogeneous
from tacit.attacks.tables.inference import infer
from tacit.attacks.tables.similarity import Similarity, find_similar
from tacit.attacks.tables.skewness import Skewness, find_skewed
from tacit.data.tables.adversary_view import AdversaryView, view_as_is, view_of
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import stands_for
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import check
from tacit.guarantees.l_diversity import LDiversity


def believed(world: World, row: Row) -> Counter[str]:
    return Counter(published["secret"] for published in world.candidates(row))


@given(WORLDS)
def test_homogeneity_is_a_single_value_among_the_candidates(world: World) -> None:
    found = find_homogeneous(world.view(), OnColumn())
    hits = sum(set(believed(world, row)) == {row["secret"]} for row in world.rows)
    assert (found.hits, found.targets) == (hits, len(world.rows))
    assert found.baseline == float(len({row["secret"] for row in world.rows}) == 1)


@given(WORLDS)
def test_inference_guesses_the_most_frequent_value(world: World) -> None:
    found = infer(world.view(), OnColumn())
    hits = Fraction(0)
    for row in world.rows:
        counted = believed(world, row)
        top = [value for value, number in counted.items() if number == max(counted.values())]
        hits += Fraction(int(row["secret"] in top), max(len(top), 1))
    # Of a group that several classes fit, all candidates of a combination are weighed alike.
    assert found.hits == pytest.approx(float(hits), abs=1e-9)
    assert found.baseline == pytest.approx(float(max(world.prior(value) for value in world.secrets)))


@pytest.mark.slow
@given(world=WORLDS)
@pytest.mark.parametrize(("excluded", "members"), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2)])
def test_background_knowledge_rules_out_the_worst_values(world: World, excluded: int, members: int) -> None:
    found = rule_out(world.view(), Background(excluded=excluded, members=members))

    def certain(counted: Counter[str], truth: str) -> bool:
        if not counted[truth]:
            return False
        wrong = [value for value in counted if value != truth]
        sets = [set(some) for size in range(excluded + 1) for some in combinations(wrong, min(size, len(wrong)))]
        return any(sum(counted[v] for v in wrong if v not in some) <= members for some in sets)

    assert found.hits == sum(certain(believed(world, row), row["secret"]) for row in world.rows)
    whole = Counter(row["secret"] for row in world.rows)
    assert found.baseline == pytest.approx(sum(certain(whole, row["secret"]) for row in world.rows) / len(world.rows))


@given(WORLDS)
def test_skewness_is_a_belief_that_grew(world: World) -> None:
    found = find_skewed(world.view(), Skewness(factor=1.5))
    hits = 0
    for row in world.rows:
        counted = believed(world, row)
        if counted[row["secret"]]:
            grown = Fraction(counted[row["secret"]], sum(counted.values())) / world.prior(row["secret"])
            hits += grown >= Fraction(3, 2)
    assert found.hits == hits
    assert found.baseline == 0


@given(WORLDS)
def test_similarity_is_one_node_of_the_hierarchy(world: World) -> None:
    found = find_similar(world.view(), Similarity(level=1))
    hits = 0
    for row in world.rows:
        nodes = {SECRETS[value][1] for value in believed(world, row)}
        hits += len(nodes) == 1 and believed(world, row)[row["secret"]] > 0
    assert found.hits == hits


def test_similarity_refuses_what_it_cannot_compare() -> None:
    world = World([{"zip": "101", "sex": "f", "age": "20", "secret": "flu"}], [])
    with pytest.raises(BadParameter, match="level is 2; the hierarchy of 'secret' has 2 levels"):
        find_similar(world.raw(), Similarity(level=2))


def patients() -> AdversaryView:
    """W4, raw and generalised."""
    domains = {"disease": DISEASES}
    raw = tally_of(Scene(RAW, QUASI, RAW, domains=domains), QUASI, {"disease": False})
    shown = tally_of(Scene(GENERALISED, QUASI, RAW, domains=domains), QUASI, {"disease": False})
    paths = {
        c: {row[c]: [row[c], made[c], "all"] if row[c] != made[c] else [row[c], row[c], "all"] for row, made in PAIRS}
        for c in QUASI
    }
    stands = [
        stands_for(Hierarchy.from_paths(c, list(paths[c].values())), raw.values[i], shown.values[i])
        for i, c in enumerate(QUASI)
    ]
    return view_of(raw, shown, stands)


PAIRS = list(zip(RAW, GENERALISED, strict=True))


def test_w4_the_third_class_is_open_to_homogeneity() -> None:
    found = find_homogeneous(patients(), OnColumn(column="disease"))
    # Exactly the four people of (130**, 30-40, *), all with cancer.
    assert (found.hits, found.targets, found.details["groups"]) == (4, 12, 1)
    assert found.baseline == 0
    # The clearer guess: 2 of 4 (a tie of Heart and Flu), 2 of 4 (Flu), 4 of 4.
    assert infer(patients(), OnColumn(column="disease")).hits == 8
    # Excluding one value settles the first class (two values); of the second, with Flu 2, Heart 1, Cancer 1, nobody.
    assert rule_out(patients(), Background(column="disease", excluded=1)).hits == 8


def test_w9_a_two_diverse_class_lifts_the_belief_fifty_times() -> None:
    # 10,000 people, 100 of them positive; one class of 200 has them all, half and half.
    rows = [{"zip": "1", "hiv": "+"}] * 100 + [{"zip": "1", "hiv": "-"}] * 100 + [{"zip": "2", "hiv": "-"}] * 9800
    tally = tally_of(Scene(rows, ("zip",), rows, domains={"hiv": ["+", "-"]}), ("zip",), {"hiv": False})
    found = find_skewed(view_as_is(tally), Skewness(column="hiv", factor=50))
    assert (found.hits, found.targets) == (100, 10_000)
    assert found.details["largest_growth"] == pytest.approx(50)
    assert found.details["belief_there"] == 0.5
    assert find_skewed(view_as_is(tally), Skewness(column="hiv", factor=50.1)).hits == 0
    assert check(LDiversity(l=2, kind="distinct"), classes_from([[100, 100]])).holds


def test_a_secret_must_be_named_where_there_are_several() -> None:
    world = World([{"zip": "101", "sex": "f", "age": "20", "secret": "flu"}], [])
    with pytest.raises(BadParameter, match="name one of the sensitive columns: 'secret'"):
        infer(world.raw(), OnColumn(column="diagnosis"))
